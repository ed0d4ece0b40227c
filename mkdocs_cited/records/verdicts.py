"""The verdicts of a record: which of them still hold for a claim and its passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import PERSON, Claim, Evidence, Judgement, ReviewedClaim, Verdict, hashes_of, verdict_key

Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Range = tuple[Number, Number]


class RecordedVerdict(Struct, frozen=True, forbid_unknown_fields=True):
    """A judgement, bound to a claim and its passages."""

    claim: str
    """Plain text of the claim, for people who read the record."""
    key: str
    """`verdict_key()` of claim, what is over it, passages and, for a program's, reviewer."""
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
    passages: str = msgspec.field(default="", name="beside")
    """For a person's: the beginnings of the hashes of what was seen of all passages that the claim cited then."""

    @property
    def by_person(self) -> bool:
        return self.reviewer.startswith(f"{PERSON}:")

    def holds(self, claim: Claim, evidence: Sequence[Evidence]) -> bool:
        """Whether it was said of this claim, where it is, and of what a reader sees of these passages.

        A person's holds while all passages are there that were there: which of a section's carries the claim, nobody
        else knows. A new one next to them asks nobody again.
        """
        return self.claim == claim.text and any(self._holds_by(*bond) for bond in _bonds(claim, evidence))

    def _holds_by(self, scheme: str, said: str, hashes: Sequence[str]) -> bool:
        if self.by_person and self.passages:
            known = {*self.passages.split()}
            hashes = tuple(each for each in hashes if _short(each) in known)
            if not known <= set(map(_short, hashes)):
                return False
        return self.key == verdict_key(said, tuple(hashes), "" if self.by_person else self.reviewer, scheme=scheme)

    def bound(self, claim: Claim, evidence: Sequence[Evidence]) -> RecordedVerdict:
        """This verdict, which holds, bound to all that a reader sees: older releases bound it to less."""
        now, *_, (_, _, texts) = _bonds(claim, evidence)
        if self._holds_by(*now):
            return self
        known = {*self.passages.split()} or {*map(_short, texts)}
        hashes = tuple(new for new, old in zip(now[2], texts, strict=True) if {_short(new), _short(old)} & known)
        key = verdict_key(claim.shown, hashes, "" if self.by_person else self.reviewer)
        return replace(self, key=key, passages=" ".join(map(_short, hashes)) if self.passages else "")

    def news(self, evidence: Sequence[Evidence]) -> frozenset[str]:
        """Ids of the passages that are not as they were when a person said it, or were not there."""
        known = {*self.passages.split()}
        both = {item.passage.id: {_short(item.passage.seen), _short(item.passage.hash)} for item in evidence}
        return frozenset(name for name, hashes in both.items() if not known & hashes)

    @property
    def judgement(self) -> Judgement:
        return Judgement(**{name: getattr(self, name) for name in _JUDGED})


_JUDGED = tuple(name for name in RecordedVerdict.__struct_fields__ if name not in ("claim", "key", "passages"))
"""What of a judgement a record has."""


def merged_verdicts(
    before: tuple[RecordedVerdict, ...], claims: Sequence[ReviewedClaim]
) -> tuple[RecordedVerdict, ...]:
    """The claims' verdicts in the order of the text, each behind the other verdicts that still hold for its claim."""
    merged: dict[tuple[str, bool], RecordedVerdict] = {}
    for item in claims:
        held = holding(before, [item])
        merged |= {(old.key, old.by_person): old for old in held}
        for judgement in item.stored or (item.judgement,):
            if not judgement.reviewer:
                continue
            person = judgement.reviewer.startswith(f"{PERSON}:")
            if not person:
                key = verdict_key(item.claim.shown, hashes_of(item.evidence), judgement.reviewer)
                merged[key, person] = recorded(item.claim.text, key, judgement)
            elif not any(old.by_person for old in held):
                merged[item.decision_key, person] = decided(item, judgement)
    return tuple(merged.values())


def holding(before: tuple[RecordedVerdict, ...], claims: Sequence[ReviewedClaim]) -> tuple[RecordedVerdict, ...]:
    """The verdicts that still hold for these claims and the passages that they cite now."""
    held: dict[RecordedVerdict, None] = {}
    for item in claims:
        for old in before:
            if old.holds(item.claim, item.evidence):
                held[old.bound(item.claim, item.evidence)] = None
    return tuple(held)


def decided(item: ReviewedClaim, judgement: Judgement) -> RecordedVerdict:
    """A person's judgement as a record stores it."""
    passages = " ".join(map(_short, hashes_of(item.evidence)))
    return replace(recorded(item.claim.text, item.decision_key, judgement), passages=passages)


def _bonds(claim: Claim, evidence: Sequence[Evidence]) -> list[tuple[str, str, tuple[str, ...]]]:
    """What a verdict may be bound to, today's way first: scheme of its key, words of the claim, hashes of passages."""
    seen, texts = hashes_of(evidence), tuple(item.passage.hash for item in evidence)
    return [
        ("verdict-2", claim.shown, seen),
        ("verdict-1", claim.text, seen),
        ("verdict-1", claim.text, texts),
    ]


def _short(passage_hash: str) -> str:
    return passage_hash[:8]


def recorded(claim: str, key: str, judgement: Judgement) -> RecordedVerdict:
    """A judgement as a record stores it, its score with three digits."""
    said = {name: getattr(judgement, name) for name in _JUDGED}
    return RecordedVerdict(claim, key, **{**said, "score": round(min(max(judgement.score, 0.0), 1.0), 3)})
