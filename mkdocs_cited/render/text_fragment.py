"""Text fragments: the part of a link that makes a browser find, show and highlight the words of a passage.

The syntax is that of https://wicg.github.io/scroll-to-text-fragment/: `:~:text=start,end`. A fragment is made of the
reader's text alone, and only of words that are on the page once: a browser goes to their first place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import quote

from mkdocs_cited.base.html import parsed
from mkdocs_cited.base.text import letters
from mkdocs_cited.model.source import Passage, PassageKind

FRAGMENT = ":~:text="
_LENGTHS = (40, 90, 300)
"""Characters of the words by which a passage is named, the shortest first; what is no longer than the second of them is
named in full. Much longer addresses break in mails and chats."""
_LEAST = 8
"""Bytes of the first words in UTF-8: fewer may be in a page's navigation too."""
_SIGNS = "❌✅☐☑"
"""What the reader has in place of icons."""
_GAP = re.compile(r"\n|\t|  +")
"""Where a line of code may be shown otherwise than as words that follow each other."""
_UNSEEN = ["script", "style", "template", "noscript", "head"]


def fragment(passage: Passage, quoted: str, page: str = "") -> str:
    """The fragment that leads to a quote of a passage: `:~:text=…`; empty where no words of it are on the page once.

    Args:
        passage: the passage.
        quoted: verbatim text of it.
        page: the letters of its page (`letters`); empty where they are not known.
    """
    pieces = list(_pieces(passage, quoted))
    if not pieces:
        return ""
    for start, end in _terms(pieces):
        known = letters(start)
        if not page or (len(known.encode()) >= _LEAST and page.count(known) == 1):
            return FRAGMENT + ",".join(_encoded(term) for term in (start, end) if term)
    return ""


def letters_of(html: str) -> str:
    """The letters and digits that a page may show, in lower case."""
    tree = parsed(html)
    tree.strip_tags(_UNSEEN)
    return letters(tree.body.text() if tree.body is not None else "")


def _terms(pieces: list[str]) -> Iterator[tuple[str, str]]:
    """First and last words to try, the shortest first; no last ones where the first are all."""
    first, last = pieces[0], pieces[-1]
    if len(pieces) == 1 and len(first) <= _LENGTHS[1]:
        yield first, ""
        return
    for length in _LENGTHS:
        start, end = _beginning(first, length), _end(last, length)
        if len(pieces) == 1 and len(start) + len(end) >= len(first):
            yield first, ""
        else:
            yield start, end


def _pieces(passage: Passage, quoted: str) -> Iterator[str]:
    """The parts of a quote whose words follow each other on the page, too."""
    at = passage.text.find(quoted)
    if at < 0:
        return
    cuts = {at, at + len(quoted)}
    if passage.element is not None:
        cuts.update(
            seam for seam in passage.element.seams if at < seam < at + len(quoted)
        )
    elif passage.cells:
        cuts.update(end for _, end in cells_of(passage))
    places = sorted(cuts)
    for start, end in pairwise(places):
        text = passage.text[start:end]
        parts = _GAP.split(text) if passage.kind is PassageKind.CODE else [text]
        for part in parts:
            piece = part.strip().strip(_SIGNS).strip()
            if letters(piece):
                yield piece


def cells_of(passage: Passage) -> Iterator[tuple[int, int]]:
    """Where each cell of a row is in its text."""
    end = 0
    for cell in passage.cells:
        start = max(end, passage.text.find(cell, end))
        end = start + len(cell)
        yield start, end


def _beginning(text: str, length: int) -> str:
    """The first words of a text; all of it where it has no space."""
    if len(text) <= length:
        return text
    return text[: length + 1].rpartition(" ")[0] or text


def _end(text: str, length: int) -> str:
    """The last words of a text; all of it where it has no space."""
    if len(text) <= length:
        return text
    return text[-length - 1 :].partition(" ")[2] or text


def _encoded(term: str) -> str:
    """A term, percent-encoded. `quote` leaves the hyphen, which has a meaning here."""
    return quote(term, safe="").replace("-", "%2D")
