"""From CommonMark to sections and passages with line ranges: Markdown files of the repository, bodies of snapshots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mkdocs_cited.base.text import collapse, slugify
from mkdocs_cited.model.source import PassageKind
from mkdocs_cited.sources.passages import Builder

DEFINED = ": "
"""Starts the paragraph of a definition in a snapshot; its term is strong."""
_ANCHOR = re.compile(r" \{#([^\s{}]+)\}$")
_STRIKING = re.compile(r"<(/?)(?:del|s|strike)\b", re.IGNORECASE)
_FILES = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_SNAPSHOTS = MarkdownIt("commonmark", {"html": False}).enable("table")

Spans = tuple[tuple[int, int], ...]


class Inline(NamedTuple):
    """What a reader sees of a line or more: text with white space collapsed, and ranges of it."""

    text: str
    code_spans: Spans = ()
    struck: Spans = ()
    strong: Spans = ()


def read_markdown(builder: Builder, text: str, *, first: int = 1, snapshot: bool = False) -> None:
    """Add the sections and passages of a text to a document.

    Args:
        first: the line of its file that the text begins on.
        snapshot: whether it is the body of a snapshot: without HTML, with definitions.
    """
    parser = _Parser(builder, first - 1, snapshot)
    tokens = (_SNAPSHOTS if snapshot else _FILES).parse(text)
    for token, following in pairwise([*tokens, Token("end", "", 0)]):
        parser.read(token, following)


class _Parser:
    """Turns markdown-it's tokens into passages, in order."""

    def __init__(self, builder: Builder, above: int, snapshot: bool) -> None:
        self.builder = builder
        self.above = above
        """Lines of the file above the text."""
        self.snapshot = snapshot
        self.lists: list[tuple[PassageKind, str]] = []
        """Of each list around: what its items are, and what it was opened by."""
        self.own = False
        """Whether the first paragraph of a list item is still to come."""
        self.number = 0
        """Of that item, in an ordered list."""
        self.opener = ""
        self.blocks = 0
        self.header: tuple[str, ...] | None = None
        """Cells of the table's first row, once it is read."""
        self.row: list[Inline] = []
        self.lines = (0, 0)
        """Of the last block that has some: a table's cells have none."""

    def read(self, token: Token, following: Token) -> None:
        """Read one token; `following` is the one behind it."""
        if token.map:
            self.lines = (token.map[0] + 1 + self.above, max(token.map) + self.above)
        match token.type:
            case "heading_open":
                self._heading(int(token.tag[1]), following)
            case "bullet_list_open" | "ordered_list_open":
                kind = PassageKind.STEP if token.type.startswith("ordered") else PassageKind.ITEM
                self.lists.append((kind, self.opener))
                self.blocks += 1
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
                self.opener = ""
            case "list_item_open":
                self.own, self.number = True, int(token.info or 0)
            case "paragraph_open":
                self._paragraph(following)
            case "fence" | "code_block":
                add_code(
                    self.builder, token.content.split("\n"), self.lines[0] + (token.type == "fence"),
                    token.info.strip().split(" ")[0], self.opener,
                )  # fmt: skip
            case "th_open" | "td_open":
                self.row.append(inline(following))
            case "table_open":
                self.header, self.blocks = None, self.blocks + 1
            case "tr_close":
                self._end_row()
            case _:
                pass

    def _heading(self, level: int, token: Token) -> None:
        title = inline(token).text
        if anchor := _ANCHOR.search(title):
            title = title[: anchor.start()]
        named = unquote(anchor[1]) if anchor else "" if self.snapshot else slugify(title, fallback="section")
        self.builder.open_section(title, level, named)
        self.opener = ""

    def _paragraph(self, token: Token) -> None:
        found, in_list = inline(token), self.own and bool(self.lists)
        self.own = False
        above = (self.opener,) if self.opener.endswith((":", "：")) else ()
        labels = tuple(dict.fromkeys(filter(None, (*(opener for _, opener in self.lists), *above))))
        if self.snapshot and found.text.startswith(DEFINED):
            by, term = len(DEFINED), found.strong[0] if found.strong else (0, 0)
            self.builder.add(
                PassageKind.DEFINITION, found.text[by:], lead=found.text[slice(*term)],
                code_spans=tuple((start - by, end - by) for start, end in found.code_spans), lines=self.lines,
            )  # fmt: skip
            return
        self.opener = found.text
        self.builder.add(
            self.lists[-1][0] if in_list else PassageKind.PARAGRAPH, found.text,
            block=self.blocks if in_list else 0, number=self.number if in_list else 0,
            code_spans=found.code_spans, struck=found.struck, labels=labels,
            lines=self.lines,
        )  # fmt: skip

    def _end_row(self) -> None:
        row, self.row = self.row, []
        cells = tuple(cell.text for cell in row)
        while cells and not cells[-1]:
            cells = cells[:-1]
        if self.header is None:
            self.header = cells
            return
        self.builder.add(
            PassageKind.ROW, " ".join(filter(None, cells)), lead=" | ".join(filter(None, self.header)),
            block=self.blocks, cells=cells, header=self.header, lines=self.lines,
            code_spans=_in_row(row, [cell.code_spans for cell in row]),
            struck=_in_row(row, [cell.struck for cell in row]), labels=(self.opener,) if self.opener else (),
        )  # fmt: skip


