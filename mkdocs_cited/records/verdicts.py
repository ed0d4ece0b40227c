"""The verdicts of a record: which of them still hold for a claim and its passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import msgspec

from mkdocs_cited.model.answer import PERSON, Judgement, ReviewedClaim, Verdict, decision_keys, verdict_key

Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Range = tuple[Number, Number]


@dataclass(frozen=True, slots=True)
class RecordedVerdict:
    """A judgement, bound to a claim and its passages."""

    claim: str
    """Plain text of the claim, for people who read the record."""
    key: str
    """`verdict_key()` of claim, passages and, for a program's, reviewer."""
    verdict: Verdict
    score: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    reviewer: str = ""
    """Key of the program, or `person:NAME`."""
    date: str = ""
    reason: str = ""
    evidence_quote: str = ""
    matched: tuple[Range, ...] = ()
    missing: tuple[Range, ...] = ()
    suggested: str = ""

    @property
    def by_person(self) -> bool:
        return self.reviewer.startswith(f"{PERSON}:")

    @property
    def judgement(self) -> Judgement:
        return Judgement(
            self.verdict,
            self.score,
            self.reason,
            self.reviewer,
            self.date,
            self.evidence_quote,
            self.matched,
            self.missing,
            self.suggested,
        )


def merged_verdicts(
    before: tuple[RecordedVerdict, ...], claims: Sequence[ReviewedClaim]
) -> tuple[RecordedVerdict, ...]:
    """The claims' verdicts in the order of the text, each behind the other verdicts that still hold for its claim."""
    merged: dict[tuple[str, bool], RecordedVerdict] = {}
    for item in claims:
        decided = decision_keys(item.claim.text, item.evidence)
        merged |= {(old.key, old.by_person): old for old in holding(before, [item])}
        for judgement in item.kept or (item.judgement,):
            if not judgement.reviewer:
                continue
            person = judgement.reviewer.startswith(f"{PERSON}:")
            key = decided[0] if person else verdict_key(item.claim.text, _hashes(item), judgement.reviewer)
            merged[key, person] = recorded(item.claim.text, key, judgement)
    return tuple(merged.values())


def holding(before: tuple[RecordedVerdict, ...], claims: Sequence[ReviewedClaim]) -> tuple[RecordedVerdict, ...]:
    """The verdicts that still hold for these claims beside the passages that they cite now, under today's keys."""
    held: dict[RecordedVerdict, None] = {}
    for item in claims:
        for old in before:
            keys = _keys(old, item)
            if old.claim == item.claim.text and old.key in keys:
                held[replace(old, key=keys[0])] = None
    return tuple(held)


def _keys(verdict: RecordedVerdict, item: ReviewedClaim) -> tuple[str, ...]:
    """The keys under which a verdict of this kind holds for a claim; the first is the one to write."""
    if verdict.by_person:
        return decision_keys(item.claim.text, item.evidence)
    return (verdict_key(item.claim.text, _hashes(item), verdict.reviewer),)


def _hashes(item: ReviewedClaim) -> tuple[str, ...]:
    return tuple(evidence.passage.hash for evidence in item.evidence)


def recorded(claim: str, key: str, judgement: Judgement) -> RecordedVerdict:
    """A judgement as a record keeps it; three digits of its score are told apart."""
    return RecordedVerdict(
        claim,
        key,
        judgement.verdict,
        round(min(max(judgement.score, 0.0), 1.0), 3),
        judgement.reviewer,
        judgement.date,
        judgement.reason,
        judgement.evidence_quote,
        judgement.matched,
        judgement.missing,
        judgement.suggested,
    )
