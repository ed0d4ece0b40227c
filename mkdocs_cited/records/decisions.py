"""The decisions of a record: who said what of which claim, and the words that it depends on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec
from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import (
    PERSON,
    Change,
    Claim,
    Evidence,
    Excerpt,
    Judgement,
    Recalled,
    ReviewedClaim,
    Verdict,
)
from mkdocs_cited.records.evidence import changed, excerpts, same_words

Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Decision(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A verdict on one claim, with the words that it depends on."""

    claim: str
    """Plain text of the claim."""
    verdict: Verdict
    by: str = ""
    """The person who decided; empty for a model's."""
    reviewer: str = ""
    """Key of the model that decided, with the version of its instructions; empty for a person's."""
    date: str = ""
    """ISO 8601 date of a person's decision. Not `on`, which YAML 1.1 takes for `true`."""
    reason: str = ""
    suggested: str = ""
    """Id of a passage that supports the claim better."""
    evidence: tuple[Excerpt, ...] = ()
    under: str = ""
    """What stood over the claim itself, and counts: `Claim.under`; empty where nothing did, and in older records."""
    seen: str = ""
    """In a record of 0.2, which had hashes in place of evidence: the beginnings of those of the passages."""

    @property
    def judgement(self) -> Judgement:
        """The decision as the review takes it."""
        reviewer = self.reviewer
        if self.by:
            reviewer = f"{PERSON}:{self.by}"
        return Judgement(
            self.verdict,
            reason=self.reason,
            reviewer=reviewer,
            date=self.date,
            suggested=self.suggested,
        )


def recalled(
    decisions: Iterable[Decision],
    claim: Claim,
    evidence: Sequence[Evidence],
    quoted: Sequence[Excerpt] = (),
) -> Recalled | None:
    """What was decided of a claim, and what has changed since: a decision that holds, else the latest.

    Args:
        decisions: those of people, or those of models.
        claim: what the text says today.
        evidence: the passages that it cites today.
        quoted: what the record's citations of the claim quote.
    """
    lapsed: Recalled | None = None
    for decision in decisions:
        if decision.claim != claim.text:
            continue
        change = _change(decision, claim, evidence, quoted)
        if change is None:
            return Recalled(decision.judgement)
        if lapsed is None or decision.date >= lapsed.judgement.date:
            change = replace(
                change,
                by=decision.by or decision.reviewer,
                on=decision.date,
                verdict=decision.verdict,
            )
            lapsed = Recalled(decision.judgement, change)
    return lapsed


def _change(
    decision: Decision,
    claim: Claim,
    evidence: Sequence[Evidence],
    quoted: Sequence[Excerpt],
) -> Change | None:
    """What has changed of the words that a decision depends on; `None` while it holds."""
    kept = decision.evidence or quoted
    language = evidence[0].passage.page.language
    if decision.under and not same_words(decision.under, claim.under, language):
        was = Excerpt(at="", under=decision.under, text=claim.text)
        return Change(was=was, now=claim.text, under=claim.under)
    if decision.seen:
        hashes = set()
        for item in evidence:
            hashes |= {item.passage.seen[:8], item.passage.hash[:8]}
        if hashes.issuperset(decision.seen.split()):
            return None
    elif kept:
        return changed(decision.claim, kept, evidence)
    return _unknown(evidence)


def _unknown(evidence: Sequence[Evidence]) -> Change:
    """A change of words that the record has no copy of: only today's are known."""
    passage = evidence[0].passage
    was = Excerpt(at=passage.section.where, text="")
    return Change(was=was, now=passage.text, passage=passage.id)


def decided(claim: ReviewedClaim, judgement: Judgement) -> Decision:
    """A judgement as a record stores it, with the words that it depends on today."""
    by = ""
    reviewer = judgement.reviewer
    if reviewer.startswith(f"{PERSON}:"):
        by = reviewer.removeprefix(f"{PERSON}:")
        reviewer = ""
    return Decision(
        claim=claim.claim.text,
        verdict=judgement.verdict,
        by=by,
        reviewer=reviewer,
        date=judgement.date,
        reason=judgement.reason,
        suggested=judgement.suggested,
        evidence=excerpts(claim.claim, claim.evidence, judgement.quotes),
        under=claim.claim.under,
    )


def merged(
    before: Sequence[Decision], claims: Sequence[ReviewedClaim]
) -> tuple[Decision, ...]:
    """The decisions on the claims of a text in its order: what was said in this run, and all that people had decided
    of a claim that it still makes."""
    kept: dict[Decision, None] = {}
    for item in claims:
        known = [old for old in before if old.claim == item.claim.text]
        models = []
        for said in item.said:
            if not said.reviewer.startswith(f"{PERSON}:"):
                models.append(said)
        for old in known:
            if old.by or not models:
                kept[_with_evidence(old, item)] = None
        for said in models:
            same = [old for old in known if old.judgement == said and old.evidence]
            decision = same[0] if same else decided(item, said)
            kept[decision] = None
    return tuple(kept)


def _with_evidence(decision: Decision, item: ReviewedClaim) -> Decision:
    """A decision of 0.2 that holds, with today's words in place of hashes."""
    if decision.evidence or item.change or not item.evidence:
        return decision
    return replace(decision, evidence=excerpts(item.claim, item.evidence), seen="")
