"""The fact-check view of one answer: a list of its claims, each with its verdict and the numbers of its footnotes."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup, escape
from msgspec import Struct

from mkdocs_cited.model.answer import Answer, ReviewedClaim, Verdict
from mkdocs_cited.render.cited import is_private
from mkdocs_cited.render.markdown import Mark, note_id


class Check(Struct, frozen=True):
    """A claim with what was said of it, as a template sees it."""

    text: Markup
    """The claim; what its passages do not carry is marked."""
    verdict: str
    reason: str
    notes: tuple[tuple[str, str, str], ...]
    """(number as shown, where it leads, accessible name) of its footnotes."""


def checks(answer: Answer, marks: Mapping[int, Mark], prefix: str, *, undecided: bool) -> list[Check]:
    """The claims of an answer; those that wait only for authors (`undecided`). What was said of a private note is left
    out."""
    return [
        _check(item, marks, prefix)
        for item in answer.claims
        if undecided or item.judgement.verdict is not Verdict.UNCHECKED
    ]


def _check(item: ReviewedClaim, marks: Mapping[int, Mark], prefix: str) -> Check:
    judgement = item.judgement
    private = any(is_private(evidence.passage) for evidence in item.evidence)
    cited = dict.fromkeys(marks[sid] for sid in item.claim.sids if sid in marks)
    return Check(
        text=_with_missing(item),
        verdict=judgement.verdict.value,
        reason="" if private else judgement.reason,
        notes=tuple((mark.text, mark.href or f"#{note_id(prefix, mark.note)}", mark.label) for mark in cited),
    )


def _with_missing(item: ReviewedClaim) -> Markup:
    text, out, at = item.claim.text, Markup(), 0
    for start, end in sorted(item.judgement.missing):
        if at <= start < end <= len(text):
            out += escape(text[at:start]) + Markup("<mark>{}</mark>").format(text[start:end])
            at = end
    return out + escape(text[at:])
