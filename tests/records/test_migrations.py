"""Records of older versions are read; those of newer ones are left alone."""

from __future__ import annotations

import pytest

from mkdocs_cited.records import VERSION, Broken, Record, RecordedCitation, decode, edited, encode
from tests.records.strategies import unplaced


def test_a_record_that_a_person_began(  # version 0: what people write before they know the format
) -> None:
    """A question and a text are enough; everything else comes with the first review."""
    text = """---
question: What are the limits?
citations:
  - {sid: 1, passage: "api.md#rate~k3f9ab", hash: k3f9, quote: "Sixty."}
verdicts: what is this
---
Sixty requests a minute.[^1]
"""
    record = decode("faq.md#limits", text)
    assert isinstance(record, Record)
    assert unplaced(record) == Record(
        "faq.md#limits",
        "What are the limits?",
        "Sixty requests a minute.[^1]",
        citations=(RecordedCitation(1, "api.md#rate~k3f9ab", "k3f9", "Sixty."),),
    )
    assert edited(record)
    assert encode(record).startswith("---\nversion: 1\nquestion: What are the limits?\n")


@pytest.mark.parametrize(
    ("version", "problem"),
    [
        (VERSION + 1, f"has version {VERSION + 1}; this release of mkdocs-cited reads up to {VERSION}"),
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
