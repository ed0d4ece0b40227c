"""The text of a rendered page as a browser's search sees it, with the way back to the HTML. It decides nothing.

A browser that follows a text fragment (https://wicg.github.io/scroll-to-text-fragment/) searches the page's visible
text block by block: white space is collapsed inside a block, and a term never matches across two of them. Here each
such stretch is a line of one string, so that a term without a newline can only match where it does in the browser.
"""

from __future__ import annotations

import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser

LONGEST = 8_000_000
"""Characters of HTML that are read of one page; what stands behind them cannot be linked to exactly."""

_PLACES = 50
"""How many places of the same words are looked at."""

_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option p pre search section "
    "summary table tbody td tfoot th thead tr ul".split()
)
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_UNSEEN = frozenset(
    "script style template noscript svg iframe object textarea select audio video canvas head progress meter".split()
)
_UNSEEN_CLASSES = frozenset("linenos linenodiv md-annotation__index md-clipboard".split())
_IGNORED_CLASSES = frozenset("footnote-ref footnote-backref headerlink cited-answer cited-by".split())
_OPAQUE = frozenset("kbd math button mark-js ruby".split())
_OPAQUE_CLASSES = frozenset("arithmatex headerlink keys md-annotation twemoji task-list-control".split())
"""A heading's permalink is among them: whether its sign counts as shown differs from theme to theme."""


@dataclass(slots=True)
class Element:
    """An element of the page, as far as links need it."""

    tag: str
    start: int
    """Offset of its `<` in the HTML."""
    name_end: int
    """Offset behind its tag's name: where an attribute can be put in."""
    id: str
    classes: frozenset[str]
    parent: Element | None
    block: bool
    unseen: bool
    opaque: bool
    """Shown otherwise than written (formulas, keys): there for finding a passage, not for a link's terms."""
    ignored: bool
    """Visible, but no part of what can be cited: a footnote's number, an answer of ours."""
    hidden: bool
    """In a content tab that is not the first: not found by the browser until it is opened."""
    pre: bool
    children: int = 0


