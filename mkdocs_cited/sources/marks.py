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
from mkdocs_cited.language.tokens import negates
from mkdocs_cited.model.declaration import MARKER, is_mark
from mkdocs_cited.model.source import Page, Passage, PassageKind
from mkdocs_cited.sources.dom import MARK
from mkdocs_cited.sources.from_html import Marked, read_marked

_NEAR = 300
"""Characters of each neighbour that are told with a claim."""
_TOKEN = re.compile(
    rf"<!--\s{{0,40}}cite:(?P<hidden>[^<>]{{1,500}}?)-->|<!--.*?(?:-->|\Z)"
    rf"|<span (?:[^<>]{{0,300}}\s)?{MARK}=\"(?P<element>[^\"<>]{{1,3000}})\"[^<>]{{0,300}}></span>"
    rf"|(?P<code></?(?:pre|code|script|style|textarea|template|title)\b)|(?P<tag>{TAG})"
    r"|[ \t]{0,40}(?:\n[ \t]{0,40})?\[\s{0,9}@(?P<written>!?[^\[\]<>]{1,500}?)\s{0,9}(?:\](?![(\[])|(?=</))",
    re.DOTALL | re.IGNORECASE,
)
"""Comments, marks (also one that its block ends), tags within which no text is a mark, and other tags."""
_ATTRIBUTE = re.compile(
    r"""\s(alt|title)\s*=\s*("[^"]*\[@[^"]*"|'[^']*\[@[^']*')""", re.IGNORECASE
)
"""An attribute of a tag that is text with a mark."""
_UNREAD = {
    "alt": "the text of an image",
    "title": "a title that is seen by pointing at it",
}
_WRITTEN = re.compile(r"\[\s{0,9}@(!?[^\[\]<>]{1,500}?)\s{0,9}\]")
_BEHIND = re.compile(
    r"(</(?:p|li|td|th)>)\s*(<!--\s{0,40}cite:[^<>]{1,500}?-->"
    rf'|<!--cited [^\s<>]*--><span {MARK}="![^"<>]*"></span>)'
)
"""A block, and a mark that nobody sees on a line of its own below it; in a built page it is an element already."""
_OWN = re.compile(r"(?<!\\)\[\^(\d+)\]")
_SPECIAL = re.compile(r"[\\`*\[\]]|(?<!\w)_|_(?!\w)|~~|^(?:[#>+-]|\d{1,9}[.)])(?=\s)")
"""What Markdown would take for markup."""
_CLOSES, _MARKED, _OPENS, _CUTS, _ENDS = range(5)
"""What is written at one place of a text, in this order: the end of code, a mark, the start of code."""


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


class Unread(Struct, frozen=True):
    """A mark that covers nothing."""

    number: int
    where: str
    """What it is in, in words; empty where there is no text before it."""


class Over(Struct, frozen=True):
    """What a reader has over a place on a page."""

    around: str
    """The headings and boxes, as Markdown."""
    under: str
    """Those of them that count for decisions, as `Passage.under`."""


class PageMarks(Struct, frozen=True):
    """The marks of a page."""

    html: str
    """The page's HTML, with an element (`MARK`) that has the number of a claim where its citations are shown, and no
    other mark of a claim."""
    targets: tuple[str, ...] = ()
    """What each mark says: `!../src/cache.py#TTL`."""
    claims: tuple[MarkedClaim, ...] = ()
    unread: tuple[Unread, ...] = ()
    places: tuple[int | None, ...] = ()
    """For each mark in a text, the number of the claim whose citations are shown in its place: -1 where nothing is
    shown, `None` where it covers nothing."""
    over_answers: Mapping[str, Over] = field(default_factory=dict)
    """Id of each answer that has a place on the page → what is over that."""


class MarkInHtml(NamedTuple):
    """A mark as it is written in HTML."""

    start: int
    end: int
    target: str
    """What it says: `!../src/cache.py#TTL`."""
    where: str = ""
    """Of one that is in no text: what it is in, in words. Its two offsets are the end of the tag."""


