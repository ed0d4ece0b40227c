"""The verdicts of a record: which of them still hold for a claim and its passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec

from mkdocs_cited.model.answer import PERSON, Judgement, ReviewedClaim, Verdict, verdict_key

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
        hashes = _hashes(item)
        merged |= {(old.key, old.by_person): old for old in holding(before, [item])}
        for judgement in item.kept or (item.judgement,):
            if not judgement.reviewer:
                continue
            person = judgement.reviewer.startswith(f"{PERSON}:")
            key = verdict_key(item.claim.text, hashes, "" if person else judgement.reviewer)
            merged[key, person] = recorded(item.claim.text, key, judgement)
    return tuple(merged.values())


def holding(before: tuple[RecordedVerdict, ...], claims: Sequence[ReviewedClaim]) -> tuple[RecordedVerdict, ...]:
    """The verdicts that still hold for these claims beside the passages that they cite now."""

    def holds(old: RecordedVerdict, item: ReviewedClaim) -> bool:
        reviewer = "" if old.by_person else old.reviewer
        return old.claim == item.claim.text and old.key == verdict_key(old.claim, _hashes(item), reviewer)

    return tuple(dict.fromkeys(old for item in claims for old in before if holds(old, item)))


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
