"""What readers are told of the review of an answer: how much of it is checked, and which of its sentences are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from markupsafe import Markup, escape
from msgspec import Struct

from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Status, Verdict
from mkdocs_cited.render.labels import Labels
from mkdocs_cited.render.markdown import Mark


class Check(Struct, frozen=True, kw_only=True):
    """A claim with what was said of it, as a template sees it."""

    text: Markup
    """The claim; what its passages do not carry is marked."""
    numbers: str
    """Of its footnotes, as shown."""
    verdict: str
    """In words."""
    unsure: bool
    reason: str


def counted(answer: Answer, labels: Labels) -> list[str]:
    """How many sentences are checked, and how many are not yet, not any more, or do not hold; nothing where nobody
    looked."""
    count = len(answer.claims)
    verdicts = Counter(item.judgement.verdict for item in answer.claims)
    done = verdicts[Verdict.SUPPORTED]
    outdated = sum(_is_outdated(item) for item in answer.claims)
    waiting = verdicts[Verdict.UNCHECKED] - outdated
    wrong = count - done - outdated - waiting
    if not count:
        return []
    if done == count == 1:
        return [labels("checked_one")]
    parts = [labels("checked", done=done, all=count)]
    if outdated:
        parts.append(labels("outdated", n=outdated))
    if waiting:
        parts.append(labels("open", n=waiting))
    if wrong:
        parts.append(labels("wrong", n=wrong))
    return ["; ".join(parts)]


def doubts_of(answer: Answer, labels: Labels) -> dict[int, str]:
    """Which number of an answer's text, counted from 0 → what keeps its sentence from being proven, in words."""
    doubts: dict[int, str] = {}
    for number, (_, start, _) in enumerate(markers(answer.content)):
        claim = _claim_at(answer, start)
        if claim is not None and claim.judgement.verdict is not Verdict.SUPPORTED:
            doubts[number] = _verdict(claim, labels)
        elif claim is None and answer.status is Status.STALE:
            doubts[number] = labels("changed")
    return doubts


def doubts_about(answer: Answer, sids: Collection[int], labels: Labels) -> list[str]:
    """What keeps the sentences that cite these sources from being proven, each kind once."""
    doubts: dict[str, None] = {}
    for item in answer.claims:
        if item.judgement.verdict is not Verdict.SUPPORTED and not set(sids).isdisjoint(
            item.claim.sids
        ):
            doubts[_verdict(item, labels)] = None
    return list(doubts)


def _claim_at(answer: Answer, offset: int) -> ReviewedClaim | None:
    for item in answer.claims:
        if item.claim.start <= offset < item.claim.end:
            return item
    return None


def checked(item: ReviewedClaim, marks: Mapping[int, Mark], labels: Labels) -> Check:
    """A claim with what was said of it; of a maintainers' note the reason is left out."""
    private = any(evidence.passage.is_private for evidence in item.evidence)
    notes = dict.fromkeys(marks[sid].note for sid in item.claim.sids if sid in marks)
    return Check(
        text=_with_missing(item),
        numbers="".join(f"[{note}]" for note in notes),
        verdict=_verdict(item, labels),
        unsure=item.judgement.verdict is not Verdict.SUPPORTED,
        reason="" if private else item.judgement.reason,
    )


def _verdict(item: ReviewedClaim, labels: Labels) -> str:
    return labels("changed" if _is_outdated(item) else item.judgement.verdict.value)


def _is_outdated(item: ReviewedClaim) -> bool:
    """True if a claim was decided, and waits since its source has changed."""
    return item.change is not None and item.judgement.verdict is Verdict.UNCHECKED


def _with_missing(item: ReviewedClaim) -> Markup:
    text, out, at = item.claim.text, Markup(), 0
    for start, end in sorted(item.judgement.missing):
        if at <= start < end <= len(text):
            out += escape(text[at:start]) + Markup("<mark>{}</mark>").format(
                text[start:end]
            )
            at = end
    return out + escape(text[at:])
