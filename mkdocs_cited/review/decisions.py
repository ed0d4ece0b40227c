"""What was decided of a claim, with the words that it depends on, and whether it holds today."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from mkdocs_cited.model.answer import (
    Change,
    Claim,
    Decision,
    Evidence,
    Excerpt,
    Judgement,
    Known,
    Recalled,
    Verdict,
)
from mkdocs_cited.review.evidence import changed, excerpts, quoted_words, same_heading


def decided(
    claim: Claim, evidence: Sequence[Evidence], judgement: Judgement
) -> Decision:
    """A judgement as a record stores it, with the words that it depends on today."""
    by = judgement.person
    reviewer = judgement.reviewer
    if by:
        reviewer = ""
    return Decision(
        claim=claim.text,
        verdict=judgement.verdict,
        by=by,
        reviewer=reviewer,
        date=judgement.date,
        reason=judgement.reason,
        suggested=judgement.suggested,
        evidence=excerpts(claim, evidence, judgement.quotes),
        under=claim.under,
    )


def known(
    claim: Claim,
    evidence: Sequence[Evidence],
    decisions: Iterable[Decision],
    quotations: Iterable[Excerpt],
) -> Known:
    """What was decided of a claim, and what has changed since.

    Args:
        claim: what the text says today.
        evidence: the passages that it cites today, and the rest of their sections.
        decisions: those of a record.
        quotations: what the record's citations of the claim quote.
    """
    if not evidence:
        return Known()
    quoted = []
    for item in quotations:
        for text in quoted_words(claim.text, item.text, evidence):
            quoted.append(replace(item, text=text))
    people = []
    models = []
    for decision in decisions:
        if decision.claim != claim.text:
            continue
        if decision.by.strip():
            people.append(decision)
        elif decision.reviewer.strip():
            models.append(decision)
    person = _recalled(people, claim, evidence, quoted)
    model = _recalled(models, claim, evidence, quoted)
    rewritten = None
    if not (person or model):
        rewritten = changed(claim.text, quoted, evidence)
    return Known(person, model, rewritten)


def _recalled(
    decisions: Iterable[Decision],
    claim: Claim,
    evidence: Sequence[Evidence],
    quoted: Sequence[Excerpt],
) -> Recalled | None:
    """The latest decision that holds, of one day a refusal; else the latest with what has changed since; `None` where
    there is none."""
    lapsed: Recalled | None = None
    latest_first = sorted(
        decisions,
        key=lambda item: (item.date, item.verdict is not Verdict.SUPPORTED),
        reverse=True,
    )
    for decision in latest_first:
        change = _change(decision, claim, evidence, quoted)
        if change is None:
            if not decision.evidence:  # it is of 0.2
                words = excerpts(claim, evidence)
                decision = replace(decision, evidence=words, seen="")
            return Recalled(decision.judgement, decision)
        change = replace(
            change,
            by=decision.by or decision.reviewer,
            on=decision.date,
            verdict=decision.verdict,
        )
        lapsed = lapsed or Recalled(decision.judgement, decision, change)
    return lapsed


def _change(
    decision: Decision,
    claim: Claim,
    evidence: Sequence[Evidence],
    quoted: Sequence[Excerpt],
) -> Change | None:
    """What has changed of the words that a decision depends on, or else of what stands over the claim; `None` while it
    holds."""
    kept = decision.evidence or quoted
    seen = decision.seen.split()
    passage = evidence[0].passage
    change = None
    if kept and not seen:
        change = changed(claim.text, kept, evidence)
    elif not seen or not _hashes(evidence).issuperset(seen):
        # of words that the record has no copy of, only today's are known
        was = Excerpt(at=passage.section.where, text="")
        change = Change(was=was, now=passage.text, passage=passage.id)
    has_lost = change is not None and change.values
    language = passage.page.language
    if has_lost or same_heading(claim.text, decision.under, claim.under, language):
        return change
    was = Excerpt(at="", under=decision.under, text=claim.text)
    return Change(was=was, now=claim.text, under=claim.under)


def _hashes(evidence: Iterable[Evidence]) -> set[str]:
    """What a record of 0.2 has of passages."""
    hashes = set()
    for item in evidence:
        hashes |= {item.passage.seen[:8], item.passage.hash[:8]}
    return hashes
