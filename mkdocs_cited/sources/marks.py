"""The marks of a rendered page: what each claims, and what its page has around it.

A mark covers the sentence, list item or cell in front of it, as readers see them. It is an element that
`declarations.in_markdown` has made, or `[@…]` in a text that nothing interpreted, outside of code. A comment
`<!-- cite: … -->` is one that no reader sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape, unescape
from typing import NamedTuple

from msgspec import Struct, field

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.base.html import TAG
from mkdocs_cited.base.text import collapse, ticks
from mkdocs_cited.language import negates
from mkdocs_cited.model.declaration import ATTRIBUTE, MARKER, WRITTEN, is_mark
from mkdocs_cited.model.source import Page, Passage, PassageKind
from mkdocs_cited.sources.from_html import Marked, read_marked

_NEAR = 300
"""Characters of each neighbour that are told with a claim."""
_TOKEN = re.compile(
    rf"<!--\s{{0,40}}cite:(?P<hidden>[^<>]{{1,500}}?)-->|<!--.*?(?:-->|\Z)"
    rf"|<span (?:[^<>]{{0,300}}\s)?{ATTRIBUTE}=\"(?P<element>[^\"<>]{{1,3000}})\"[^<>]{{0,300}}></span>"
    rf"|(?P<code></?(?:pre|code|script|style|textarea|template|title)\b)|(?P<tag>{TAG})"
    r"|[ \t]{0,40}(?:\n[ \t]{0,40})?\[\s{0,9}@(?P<written>!?[^\[\]<>]{1,500}?)\s{0,9}(?:\](?![(\[])|(?=</))",
    re.DOTALL | re.IGNORECASE,
)
"""Comments, marks (also one that its block ends), tags within which no text is a mark, and other tags."""
_ATTRIBUTE = re.compile(
    r"""\s(?:alt|title)\s*=\s*("[^"]*\[@[^"]*"|'[^']*\[@[^']*')""", re.IGNORECASE
)
"""An attribute of a tag that is text with a mark."""
_BEHIND = re.compile(
    r"((?:</(?:p|li|td|th|[ou]l|blockquote)>\s*)+)(<!--\s{0,40}cite:[^<>]{1,500}?-->"
    rf'|<!--cited [^\s<>]*--><span {ATTRIBUTE}="![^"<>]*"></span>)'
)
"""The end of a block, and of the list or quotation that it is the last of; and a mark that nobody sees on a line of its
own below it. In a built page it is an element already."""
_OWN = re.compile(r"(?<!\\)\[\^(\d+)\]")
_SPECIAL = re.compile(r"[\\`*\[\]]|(?<!\w)_|_(?!\w)|~~|^(?:[#>+-]|\d{1,9}[.)])(?=\s)")
"""What Markdown would take for markup."""
_CLOSES, _MARKED, _OPENS, _ENDS = range(4)
"""What is written at one place of a text, in this order: the end of code, a mark, the start of code."""
_CUT = "\0"
"""Stands for each character that is struck out."""


class MarkedClaim(Struct, frozen=True):
    """What one or more marks of a page cover."""

    text: str
    """Markdown, with `[@…]` where its marks are."""
    marks: tuple[int, ...]
    """Numbers of its marks on the page, from 0."""
    quiet: bool
    """Whether readers see nothing of its citation."""
    around: str
    """What a reader has around it, as Markdown: headings and boxes over it, its neighbours."""
    under: str
    """What stands over it and counts, as `Passage.under`."""


class Over(Struct, frozen=True):
    """What a reader has over a place on a page."""

    around: str
    """The headings and boxes, as Markdown."""
    under: str
    """Those of them that count for decisions, as `Passage.under`."""


class PageMarks(Struct, frozen=True):
    """The marks of a page."""

    html: str
    """The page's HTML, with an element that has the number of a claim where its citations are shown, and no other mark
    of a claim."""
    targets: tuple[str, ...] = ()
    """What each mark says: `!../src/cache.py#TTL`."""
    claims: tuple[MarkedClaim, ...] = ()
    unread: tuple[int, ...] = ()
    """Numbers of the marks that cover nothing: in a heading, a title, a table's head, the text of an image, or with no
    text before them."""
    places: tuple[int | None, ...] = ()
    """For each mark in a text, the number of the claim whose citations are shown in its place: -1 where nothing is
    shown, `None` where it covers nothing."""
    over_answers: Mapping[str, Over] = field(default_factory=dict)
    """Id of each answer that has a place on the page → what is over that."""


class MarkInHtml(NamedTuple):
    """A mark as it is written in HTML; one in an attribute has no length, at the end of its tag."""

    start: int
    end: int
    target: str
    """What it says: `!../src/cache.py#TTL`."""


def read_marks(page: Page, html: str) -> PageMarks:
    """The marks of a page, and the claims that they cover; never raises on malformed HTML."""
    html = _BEHIND.sub(r"\2\1", html)
    marks = list(marks_in(html))
    if not marks and not MARKER.search(html):
        return PageMarks(html)
    targets = [mark.target for mark in marks]
    elements = list(map(_element, range(len(marks))))
    document, marked, answers = read_marked(page, _with(html, marks, elements))
    claims: list[MarkedClaim] = []
    for item in marked:
        claims += _claims(document.passages, item, targets)
    places: dict[int, int] = {}
    for number, claim in enumerate(claims):
        places |= dict.fromkeys(claim.marks, -1)
        if not claim.quiet:
            places[claim.marks[-1]] = number
    unread = []
    shown = []
    written = []
    for number, mark in enumerate(marks):
        place = places.get(number)
        if mark.start < mark.end:
            shown.append(place)
        if place is None:
            unread.append(number)
            written.append(escape(f" [@{mark.target}]"))
        elif place < 0:
            written.append("")
        else:
            written.append(_element(place))
    return PageMarks(
        _with(html, marks, written),
        tuple(targets),
        tuple(claims),
        tuple(unread),
        tuple(shown),
        {
            name: Over(_headings(passage), passage.under)
            for name, passage in answers.items()
        },
    )


def marks_in(html: str) -> Iterator[MarkInHtml]:
    """The marks that are written in HTML, in order."""
    inside = 0
    for match in _TOKEN.finditer(html):
        if match["code"]:
            step = -1 if match["code"].startswith("</") else 1
            inside = max(0, inside + step)
            continue
        target = _as_text(match["element"] or match["written"] or "")
        if match["hidden"]:
            target = f"!{_as_text(match['hidden'])}"
        if match["tag"] and not inside:
            yield from _in_attributes(match["tag"], match.end())
        elif match["written"] and (inside or not is_mark(target)):
            continue
        elif target:
            yield MarkInHtml(*match.span(), target)


def _in_attributes(tag: str, end: int) -> Iterator[MarkInHtml]:
    """The marks in what a tag says of an image or link: its author takes them for read."""
    for attribute in _ATTRIBUTE.finditer(tag):
        for written in WRITTEN.finditer(attribute[1]):
            target = _as_text(written["shown"] or "")
            if is_mark(target):
                yield MarkInHtml(end, end, target)


def _as_text(html: str) -> str:
    return collapse(unescape(html))


def with_marks(html: str, write: Callable[[str, str], str]) -> str:
    """HTML with what `write` gives for each mark in its text, of what it says and how it is written."""
    marks = list(marks_in(html))
    written = [write(mark.target, html[mark.start : mark.end]) for mark in marks]
    return _with(html, marks, written)


def _with(html: str, marks: Sequence[MarkInHtml], written: Sequence[str]) -> str:
    """HTML with what is written in place of each mark in its text."""
    pieces = []
    at = 0
    for mark, text in zip(marks, written, strict=True):
        if mark.start < mark.end:
            pieces += [html[at : mark.start], text]
            at = mark.end
    return "".join([*pieces, html[at:]])


def _element(number: int) -> str:
    return f'<span {ATTRIBUTE}="{number}"></span>'


def _claims(
    passages: Sequence[Passage], marked: Marked, targets: Sequence[str]
) -> Iterator[MarkedClaim]:
    """The claims of one passage that has marks."""
    passage = passages[marked.position]
    bullet = ""
    if passage.kind in (PassageKind.ITEM, PassageKind.STEP):
        bullet = "- "
    for start, end, label in _parts(passage):
        text = bullet + _markdown(passage, start, end, marked)
        for claim in split(text, passage.page.locale):
            if not claim.sids:
                continue
            # with the markup that it begins with
            begin = len(text[: claim.start].rstrip("`*_~[\\"))
            said = f"{bullet}{_escape(label)}{text[begin : claim.end]}"
            written = [targets[sid - 1] for sid in claim.sids]
            yield MarkedClaim(
                _OWN.sub(
                    lambda mark: f"[@{targets[int(mark[1]) - 1].removeprefix('!')}]",
                    said,
                ),
                tuple(sid - 1 for sid in claim.sids),
                quiet=all(target.startswith("!") for target in written),
                around=_around(passages, passage, label),
                under=passage.under,
            )


def _parts(passage: Passage) -> Iterator[tuple[int, int, str]]:
    """Start and end of each part of a passage that is read by itself: all of it, what a term is followed by, or a cell;
    with what is said of it before it, as `TTL, default: ` of a cell."""
    start, label = 0, ""
    if passage.kind is PassageKind.ROW:
        for column, (start, end) in enumerate(passage.cell_spans()):
            if start < end:
                yield start, end, _label_of(passage, column)
        return
    if passage.kind is PassageKind.DEFINITION and passage.text.startswith(passage.lead):
        start, label = len(passage.lead), f"{passage.lead}: "
    elif negates(passage.lead) and passage.lead.endswith((":", "：")):
        label = f"{passage.lead} "
    yield start, len(passage.text), label


def _label_of(row: Passage, column: int) -> str:
    """What a row and a column are called, for the cell in both; empty for the row's first cell, which names it."""
    names = [row.cells[0], *row.header[column : column + 1]]
    label = ", ".join(filter(None, names))
    if column and label:
        return f"{label}: "
    return ""


def _markdown(passage: Passage, start: int, end: int, marked: Marked) -> str:
    """A part of a passage as Markdown, with `[^n]` for its marks, and without what is struck out."""
    text = passage.text
    for first, last in passage.struck:
        if (first, last) not in marked.powers:
            text = text[:first] + _CUT * (last - first) + text[last:]
    edges = [(at, _MARKED, f" [^{number + 1}]") for at, number in marked.marks]
    edges += [(first, _OPENS, "^") for first, _ in marked.powers]
    for first, last in passage.code_spans:
        sign = ticks(text[first:last])
        edges += [(first, _OPENS, sign), (last, _CLOSES, sign)]
    edges.append((end, _ENDS, ""))
    out, at = "", start
    for place, kind, written in sorted(edges):
        if start <= place <= end:
            piece = text[at:place]
            if kind != _CLOSES:
                piece = _escape(piece)
            out += piece + written
            at = place
    return re.sub(r" {2,}", " ", out.replace(_CUT, "")).strip()


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)


def _headings(passage: Passage, *column: str) -> str:
    """The headings and boxes over a passage, and the column that a cell is in, as Markdown."""
    heads = []
    over = (*passage.section.breadcrumb, *passage.labels, *column)
    for level, text in enumerate(over, 1):
        heads.append(f"{'#' * min(level, 6)} {text}")
    return "\n\n".join(heads)


def _around(passages: Sequence[Passage], passage: Passage, label: str) -> str:
    """What a reader has around a claim on its page, as Markdown: what is over it, and its neighbours."""
    column = []
    if passage.kind is PassageKind.ROW and label:
        column.append(label.rstrip(": "))
    shown = [_headings(passage, *column)]
    for near in passages[max(0, passage.position - 1) : passage.position + 2]:
        text = near.text
        if near.position < passage.position:
            text = text[-_NEAR:]
        elif near.position > passage.position:
            text = text[:_NEAR]
        if near.section == passage.section:
            shown.append(text)
    return "\n\n".join(shown)
