"""Records of older versions are read; those of newer ones are left alone."""

from __future__ import annotations

import pytest

from mkdocs_cited.model.answer import Decision, Verdict
from mkdocs_cited.records import VERSION, Broken, Record, RecordedCitation, decode, edited, encode
from tests.records.strategies import unplaced


def test_a_record_that_a_person_began() -> None:
    """A question and a text are enough; its version comes with the first review, as does everything else."""
    text = """---
question: What are the limits?
citations:
  - {sid: 1, at: "api.md#rate", quote: "Sixty."}
---
Sixty requests a minute.[^1]
"""
    record = decode("faq.md#limits", text)
    assert isinstance(record, Record)
    assert unplaced(record) == Record(
        "faq.md#limits",
        "What are the limits?",
        "Sixty requests a minute.[^1]",
        citations=(RecordedCitation(1, "api.md#rate", "Sixty."),),
    )
    assert edited(record)
    assert encode(record).startswith("---\nversion: 3\nquestion: What are the limits?\n")


@pytest.mark.parametrize(
    ("version", "problem"),
    [
        (VERSION + 1, f"has version {VERSION + 1}, and this release reads up to {VERSION}: upgrade mkdocs-cited"),
        ("one", "has the version `one`, which is not a whole number"),
        ("true", "not a whole number"),
        (-1, "not a whole number"),
        (1.5, "not a whole number"),
    ],
)
def test_versions_that_cannot_be_read(version: object, problem: str) -> None:
    """Newer ones, and what is no version: the file is left as it is."""
    record = decode("faq.md#limits", f"---\nversion: {version}\nquestion: Why?\n---\n")
    assert isinstance(record, Broken)
    assert problem in record.reason


def test_a_record_of_0_2() -> None:
    """It had hashes in place of evidence: places, decisions and what was seen then are kept, all else is computed."""
    text = """---
version: 1
question: What are the limits?
provider: anthropic
reviewed: tlzfnbu7poa5yndr
reviewer: anthropic
encoder: minilm
citations:
  - sid: 1
    passage: api.md#rate~k3f9ab
    hash: k3f9abcdefgh2345
    quote: Sixty.
verdicts:
  - claim: It is sixty.
    key: c2k5
    verdict: supported
    score: 1.0
    reviewer: anthropic-1-claude-opus-5-5
    evidence_quote: Sixty.
    matched: [[0, 8]]
  - claim: It is sixty.
    key: b5y3
    verdict: contradicted
    reviewer: person:Ann Lee
    date: '2026-11-21'
    reason: It is not.
    beside: k3f9abcd
consulted:
  - api.md#rate~k3f9ab
---

It is sixty.[^1]
"""
    record = decode("faq.md#limits", text)
    assert isinstance(record, Record)
    assert record.citations == (RecordedCitation(1, "api.md#rate", "Sixty."),)
    assert record.claims == (
        Decision(claim="It is sixty.", verdict=Verdict.SUPPORTED, reviewer="anthropic-1-claude-opus-5-5"),
        Decision(
            claim="It is sixty.",
            verdict=Verdict.CONTRADICTED,
            by="Ann Lee",
            date="2026-11-21",
            reason="It is not.",
            seen="k3f9abcd",
        ),
    )
    assert "verdicts" not in encode(record)


def test_a_record_of_0_2_that_cannot_be_read() -> None:
    """It says so, and is left as it is."""
    record = decode("faq.md#limits", "---\nversion: 1\nquestion: Why?\nverdicts:\n  - claim: 3\n---\n")
    assert isinstance(record, Broken)
    assert record.reason == "cannot be used: `verdicts.0.claim`: expected text, got a whole number"


def test_a_record_that_lost_its_version_keeps_its_decisions() -> None:
    """A merge by hand may take out a line too much."""
    text = "---\nquestion: Why?\nclaims:\n  - claim: It is so.\n    verdict: supported\n    by: Ann\n---\n\nIt is so.\n"
    record = decode("faq.md#why", text)
    assert isinstance(record, Record)
    assert record.claims == (Decision(claim="It is so.", verdict=Verdict.SUPPORTED, by="Ann"),)
