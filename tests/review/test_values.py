"""A claim that cites one value of a file: what is certain of it, and what waits for a person."""

from __future__ import annotations

import pytest

from mkdocs_cited.model.answer import Claim, Evidence, Verdict
from mkdocs_cited.model.source import Page, Passage, PassageKind, Section, SourceType
from mkdocs_cited.review.interface import Case
from mkdocs_cited.review.values import judged_by_value

FILE = Page("values.yaml", "", "values.yaml", type=SourceType.FILE)


def judged(claim: str, name: str, value: str) -> Verdict:
    text = f"{name} is {value}, in values.yaml"
    section = Section(FILE, name, name, 1, (name,))
    passage = Passage("p", section, PassageKind.PARAGRAPH, text, SourceType.FILE, "h", value=value)
    judgement = judged_by_value(Case(Claim(claim, (1,)), (Evidence(passage, text),)))
    assert judgement is not None
    return judgement.verdict


@pytest.mark.parametrize(
    ("claim", "name", "value"),
    [
        ("The TTL is 30 seconds.", "cache.ttl", "30s"),
        ("The default TTL of the cache is 30,000 ms.", "cache.ttl", "30s"),
        ("The default of the cache's TTL is set to 30s.", "cache.ttl", "30s"),
        ("`retries` is 5 by default.", "retries", "5"),
        ("Requires Python 3.11 or newer.", "project.requires-python", ">=3.11"),
        ("GRACE is 86,400.", "GRACE", "86400 (24 * 60 * 60)"),
        ("`strict` is false by default.", "strict", "False"),
        ("The log level is info.", "log_level", "info"),
    ],
)
def test_name_and_value_alone_are_proven(claim: str, name: str, value: str) -> None:
    verdict = judged(claim, name, value)
    assert verdict in (Verdict.SUPPORTED, Verdict.UNCHECKED)
    if "Python" not in claim:
        assert verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "name", "value"),
    [
        ("The TTL is 30 seconds.", "cache.ttl", "45s"),
        ("The TTL is 30 seconds.", "cache.ttl", "31"),
        ("Keys live for 30 seconds.", "cache.ttl", "45s"),
        ("A plan is $5/month.", "plan", "$5/year"),
        ("The quota is 600 per minute.", "quota", "600 per hour"),
        ("`strict` is true by default.", "strict", "False"),
        ("At most 5 retries.", "retries", "7"),
        ("Lumen needs Python 3.11 or newer.", "project.requires-python", ">=3.12"),
        ("Lumen needs Python 3.11 or newer.", "project.requires-python", ">=3.12,<4"),
        ("It runs on Python 3.11 and newer.", "python", "^3.12"),
        ("Strict is on by default.", "strict", "False"),
        ("`use_tls` is disabled.", "use_tls", "True"),
    ],
)
def test_another_value_is_proven_wrong(claim: str, name: str, value: str) -> None:
    assert judged(claim, name, value) is Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "name", "value"),
    [
        ("The TTL is not 30 seconds.", "cache.ttl", "30s"),
        ("The old key works for 30 seconds.", "cache.ttl", "30s"),
        ("The TTL is 30 seconds.", "cache.ttl", "30000"),
        ("The quota is 10 requests per second.", "rate", "600"),
        ("It takes version 2.3.", "version", "2.3.1"),
        ("Strict depends on the server.", "strict", "False"),
        ("The cache is disabled.", "disable_cache", "False"),
        ("The cache is disabled.", "disable_cache", "True"),
        ("The level is warning.", "level", "info"),
        ("It expires.", "cache.ttl", "30s"),
        ("The TTL is 30 seconds on the free plan.", "cache.ttl", "30s"),
        ("The TTL must be above 30 seconds.", "cache.ttl", "30s"),
        ("The maximum TTL is 30 seconds.", "cache.ttl", "30s"),
        ("The TTL was 30 seconds before version two.", "cache.ttl", "30s"),
        ("The server closes port 8000 and deletes your data.", "port", "8000"),
        ("`debug` is false, so passwords are logged.", "debug", "False"),
        ("Unlike the port, which is 8000, the size is unlimited.", "port", "8000"),
    ],
)
def test_all_else_waits(claim: str, name: str, value: str) -> None:
    """More than the value: a limit, a condition, a consequence; a bare number with another unit's; other words."""
    assert judged(claim, name, value) is Verdict.UNCHECKED


def test_other_claims_are_not_judged() -> None:
    """Prose is left to the readers, and so is a claim that cites more than one value."""
    page = Page("a.md", "a/", "A")
    prose = Passage("p", Section(page, "", "A", 1, ("A",)), PassageKind.PARAGRAPH, "It is 5.", SourceType.PAGE, "h")
    assert judged_by_value(Case(Claim("It is 5.", (1,)), (Evidence(prose, "It is 5."),))) is None
