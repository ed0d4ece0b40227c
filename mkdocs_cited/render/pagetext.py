"""The text of a rendered page as a browser's search sees it, with the way back to the HTML. It decides nothing.

A browser that follows a text fragment (https://wicg.github.io/scroll-to-text-fragment/) searches the page's visible
text block by block: white space is collapsed inside a block, and a term never matches across two of them. Here each
such stretch is a line of one string, so that a term without a newline can only match where it does in the browser.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

_COUNTED = {True: re.compile(r"\S+"), False: re.compile(r"[^\W_]+")}
"""Runs of characters that count when a text is searched: all but white space, or letters and digits alone."""
_PLACES = 50
"""How many places of the same words are looked at."""


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
    """In a content tab that is not the first, or an annotation: not found by the browser until it is opened."""
    pre: bool
    box: Element | None = None
    """The innermost block that holds it, or that it is."""
    children: int = 0
    last: Element | None = None
    """The last of its children so far."""
    annotated: Element | None = None
    """Of a list of annotations: the block in which the theme shows them on demand, in place of the list."""


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
    before: tuple[str, ...] = ()
    """What the theme shows above the content, a line each: a browser searches it first. Parts, since one of them is the
    same on every page."""
    tops: list[tuple[int, int]] = field(default_factory=list)
    """(offset in `text`, offset of the `<` in the HTML) of the headings that stand in no box, ascending."""
    _indexes: dict[bool, tuple[str, array[int]]] = field(default_factory=dict)
    _folded: str | None = None

    def owner(self, offset: int) -> Element | None:
        """The innermost block element that holds a character."""
        index = bisect_right(self.owners, offset, key=lambda item: item[0]) - 1
        return self.owners[index][1] if index >= 0 else None

    def within(self, kind: str, start: int, end: int) -> bool:
        """Whether the range `start:end` of `text` touches a span of this kind: `opaque`, `ignored` or `hidden`."""
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
            needle = "".join(_COUNTED[exact].findall(wanted))
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

    def titles(self) -> list[str]:
        """The text of each heading: what a table of contents shows."""
        return [self.text[at : self.text.find("\n", at)] for at in self.headings if at < len(self.text)]

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
        """The characters that count, one after the other, and where in the text each stands."""
        if exact not in self._indexes:
            pieces, places, at = [], array("L"), 0
            for start, end in [*self.spans.get("ignored", []), (len(self.text), len(self.text))]:
                for match in _COUNTED[exact].finditer(self.text, at, start):
                    pieces.append(match[0])
                    places.extend(range(*match.span()))
                at = end
            self._indexes[exact] = "".join(pieces), places
        return self._indexes[exact]


def fold(text: str) -> str:
    """The text in lower case and without accents, character for character."""
    return text.lower() if text.isascii() else "".join(map(_fold, text))


@lru_cache(maxsize=8192)
def _fold(char: str) -> str:
    base = unicodedata.normalize("NFD", char)[0].casefold()
    return base if len(base) == 1 else char


def _position(places: array[int], offset: int) -> int:
    return bisect_right(places, offset - 1)