def read_marks(page: Page, html: str) -> PageMarks:
    """The marks of a page, and the claims that they cover; never raises on malformed HTML."""
    html = _BEHIND.sub(r"\2\1", html)
    marks = list(marks_in(html))
    targets = tuple(mark.target for mark in marks)
    if not marks and not MARKER.search(html):
        return PageMarks(html)
    in_text = [number for number, mark in enumerate(marks) if not mark.where]
    elements = {number: _element(number) for number in in_text}
    found = read_marked(page, _with(html, marks, elements))
    claims: list[MarkedClaim] = []
    for marked in found.marked:
        claims += _claims(found.document.passages, marked, targets)
    places: dict[int, int | None] = dict.fromkeys(in_text)
    for place, claim in enumerate(claims):
        places.update(dict.fromkeys(claim.marks, -1))
        if not claim.quiet:
            places[claim.marks[-1]] = place
    unread: list[Unread] = []
    for number, mark in enumerate(marks):
        if places.get(number) is None:
            where = found.elsewhere.get(number, "what no reader sees")
            unread.append(Unread(number, mark.where or where))
    shown = {
        number: _in_place(marks[number], place) for number, place in places.items()
    }
    return PageMarks(
        _with(html, marks, shown),
        targets,
        tuple(claims),
        tuple(unread),
        tuple(places.values()),
        {name: _over(passage) for name, passage in found.places.items()},
    )


def _in_place(mark: MarkInHtml, place: int | None) -> str:
    """What is in the place of a mark: see `PageMarks.places`."""
    if place is None:
        return escape(f" [@{mark.target}]")
    if place < 0:
        return ""
    return _element(place)


def marks_in(html: str) -> Iterator[MarkInHtml]:
    """The marks that are written in HTML, in order."""
    inside = 0
    for match in _TOKEN.finditer(html):
        if match["code"]:
            step = -1 if match["code"].startswith("</") else 1
            inside = max(0, inside + step)
            continue
        target = match["element"] or match["written"]
        if match["hidden"]:
            target = f"!{match['hidden'].strip()}"
        if target:
            target = _as_text(target)
            if not match["written"] or (is_mark(target) and not inside):
                yield MarkInHtml(*match.span(), target)
        elif match["tag"] and not inside:
            yield from _in_attributes(match["tag"], match.end())


def _in_attributes(tag: str, end: int) -> Iterator[MarkInHtml]:
    """The marks in what a tag says of an image or link: its author takes them for read."""
    for attribute in _ATTRIBUTE.finditer(tag):
        for written in _WRITTEN.finditer(attribute[2]):
            target = _as_text(written[1])
            if is_mark(target):
                yield MarkInHtml(end, end, target, _UNREAD[attribute[1].lower()])


def _as_text(html: str) -> str:
    return " ".join(unescape(html).split())


def with_marks(html: str, write: Callable[[str, str], str]) -> str:
    """HTML with what `write` gives for each mark in its text, of what it says and how it is written."""
    marks = [mark for mark in marks_in(html) if not mark.where]
    written = {
        number: write(mark.target, html[mark.start : mark.end])
        for number, mark in enumerate(marks)
    }
    return _with(html, marks, written)


def _with(html: str, marks: Sequence[MarkInHtml], texts: Mapping[int, str]) -> str:
    """HTML with texts in place of the marks of these numbers."""
    pieces: list[str] = []
    at = 0
    for number, text in sorted(texts.items()):
        pieces += [html[at : marks[number].start], text]
        at = marks[number].end
    return "".join([*pieces, html[at:]])


def _element(number: int) -> str:
    return f'<span {MARK}="{number}"></span>'


def _claims(
    passages: Sequence[Passage], marked: Marked, targets: Sequence[str]
) -> Iterator[MarkedClaim]:
    """The claims of one passage that has marks."""
    passage = passages[marked.position]
    is_item = passage.kind in (PassageKind.ITEM, PassageKind.STEP)
    bullet = "- " if is_item else ""
    for part in _parts(passage, marked):
        text = f"{bullet}{_markdown(passage, part, marked.powers)}"
        for claim in split(text, passage.page.locale):
            numbers = tuple(sid - 1 for sid in claim.sids)
            if not numbers:
                continue
            # with the markup that it begins with
            start = len(text[: claim.start].rstrip("`*_~[\\"))
            said = f"{bullet}{_escape(part.label)}{text[start : claim.end]}"
            quiet = all(targets[item].startswith("!") for item in numbers)
            cited = _OWN.sub(
                lambda mark: f"[@{targets[int(mark[1]) - 1].removeprefix('!')}]", said
            )
            around = _around(passages, marked.position, part.label)
            yield MarkedClaim(
                cited, numbers, quiet=quiet, around=around, under=passage.under
            )


