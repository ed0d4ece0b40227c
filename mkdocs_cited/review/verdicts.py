"""Verdicts become findings: what was said of each claim, as a place, a message and a next step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.base.values import replace
from mkdocs_cited.language.tokens import differing
from mkdocs_cited.model.answer import (
    PERSON,
    Change,
    Evidence,
    Fault,
    Judgement,
    ReviewedClaim,
    Verdict,
)
from mkdocs_cited.model.finding import IS, WAS, Finding, Related, found
from mkdocs_cited.model.source import Passage, SourceType
from mkdocs_cited.review.interface import Audit, label, related
from mkdocs_cited.review.rules import in_order
from mkdocs_cited.review.rules.citations import WrongCitation
from mkdocs_cited.review.values import lacks_values

OUTDATED, CHANGED = "outdated-claim", "changed-evidence"
_WAITS = "unconfirmed-claim"
_SLUGS = {
    Verdict.UNSUPPORTED: ("unsupported-claim", "{passage} does not support “{claim}”"),
    Verdict.CONTRADICTED: ("contradicted-claim", "{passage} contradicts “{claim}”"),
    Verdict.PARTIAL: ("partial-claim", "{passage} supports only a part of “{claim}”"),
    Verdict.UNCHECKED: (
        "unconfirmed-claim",
        "nobody has decided yet whether {passage} supports “{claim}”",
    ),
}
_TIPS = {
    Verdict.UNSUPPORTED: "cite a passage that says so, say what the passage says, or take the sentence out",
    Verdict.CONTRADICTED: "say what the passage says, or correct the passage",
    Verdict.PARTIAL: "take out what is marked, or cite a passage that says it too",
    Verdict.UNCHECKED: "read both, then run `mkdocs-cited accept {answer} --claims {number}`",
}
_FIXES = {
    "altered-number": "write the figure as the passage has it, or cite the passage that has it",
    "altered-identifier": "write the name as the passage has it, or cite the passage that has it",
    "flipped-polarity": "say what the passage says, or cite the passage that says this",
}
"""What to do about each kind of proof."""
_OVERRULED = (
    "; `mkdocs-cited accept {answer} --claims {number} --reason …` overrules this"
)
_TAKEN_BACK = (
    "; `mkdocs-cited accept {answer} --claims {number}` reverses that decision"
)
"""What else can be done where a person has said so."""
_STILL_RIGHT = (
    "or, if it still holds, run `mkdocs-cited accept {answer} --claims {number}`"
)
_LONGEST = 300
"""Characters of an excerpt in a message."""


def findings_of(reviewed: Sequence[ReviewedClaim], audit: Audit) -> tuple[Finding, ...]:
    """What the verdicts say of an answer, sorted: one finding for each cited claim that is not `supported`.

    `reviewed` are all claims of the answer in order, so that a person can name one by its number.
    Where the judgement names a passage that does support the claim, that rule says so. Claims without
    evidence are left to `missing-citation` and `unknown-source`.
    """
    return in_order(_each(reviewed, audit))


def incomplete(fault: Fault, audit: Audit) -> Finding:
    """The finding for a review that could not be finished."""
    key = audit.declaration.key
    message = f"the review of `{key}` could not be finished: {fault.reason}"
    return found("review-incomplete", audit.place(), message, tip=fault.tip, answer=key)


def _each(reviewed: Sequence[ReviewedClaim], audit: Audit) -> Iterator[Finding]:
    wrong = WrongCitation()
    for number, item in enumerate(reviewed, 1):
        if item.judgement.verdict is Verdict.SUPPORTED or not item.evidence:
            continue
        if item.change:
            yield _changed(item, item.change, number, audit)
        elif not wrong.found(item.claim, item.judgement, audit):
            yield _finding(item, number, audit)


def _changed(item: ReviewedClaim, change: Change, number: int, audit: Audit) -> Finding:
    """A claim whose decision lapsed: what the words were, and what they are."""
    slug = item.judgement.proof or CHANGED
    claim = shorten(collapse(item.claim.text))
    place = change.was.at or label(item.evidence[0].passage)
    if slug == OUTDATED:
        message = f"“{claim}” is not true any more: {item.judgement.reason} in {place}"
        still_right = _STILL_RIGHT.removesuffix("`") + " --reason …`"
        tip = "correct the sentence, or the passage; " + still_right
    else:
        message = f"the words that “{claim}” depends on have changed in {place} since {_since(change)}"
        message += f": {_both_sides(change)}"
        tip = "read both, and correct the sentence, " + _STILL_RIGHT
    passage = audit.corpus.passage(change.passage) if change.passage else None
    elsewhere = change.moved or (passage.section.where if passage else place)
    if elsewhere != place:
        tip = f"its words are in `{elsewhere}` now: cite `[@/{elsewhere}]`; or {tip}"
    answer = audit.declaration.key
    return found(
        slug,
        audit.place(item.claim.start),
        message,
        tip=tip.format(answer=answer, number=number),
        answer=answer,
        claim=item.claim.text,
        marks=item.judgement.missing,
        related=tuple(_sides(item, change, passage)),
    )


def _since(change: Change) -> str:
    """Who had decided, and when."""
    if not change.by:
        return "it was written"
    decided = "refused"
    if change.verdict is Verdict.SUPPORTED:
        decided = "confirmed"
    return f"{change.by} {decided} it" + (f" on {change.on}" if change.on else "")


def _both_sides(change: Change) -> str:
    """The words of then and those of today; of the two, only what stands over them where only that has changed."""
    was, now = _quoted(change.was.text), _quoted(change.now)
    if not change.was.text:
        return f"it is {now}"
    if change.was.text == change.now:
        return f"it was under “{change.was.under}”, and is under “{change.under}”"
    if change.now:
        return f"it was {was}, it is {now}"
    return f"it was {was}, which is gone"


def _quoted(text: str) -> str:
    return f"“{shorten(collapse(text), _LONGEST)}”"


def _sides(
    item: ReviewedClaim, change: Change, passage: Passage | None
) -> Iterator[Related]:
    """The words of then, and the passage that has those of today, each with what differs."""
    gone, new = differing(change.was.text, change.now)
    yield Related(WAS, text=change.was.text, marks=gone if change.now else ())
    if passage:
        now = related(IS, passage)
        if passage.is_private:
            yield now
        else:
            yield replace(now, text=change.now, marks=new)
    else:
        for evidence in item.shown:
            yield related("the cited passage", evidence.passage)


def _finding(item: ReviewedClaim, number: int, audit: Audit) -> Finding:
    judgement, passages = item.judgement, _telling(item)
    if judgement.proof in _FIXES:
        slug, message, tip = (
            judgement.proof,
            judgement.reason,
            _FIXES[judgement.proof] + _OVERRULED,
        )
    else:
        slug, says = _SLUGS[judgement.verdict]
        who, _, name = judgement.reviewer.partition(":")
        refused = who == PERSON and judgement.verdict is Verdict.UNSUPPORTED
        reasons = [f"{name} has decided so" if refused else "", judgement.reason]
        message = says.format(
            passage=_cited(passages, judgement),
            claim=shorten(collapse(item.claim.text)),
        )
        reason = ", ".join(filter(None, reasons))
        if reason:
            message = f"{message}: {reason}"
        if slug == _WAITS and lacks_values(
            item.claim.text, _all_of(item), audit.declaration.locale
        ):
            slug = WrongCitation.slug
            message = f"{_cited(passages, judgement)} has none of the values of “{shorten(collapse(item.claim.text))}”"
        tip = _TIPS[judgement.verdict] + (_TAKEN_BACK if refused else "")
        if slug == WrongCitation.slug:
            tip = "cite the key, name or line that has them; " + _STILL_RIGHT
    return found(
        slug,
        audit.place(item.claim.start),
        message,
        tip=tip.format(answer=audit.declaration.key, number=number),
        answer=audit.declaration.key,
        claim=item.claim.text,
        marks=judgement.missing,
        related=tuple(
            related("the cited passage", evidence.passage) for evidence in passages
        ),
    )


def _telling(item: ReviewedClaim) -> tuple[Evidence, ...]:
    """The passages that tell a reader why: first the one whose words decided, then what the footnotes show."""
    words = item.judgement.evidence_quote
    first = (item.shown or item.evidence)[0]
    for evidence in item.evidence:
        if words and words in evidence.passage.text:
            first = evidence
            break
    others = [evidence for evidence in item.shown if evidence is not first]
    return (first, *others)


def _all_of(item: ReviewedClaim) -> list[Passage]:
    """Everything that a claim cites."""
    return [evidence.passage for evidence in item.evidence]


def _cited(passages: Sequence[Evidence], judgement: Judgement) -> str:
    """The first of these passages with its words, and how many more there are."""
    first, *more = passages
    name = label(first.passage)
    if first.passage.page.type is not SourceType.NOTE:
        said = judgement.evidence_quote
        words = (
            said
            if said and said in first.passage.text
            else first.quote or first.passage.text
        )
        name = f"{name} (“{shorten(collapse(words))}”)"
    if more:
        return f"{name} with {len(more)} more"
    return name