@dataclass(slots=True)
class PageText:
    """What a page shows, and where each character stands."""

    text: str = ""
    """Blocks, lines of code and the like, each one line."""
    owners: list[tuple[int, Element]] = field(default_factory=list)
    """(offset in `text`, innermost block element of what follows), ascending."""
    spans: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """`opaque`, `ignored`, `hidden`: ranges of `text`, ascending and apart."""
    ids: dict[str, int] = field(default_factory=dict)
    """`id` of any element → where its text starts."""
    headings: list[int] = field(default_factory=list)
    """Where each heading's text starts, ascending."""
    tops: list[tuple[int, int]] = field(default_factory=list)
    """(offset in `text`, offset of the `<` in the HTML) of the headings that stand in no box, ascending."""
    _searchable: str = ""
    _searchable_at: array[int] = field(default_factory=lambda: array("L"))
    _letters: str = ""
    _letters_at: array[int] = field(default_factory=lambda: array("L"))
    _folded: str | None = None

    def owner(self, offset: int) -> Element | None:
        """The innermost block element that holds a character."""
        index = bisect_right(self.owners, offset, key=lambda item: item[0]) - 1
        return self.owners[index][1] if index >= 0 else None

    def within(self, kind: str, start: int, end: int) -> bool:
        """Whether a range touches a span of a kind."""
        spans = self.spans.get(kind, [])
        index = bisect_right(spans, end - 1, key=lambda span: span[0]) - 1
        return index >= 0 and spans[index][1] > start

    def find(self, wanted: str, anchor: str = "", within: tuple[int, int] | None = None) -> tuple[int, int] | None:
        """Where a passage or quote stands: in the section under `anchor` if it is there, else its first place.

        White space and footnote numbers do not count; if nothing is found so, punctuation does not either.
        With `within`, only that range of `text` is searched.
        """
        for exact in (True, False):
            haystack, places = self._index(exact)
            needle = "".join(char for char in wanted if (not char.isspace() if exact else char.isalnum()))
            if not needle:
                continue
            for low, high in (within,) if within else (self._section(anchor), (0, len(self.text))):
                at = haystack.find(needle, _position(places, low), _position(places, high))
                if at >= 0:
                    return places[at], places[at + len(needle) - 1] + 1
        return None

    @property
    def folded(self) -> str:
        """The text for comparing as browsers do, case and accents aside; same offsets, hidden tabs blanked."""
        if self._folded is None:
            folded = fold(self.text)
            for start, end in reversed(self.spans.get("hidden", [])):
                folded = f"{folded[:start]}{chr(10) * (end - start)}{folded[end:]}"
            self._folded = folded
        return self._folded

    def words(self, start: int, end: int) -> str:
        """What an author wrote in a range, on one line: without the numbers of footnotes and the like."""
        pieces, at = [], start
        for low, high in [*self.spans.get("ignored", []), (end, end)]:
            if low >= at:
                pieces.append(self.text[at : min(low, end)])
            at = max(at, high)
        return " ".join("".join(pieces).split())

    def find_block(self, wanted: str, anchor: str, tag: str) -> tuple[int, int] | None:
        """Where a passage stands: like `find`, but of several places, one that opens a block inside a `tag` wins."""
        low, high = self._section(anchor)
        first = place = self.find(wanted, anchor)
        for _ in range(_PLACES):
            if place is None:
                break
            start, end = place
            if self._opens_block(start) and self._is_inside(start, tag):
                return place
            place = self.find(wanted, within=(max(low, end), high)) if end < high else None
        return first

    def _opens_block(self, start: int) -> bool:
        return start == 0 or self.text[start - 1] == "\n"

    def _is_inside(self, offset: int, tag: str) -> bool:
        element = self.owner(offset)
        while element is not None and element.tag != tag:
            element = element.parent
        return element is not None

    def _section(self, anchor: str) -> tuple[int, int]:
        if not anchor or anchor not in self.ids:
            return 0, len(self.text)
        start = self.ids[anchor]
        after = bisect_right(self.headings, start)
        return start, self.headings[after] if after < len(self.headings) else len(self.text)

    def _index(self, exact: bool) -> tuple[str, array[int]]:
        if not self._searchable_at and not self._letters_at:
            ignored = self.spans.get("ignored", [])
            self._searchable_at = array("L", _kept(self.text, ignored))
            self._searchable = "".join(map(self.text.__getitem__, self._searchable_at))
            self._letters_at = array("L", (at for at in self._searchable_at if self.text[at].isalnum()))
            self._letters = "".join(map(self.text.__getitem__, self._letters_at))
        return (self._searchable, self._searchable_at) if exact else (self._letters, self._letters_at)


def read(html: str) -> PageText:
    """Read a page's content (or a whole page). Never raises: what cannot be understood is not found."""
    reader = _Reader(html[:LONGEST])
    return reader.result()


def fold(text: str) -> str:
    """The text in lower case and without accents, character for character."""
    return text.lower() if text.isascii() else "".join(map(_fold, text))


@lru_cache(maxsize=8192)
def _fold(char: str) -> str:
    base = unicodedata.normalize("NFD", char)[0].casefold()
    return base if len(base) == 1 else char


def _kept(text: str, ignored: list[tuple[int, int]]) -> Iterable[int]:
    at = 0
    for start, end in [*ignored, (len(text), len(text))]:
        yield from (i for i in range(at, start) if not text[i].isspace())
        at = end


def _position(places: array[int], offset: int) -> int:
    return bisect_right(places, offset - 1)


