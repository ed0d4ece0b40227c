"""The fact-check view of one answer: its claims marked in the text, each with its verdict and evidence.

Claims are known by their offsets in the Markdown. Signs that no text holds are put at their ends before it is
rendered, and become elements afterwards, so that nothing has to guess where a sentence went.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from markupsafe import Markup, escape
from msgspec import Struct

from mkdocs_cited.model.answer import PERSON, Answer, Evidence, ReviewedClaim, Verdict
from mkdocs_cited.render.cited import is_private
from mkdocs_cited.render.labels import Labels
from mkdocs_cited.render.links import LinkOf
from mkdocs_cited.render.quotes import Quote, quoted

_OPEN, _CLOSE = "\U00016fe2", "\U0001bc9f"
"""Punctuation (so that emphasis beside it works) of scripts that have none but it: Old Chinese, Duployan."""
SIGNS = _OPEN + _CLOSE
"""What `signed` puts into a text."""
_SIGNS = str.maketrans("", "", SIGNS)
_PIECE = re.compile(rf"(<[^<>]*>|[{_OPEN}{_CLOSE}])")
_LEADING = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6}|>|\|)[ \t]+)*")
_FENCE = re.compile(r"[ \t]*(?:`{3}|~{3})")
_GLYPHS = {
    Verdict.SUPPORTED: "✓",
    Verdict.PARTIAL: "◐",
    Verdict.CONTRADICTED: "✗",
    Verdict.UNSUPPORTED: "✗",
    Verdict.UNCHECKED: "?",
}


class Proof(Struct, frozen=True):
    """Passages of one section behind a claim, as a template sees them: name, address of the first, and quotes with
    their words marked."""

    label: str
    href: str
    quotes: tuple[Quote, ...]


class Check(Struct, frozen=True):
    """A claim with what was said of it, as a template sees it."""

    n: int
    id: str
    text: Markup
    """The claim; what its passages do not carry is marked."""
    verdict: str
    sign: str
    reason: str
    reviewer: str
    evidence: tuple[Proof, ...]


def checks(answer: Answer, links: LinkOf, base: str, labels: Labels, *, undecided: bool) -> list[Check]:
    """The claims of an answer, numbered as in it; those that wait only for authors (`undecided`). What a private note
    says, and what was said of it, is left out."""
    return [
        _check(answer, n, item, links, base, labels)
        for n, item in enumerate(answer.claims, 1)
        if undecided or item.judgement.verdict is not Verdict.UNCHECKED
    ]


def spots(content: str, claims: Sequence[ReviewedClaim]) -> list[int]:
    """Positions of the claims that can be marked in the text: code blocks and those of unknown place cannot."""
    kept, at = [], 0
    for n, item in enumerate(claims):
        start, end = item.claim.start, item.claim.end
        if at <= start < end <= len(content) and not _FENCE.match(content, start):
            kept.append(n)
            at = end
    return kept


def signed(content: str, claims: Sequence[ReviewedClaim]) -> str:
    """The Markdown with a sign at either end of each claim that `spots` names."""
    out, at = [], 0
    for item in (claims[n] for n in spots(content, claims)):
        start, end = item.claim.start, item.claim.end
        leading = _LEADING.match(content, start, end)
        first = leading.end() if leading else start
        out += [content[at:first].translate(_SIGNS), _OPEN, content[first:end].translate(_SIGNS), _CLOSE]
        at = end
    return "".join(out) + content[at:].translate(_SIGNS)


def spanned(html: str, content: str, claims: Sequence[ReviewedClaim]) -> str:
    """The HTML rendered from `signed(content)`, with an element around each piece of a claim, in place of signs."""
    numbers = spots(content, claims)
    out: list[str] = []
    count, inside, skipped = 0, False, 0
    for piece in _PIECE.split(html):
        if piece == _OPEN:
            count, inside = count + 1, True
        elif piece == _CLOSE:
            inside = False
        elif piece.startswith("<"):
            skipped += {"<sup": 1, "</su": -1}.get(piece[:4], 0)
            out.append(piece)
        elif inside and not skipped and piece.strip() and count <= len(numbers):
            n = numbers[count - 1]
            verdict = claims[n].judgement.verdict.value
            out.append(f'<span class="cited-claim" data-claim="{n + 1}" data-verdict="{verdict}">{piece}</span>')
        else:
            out.append(piece)
    return "".join(out)


def _check(answer: Answer, n: int, item: ReviewedClaim, links: LinkOf, base: str, labels: Labels) -> Check:
    judgement = item.judgement
    private = any(is_private(evidence.passage) for evidence in item.evidence)
    names = {source.passage.id: source.label for source in answer.sources}

    def name(evidence: Evidence) -> str:
        return names.get(evidence.passage.id, evidence.passage.section.title)

    return Check(
        n=n,
        id=f"cited-{answer.id}-claim-{n}",
        text=_with_missing(item),
        verdict=judgement.verdict.value,
        sign=_GLYPHS[judgement.verdict],
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
