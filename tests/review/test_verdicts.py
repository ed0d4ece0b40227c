"""Verdicts become findings with place, words and a next step; faults are told."""

from __future__ import annotations

from typing import Any

import pytest

from mkdocs_cited.model.answer import Fault, Judgement, Verdict
from mkdocs_cited.model.finding import Severity
from mkdocs_cited.review.rules import audit
from mkdocs_cited.review.verdicts import conflicting, findings_of, incomplete
from tests.review.site import audit_of, judged

CASE: dict[str, Any] = {
    "passages": [
        {"at": "guide.md#retries", "text": "The client retries 5 times."},
        {"at": "guide.md#delay", "text": "It waits for a second."},
        {"at": "internal.md", "text": "Nobody may read this.", "type": "note"},
    ],
    "answer": "Some words first.\n\nThe client retries 3 times.[^1][^2] It waits for a second.[^2]\n",
}


@pytest.mark.parametrize(
    ("verdict", "slug", "severity", "message"),
    [
        (
            Verdict.UNSUPPORTED,
            "unsupported-claim",
            Severity.ERROR,
            "guide.md#retries (“The client retries 5 times.”) with 1 more does not support"
            " “The client retries 3 times.”",
        ),
        (
            Verdict.CONTRADICTED,
            "contradicted-claim",
            Severity.ERROR,
            "guide.md#retries (“The client retries 5 times.”) with 1 more contradicts “The client retries 3 times.”",
        ),
        (
            Verdict.PARTIAL,
            "partial-claim",
            Severity.WARNING,
            "guide.md#retries (“The client retries 5 times.”) with 1 more supports only a part of"
            " “The client retries 3 times.”",
        ),
        (
            Verdict.UNCHECKED,
            "unconfirmed-claim",
            Severity.WARNING,
            "nobody has decided yet whether guide.md#retries (“The client retries 5 times.”) with 1 more supports"
            " “The client retries 3 times.”",
        ),
    ],
)
def test_each_verdict_that_is_no_pass_is_a_finding(
    verdict: Verdict, slug: str, severity: Severity, message: str
) -> None:
    """It quotes claim and passage, gives the reader's reason, marks the words, and names every cited passage."""
    whole = audit_of(CASE)
    said = Judgement(verdict, "5 is not 3", missing=((19, 20),))
    (finding,) = findings_of(judged(whole, said, Judgement(Verdict.SUPPORTED)))
    assert (finding.slug, finding.severity) == (slug, severity)
    assert finding.message == f"{message}: 5 is not 3"
    assert str(finding.place) == "docs/faq.md:12"
    assert [finding.claim[start:end] for start, end in finding.marks] == ["3"]
    assert [item.passage for item in finding.related] == ["guide.md#retries~1", "guide.md#delay~2"]
    assert finding.related[0].text == "The client retries 5 times."
    assert finding.related[0].url == "guide/#retries"
    assert finding.tip


def test_what_to_do_about_an_unconfirmed_claim_names_the_command() -> None:
    """A person can decide it."""
    whole = audit_of(CASE)
    findings = findings_of(judged(whole, Judgement(Verdict.UNCHECKED), Judgement(Verdict.SUPPORTED)))
    assert "`mkdocs-cited accept faq.md#q --claims 2`" in findings[0].tip


def test_a_note_lends_its_name_alone() -> None:
    """Neither message nor related places may carry a note's text: reports are published."""
    whole = audit_of({**CASE, "answer": "Nobody reads that.[^3]\n"})
    (finding,) = findings_of(judged(whole, Judgement(Verdict.UNSUPPORTED)))
    assert finding.message == "the note Internal does not support “Nobody reads that.”"
    assert "Nobody may read this" not in repr(finding)


def test_a_note_whose_words_decided_lends_its_name_alone_beside_a_page() -> None:
    """The words of a note are not shown as those of the page that is cited with it."""
    whole = audit_of({**CASE, "answer": "The client retries 3 times.[^1][^3]\n"})
    said = Judgement(Verdict.CONTRADICTED, evidence_quote="Nobody may read this.")
    (finding,) = findings_of(judged(whole, said))
    assert finding.message == "the note Internal with 1 more contradicts “The client retries 3 times.”"
    assert "Nobody may read this" not in repr(finding)


def test_the_passage_that_decided_comes_first() -> None:
    """A reader who wonders why sees the words that the message tells of."""
    whole = audit_of(CASE)
    said = Judgement(Verdict.CONTRADICTED, evidence_quote="It waits for a second.")
    (finding,) = findings_of(judged(whole, said, Judgement(Verdict.SUPPORTED)))
    assert finding.message.startswith("guide.md#delay (“It waits for a second.”) with 1 more contradicts")
    assert [item.passage for item in finding.related] == ["guide.md#delay~2", "guide.md#retries~1"]


def test_a_wrong_citation_is_one_finding_however_it_is_found() -> None:
    """The claim is not called unsupported besides."""
    said = Judgement(Verdict.UNSUPPORTED, suggested="guide.md#delay~2")
    whole = judged(audit_of(CASE), said, Judgement(Verdict.SUPPORTED))
    found = (*findings_of(whole), *audit(whole))
    slugs = [finding.slug for finding in found if finding.claim == "The client retries 3 times."]
    assert slugs == ["wrong-citation"]


def test_a_note_that_would_support_a_claim_or_disagrees_lends_its_name_alone() -> None:
    """A model that read it for another claim of the text may name it."""
    said = Judgement(Verdict.UNSUPPORTED, "it says “Nobody may read this.”", suggested="internal.md~3")
    whole = judged(audit_of(CASE), said, Judgement(Verdict.SUPPORTED))
    found = (*findings_of(whole), *conflicting([("guide.md#delay~2", "internal.md~3", "Nobody may read this.")], whole))
    assert [finding.slug for finding in found] == ["wrong-citation", "conflicting-sources"]
    assert all("the note Internal" in finding.message for finding in found)
    assert "Nobody may read this" not in repr(found)


def test_claims_without_evidence_are_left_to_the_rules() -> None:
    """`missing-citation` says it already."""
    said = (Judgement(Verdict.UNSUPPORTED), *[Judgement(Verdict.SUPPORTED)] * 2)
    assert findings_of(judged(audit_of(CASE), *said)) == ()


def test_a_review_that_could_not_be_finished_is_never_a_pass() -> None:
    """It is an error."""
    whole = audit_of(CASE)
    finding = incomplete(Fault("the server is overloaded", "try again later"), whole)
    assert finding.severity is Severity.ERROR
    assert finding.message == "the review of `faq.md#q` could not be finished: the server is overloaded"
