"""A rendered page, parsed once: its text as a browser's search sees it, with the way back to the HTML.

A browser that follows a text fragment (https://wicg.github.io/scroll-to-text-fragment/) searches the page's visible
text block by block: white space is collapsed inside a block, and a term never matches across two of them. Here each
such piece is a line of one string, so that a term without a newline can only match where it does in the browser.

It is a parser of its own, next to `sources.dom`, because ids are put into the HTML as it is: it must know the offset of
each element, which no parser tells. Browsers repair broken HTML in ways that are not followed here: what is misread so
is not found, and its link leads to the section.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from mkdocs_cited.base.bounded_html import VOID

LONGEST = 8_000_000
"""Characters of HTML that are read of one page; what is behind them cannot be linked to exactly."""
_PLACES = 50
"""How many places of the same words are looked at."""
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option p pre search section "
    "summary table tbody td tfoot th thead tr ul".split()
)
_UNSEEN = frozenset(
    "script style template noscript svg iframe object textarea select audio video canvas head progress meter".split()
)
_UNSEEN_CLASSES = frozenset("linenos linenodiv md-annotation__index md-clipboard".split())
_IGNORED_CLASSES = frozenset("footnote-ref footnote-backref headerlink cited-answer".split())
_OPAQUE = frozenset("kbd label math button mark-js ruby".split())
_OPAQUE_CLASSES = frozenset("arithmatex headerlink keys md-annotation twemoji task-list-control".split())
"""A heading's permalink is among them: whether its sign counts as shown differs from theme to theme."""
_NOT_SHOWN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_RAW = frozenset(("script", "style", "textarea", "title"))
_SEAMS = frozenset(("br", "img", "wbr", "input"))
_FLAWS = 1_000
"""How many `<` that open nothing are looked at; each may cost a look at what follows."""
_TAG = re.compile(
    r"<(?P<open>[a-zA-Z][^\s/<>]{0,60})(?P<rest>[^\"'<>]{0,4000}(?:(?:\"[^\"]{0,8000}\"|'[^']{0,8000}')[^\"'<>]{0,4000}){0,64})>"
    r"|</(?P<close>[a-zA-Z][^\s<>]{0,60})[^<>]{0,4000}>"
)
_ATTRIBUTE = re.compile(
    r"""(?P<name>[^\s"'=<>/]+)"""
    r"""(?:\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"'>]+)))?"""
)
_NAMES = frozenset(("id", "class", "hidden", "style", "data-search-exclude"))
_ENDS: dict[str, tuple[str, ...]] = {
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "tr": ("tr", "td", "th"),
    "td": ("td", "th"),
    "th": ("td", "th"),
}
"""Which open elements a start tag ends: end tags that HTML lets authors leave out."""


class _Attributes(NamedTuple):
    """What a start tag says by itself."""

    id: str
    classes: frozenset[str]
    flags: frozenset[str]


@dataclass(slots=True)
class Element:
    """An element of the page, as far as links need it."""

    tag: str
    start: int
    """Offset of its `<` in the HTML."""
    attributes: _Attributes
    flags: frozenset[str]
    """Its own and those of the elements around it:

    `unseen`: not shown. `opaque`: shown otherwise than written (formulas, keys): there for finding a passage, not for a
    link's terms. `ignored`: visible, but no part of what can be cited: a footnote's number, an answer of ours.
    `hidden`: in a content tab that is not the first: not found by the browser until it is opened. `pre`: its white
    space counts."""
    parent: Element | None
    block: Element | None = None
    """The innermost block around it."""
    tabs: int = 0
    """How many content tabs it has so far."""

    @property
    def id(self) -> str:
        return self.attributes.id

    @property
    def name_end(self) -> int:
        """Offset behind its tag's name: where an attribute can be put in."""
        return self.start + 1 + len(self.tag)


