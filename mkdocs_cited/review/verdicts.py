"""Verdicts become findings: what was said of each claim, as a place, a message and a next step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mkdocs_cited.base.errors import command
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.language import differing
from mkdocs_cited.model.answer import (
    Change,
    Evidence,
    Fault,
    ReviewedClaim,
    Verdict,
)
from mkdocs_cited.model.declaration import AUTHORED
from mkdocs_cited.model.finding import IS, WAS, Finding, Related, found, in_order
from mkdocs_cited.model.source import Passage
from mkdocs_cited.review.interface import Audit, cited, label, related

_SAID = {
    Verdict.UNSUPPORTED: (
        "unsupported-claim",
        "{passage} does not support {claim}",
        "cite a passage that says so, say what the passage says, or take the sentence out",
    ),
    Verdict.CONTRADICTED: (
        "contradicted-claim",
        "{passage} contradicts {claim}",
        "say what the passage says, or correct the passage",
    ),
    Verdict.PARTIAL: (
        "partial-claim",
        "{passage} supports only a part of {claim}",
        "take out what is marked, or cite a passage that says it too",
    ),
    Verdict.UNCHECKED: (
        "unconfirmed-claim",
        "nobody has decided yet whether {passage} supports {claim}",
        "read both, then run `{accept}`",
    ),
}
"""Slug, message and tip of the finding on a claim of each verdict."""
_FIXES = {
    "altered-number": "write the figure as the passage has it, or cite the passage that has it",
    "altered-identifier": "write the name as the passage has it, or cite the passage that has it",
    "flipped-polarity": "say what the passage says, or cite the passage that says this",
}
"""What to do about each kind of proof."""
_OVERRULED = "; `{accept}` overrules this"
_CONFIRM = "or, if it still holds, run `{accept}`"
_LONGEST = 300
"""Characters of an excerpt in a message."""
_LONGEST_TO_CITE = 400
"""Characters of a passage that a writer is told to cite: a line in the middle of its code may be what counts."""


def findings_of(audit: Audit) -> tuple[Finding, ...]:
    """What the verdicts say of an answer, sorted: one finding for each cited claim that is not `supported`.

    Claims without evidence are left to `missing-citation` and `unknown-source`.
    """
    findings = []
    for number, item in enumerate(audit.reviewed, 1):
        if item.judgement.verdict is Verdict.SUPPORTED or not item.evidence:
            continue
        finding = None
        if item.is_of_a_note:
            finding = _of_a_note(item, audit)
        elif item.change:
            finding = _changed(item, item.change, audit)
        elif item.judgement.suggested:
            finding = _wrong_citation(item, audit)
        finding = finding or _unproven(item, audit)
        # a person names a claim by its number
        words = ["accept", audit.declaration.key, "--claims", str(number)]
        if item.objection:  # which a person overrules for a reason only
            words += ["--reason", "…"]
        tip = finding.tip.replace("{accept}", command(*words))
        findings.append(replace(finding, tip=tip, number=number))
    return in_order(findings)


def incomplete(fault: Fault, audit: Audit) -> Finding:
    """The finding for a review that could not be finished."""
    key = audit.declaration.key
    message = f"the review of `{key}` could not be finished: {fault.reason}"
    return found("review-incomplete", audit.place(), message, tip=fault.tip, answer=key)


def conflicting(
    conflicts: Sequence[tuple[str, str, str]], audit: Audit
) -> Iterator[Finding]:
    """A finding for each pair of passages that disagree by a model's word, so that the docs get fixed.

    Args:
        conflicts: ids of both passages, and what they disagree on: `Review.conflicts`.
        audit: the answer that depends on the first one.
    """
    for one, other, matter in conflicts:
        first = audit.corpus.passage(one)
        second = audit.corpus.passage(other)
        if first is None or second is None:
            continue
        start = 0
        text = ""
        for item in audit.reviewed:
            if any(evidence.passage.id == one for evidence in item.evidence):
                start = item.claim.start
                text = item.claim.text
                break
        message = f"{label(first)} and {label(second)} disagree, and `{audit.declaration.key}` depends on the first"
        if not (first.is_private or second.is_private):
            message += f": {shorten(matter, 300)}"
        yield audit.finding(
            "conflicting-sources",
            start,
            message,
            "correct the page that is wrong",
            claim=text,
            related=(
                related("one passage", first),
                related("the other passage", second),
            ),
        )


def _of_a_note(item: ReviewedClaim, audit: Audit) -> Finding:
    """The finding on a claim that cites a note: nothing of what the note says, since reports may be public."""
    slug, says, _ = _SAID[item.judgement.verdict]
    if item.change:
        says = "{passage}, on which {claim} depends, has changed"
    slug = item.judgement.proof or slug
    passages = _telling(item)
    message = says.format(passage=_named(passages, ""), claim=_claim(item))
    tip = f"read the note, and correct the sentence, {_CONFIRM}"
    return _finding(slug, item, audit, message, tip, cited(passages))


def _wrong_citation(item: ReviewedClaim, audit: Audit) -> Finding | None:
    """The finding on a claim of which the judgement names a passage that supports it, if the site has that."""
    better = audit.corpus.passage(item.judgement.suggested)
    if better is None or not item.claim.sids:
        return None
    message = (
        f"{_claim(item)} is not supported by what it cites, but by {label(better)}"
    )
    tip = f"read it, and correct the sentence, {_CONFIRM}"
    if not better.is_private:
        if item.judgement.reason:
            message += f" ({item.judgement.reason})"
        said = shorten(collapse(better.text), _LONGEST_TO_CITE)
        tip = f"cite the passage of `{label(better)}` that says “{said}”"
    supporting = related("the passage that supports it", better)
    return _finding(
        "wrong-citation", item, audit, message, tip, (supporting, *cited(item.shown))
    )


def _changed(item: ReviewedClaim, change: Change, audit: Audit) -> Finding:
    """A claim whose decision lapsed: what the words were, and what they are."""
    slug = item.judgement.proof
    passage = audit.corpus.passage(change.passage)
    place = change.was.at or label(item.evidence[0].passage)
    if passage:
        place = label(passage)
    if slug == "outdated-claim":
        message = (
            f"{_claim(item)} is not true any more: {item.judgement.reason} in {place}"
        )
        tip = f"correct the sentence, or the passage; {_CONFIRM}"
    else:
        matter = f"the words that {_claim(item)} depends on have changed in {place}"
        if not change.was.at:
            matter = f"what stands over {_claim(item)} has changed"
        message = f"{matter} since {_since(change)}: {_both_sides(change)}"
        tip = f"read both, and correct the sentence, {_CONFIRM}"
    if change.moved:
        cites = f"cite `[@/{change.moved}]`"
        if audit.draft.provider != AUTHORED:
            take = command("answer", audit.declaration.key, "--take", change.moved)
            cites = f"run `{take}`"
        tip = f"`{change.moved}` has its words, or nearly: {cites}; or {tip}"
    return _finding(slug, item, audit, message, tip, _sides(item, change, passage))


def _since(change: Change) -> str:
    """Who had decided, and when."""
    if not change.by:
        return "it was written"
    decided = "refused"
    if change.verdict is Verdict.SUPPORTED:
        decided = "confirmed"
    who = f"{change.by} {decided} it"
    if change.on:
        who += f" on {change.on}"
    return who


def _both_sides(change: Change) -> str:
    """The words of then and those of today; of the two, only what stands over them where only that has changed."""
    was = _quoted(change.was.text)
    now = _quoted(change.now)
    if not change.was.text:
        return f"it is {now}"
    if change.was.text == change.now:
        return f"it was under “{change.was.under}”, and is under “{change.under}”"
    if change.now:
        return f"it was {was}, it is {now}"
    return f"it was {was}, which is gone"


def _quoted(text: str, most: int = _LONGEST) -> str:
    return f"“{shorten(collapse(text), most)}”"


def _claim(item: ReviewedClaim) -> str:
    return _quoted(item.claim.text, 120)


def _sides(
    item: ReviewedClaim, change: Change, passage: Passage | None
) -> Sequence[Related]:
    """The words of then, and the passage that has those of today, each with what differs."""
    before, now = change.was.text, change.now
    if before == now:
        before, now = change.was.under, change.under
    gone, new = differing(before, now)
    was = Related(WAS, text=before, marks=gone if now else ())
    if not change.was.at:
        return (was, Related(IS, text=now, marks=new))
    if passage is None:
        return (was, *cited(item.shown))
    return (was, replace(related(IS, passage), text=now, marks=new))


def _unproven(item: ReviewedClaim, audit: Audit) -> Finding:
    """The finding on a claim that its passages do not support, or of which nobody knows whether they do."""
    judgement = item.judgement
    passages = _telling(item)
    told = cited(passages)
    if judgement.proof in _FIXES:
        tip = _FIXES[judgement.proof] + _OVERRULED
        return _finding(judgement.proof, item, audit, judgement.reason, tip, told)
    named = _named(passages, judgement.evidence_quote)
    slug, says, tip = _SAID[judgement.verdict]
    message = says.format(passage=named, claim=_claim(item))
    reasons = [judgement.reason]
    if judgement.person and judgement.verdict is Verdict.UNSUPPORTED:
        reasons.insert(0, f"{judgement.person} has decided so")
        tip += _OVERRULED
    reason = ", ".join(filter(None, reasons))
    if reason:
        message = f"{message}: {reason}"
    return _finding(slug, item, audit, message, tip, told)


def _finding(
    slug: str,
    item: ReviewedClaim,
    audit: Audit,
    message: str,
    tip: str,
    places: Sequence[Related],
) -> Finding:
    return audit.finding(
        slug,
        item.claim.start,
        message,
        tip,
        claim=item.claim.text,
        marks=item.judgement.missing,
        related=tuple(places),
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


def _named(passages: Sequence[Evidence], said: str) -> str:
    """The first of these passages with its words, and how many more there are.

    Args:
        said: the words of it that decided.
    """
    first, *more = passages
    name = label(first.passage)
    if not first.passage.is_private:
        words = first.quote or first.passage.text
        if said and said in first.passage.text:
            words = said
        name = f"{name} ({_quoted(words, 120)})"
    if more:
        return f"{name} with {len(more)} more"
    return name
