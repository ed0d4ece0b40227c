"""The fact-check view of one answer: a list of its claims, each with its verdict and evidence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from markupsafe import Markup, escape
from msgspec import Struct

from mkdocs_cited.model.answer import PERSON, Answer, Evidence, ReviewedClaim, Verdict
from mkdocs_cited.render.cited import is_private
from mkdocs_cited.render.labels import Labels
from mkdocs_cited.render.links import LinkOf
from mkdocs_cited.render.quotes import Quote, quoted


class Proof(Struct, frozen=True):
    """Passages of one section behind a claim, as a template sees them: name, address of the first, and quotes with
    their words marked."""

    label: str
    href: str
    quotes: tuple[Quote, ...]


class Check(Struct, frozen=True):
    """A claim with what was said of it, as a template sees it."""

    text: Markup
    """The claim; what its passages do not carry is marked."""
    verdict: str
    reason: str
    reviewer: str
    evidence: tuple[Proof, ...]


def checks(answer: Answer, links: LinkOf, base: str, labels: Labels, *, undecided: bool) -> list[Check]:
    """The claims of an answer; those that wait only for authors (`undecided`). What a private note
    says, and what was said of it, is left out."""
    return [
        _check(answer, item, links, base, labels)
        for item in answer.claims
        if undecided or item.judgement.verdict is not Verdict.UNCHECKED
    ]


def _check(answer: Answer, item: ReviewedClaim, links: LinkOf, base: str, labels: Labels) -> Check:
    judgement = item.judgement
    private = any(is_private(evidence.passage) for evidence in item.evidence)
    names = {source.passage.id: source.label for source in answer.sources}

    def name(evidence: Evidence) -> str:
        return names.get(evidence.passage.id, evidence.passage.section.title)

    return Check(
        text=_with_missing(item),
        verdict=judgement.verdict.value,
        reason="" if private else judgement.reason,
        reviewer=judgement.reviewer.removeprefix(f"{PERSON}:") or labels("machine", name=answer.reviewer or "lexical"),
        evidence=tuple(_proof(label, list(together), links, base) for label, together in groupby(item.shown, key=name)),
    )


def _proof(label: str, together: Sequence[Evidence], links: LinkOf, base: str) -> Proof:
    public = [evidence for evidence in together if not is_private(evidence.passage)]
    return Proof(
        label,
        links(together[0].passage, together[0].quote).href(base),
        tuple(quoted(each.passage, each.quote) for each in public),
    )


def _with_missing(item: ReviewedClaim) -> Markup:
    text, out, at = item.claim.text, Markup(), 0
    for start, end in sorted(item.judgement.missing):
        if at <= start < end <= len(text):
            out += escape(text[at:start]) + Markup("<mark>{}</mark>").format(text[start:end])
            at = end
    return out + escape(text[at:])