@dataclass(slots=True)
class PageText:
    """What a page shows, and where each character is."""

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
    _indexes: dict[re.Pattern[str], _Squashed] = field(default_factory=dict)
    _folded: str | None = None

    def owner(self, offset: int, *tags: str) -> Element | None:
        """The innermost block element that holds a character; the innermost of these tags, where some are named."""
        index = bisect_right(self.owners, offset, key=lambda item: item[0]) - 1
        element = self.owners[index][1] if index >= 0 else None
        while tags and element is not None and element.tag not in tags:
            element = element.parent
        return element

    def within(self, kind: str, start: int, end: int) -> bool:
        """Whether the range `start:end` of `text` touches a span of this kind: `opaque`, `ignored` or `hidden`."""
        spans = self.spans.get(kind, [])
        index = bisect_right(spans, end - 1, key=lambda span: span[0]) - 1
        return index >= 0 and spans[index][1] > start

    def find(self, wanted: str, anchor: str = "", within: tuple[int, int] | None = None) -> tuple[int, int] | None:
        """Where a passage or quote is: in the section under `anchor` if it is there, else its first place.

        White space and footnote numbers do not count; if nothing is found so, punctuation does not either.
        With `within`, only that range of `text` is searched.
        """
        for counts in (_SHOWN, _LETTERS):
            index = self._index(counts)
            needle = "".join(counts.findall(wanted))
            for low, high in (within,) if within else (self._section(anchor), (0, len(self.text))):
                if needle and (place := index.find(needle, low, high)):
                    return place
        return None

    def find_block(self, wanted: str, anchor: str, tag: str) -> tuple[int, int] | None:
        """Where a passage is: like `find`, but of several places, one that opens a block inside a `tag` wins."""
        low, high = self._section(anchor)
        first = place = self.find(wanted, anchor)
        for _ in range(_PLACES):
            if place is None:
                break
            start, end = place
            if (start == 0 or self.text[start - 1] == "\n") and self.owner(start, tag):
                return place
            place = self.find(wanted, within=(max(low, end), high)) if end < high else None
        return first

    @property
    def folded(self) -> str:
        """The text for comparing as browsers do, case and accents aside; same offsets, hidden tabs blanked."""
        if self._folded is None:
            folded = fold(self.text)
            for start, end in reversed(self.spans.get("hidden", [])):
                folded = f"{folded[:start]}{chr(10) * (end - start)}{folded[end:]}"
            self._folded = folded
        return self._folded

    def _section(self, anchor: str) -> tuple[int, int]:
        if not anchor or anchor not in self.ids:
            return 0, len(self.text)
        start = self.ids[anchor]
        after = bisect_right(self.headings, start)
        return start, self.headings[after] if after < len(self.headings) else len(self.text)

    def _index(self, counts: re.Pattern[str]) -> _Squashed:
        if counts not in self._indexes:
            self._indexes[counts] = _Squashed(self.text, self.spans.get("ignored", []), counts)
        return self._indexes[counts]


_SHOWN, _LETTERS = re.compile(r"\S+"), re.compile(r"[^\W_]+")


class _Squashed:
    """The characters of a text that count when it is searched, one after the other, each with its offset."""

    def __init__(self, text: str, ignored: Sequence[tuple[int, int]], counts: re.Pattern[str]) -> None:
        self.places = array("I")
        pieces, at = [], 0
        for start, end in [*ignored, (len(text), len(text))]:
            for match in counts.finditer(text, at, start):
                pieces.append(match[0])
                self.places.extend(range(*match.span()))
            at = end
        self.shown = "".join(pieces)

    def find(self, needle: str, low: int, high: int) -> tuple[int, int] | None:
        """Where in a range of the text the characters of `needle` are."""
        at = self.shown.find(needle, bisect_left(self.places, low), bisect_left(self.places, high))
        return (self.places[at], self.places[at + len(needle) - 1] + 1) if at >= 0 else None


def read(html: str) -> PageText:
    """Parse a page's content, or a whole page. Never raises: what cannot be understood is not found."""
    reader = _Reader(html[:LONGEST])
    reader.run()
    return reader.page


