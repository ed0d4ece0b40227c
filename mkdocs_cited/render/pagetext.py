"""The text of a rendered page as a browser's search sees it, with the way back to the HTML. It decides nothing.

A browser that follows a text fragment (https://wicg.github.io/scroll-to-text-fragment/) searches the page's visible
text block by block: white space is collapsed inside a block, and a term never matches across two of them. Here each
such stretch is a line of one string, so that a term without a newline can only match where it does in the browser.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

_STRETCH = 256
"""Characters of a text that are counted at once."""
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
    """The innermost block around it."""
    children: int = 0
    last: Element | None = None
    """The last of its children so far, until it ends."""
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
    _indexes: dict[bool, _Counted] = field(default_factory=dict)
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
            index = self._index(exact)
            needle = index.counting(wanted)
            if not needle:
                continue
            for low, high in (within,) if within else (self._section(anchor), (0, len(self.text))):
                at = index.shown.find(needle, index.before(low), index.before(high))
                if at >= 0:
                    return index.place(at), index.place(at + len(needle) - 1) + 1
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

    def _index(self, exact: bool) -> _Counted:
        if exact not in self._indexes:
            self._indexes[exact] = _Counted(self.text, self.spans.get("ignored", []), exact)
        return self._indexes[exact]


class _Counted:
    """The characters of a text that count when it is searched, one after the other, with the way back to the text: all
    but white space, or letters and digits alone."""

    def __init__(self, text: str, ignored: Sequence[tuple[int, int]], exact: bool) -> None:
        self._text, self._runs = text, _SHOWN if exact else _LETTERS
        self._stretches: list[tuple[int, int]] = []
        """Start and end of each, ascending."""
        self._counts: list[int] = []
        """How many characters that count stand before each."""
        pieces, count, at = [], 0, 0
        for start, end in [*ignored, (len(text), len(text))]:
            for low in range(at, start, _STRETCH):
                high = min(low + _STRETCH, start)
                self._stretches.append((low, high))
                self._counts.append(count)
                pieces.append(self.counting(text[low:high]))
                count += len(pieces[-1])
            at = end
        self.shown = "".join(pieces)

    def counting(self, text: str) -> str:
        """What of a text counts."""
        return "".join(text.split() if self._runs is _SHOWN else self._runs.findall(text))

    def before(self, offset: int) -> int:
        """How many characters that count stand before an offset of the text."""
        number = bisect_right(self._stretches, offset, key=lambda stretch: stretch[0]) - 1
        if number < 0:
            return 0
        start, end = self._stretches[number]
        return self._counts[number] + len(self.counting(self._text[start : min(offset, end)]))

    def place(self, number: int) -> int:
        """Offset in the text of the character of this number, from 0."""
        stretch = bisect_right(self._counts, number) - 1
        rest = number - self._counts[stretch]
        for match in self._runs.finditer(self._text, *self._stretches[stretch]):
            start, end = match.span()
            if rest < end - start:
                return start + rest
            rest -= end - start
        raise IndexError(number)


_SHOWN, _LETTERS = re.compile(r"\S+"), re.compile(r"[^\W_]+")


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