class _Part(Struct, frozen=True):
    """What is read by itself of a passage: all of it, what a term is followed by, or a cell."""

    start: int
    end: int
    marks: tuple[tuple[int, int], ...]
    label: str = ""
    """What is said of it before it: `TTL, default: ` of a cell."""


def _parts(passage: Passage, marked: Marked) -> Iterator[_Part]:
    """The parts of a passage that may have marks."""
    start, label = 0, ""
    if passage.kind is PassageKind.ROW:
        for column, cell in enumerate(passage.cells):
            end = start + len(cell)
            inside = tuple(mark for mark in marked.marks if start <= mark[0] <= end)
            if cell:
                yield _Part(start, end, inside, _label_of(passage, column))
                start = end + 1
        return
    if passage.kind is PassageKind.DEFINITION and passage.text.startswith(passage.lead):
        start, label = len(passage.lead), f"{passage.lead}: "
    elif negates(passage.lead) and passage.lead.endswith((":", "：")):
        label = f"{passage.lead} "
    yield _Part(start, len(passage.text), marked.marks, label)


def _label_of(row: Passage, column: int) -> str:
    """What a row and a column are called, for the cell in both; empty for the row's first cell, which names it."""
    names = [row.cells[0], *row.header[column : column + 1]]
    label = ", ".join(filter(None, names))
    if column and label:
        return f"{label}: "
    return ""


def _markdown(passage: Passage, part: _Part, powers: Sequence[tuple[int, int]]) -> str:
    """A part of a passage as Markdown, with `[^n]` for its marks, and without what is struck out."""
    struck = [span for span in passage.struck if span not in powers]
    edges = [(at, _MARKED, f" [^{number + 1}]") for at, number in part.marks]
    for start, end in passage.code_spans:
        sign = "`"
        if "`" in passage.text[start:end]:
            sign = "``"
        edges += [(start, _OPENS, sign), (end, _CLOSES, sign)]
    for start, _ in powers:
        edges.append((start, _OPENS, "^"))
    for start, end in struck:
        edges += [(start, _CUTS, ""), (end, _CUTS, "")]
    edges.append((part.end, _ENDS, ""))
    out: list[str] = []
    at = part.start
    for place, _, written in sorted(edges):
        if not part.start <= place <= part.end:
            continue
        text = passage.text[at:place]
        if _covered(at, place, struck):
            text = ""
        elif not _covered(at, place, passage.code_spans):
            text = _escape(text)
        out += [text, written]
        at = place
    return re.sub(r" {2,}", " ", "".join(out)).strip()


def _covered(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    """True if one of some spans covers a range."""
    return any(first <= start and end <= last for first, last in spans)


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)


def _over(passage: Passage, *labels: str) -> Over:
    """What is over a passage; `labels` are what else is over it, such as its column."""
    headings = []
    heads = (*passage.section.breadcrumb, *passage.labels, *labels)
    for level, text in enumerate(heads, 1):
        headings.append(f"{'#' * min(level, 6)} {text}")
    return Over("\n\n".join(headings), passage.under)


def _around(passages: Sequence[Passage], position: int, label: str) -> str:
    """What a reader has around a claim on its page, as Markdown: what is over it, and its neighbours."""
    passage = passages[position]
    labels = []
    if passage.kind is PassageKind.ROW and label:
        labels.append(label.rstrip(": "))
    shown = [_over(passage, *labels).around]
    if position and passages[position - 1].section == passage.section:
        shown.append(passages[position - 1].text[-_NEAR:])
    shown.append(passage.text)
    following = passages[position + 1 : position + 2]
    if following and following[0].section == passage.section:
        shown.append(following[0].text[:_NEAR])
    return "\n\n".join(shown)
