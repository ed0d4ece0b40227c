"""Where a passage, known by its rendered text, is in the Markdown file it was rendered from.

Passages come from HTML and know no lines. Finding them again compares letters and digits alone, so that markup, line
breaks, list markers and quotation marks do not matter. What macros or includes have put into a page is not found.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from mkdocs_cited.base.files import text_or_empty
from mkdocs_cited.base.text import FRONT_MATTER
from mkdocs_cited.model.finding import Detail, Finding, Place
from mkdocs_cited.model.source import Corpus, Passage

_UNSEEN = re.compile(
    r"!\[[^\[\]\n]{0,500}\]"  # an image's text
    r"|\]\([^()\s]{0,2000}(?: [^()\n]{0,500})?\)"  # a link's address and title
    r"|\]\[[^\[\]\n]{0,200}\]"  # a link's label
    r"|\[\^[^\[\]\s]{1,100}\]"  # a footnote's mark
    r"|\[@[^\[\]\n]{1,500}\]|\[\[S:[^\[\]\n]{1,200}\]\]"  # an author's citation
    r"|<[^<>\n]{1,2000}>"
    r"|\{[^{}\n]{0,500}\}"
    r"|&#?\w{1,32};"
)
"""What a reader does not see, or sees otherwise. Each is bounded, and stops where the next could start."""
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.{1,500})", re.MULTILINE)
_GAPS = " \t\r\n|"
_GAP = re.compile(rf"[{_GAPS}]|\Z")
_SHORT = 8
"""Letters of a text below which it is more likely another one, unless it starts a line."""
_Named = TypeVar("_Named", Finding, Detail)


class Locator:
    """Finds passages in the files of a project, and reads each file once."""

    def __init__(self, root: Path) -> None:
        """`root` is the folder that `Page.file` is relative to."""
        self._root = root
        self._files: dict[str, SearchedText] = {}

    def place(self, passage: Passage) -> Place | None:
        """Where a passage is, or nothing when its file cannot be read or does not hold it."""
        page, (first, last) = passage.page, passage.lines
        if first:
            return Place(page.file or page.src, first, end_line=last)
        source = self._source(page.file)
        return source.passage(passage.text, page.file, heading=passage.section.title)

    def claim(self, finding: Finding | Detail) -> Place:
        """Where the claim of a finding is: the whole of it, from the line that the finding names on.

        The finding's own place when the claim is not written in that file: when the answer was made in memory.
        """
        place = finding.place
        if place.end_line or not finding.claim:
            return place
        return self._source(place.file).claim(finding.claim, place) or place

    def _source(self, file: str) -> SearchedText:
        """The text of a file; an empty one where it cannot be read."""
        if file not in self._files:
            self._files[file] = SearchedText(text_or_empty(self._root / file))
        return self._files[file]


def with_places(
    findings: Iterable[Finding], corpus: Corpus, locator: Locator
) -> tuple[Finding, ...]:
    """The findings, with the whole place of their claims and the lines of the passages they name, where found."""
    placed = []
    for finding in findings:
        finding = _placed(finding, corpus, locator)
        details = tuple(_placed(item, corpus, locator) for item in finding.details)
        if details:
            finding = replace(finding, place=details[0].place, details=details)
        placed.append(finding)
    return tuple(placed)


def _placed(item: _Named, corpus: Corpus, locator: Locator) -> _Named:
    related = []
    for other in item.related:
        passage = corpus.passage(other.passage)
        if passage and not other.place:
            other = replace(other, place=locator.place(passage))
        related.append(other)
    return replace(item, place=locator.claim(item), related=tuple(related))


class SearchedText:
    """A Markdown file prepared for finding passages in it, in time of its length."""

    def __init__(self, text: str) -> None:
        """`text` is decoded, without a byte order mark; line ends are as they are."""
        self.text = text
        self.prose = _UNSEEN.sub(lambda match: " " * len(match[0]), text)
        """The text with spaces for what a reader does not see: addresses, tags."""
        self._letters = [_letters(self.prose)]
        if self.prose != text:
            self._letters.append(_letters(text))  # code is found in these

    def passage(self, text: str, file: str, *, heading: str = "") -> Place | None:
        """Where a passage is in `file`: from its first to its last letter.

        With several such places, the first below the heading of this title; else the first. Where the file does not
        hold its words, as what a macro writes, the heading.
        """
        wanted = _letters(text)[0]
        below = self._end_of_heading(heading)
        for start in (below, 0):
            span = self._find(wanted, start, len(self.text))
            if span is None:
                continue
            before = self.text[self.text.rfind("\n", 0, span[0]) + 1 : span[0]]
            if len(wanted) >= _SHORT or not _letters(before)[0]:
                return self._place(file, *span)
        if wanted and below:
            return self._place(file, below - 1, below - 1)
        return None

    def claim(self, text: str, start: Place) -> Place | None:
        """Where a text is at or below a line, from its first to its last letter.

        A line of the front matter is looked at together with the front matter alone: below it is the page.
        """
        first, last = 0, len(self.text)
        for _ in range(start.line - 1):
            first = self.text.find("\n", first) + 1
        matter = FRONT_MATTER.match(self.text)
        if matter and first < matter.end():
            last = matter.end()
        span = self._find(_letters(text)[0], first, last)
        if span:
            return self._place(start.file, *span)
        return None

    def _find(self, wanted: str, start: int, end: int) -> tuple[int, int] | None:
        """Offsets of the first and the last letter of a text between two offsets."""
        for letters, offsets in self._letters:
            low, high = bisect_left(offsets, start), bisect_left(offsets, end)
            at = letters.find(wanted, low, high)
            if wanted and at >= 0:
                return offsets[at], offsets[at + len(wanted) - 1]
        return None

    def _end_of_heading(self, title: str) -> int:
        """Offset behind the first heading with this title; 0 when there is none."""
        wanted = _letters(title)[0]
        for heading in _HEADING.finditer(self.prose):
            if wanted and _letters(heading[1])[0].startswith(wanted):
                return heading.end()
        return 0

    def _place(self, file: str, first: int, last: int) -> Place:
        """The range around two letters, with the marks that belong to them (`**bold**.`); a tab is one column."""
        start = max(self.text.rfind(gap, 0, first) for gap in _GAPS) + 1
        end = next(_GAP.finditer(self.text, last + 1)).start()
        return Place(
            file,
            self.text.count("\n", 0, start) + 1,
            start - self.text.rfind("\n", 0, start),
            self.text.count("\n", 0, end) + 1,
            end - self.text.rfind("\n", 0, end),
        )


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text, and the offset of each in it."""
    offsets = [at for at, char in enumerate(text) if char.isalnum()]
    return "".join([text[at] for at in offsets]), offsets
