"""Verdicts hold for a claim and its passages, through hand edits of everything else."""

from __future__ import annotations

import pytest

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Claim, Spend, Status, Verdict
from mkdocs_cited.records import Approval, Record, edited, text_hash, to_draft
from tests.records.site import DECLARATION, REVIEWER, TODAY, Sections, answer, evidence, record, site

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
    assert draft.provider == "extractive"


def test_a_verdict_holds_for_claim_passages_and_reviewer() -> None:
    """Change any of the three, and there is none."""
    index = site(PAGES)
    kept = record(index, LIMIT, MORE)
    judgement = kept.judgement(Claim(LIMIT, (1,)), evidence(index, LIMIT), REVIEWER)
    assert judgement is not None
    assert (judgement.verdict, judgement.score, judgement.reviewer) == (Verdict.SUPPORTED, 0.9, REVIEWER)
    assert kept.judgement(Claim(f"{LIMIT} Always.", (1,)), evidence(index, LIMIT), REVIEWER) is None
    assert kept.judgement(Claim(LIMIT, (1,)), evidence(index, MORE), REVIEWER) is None
    assert kept.judgement(Claim(LIMIT, (1,)), (*evidence(index, LIMIT), *evidence(index, MORE)), REVIEWER) is None
    assert kept.judgement(Claim(LIMIT, (1,)), evidence(index, LIMIT), "lexical-2") is None
    assert kept.judgement(Claim(LIMIT, (1,)), evidence(index, LIMIT), "person") is None


def test_a_hand_edit_keeps_the_verdicts_of_untouched_claims() -> None:
    """Only what was changed has to be read again."""
    index = site(PAGES)
    kept = record(index, LIMIT, MORE)
    by_hand = replace(kept, content=f"{LIMIT}[^1] Write to us to get more.[^2]")
    assert (edited(kept), edited(by_hand)) == (False, True)
    assert by_hand.judgement(Claim(LIMIT, (1,)), evidence(index, LIMIT), REVIEWER) is not None
    assert by_hand.judgement(Claim("Write to us to get more.", (1,)), evidence(index, MORE), REVIEWER) is None


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
    assert reviewed.reviewed == text_hash(by_hand.content)
    assert [item.claim for item in reviewed.verdicts] == [LIMIT]
    assert edited(Record.of(replace(again, content=by_hand.content), DECLARATION, by_hand, "2027-01-01"))


def test_a_review_that_was_not_finished_takes_nothing_back() -> None:
    """A build without a key, or with the review switched off, leaves the record as it was."""
    index = site(PAGES)
    kept = record(index, LIMIT, MORE)
    unread = answer(index, LIMIT, MORE, verdict=Verdict.UNCHECKED, reviewer="")
    assert kept.with_review(replace(unread, reviewed=False, reviewer="anthropic")) == kept


def test_a_persons_verdict_stands_beside_a_programs() -> None:
    """It outlives reviews for as long as claim and passages stay the same, and the program's is not asked for again."""
    index = site(PAGES)
    unsure = answer(index, LIMIT, MORE, verdict=Verdict.UNCHECKED)
    decided = Record.of(unsure, DECLARATION, None, TODAY).decided(
        unsure.claims[1], Verdict.SUPPORTED, "Ann", TODAY, "I run support."
    )
    for kept in (decided, decided.with_review(unsure), Record.of(unsure, DECLARATION, decided, "2027-01-01")):
        person = kept.judgement(Claim(MORE, (1,)), evidence(index, MORE), "person")
        program = kept.judgement(Claim(MORE, (1,)), evidence(index, MORE), REVIEWER)
        assert person is not None
        assert program is not None
        assert (person.verdict, person.reviewer, person.date, person.reason) == (
            Verdict.SUPPORTED,
            "person:Ann",
            TODAY,
            "I run support.",
        )
        assert program.verdict is Verdict.UNCHECKED
        assert kept.judgement(Claim(LIMIT, (1,)), evidence(index, LIMIT), "person") is None
    again = decided.decided(unsure.claims[1], Verdict.CONTRADICTED, "Bob", "2027-01-01")
    assert [item.reviewer for item in again.verdicts if item.by_person] == ["person:Bob"]


def test_a_persons_verdict_is_bound_to_all_that_the_claim_cites() -> None:
    """The rest of an author's section too: the person may have gone by a passage that no footnote shows."""
    index = site(PAGES)
    given = answer(index, LIMIT, MORE)
    section = (*evidence(index, LIMIT), replace(evidence(index, MORE)[0], shown=False))
    claim = replace(given.claims[0], evidence=section)
    decided = Record.of(given, DECLARATION, None, TODAY).decided(claim, Verdict.SUPPORTED, "Ann", TODAY)
    assert decided.judgement(Claim(LIMIT, (1,)), section, "person") is not None
    assert decided.judgement(Claim(LIMIT, (1,)), section[:1], "person") is None
    assert decided.judgement(Claim(LIMIT, (1,)), evidence(index, MORE), "person") is None


def test_a_persons_verdict_lapses_when_the_passage_changes() -> None:
    """The next review drops it from the record."""
    index = site(PAGES)
    first = answer(index, LIMIT)
    decided = Record.of(first, DECLARATION, None, TODAY).decided(first.claims[0], Verdict.SUPPORTED, "Ann", TODAY)
    changed = site({"api.md": [("Rate limits", [f"{LIMIT} Or so."])]})
    second = answer(changed, f"{LIMIT} Or so.")
    same_claim = replace(second.claims[0], claim=first.claims[0].claim)
    reviewed = decided.with_review(replace(second, claims=(same_claim,)))
    assert reviewed.judgement(Claim(LIMIT, (1,)), evidence(changed, f"{LIMIT} Or so."), "person") is None
    assert not [item for item in reviewed.verdicts if item.by_person]


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