class _Reader(HTMLParser):
    """Walks the HTML once, building lines of visible text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.lines = _line_starts(html)
        self.open: list[Element] = []
        self.parts: list[str] = []
        self.length = 0
        self.last = "\n"
        self.page = PageText()
        self.waiting: list[str] = []
        self.feed(html)
        self.close()

    def result(self) -> PageText:
        self.page.text = "".join(self.parts)
        for name in self.waiting:
            self.page.ids.setdefault(name, self.length)
        return self.page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._close_implied(tag)
        element = self._element(tag, dict(attrs))
        if element.id:
            self.waiting.append(element.id)
        if element.block or element.opaque or tag in ("br", "img", "wbr", "input"):
            self._seam()
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6") and not element.unseen:
            self.page.headings.append(self.length)
            if element.parent is None:
                self.page.tops.append((self.length, element.start))
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if not any(element.tag == tag for element in self.open[-64:]):
            return
        while self.open:
            element = self.open.pop()
            if element.block or element.opaque:
                self._seam()
            if element.tag == tag:
                break

    def handle_data(self, data: str) -> None:
        here = self.open[-1] if self.open else None
        if here is not None and here.unseen:
            return
        if here is not None and here.pre:
            shown = data if self.last != "\n" else data.lstrip("\n")
        else:
            shown = " ".join(data.split(None)) if data.strip() else ""
            lead = " " if data[:1].isspace() and self.last not in "\n " else ""
            trail = " " if shown and data[-1:].isspace() else ""
            shown = lead + shown + trail
        if shown:
            self._show(shown, here)

    def _show(self, shown: str, here: Element | None) -> None:
        start = self.length
        for name in self.waiting:
            self.page.ids.setdefault(name, start)
        self.waiting.clear()
        block = here
        while block is not None and not block.block:
            block = block.parent
        if block is not None and (not self.page.owners or self.page.owners[-1][1] is not block):
            self.page.owners.append((start, block))
        self.parts.append(shown)
        self.length += len(shown)
        self.last = shown[-1]
        if here is not None:
            for kind, flag in (("opaque", here.opaque), ("ignored", here.ignored), ("hidden", here.hidden)):
                if flag:
                    _extend(self.page.spans.setdefault(kind, []), start, self.length)

    def _seam(self) -> None:
        if self.last != "\n":
            self.parts.append("\n")
            self.length += 1
            self.last = "\n"

    def _element(self, tag: str, attributes: dict[str, str | None]) -> Element:
        line, column = self.getpos()
        start = self.lines[line - 1] + column
        parent = self.open[-1] if self.open else None
        classes = frozenset((attributes.get("class") or "").split())
        if parent is not None:
            parent.children += 1
        unseen = tag in _UNSEEN or "hidden" in attributes or bool(classes & _UNSEEN_CLASSES)
        tabbed = "tabbed-block" in classes and parent is not None and parent.children > 1
        return Element(
            tag,
            start,
            start + 1 + len(tag),
            attributes.get("id") or "",
            classes,
            parent,
            block=tag in _BLOCKS,
            unseen=unseen or (parent is not None and parent.unseen),
            opaque=_inherits(parent, "opaque") or tag in _OPAQUE or bool(classes & _OPAQUE_CLASSES),
            ignored=_inherits(parent, "ignored") or bool(classes & _IGNORED_CLASSES),
            hidden=_inherits(parent, "hidden") or tabbed,
            pre=tag == "pre" or _inherits(parent, "pre"),
        )

    def _close_implied(self, tag: str) -> None:
        """End tags that HTML lets authors leave out, as far as a text's blocks depend on them."""
        ends = _ENDS.get(tag)
        if ends and self.open and self.open[-1].tag in ends:
            self.handle_endtag(self.open[-1].tag)
        elif tag in _BLOCKS and self.open and self.open[-1].tag == "p":
            self.handle_endtag("p")


_ENDS: dict[str, tuple[str, ...]] = {
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "tr": ("tr", "td", "th"),
    "td": ("td", "th"),
    "th": ("td", "th"),
}


def _inherits(parent: Element | None, flag: str) -> bool:
    return parent is not None and bool(getattr(parent, flag))


def _extend(spans: list[tuple[int, int]], start: int, end: int) -> None:
    if spans and spans[-1][1] == start:
        spans[-1] = (spans[-1][0], end)
    else:
        spans.append((start, end))


def _line_starts(html: str) -> list[int]:
    """Offsets at which lines start, as `HTMLParser.getpos` counts them."""
    starts, at = [0], html.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = html.find("\n", at + 1)
    return starts
