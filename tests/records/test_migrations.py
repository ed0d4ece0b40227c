"""Records of older versions are lifted a version at a time; those of newer ones are left alone."""

from __future__ import annotations

from typing import Any

import pytest

from mkdocs_cited.records import VERSION, Record, RecordedCitation, decode, edited, encode
from mkdocs_cited.records.migrations import STEPS, NewerError, migrate


def test_there_is_a_step_from_every_version() -> None:
    """A release that raises the version brings the step with it."""
    assert sorted(STEPS) == list(range(VERSION))


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
    assert record == Record(
        "faq.md#limits",
        "What are the limits?",
        "Sixty requests a minute.[^1]",
        citations=(RecordedCitation(1, "api.md#rate~k3f9ab", "k3f9", "Sixty."),),
    )
    assert edited(record)
    assert encode(record).startswith("---\nversion: 1\nquestion: What are the limits?\n")


def test_steps_follow_each_other() -> None:
    """From where the record stands to the present, each step on what the one before made."""

    def rename(front: dict[str, Any]) -> dict[str, Any]:
        return {"question": front["q"]}

    def shout(front: dict[str, Any]) -> dict[str, Any]:
        return {"question": front["question"].upper()}

    steps = {1: rename, 2: shout}
    assert migrate({"version": 1, "q": "Why?"}, 3, steps) == {"question": "WHY?"}
    assert migrate({"version": 2, "question": "Why?"}, 3, steps) == {"question": "WHY?"}
    assert migrate({"version": 3, "question": "Why?"}, 3, steps) == {"question": "Why?"}


def test_versions_that_cannot_be_read() -> None:
    """Newer ones, those whose step is gone, and what is no version."""
    with pytest.raises(NewerError, match="has version 4; this release of mkdocs-cited reads up to 3"):
        migrate({"version": 4}, 3, {})
    with pytest.raises(ValueError, match="has version 1, which is no longer read"):
        migrate({"version": 1}, 3, {2: dict})
    for version in ("one", True, -1, 1.5):
        with pytest.raises(ValueError, match="not a whole number"):
            migrate({"version": version}, 3, {})
