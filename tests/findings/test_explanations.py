"""Every finding is explained, with an example that fails, the same mended, and how to silence it."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.model.answer import Verdict
from mkdocs_cited.model.finding import CATALOGUE, Kind, explain, explanations
from mkdocs_cited.review.interface import Audit, Case, Review
from mkdocs_cited.review.lexical import Lexical
from mkdocs_cited.review.rules import RULES
from mkdocs_cited.settings import parse
from tests.docs.generated import GROUPS
from tests.review.site import audit_of

PARTS = ["Example", "Fix", "Silence"]
SAYS = re.compile(
    r"^The (answer|page `(?P<page>[\w/.-]+)`) says:\n\n(?:> (?P<quote>.+)|```text\n(?P<code>.+?)\n```)$", re.M
)
NOT_TEXTS = {"orphan-source", "quote-not-found"}
"""Rules whose examples show a record."""
KINDS = pytest.mark.parametrize("kind", CATALOGUE.values(), ids=CATALOGUE)


def part(slug: str, heading: str) -> str:
    """What stands under a heading."""
    return explain(slug).partition(f"\n**{heading}**\n")[2].partition("\n**")[0].strip()


def yaml_blocks(text: str) -> list[str]:
    return re.findall(r"^```yaml[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def options_of(text: str) -> dict[str, Any]:
    """The options of cited in a piece of `mkdocs.yml`."""
    (cited,) = (item["cited"] for item in yaml.safe_load(text)["plugins"] if isinstance(item, dict))
    return dict(cited)


def test_slugs_explanations_and_rules_are_the_same() -> None:
    """No explanation without its finding, no rule without its explanation, no group without its heading."""
    assert list(explanations()) == list(CATALOGUE)
    assert RULES.keys() <= CATALOGUE.keys()
    assert {kind.group for kind in CATALOGUE.values()} == GROUPS.keys()


@KINDS
def test_an_explanation_has_its_parts(kind: Kind) -> None:
    """Title, summary and severity are the catalogue's; the meaning and three parts follow, none of them empty."""
    text = explain(kind.slug)
    severity = f"Severity: **{kind.severity}**, unless the option `severity` has another one."
    start = f"# {kind.slug}\n\n{kind.summary}\n\n{severity}\n\n"
    assert text.startswith(start)
    assert not text.removeprefix(start).startswith("**")
    assert re.findall(r"^\*\*(.+)\*\*$", text, re.MULTILINE) == PARTS
    assert all(len(part(kind.slug, heading)) > 20 for heading in PARTS)


@KINDS
def test_what_silences_it_works(kind: Kind) -> None:
    """The options are valid and change this slug's severity; a suppression is read and names this slug."""
    text = part(kind.slug, "Silence")
    options = yaml.safe_load(re.findall(r"`(severity: .+?)`", text)[0])
    severities = parse(options, {}).severity
    assert list(severities) == [kind.slug]
    assert severities[kind.slug].rank < kind.severity.rank
    suppressions = re.findall(r"`(suppress: .+?)`", text)
    assert len(suppressions) == (kind.group != "project")
    for line in suppressions:
        (suppression,) = parse(yaml.safe_load(line), {}).suppress
        assert (suppression.slug, bool(suppression.reason)) == (kind.slug, True)


def examples(slug: str) -> tuple[Audit, Audit]:
    """The failing example and the mended one, as answers over the pages that the explanation shows."""
    failing, mended = part(slug, "Example"), part(slug, "Fix")
    says = list(SAYS.finditer(failing))
    passages = [
        {
            "at": f"{page}#reference",
            "text": match["quote"],
            "type": "note" if page.startswith("notes/") else "page",
        }
        for match in says
        if (page := match["page"])
    ]
    answers = [
        next(m["quote"] or m["code"] for m in SAYS.finditer(text) if not m["page"]) for text in (failing, mended)
    ]
    settings = {name: value for text in yaml_blocks(failing) for name, value in options_of(text).items()}
    first, second = (audit_of({"passages": passages, "answer": answer}, **settings) for answer in answers)
    return first, second


@pytest.mark.parametrize("slug", sorted(RULES.keys() - NOT_TEXTS))
def test_examples_of_rules_are_true(slug: str) -> None:
    """The rule finds what the failing example shows, and nothing in the mended one."""
    failing, mended = (list(RULES[slug](audit)) for audit in examples(slug))
    assert [finding.slug for finding in failing][:1] == [slug]
    assert mended == []


@pytest.mark.parametrize("slug", ["unsupported-claim", "contradicted-claim", "partial-claim", "unconfirmed-claim"])
def test_examples_of_verdicts_are_true(slug: str) -> None:
    """The offline reviewer passes the mended example, and does not pass the failing one."""
    for audit, passes in zip(examples(slug), (False, True), strict=True):
        cases = [Case(item.claim, item.evidence) for item in audit.reviewed]
        review = Lexical(audit.settings).review(cases, audit.corpus)
        assert isinstance(review, Review)
        assert [judgement.verdict is Verdict.SUPPORTED for judgement in review.judgements] == [passes]


@pytest.mark.parametrize("slug", ["altered-number", "altered-identifier", "flipped-polarity"])
def test_examples_of_proofs_are_true(slug: str) -> None:
    """The offline reviewer proves the failing example wrong, by this name, and passes the mended one."""
    judged = []
    for audit in examples(slug):
        review = Lexical(audit.settings).review(
            [Case(each.claim, each.evidence) for each in audit.reviewed], audit.corpus
        )
        assert isinstance(review, Review)
        judged += [(judgement.proof, judgement.verdict) for judgement in review.judgements]
    assert judged == [(slug, Verdict.CONTRADICTED), ("", Verdict.SUPPORTED)]


def test_an_unknown_slug_is_refused_with_the_closest_one() -> None:
    """A misspelt slug names the one that was meant."""
    with pytest.raises(UsageError) as caught:
        explain("altered-nubmer")
    assert caught.value.tip == "did you mean `altered-number`?"
    with pytest.raises(UsageError):
        explain("../settings")
