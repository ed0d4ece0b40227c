"""The last word on a text fragment: whether a browser would stop for it above its passage on the page as it was built.

Links are made before themes put navigation, table of contents and banners around a page's content. Here the finished
file is searched; what would highlight the wrong words loses its fragment, and leads to the id of its block alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote

from mkdocs_cited.base.values import replace
from mkdocs_cited.render.pagereader import read
from mkdocs_cited.render.pagetext import PageText, fold
from mkdocs_cited.render.text_fragment import parse, search

_WORD = re.compile(r"[a-z0-9]{2,}")
_GAP = r"(?:<[^<>]*>|&#?\w{1,10};|[^a-z0-9<&]|(?<![a-z0-9])[a-z0-9](?![a-z0-9]))*"
"""What may stand between two words of a text in its HTML: tags, signs, and words of one letter."""
_MARK = ":~:text="


def astray(html: str, fragments: Iterable[str]) -> frozenset[str]:
    """Those fragments (`#id:~:text=…`) whose words a browser would find above the element that their id names.

    Args:
        html: the whole page, as it is served.
        fragments: as they stand in links to it.
    """
    page = _Page(html[max(0, html.find("<body")) :])
    return frozenset(fragment for fragment in fragments if page.has_above(fragment))


def without(text: str, fragments: Collection[str]) -> str:
    """A text with links (HTML, JSON, Markdown) in which these fragments have lost their words, and keep their id."""
    if _MARK not in text:
        return text
    for fragment in fragments:
        ends_here = rf"{re.escape(fragment)}(?=[\"'\s<>)\\]|$)"
        text = re.sub(ends_here, fragment.partition(_MARK)[0], text)
    return text


@dataclass
class _Page:
    """A page, read only if its letters do not tell enough."""

    html: str

    @cached_property
    def lower(self) -> str:
        return self.html.lower()

    @cached_property
    def shown(self) -> PageText:
        return read(self.html)

    def has_above(self, fragment: str) -> bool:
        """Whether the start of a fragment's words, with what must stand around it, is found above its element."""
        anchor, mark, text = fragment.removeprefix("#").partition(_MARK)
        wanted = parse(mark + text)
        end = self._element(unquote(anchor))
        words = _plain_words(wanted.start)
        if not all(0 <= self.lower.find(word) < end for word in words):
            return False  # most fragments: not even their single words are there
        row = re.search(_GAP.join(map(re.escape, words)), self.lower) if words else None
        if words and (row is None or row.start() >= end):
            return False  # nearly all others: the words do not follow each other there
        found = search(self.shown, replace(wanted, end=""))
        return found is not None and found < self.shown.ids.get(unquote(anchor), 0)

    def _element(self, anchor: str) -> int:
        """Offset of the tag with this id; -1 if there is none. Minifiers take the quotes away."""
        match = re.search(rf"""\sid=["']?{re.escape(anchor)}["'\s>]""", self.html)
        return self.html.rfind("<", 0, match.start()) if match else -1


def _plain_words(term: str) -> list[str]:
    """Words whose letters stand in HTML as they are."""
    return [word for word in _WORD.findall(term.lower()) if fold(term).isascii()]
