"""The decisions of a record: who said what of which claim, and the words that it depends on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec
from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.language.stems import stems
from mkdocs_cited.model.answer import (
    PERSON,
    Change,
    Claim,
    Evidence,
    Excerpt,
    Judgement,
    ReviewedClaim,
    Verdict,
)
from mkdocs_cited.records.evidence import changed, excerpts

Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Decision(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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
    header: str = ""
    """Of a row of the answer: its column headers then."""
    seen: str = ""
    """In a record of 0.2, which had hashes in place of evidence: the beginnings of those of the passages."""

    @property
    def judgement(self) -> Judgement:
        """The decision as the review takes it."""
        return Judgement(
            self.verdict,
            reason=self.reason,
            reviewer=f"{PERSON}:{self.by}" if self.by else self.reviewer,
            date=self.date,
            suggested=self.suggested,
        )

    def change(
        self, evidence: Sequence[Evidence], quoted: Sequence[Excerpt] = ()
    ) -> Change | None:
        """What has changed of the words that it depends on; `None` while it holds.

        Args:
            evidence: the passages that the claim cites today.
            quoted: what the record's citations quote, for a decision of 0.2, which has no evidence of its own.
        """
        if self.seen:
            known = set(self.seen.split())
            hashes = {
                value[:8]
                for item in evidence
                for value in (item.passage.seen, item.passage.hash)
            }
            found = None
            if known > hashes:
                found = _unknown(evidence)
        elif self.evidence or quoted:
            found = changed(self.claim, self.evidence or quoted, evidence)
        else:
            found = _unknown(evidence)
        if found is None:
            return None
        return replace(
            found, by=self.by or self.reviewer, on=self.date, verdict=self.verdict
        )


def _unknown(evidence: Sequence[Evidence]) -> Change:
    """The change of words that a record does not have."""
    passage = evidence[0].passage
    return Change(
        was=Excerpt(at=passage.section.where, text=""),
        now=passage.text,
        passage=passage.id,
    )


def recalled(
    decisions: Iterable[Decision],
    claim: Claim,
    evidence: Sequence[Evidence],
    reviewer: str,
    quoted: Sequence[Excerpt] = (),
) -> tuple[Decision | None, Change | None]:
    """What a reviewer decided of a claim, and what has changed since: a decision that holds, else the latest.

    Args:
        decisions: those of a record.
        claim: what the text says today.
        evidence: the passages that it cites today.
        reviewer: `person` or `model`.
        quoted: what the record's citations of the claim quote.
    """
    last: tuple[Decision | None, Change | None] = (None, None)
    for decision in decisions:
        # nobody's
        if (
            decision.claim != claim.text
            or not (decision.by or decision.reviewer).strip()
        ):
            continue
        if bool(decision.by) != (reviewer == PERSON):
            continue
        change = _of_header(decision, claim) or decision.change(evidence, quoted)
        if change is None:
            return decision, None
        if last[0] is None or decision.date >= last[0].date:
            last = decision, change
    return last


def _of_header(decision: Decision, claim: Claim) -> Change | None:
    """The change of the author's own column headers over a row; `None` while they are the same."""
    if not decision.header or stems(decision.header) == stems(claim.header):
        return None
    was = Excerpt(at="its own table", under=decision.header, text=claim.text)
    return Change(
        was=was,
        now=claim.text,
        under=claim.header,
        by=decision.by,
        on=decision.date,
        verdict=decision.verdict,
    )


def decided(claim: ReviewedClaim, judgement: Judgement) -> Decision:
    """A judgement as a record stores it, with the words that it depends on today."""
    who, _, name = judgement.reviewer.partition(":")
    is_person = who == PERSON
    return Decision(
        claim=claim.claim.text,
        verdict=judgement.verdict,
        by=name if is_person else "",
        reviewer="" if is_person else judgement.reviewer,
        date=judgement.date,
        reason=judgement.reason,
        suggested=judgement.suggested,
        evidence=excerpts(claim.claim, claim.evidence, judgement.quotes),
        header=claim.claim.header,
    )


def merged(
    before: Sequence[Decision], claims: Sequence[ReviewedClaim]
) -> tuple[Decision, ...]:
    """The decisions on the claims of a text in its order: what was said in this run, and all that people had decided
    of a claim that it still makes."""
    kept: dict[Decision, None] = {}
    for item in claims:
        known = [old for old in before if old.claim == item.claim.text]
        fresh = [
            said for said in item.said if not said.reviewer.startswith(f"{PERSON}:")
        ]
        for old in known:
            if old.by or not fresh:
                kept[_with_evidence(old, item)] = None
        for said in fresh:
            kept[_as_before(said, known) or decided(item, said)] = None
    return tuple(kept)


def _as_before(said: Judgement, known: Sequence[Decision]) -> Decision | None:
    """The stored decision that a judgement was recalled from; `None` for a new one."""
    for old in known:
        if old.reviewer == said.reviewer and old.judgement == said and old.evidence:
            return old
    return None


def _with_evidence(decision: Decision, item: ReviewedClaim) -> Decision:
    """A decision of 0.2 that holds, with today's words in place of hashes."""
    if decision.evidence or item.change or not item.evidence:
        return decision
    return replace(decision, evidence=excerpts(item.claim, item.evidence), seen="")
