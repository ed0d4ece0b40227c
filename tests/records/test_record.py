"""Verdicts hold for a claim and its passages, through hand edits of everything else."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mkdocs_cited.model.answer import Claim, Spend, Status, Verdict
from mkdocs_cited.records import Approval, Record, edited, text_hash, to_draft
from tests.records.site import DECLARATION, TODAY, Sections, answer, evidence, recalled, record, site

LIMIT = "Each key may send sixty requests a minute."
MORE = "Write to support to get a higher limit."
PAGES: dict[str, Sections] = {"api.md": [("Rate limits", [LIMIT, MORE])]}


def test_an_answer_comes_back_from_its_record() -> None:
    """Text, citations and sources are those that were recorded."""
    index = site(PAGES)
    given = answer(index, LIMIT, MORE)
    draft = to_draft(Record.of(given, DECLARATION, None, TODAY), index)
    assert draft.content == given.content
    assert draft.citations == given.citations
    assert [source.passage for source in draft.sources] == [source.passage for source in given.sources]
    assert draft.provider == "anthropic"


def test_a_hand_edit_keeps_the_decisions_of_untouched_claims() -> None:
    """Only what was changed has to be read again."""
    index = site(PAGES)
    kept = record(index, LIMIT, MORE)
    by_hand = replace(kept, content=f"{LIMIT}[^1] Write to us to get more.[^2]")
    assert (edited(kept), edited(by_hand)) == (False, True)
    assert recalled(by_hand, Claim(LIMIT, (1,)), evidence(index, LIMIT)).model is not None
    assert recalled(by_hand, Claim("Write to us to get more.", (1,)), evidence(index, MORE)).model is None


@pytest.mark.parametrize("content", ["Text.\r\n\r\nMore.", "\n\nText.\n\nMore.\n\n"])
def test_line_ends_and_blank_lines_around_are_no_edit(content: str) -> None:
    """Editors and checkouts may change them."""
    kept = Record("faq.md#limits", "Why?", content, generated=text_hash("Text.\n\nMore."))
    assert not edited(kept)


def test_a_text_without_a_checksum_was_written_by_hand() -> None:
    """A record that a person began is theirs."""
    assert edited(Record("faq.md#limits", "Why?", "Because."))


def test_a_review_of_an_edited_text_leaves_it_edited() -> None:
    """What a person wrote stays theirs, however often it is reviewed."""
    index = site(PAGES)
    kept = record(index, LIMIT, MORE)
    by_hand = replace(kept, content=f"{LIMIT}[^1]")
    again = replace(answer(index, LIMIT), spend=Spend(calls=1))
    reviewed = by_hand.with_review(again)
    assert edited(reviewed)
    assert [item.claim for item in reviewed.claims] == [LIMIT]
    assert edited(Record.of(replace(again, content=by_hand.content), DECLARATION, by_hand, "2027-01-01"))


def test_a_review_that_was_not_finished_takes_nothing_back() -> None:
    """A build without a key, or with the review switched off, leaves the record as it was."""
    index = site(PAGES)
    kept = record(index, LIMIT, MORE)
    unread = answer(index, LIMIT, MORE, verdict=Verdict.UNCHECKED, reviewer="")
    assert kept.with_review(replace(unread, reviewed=False, reviewer="anthropic")) == kept


def test_an_approval_holds_for_one_text() -> None:
    """It lapses when the text changes, whoever changes it."""
    kept = record(site(PAGES), LIMIT)
    approved = replace(kept, approval=Approval("Ann", TODAY, text_hash(kept.content)))
    assert (kept.approved, approved.approved) == (False, True)
    assert not replace(approved, content=f"{kept.content} More.").approved


def test_the_same_text_keeps_its_date_and_approval() -> None:
    """An answer that is written again in the same words is not new."""
    index = site(PAGES)
    kept = record(index, LIMIT)
    approved = replace(kept, approval=Approval("Ann", TODAY, text_hash(kept.content)))
    assert Record.of(answer(index, LIMIT), DECLARATION, approved, "2027-01-01") == approved
    other = Record.of(answer(index, MORE), DECLARATION, approved, "2027-01-01")
    assert (other.written_on, other.approval, edited(other)) == ("2027-01-01", None, False)


def test_an_abstention_is_recorded_with_its_reason() -> None:
    """So that a model is not asked again on every build."""
    index = site(PAGES)
    nothing = replace(
        answer(index), status=Status.ABSTAINED, content="", reason="No page speaks of it.", citations=(), claims=()
    )
    kept = Record.of(nothing, DECLARATION, None, TODAY)
    assert (kept.abstained, kept.reason, edited(kept)) == (True, "No page speaks of it.", False)
