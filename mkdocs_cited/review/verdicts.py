"""Verdicts become findings: what a reviewer said of each claim, as a place, a message and a next step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.answer import PERSON, Evidence, Fault, Judgement, ReviewedClaim, Verdict
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.model.source import Passage, SourceType
from mkdocs_cited.review.interface import Audit, label, related
from mkdocs_cited.review.rules import in_order
from mkdocs_cited.review.rules.citations import WrongCitation
from mkdocs_cited.review.values import also_stating

_SAYS = {
    Verdict.UNSUPPORTED: ("unsupported-claim", "{passage} does not support “{claim}”"),
    Verdict.CONTRADICTED: ("contradicted-claim", "{passage} contradicts “{claim}”"),
    Verdict.PARTIAL: ("partial-claim", "{passage} supports only a part of “{claim}”"),
    Verdict.UNCHECKED: ("unconfirmed-claim", "no reviewer could decide whether {passage} supports “{claim}”"),
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

_OVERRULED = "; `mkdocs-cited accept {answer} --claims {number} --reason …` overrules this"
_TAKEN_BACK = "; `mkdocs-cited accept {answer} --claims {number}` takes that word back"
"""What else can be done where a person has said so."""


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
        if not wrong.found(item.claim, item.judgement, audit):
            yield _finding(item, number, audit)


def _finding(item: ReviewedClaim, number: int, audit: Audit) -> Finding:
    judgement, passages = item.judgement, _telling(item)
    if judgement.proof:  # words prove it wrong
        slug, message, tip = judgement.proof, judgement.reason, _FIXES[judgement.proof] + _OVERRULED
    else:
        slug, says = _SAYS[judgement.verdict]
        who, _, name = judgement.reviewer.partition(":")
        said = f"so {name} has decided" if who == PERSON and judgement.verdict is Verdict.UNSUPPORTED else ""
        message = says.format(passage=_cited(passages, judgement), claim=shorten(collapse(item.claim.text)))
        message = ": ".join(filter(None, (message, ", ".join(filter(None, (said, judgement.reason))))))
        tip = _TIPS[judgement.verdict] + (_TAKEN_BACK if said else "")
    return found(
        slug,
        audit.place(item.claim.start),
        message,
        tip=tip.format(answer=audit.declaration.key, number=number),
        answer=audit.declaration.key,
        claim=item.claim.text,
        marks=judgement.missing,
        related=(
            *(related("the cited passage", evidence.passage) for evidence in passages),
            *(related("it states the old value too", passage) for passage in _elsewhere(item, audit)),
        ),
    )


def _elsewhere(item: ReviewedClaim, audit: Audit) -> Iterator[Passage]:
    """The other sentences of the site that state what a file says no more."""
    if item.judgement.verdict is Verdict.CONTRADICTED and any(each.passage.value for each in item.evidence):
        said = [item.claim.text[start:end] for start, end in item.judgement.missing]
        value = next(each.passage for each in item.evidence if each.passage.value)
        own = [(claim.text, set(claim.text.split())) for claim in audit.claims]
        for passage in also_stating(said, value, audit.corpus):
            words = set(passage.text.split())  # of a claim that is a cell, its row
            if passage.page.src != audit.declaration.page or not any(
                text in passage.text or words <= {word.rstrip(":,") for word in all_of_it} for text, all_of_it in own
            ):
                yield passage


def _telling(item: ReviewedClaim) -> tuple[Evidence, ...]:
    """The passages that tell a reader why: first one that is new since a person decided, or whose words decided,
    though it be one of its section that the footnote does not show."""
    words = item.judgement.evidence_quote
    new = (evidence for evidence in item.evidence if evidence.passage.id in item.news)
    decided = next(new, None) or next(
        (evidence for evidence in item.evidence if words and words in evidence.passage.text),
        (item.shown or item.evidence)[0],
    )
    sections = {decided.passage.section} if not (decided.shown or item.news) else set()
    return (decided, *(i for i in item.shown if i is not decided and i.passage.section not in sections))


def _cited(passages: Sequence[Evidence], judgement: Judgement) -> str:
    """The first of these passages with its words, and how many more there are."""
    first, *more = passages
    name = label(first.passage)
    if first.passage.page.type is not SourceType.NOTE:
        said = judgement.evidence_quote
        words = said if said in first.passage.text and said else first.quote or first.passage.text
        name = f"{name} (“{shorten(collapse(words))}”)"
    return f"{name} with {len(more)} more" if more else name
