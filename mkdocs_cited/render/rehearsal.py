"""The last word on a text fragment: whether a browser would stop for it above its passage on the page as it was built.

Links are made before themes put navigation, table of contents and banners around a page's content. Here the finished
file is searched; what would highlight the wrong words loses its fragment, and leads to the id of its block alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from urllib.parse import unquote

from mkdocs_cited.render.pagereader import read
from mkdocs_cited.render.pagetext import fold
from mkdocs_cited.render.text_fragment import parse, search

_WORD = re.compile(r"[a-z0-9]{2,}")
_MARK = ":~:text="


def astray(html: str, fragments: Iterable[str]) -> frozenset[str]:
    """Those fragments (`#id:~:text=…`) whose words a browser would find above the element that their id names.

    Args:
        html: the whole page, as it is served.
        fragments: as they stand in links to it.
    """
    body = max(0, html.find("<body"))
    above = _Above(html, body)
    return frozenset(fragment for fragment in fragments if above.holds(fragment))


def without(text: str, fragments: Collection[str]) -> str:
    """A text with links (HTML, JSON, Markdown) in which these fragments have lost their words, and keep their id."""
    if _MARK not in text:
        return text
    for fragment in fragments:
        ends_here = rf"{re.escape(fragment)}(?=[\"'\s<>)\\]|$)"
        text = re.sub(ends_here, fragment.partition(_MARK)[0], text)
    return text


class _Above:
    """What stands on a page above each of its elements."""

    def __init__(self, html: str, body: int) -> None:
        self.html, self.body = html, body

    def holds(self, fragment: str) -> bool:
        """Whether the start of a fragment's words, with what must stand around it, is found above its element."""
        anchor, mark, text = fragment.removeprefix("#").partition(_MARK)
        end = self._element(unquote(anchor))
        wanted = parse(mark + text)
        if end < 0:
            return False
        above = self.html[self.body : end]
        lower = above.lower()
        if not all(word in lower for word in _plain_words(wanted.start)):
            return False  # most fragments: not even their single words are there
        return search(read(above), replace(wanted, end="")) is not None

    def _element(self, anchor: str) -> int:
        """Offset of the tag with this id; -1 if there is none. Minifiers take the quotes away."""
        match = re.search(rf"""\sid=["']?{re.escape(anchor)}["'\s>]""", self.html)
        return self.html.rfind("<", 0, match.start()) if match else -1


def _plain_words(term: str) -> list[str]:
    """Words whose letters stand in HTML as they are."""
    return [word for word in _WORD.findall(term.lower()) if fold(term).isascii()]
