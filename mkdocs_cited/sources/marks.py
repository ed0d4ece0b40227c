"""The marks of a rendered page: what each claims, and what its page has around it.

A mark covers the sentence, list item or cell in front of it, as readers see them. It is an element that
`declarations.in_markdown` has made, or `[@…]` in a text that nothing interpreted, outside of code. A comment
`<!-- cite: … -->` is one that no reader sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape, unescape

from msgspec import Struct

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.base.html import TAG
from mkdocs_cited.base.values import replace
from mkdocs_cited.language.tokens import negates
from mkdocs_cited.model.address import is_mark
from mkdocs_cited.model.source import Page, Passage, PassageKind
from mkdocs_cited.sources.dom import MARK
from mkdocs_cited.sources.from_html import Marked, MarkedDocument, read_marked

MOST = 2_000
"""Marks of one page that are read."""
_FEW = 20
_NEAR = 300
"""Characters of each neighbour that are told with a claim."""
_TOKEN = re.compile(
    rf"<!--[ \t]*cite:(?P<hidden>[^\n<>]{{1,500}}?)-->|<!--.*?(?:-->|\Z)"
    rf"|<span (?:[^<>]{{0,300}}\s)?{MARK}=\"(?P<element>[^\"<>]{{1,3000}})\"[^<>]{{0,300}}></span>"
    rf"|(?P<code></?(?:pre|code|script|style|textarea|template|title)\b)|{TAG}"
    r"|[ \t]{0,40}(?:\n[ \t]{0,40})?\[\s{0,9}@(?P<written>!?[^\[\]<>]{1,500}?)\s{0,9}(?:\](?![(\[])|(?=</))",
    re.DOTALL | re.IGNORECASE,
)
"""Comments, marks (also one that its block ends), tags within which no text is a mark, and other tags, whose attributes
hold none."""
_BEHIND = re.compile(r"(</(?:p|li|td|th)>)\s*(<!--[ \t]*cite:[^\n<>]{1,500}?-->)")
"""A block, and a mark that nobody sees on a line of its own below it."""
_NUMBER = re.compile(rf'<span {MARK}="(\d+)"></span>')
_OWN = re.compile(r"(?<!\\)\[\^(\d+)\]")
_SPECIAL = re.compile(r"[\\`*\[\]]|(?<!\w)_|_(?!\w)|~~|^(?:[#>+-]|\d{1,9}[.)])(?=\s)")
"""What Markdown would take for markup."""


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


class Unread(Struct, frozen=True):
    """A mark that covers nothing."""

    number: int
    where: str
    """What it is in, in words; empty where there is no text before it."""


class PageMarks(Struct, frozen=True):
    """The marks of a page."""

    html: str
    """The page's HTML, with an element (`MARK`) that has the number of a claim where its citations are shown, and no
    other mark of a claim."""
    targets: tuple[str, ...] = ()
    """What each mark says: `!../src/cache.py#TTL`."""
    claims: tuple[MarkedClaim, ...] = ()
    unread: tuple[Unread, ...] = ()

    @property
    def places(self) -> tuple[int | None, ...]:
        """For each mark, the number of the claim whose citations are shown in its place: -1 where nothing is shown,
        `None` where it covers nothing."""
        places: list[int | None] = [None] * len(self.targets)
        for number, claim in enumerate(self.claims):
            for mark in claim.marks:
                places[mark] = -1
            if not claim.quiet:
                places[claim.marks[-1]] = number
        return tuple(places)


def read_marks(page: Page, html: str) -> PageMarks:
    """The marks of a page, and the claims that they cover; never raises on malformed HTML."""
    if "[@" not in html and MARK not in html and "<!--" not in html:
        return PageMarks(html)
    html, targets = _numbered(_BEHIND.sub(r"\2\1", html))
    if not targets:
        return PageMarks(html)
    found = read_marked(page, html)
    claims: list[MarkedClaim] = []
    for number in range(len(found.marked)):
        claims += _claims(found, number, targets)
    marks = PageMarks(html, targets, tuple(claims))
    unread = []
    for number, place in enumerate(marks.places):
        if place is None:
            unread.append(
                Unread(number, found.elsewhere.get(number, "what no reader sees"))
            )

    def slot(match: re.Match[str]) -> str:
        place = marks.places[int(match[1])]
        if place is None:
            return escape(f" [@{targets[int(match[1])]}]")
        if place >= 0:
            return _element(place)
        return ""

    return replace(marks, html=_NUMBER.sub(slot, html), unread=tuple(unread))


def _numbered(html: str) -> tuple[str, tuple[str, ...]]:
    """HTML in which each mark is an element with its number, and what each says: `!../src/cache.py#TTL`."""
    targets: list[str] = []

    def write(said: str, was: str) -> str:
        targets.append(said)
        return _element(len(targets) - 1)

    return with_marks(html, write), tuple(targets)


def with_marks(html: str, write: Callable[[str, str], str]) -> str:
    """HTML with what `write` gives for each mark, of what it says and how it is written."""
    inside = count = 0

    def token(match: re.Match[str]) -> str:
        nonlocal inside, count
        if match["code"]:
            inside = max(0, inside + (-1 if match["code"].startswith("</") else 1))
            return match[0]
        written = match["element"] or match["written"]
        if match["hidden"]:
            written = f"!{match['hidden'].strip()}"
        if not written or count == MOST:
            return match[0]
        written = " ".join(unescape(written).split())
        if match["written"] and (inside or not is_mark(written)):
            return match[0]
        count += 1
        return write(written, match[0])

    return _TOKEN.sub(token, html)


def _element(number: int) -> str:
    return f'<span {MARK}="{number}"></span>'


def _claims(
    found: MarkedDocument, number: int, targets: Sequence[str]
) -> Iterator[MarkedClaim]:
    """The claims of one passage that has marks."""
    marked = found.marked[number]
    passage = found.document.passages[marked.position]
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
            yield MarkedClaim(
                cited, numbers, quiet, _around(found, number, claim.text, part.label)
            )


class _Part(Struct, frozen=True):
    """What is read by itself of a passage: all of it, what a term is followed by, or a cell."""

    start: int
    end: int
    marks: tuple[tuple[int, int], ...]
    label: str = ""
    """What is said of it before it: `TTL, default: ` of a cell."""


def _parts(passage: Passage, marked: Marked) -> Iterator[_Part]:
    """The parts of a passage that have marks."""
    if passage.kind is PassageKind.ROW:
        at = 0
        for column, cell in enumerate(passage.cells):
            end = at + len(cell)
            inside = tuple(mark for mark in marked.marks if at <= mark[0] <= end)
            if cell and inside:
                yield _Part(at, end, inside, _label_of(passage, column))
            at = end + 1 if cell else end
        return
    start, label = 0, ""
    if passage.kind is PassageKind.DEFINITION and passage.text.startswith(passage.lead):
        start, label = len(passage.lead), f"{passage.lead}: "
    elif negates(passage.lead) and passage.lead.endswith((":", "：")):
        label = f"{passage.lead} "
    yield _Part(start, len(passage.text), marked.marks, label)


def _label_of(row: Passage, column: int) -> str:
    """What a row and a column are called, for the cell in both."""
    names = [row.cells[0]] if column else []
    if column and column < len(row.header):
        names.append(row.header[column])
    label = ", ".join(filter(None, names))
    if label:
        return f"{label}: "
    return ""


def _markdown(passage: Passage, part: _Part, powers: Sequence[tuple[int, int]]) -> str:
    """A part of a passage as Markdown, with `[^n]` for its marks, and without what is struck out."""
    edges: list[tuple[int, int, str]] = [
        (at, 0, f" [^{number + 1}]") for at, number in part.marks
    ]
    for start, end in passage.code_spans:
        sign = "`"
        if "`" in passage.text[start:end]:
            sign = "``"
        edges += [(start, 1, sign), (end, -1, sign)]
    edges += [(start, 1, "^") for start, _ in powers]
    struck = [span for span in passage.struck if span not in powers]
    out, at = [], part.start
    for place, _, written in [*sorted(edges), (part.end, 2, "")]:
        if part.start <= place <= part.end:
            out += [_escaped(passage, at, place, struck), written]
            at = place
    return re.sub(r" {2,}", " ", "".join(out)).strip()


def _escaped(
    passage: Passage, start: int, end: int, struck: Sequence[tuple[int, int]]
) -> str:
    """Characters `start` to `end` of a passage without its struck-out text, escaped for Markdown unless they are code.

    They lie in one code span, or outside all of them.
    """
    pieces, at = [], start
    for first, last in struck:
        if at < last and first < end:
            pieces.append(passage.text[at : max(at, first)])
            at = min(last, end)
    pieces.append(passage.text[at:end])
    text = "".join(pieces)
    if any(first <= start and end <= last for first, last in passage.code_spans):
        return text
    return _escape(text)


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)


def _around(found: MarkedDocument, number: int, claim: str, label: str) -> str:
    """What a reader has around a claim on its page, as Markdown; no more than `_NEAR` characters of a neighbour, and
    nothing of one behind it that has a mark of its own."""
    passages, position = found.document.passages, found.marked[number].position
    passage = passages[position]
    heads = [*passage.section.breadcrumb]
    for title in passage.labels:
        if not any(
            item.text.endswith(title)
            for item in passages[max(0, position - _FEW) : position]
        ):
            # a title; not the sentence before a list, which is told as that
            heads.append(title)
    if passage.kind is PassageKind.ROW and label:
        heads.append(label.rstrip(": "))
    shown = [f"{'#' * min(level, 6)} {text}" for level, text in enumerate(heads, 1)]
    if passage.lead.endswith((":", "：")):
        shown.append(passage.lead)
    elif position and passages[position - 1].section == passage.section:
        shown.append(passages[position - 1].text[-_NEAR:])
    at = max(0, passage.text.find(claim))
    own = passage.text[max(0, at - _NEAR) : at + len(claim) + _NEAR]
    shown.append(
        f"- {own}" if passage.kind in (PassageKind.ITEM, PassageKind.STEP) else own
    )
    following = passages[position + 1 : position + 2]
    marked_next = any(
        item.position == position + 1 for item in found.marked[number + 1 : number + 2]
    )
    if following and following[0].section == passage.section and not marked_next:
        shown.append(following[0].text[:_NEAR])
    return "\n\n".join(shown)