class _Reader:
    """Walks the HTML once, building lines of visible text."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.open: list[Element] = []
        self.parts: list[str] = []
        self.length = 0
        self.last = "\n"
        self.page = PageText()
        self.waiting: list[str] = []
        """Ids whose elements have shown no text yet."""

    def run(self) -> None:
        html, at, text, flaws = self.html, 0, 0, 0
        while (at := html.find("<", at)) >= 0 and flaws < _FLAWS:
            match = _TAG.match(html, at)
            if match is None and not html.startswith(("<!", "<?"), at):
                flaws += 1
                at += 1
                continue
            self._data(html[text:at])
            if match is None:
                end = html.find("-->", at) + 3 if html.startswith("<!--", at) else html.find(">", at) + 1
                at = text = end if end > at else len(html)
            elif name := match["close"]:
                self._end(name.lower())
                at = text = match.end()
            else:
                tag = match["open"].lower()
                self._start(tag, match["rest"], at)
                at = text = match.end()
                if tag in _RAW:
                    end = html.find(f"</{tag}", at)
                    at = text = end if end >= 0 else len(html)
        self._data(html[text:])
        self.page.text = "".join(self.parts)
        for name in self.waiting:
            self.page.ids.setdefault(name, self.length)

    def _start(self, tag: str, rest: str, start: int) -> None:
        open_ = self.open[-1].tag if self.open else ""
        if open_ and (open_ in _ENDS.get(tag, ()) or (tag in _BLOCKS and open_ == "p")):
            self._end(open_)
        attributes, parent = _attributes(tag, rest), self.open[-1] if self.open else None
        flags = attributes.flags | parent.flags if parent else attributes.flags
        if parent and "tabbed-block" in attributes.classes:
            parent.tabs += 1
            flags |= {"hidden"} if parent.tabs > 1 else frozenset()
        block = parent if parent is None or parent.tag in _BLOCKS else parent.block
        element = Element(tag, start, attributes, flags, parent, block)
        if element.id:
            self.waiting.append(element.id)
        if tag in _BLOCKS or "opaque" in flags or tag in _SEAMS:
            self._seam()
        if tag in _HEADINGS and "unseen" not in flags:
            self.page.headings.append(self.length)
        if tag not in VOID:
            self.open.append(element)

    def _end(self, tag: str) -> None:
        if not self.open or (self.open[-1].tag != tag and not any(element.tag == tag for element in self.open[-64:])):
            return
        while self.open:
            element = self.open.pop()
            if element.tag in _BLOCKS or "opaque" in element.flags:
                self._seam()
            if element.tag == tag:
                break

    def _data(self, data: str) -> None:
        here = self.open[-1] if self.open else None
        if not data or (here is not None and "unseen" in here.flags):
            return
        if "&" in data:
            data = unescape(data)
        if here is not None and "pre" in here.flags:
            shown = data if self.last != "\n" else data.lstrip("\n")
        else:
            shown = " ".join(data.split())
            lead = " " if data[0].isspace() and self.last not in "\n " else ""
            trail = " " if shown and data[-1].isspace() else ""
            shown = lead + shown + trail
        if shown:
            self._show(shown, here)

    def _show(self, shown: str, here: Element | None) -> None:
        start = self.length
        for name in self.waiting:
            self.page.ids.setdefault(name, start)
        self.waiting.clear()
        block = here if here is None or here.tag in _BLOCKS else here.block
        if block is not None and (not self.page.owners or self.page.owners[-1][1] is not block):
            self.page.owners.append((start, block))
        self.parts.append(shown)
        self.length += len(shown)
        self.last = shown[-1]
        for kind in here.flags - {"pre"} if here is not None else ():
            spans = self.page.spans.setdefault(kind, [])
            goes_on = spans and spans[-1][1] == start
            spans.append((spans.pop()[0] if goes_on else start, self.length))

    def _seam(self) -> None:
        if self.last != "\n":
            self.parts.append("\n")
            self.length += 1
            self.last = "\n"


@lru_cache(maxsize=1024)  # most tags of a page are alike: those of highlighted code
def _attributes(tag: str, rest: str) -> _Attributes:
    """What a start tag says; the first attribute of each name counts, as in browsers."""
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(rest) if rest else ():
        if match["name"].lower() in _NAMES:
            found.setdefault(match["name"].lower(), unescape(match["double"] or match["single"] or match["bare"] or ""))
    classes = frozenset(found.get("class", "").split())
    unseen = tag in _UNSEEN or "hidden" in found or not classes.isdisjoint(_UNSEEN_CLASSES)
    flags = {
        "unseen": unseen or _NOT_SHOWN.search(found.get("style", "")) is not None,
        "opaque": tag in _OPAQUE or not classes.isdisjoint(_OPAQUE_CLASSES),
        "ignored": not classes.isdisjoint(_IGNORED_CLASSES) or "data-search-exclude" in found,
        "pre": tag == "pre",
    }
    return _Attributes(found.get("id", ""), classes, frozenset(name for name, is_so in flags.items() if is_so))


def fold(text: str) -> str:
    """The text in lower case and without accents, character for character."""
    if text.isascii():
        return text.lower()
    lower = text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")  # of ASCII alone
    return _NOT_ASCII.sub(lambda run: "".join(map(_fold, run[0])), lower)


_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


@lru_cache(maxsize=8192)
def _fold(char: str) -> str:
    base = unicodedata.normalize("NFD", char)[0].casefold()
    return base if len(base) == 1 else char
