"""The blocks of a Markdown file with what stands over and before them: headings, leads of items, rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Struct

from mkdocs_cited.facts.inline import plain

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_CONTAINER = re.compile(r"(?:\A|\n)(?:!!!|\?\?\?\+?|===\+?|///|:)[ \t]")
"""Begins a block whose indented lines are Markdown (admonitions, details, tabs, definitions)."""
_TERM = re.compile(r"\A([^\n]+)\n:[ \t]+", re.DOTALL)
_DEFINITION = re.compile(r"\A:[ \t]+")
_DEEPEST = 4


class Block(Struct, frozen=True):
    """A paragraph, item, or row."""

    text: str
    """As `plain()` returns it; empty for a row."""
    line: int
    end_line: int
    headings: tuple[str, ...]
    """Of the sections it lies in, outermost first, as `plain()` returns them."""
    leads: tuple[str, ...] = ()
    """First paragraphs of the list items it lies in, and the term it defines, outermost first; its own included."""
    header: tuple[str, ...] = ()
    """Of the table that it is a row of."""
    cells: tuple[str, ...] = ()
    section: int = 0
    """Number of its section in the file."""


def blocks(markdown: str) -> Iterator[Block]:
    """The blocks of a file, in its order. Code is none."""
    front = _FRONT_MATTER.match(markdown)
    if front:
        markdown = "\n" * front[0].count("\n") + markdown[front.end() :]
    yield from _Walk().blocks(markdown, 0)


@cache  # built once
def _parser() -> MarkdownIt:
    """CommonMark with tables; what is inside a block is read by `plain()`."""
    return MarkdownIt("commonmark").enable("table").disable(["inline", "html_block"])


class _Walk:
    """One file, from top to bottom."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self._section = 0
        self._leads: list[str] = []
        self._items: list[int] = []
        """How many leads there were when each list item began."""
        self._header: tuple[str, ...] = ()
        self._cells: list[str] = []
        self._last = ""
        """The Markdown of the paragraph before, which may be a term."""
        self._container = ""
        """The Markdown of the paragraph before, which may begin a container."""

    def blocks(self, markdown: str, above: int, depth: int = 0) -> Iterator[Block]:
        """The blocks of a text.

        Args:
            above: lines of the file above it.
            depth: how many containers it lies in; they nest, so this calls itself.
        """
        within = ""
        row = 0
        for token in _parser().parse(markdown):
            if token.type in ("heading_open", "th_open", "td_open", "paragraph_open"):
                within = token.tag
            elif token.type == "tr_open":
                row = above + (token.map or [0])[0] + 1
                self._cells = []
            elif token.type == "inline" and within in ("th", "td"):
                self._cells.append(plain(token.content))
            elif token.type == "inline" and within == "p":
                yield from self._paragraph(token, above)
            elif token.type == "inline":
                self._heading(int(within[1:]), plain(token.content))
            elif token.type == "thead_close":
                self._header = tuple(self._cells)
            elif token.type == "tr_close" and self._header:
                yield self._block("", row, row, cells=tuple(self._cells))
            elif token.type == "table_close":
                self._header = ()
            elif token.type == "list_item_open":
                self._items.append(len(self._leads))
            elif token.type == "list_item_close":
                del self._leads[self._items.pop() :]
            elif (
                token.type == "code_block"
                and _CONTAINER.search(self._container)
                and depth < _DEEPEST
            ):
                start = above + (token.map or [0])[0]
                yield from self.blocks(token.content, start, depth + 1)

    def _paragraph(self, token: Token, above: int) -> Iterator[Block]:
        """A paragraph; the first of an item is its lead, and a term is the lead of its definition."""
        first, last = token.map or [0, 1]
        line, end = above + first + 1, above + last
        text = plain(token.content)
        term = _TERM.match(text)
        before = self._last
        self._last = self._container = token.content
        if self._items and len(self._leads) == self._items[-1]:
            self._leads.append(text)
            yield self._block(text, line, end)
        elif term or _DEFINITION.match(text):
            self._leads.append(term[1] if term else plain(before))
            yield self._block(text, line, end)
            self._leads.pop()
            self._last = before
        else:
            yield self._block(text, line, end)

    def _heading(self, level: int, text: str) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._headings.append((level, text))
        self._section += 1
        self._last = ""

    def _block(
        self, text: str, line: int, end: int, *, cells: tuple[str, ...] = ()
    ) -> Block:
        return Block(
            text=text,
            line=line,
            end_line=end,
            headings=tuple(text for _, text in self._headings),
            leads=tuple(self._leads),
            header=self._header,
            cells=cells,
            section=self._section,
        )