def _in_row(cells: Iterable[Inline], spans: Iterable[Spans]) -> Spans:
    """Ranges of cells as ranges of the row's text."""
    found, at = [], 0
    for cell, inside in zip(cells, spans, strict=True):
        found += [(start + at, end + at) for start, end in inside]
        at += len(cell.text) + 1 if cell.text else 0
    return tuple(found)


def inline(token: Token) -> Inline:
    """What a reader sees of an inline token."""
    text = ""
    ranges: dict[str, list[tuple[int, int]]] = {"code": [], "struck": [], "strong": []}
    opened: dict[str, int] = {}
    for child in token.children or ():
        if child.type in ("text", "code_inline", "softbreak", "hardbreak", "image"):
            words = inline(child).text if child.type == "image" else child.content or " "
            piece = collapse(f"|{words}|")[1:-1]
            piece = piece[1:] if piece[:1] == " " and text[-1:] in ("", " ") else piece
            if child.type == "code_inline":
                ranges["code"].append((len(text), len(text) + len(piece)))
            text += piece
            continue
        striking = _STRIKING.match(child.content) if child.type == "html_inline" else None
        name = "struck" if striking or child.tag == "s" else "strong" if child.tag == "strong" else ""
        if name and (child.nesting == 1 or (striking and not striking[1])):
            opened.setdefault(name, len(text))
        elif name and name in opened:
            ranges[name].append((opened.pop(name), len(text)))
    text = text.rstrip()
    found = {name: tuple((a, min(b, len(text))) for a, b in spans if a < len(text)) for name, spans in ranges.items()}
    return Inline(text, found["code"], found["struck"], found["strong"])


LONGEST_TEXT = 4000
"""Characters of one passage; longer lines (minified data) are cut."""


def add_code(builder: Builder, lines: Sequence[str], first: int, language: str, lead: str) -> None:
    """A block of lines as it stands, without the empty ones around it."""
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    for piece in parts_of("\n".join(line.rstrip() for line in lines[start:end])):
        builder.add(
            PassageKind.CODE, piece, lead=lead[-240:], language=language, lines=(first + start, first + end - 1)
        )


def parts_of(text: str) -> Iterable[str]:
    """A text in parts that are no longer than a passage may be."""
    for start in range(0, len(text), LONGEST_TEXT):
        if (piece := text[start : start + LONGEST_TEXT].strip("\n")) and not piece.isspace():
            yield piece
