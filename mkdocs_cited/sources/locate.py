"""Where a passage, known by its rendered text, is in the Markdown file it was rendered from.

Passages come from HTML and know no lines. Finding them again compares letters and digits alone, so that markup, line
breaks, list markers and quotation marks do not matter. What macros or includes have put into a page is not found.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from mkdocs_cited.base.files import read_bounded
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.finding import Detail, Finding, Place, Related
from mkdocs_cited.model.source import Corpus, Passage

LARGEST = 2_000_000
"""Bytes of a file beyond which nothing is looked for."""
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
_LETTERS = re.compile(r"[^\W_]+")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.{1,500})", re.MULTILINE)
_Named = TypeVar("_Named", Finding, Detail)
_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)")


class Locator:
    """Finds passages in the files of a project, and reads each file once."""

    def __init__(self, root: Path) -> None:
        """`root` is the folder that `Page.file` is relative to."""
        self._root = root
        self._files: dict[str, SourceText | None] = {}

    def place(self, passage: Passage) -> Place | None:
        """Where a passage is, or nothing when its file cannot be read or does not hold it."""
        page = passage.page
        if passage.lines[0]:
            return Place(
                page.file or page.src, passage.lines[0], 1, passage.lines[1], 0
            )
        if not page.file:
            return None
        source = self._source(page.file)
        if source:
            return source.find(passage.text, page.file, heading=passage.section.title)
        return None

    def claim(self, finding: Finding | Detail) -> Place:
        """Where the claim of a finding is: the whole of it, from the line that the finding names on.

        The finding's own place when the claim is not written in that file: when the answer was made in memory.
        """
        place = finding.place
        source = (
            self._source(place.file) if finding.claim and not place.end_line else None
        )
        return (source and source.words(finding.claim, place)) or place

    def _source(self, file: str) -> SourceText | None:
        if file not in self._files:
            try:
                self._files[file] = SourceText.of(
                    read_bounded(self._root / file, LARGEST).decode("utf-8-sig")
                )
            except (OSError, ValueError):
                self._files[file] = None
        return self._files[file]


def with_places(
    findings: Iterable[Finding], corpus: Corpus, locator: Locator
) -> tuple[Finding, ...]:
    """The findings, with the whole place of their claims and the lines of the passages they name, where found."""
    return tuple(_with_place(finding, corpus, locator) for finding in findings)


def _with_place(finding: Finding, corpus: Corpus, locator: Locator) -> Finding:
    details = tuple(_placed(item, corpus, locator) for item in finding.details)
    placed = _placed(finding, corpus, locator)
    if details:
        return replace(placed, place=details[0].place, details=details)
    return placed


def _placed(item: _Named, corpus: Corpus, locator: Locator) -> _Named:
    related = tuple(_related(other, corpus, locator) for other in item.related)
    return replace(item, place=locator.claim(item), related=related)


def _related(related: Related, corpus: Corpus, locator: Locator) -> Related:
    passage = (
        corpus.passage(related.passage)
        if related.passage and not related.place
        else None
    )
    place = locator.place(passage) if passage else related.place
    return replace(related, place=place)


class Letters(Struct, frozen=True):
    """The letters and digits of a text, with the offset of each in the text."""

    text: str
    offsets: list[int]

    @classmethod
    def of(cls, text: str) -> Letters:
        runs = list(_LETTERS.finditer(text))
        return cls(
            "".join([run[0] for run in runs]),
            [at for run in runs for at in range(*run.span())],
        )


class SourceText(Struct, frozen=True):
    """A Markdown file prepared for finding passages in it."""

    text: str
    whole: Letters
    """Letters of `text`: code is found in these."""
    seen: Letters
    """Letters of the text without what a reader does not see: addresses, tags."""
    headings: tuple[tuple[str, int], ...]
    """Letters of each heading, and the offset behind it."""

    @classmethod
    def of(cls, text: str) -> SourceText:
        """Prepare a file's text (decoded, without a byte order mark; line ends as they are). Linear in its length."""
        prose = _UNSEEN.sub(lambda match: " " * len(match[0]), text)
        whole = Letters.of(text)
        headings = (
            (Letters.of(match[1]).text, match.end())
            for match in _HEADING.finditer(prose)
        )
        return cls(
            text, whole, whole if prose == text else Letters.of(prose), tuple(headings)
        )

    def find(self, passage: str, file: str, *, heading: str = "") -> Place | None:
        """Where the passage is in `file`: from its first to its last character.

        With several such places, the first below the heading of this title; else the first. Where the file does not
        hold its words, as what a macro writes, the heading.
        """
        wanted = Letters.of(passage).text
        if not wanted:
            return None
        after = self._heading(heading)
        for first, last in self._search(wanted, (after, 0), len(self.text)):
            # A short word in the middle of a line is more likely another.
            if len(wanted) >= 8 or self._starts_line(first):
                return self._place(file, first, last)
        if after:
            return self._place(file, after - 1, after - 1)
        return None

    def words(self, text: str, start: Place) -> Place | None:
        """Where a text is at or below a line, from its first to its last character.

        A line of the front matter is looked at together with the front matter alone: below it is the page.
        """
        wanted = Letters.of(text).text
        first, last = self._line_start(start.line), len(self.text)
        matter = _FRONT_MATTER.match(self.text)
        if matter and first < matter.end():
            last = matter.end()
        place = next(self._search(wanted, (first,), last), None) if wanted else None
        if place:
            return self._place(start.file, *place)
        return None

    def _search(
        self, wanted: str, starts: tuple[int, ...], end: int
    ) -> Iterator[tuple[int, int]]:
        """Offsets of the first and the last letter of a text, the first behind each start."""
        for letters in (self.seen, self.whole):
            for start in starts:
                low, high = (
                    bisect_left(letters.offsets, start),
                    bisect_left(letters.offsets, end),
                )
                at = letters.text.find(wanted, low, high)
                if at >= 0:
                    yield letters.offsets[at], letters.offsets[at + len(wanted) - 1]

    def _starts_line(self, at: int) -> bool:
        return not any(
            map(str.isalnum, self.text[self.text.rfind("\n", 0, at) + 1 : at])
        )

    def _line_start(self, line: int) -> int:
        above = self.text.split("\n", line - 1)
        if len(above) == line:
            return len(self.text) - len(above[-1])
        return len(self.text)

    def _heading(self, title: str) -> int:
        """Offset of the first heading with this title; 0 when there is none."""
        wanted = Letters.of(title).text
        return next(
            (
                end
                for letters, end in self.headings
                if wanted and letters.startswith(wanted)
            ),
            0,
        )

    def _place(self, file: str, first: int, last: int) -> Place:
        """The range around two letters, with the marks that belong to them: `**bold**.`"""
        while first > 0 and self.text[first - 1] not in " \t\r\n|":
            first -= 1
        end = last + 1
        while end < len(self.text) and self.text[end] not in " \t\r\n|":
            end += 1
        line, column = self._line(first)
        end_line, end_column = self._line(end)
        return Place(file, line, column, end_line, end_column)

    def _line(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, from 1; a tab is one column, and so is every other character."""
        return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind(
            "\n", 0, offset
        )
