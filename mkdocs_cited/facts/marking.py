"""Marks for the sentences whose values the code has: what each cites, and where in its page it goes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from mkdocs_cited.base.text import collapse
from mkdocs_cited.code.interface import Definition
from mkdocs_cited.facts.statement import Fact, Statement, Status, stated_place
from mkdocs_cited.model.source import Page, Passage, SourceType
from mkdocs_cited.sources.addressed import Addressed
from mkdocs_cited.sources.definitions import pointer

_END = re.compile(r"[.!?](?=\s|$)|\s*(?<!\\)\|")
"""The end of a sentence or of a cell."""
_CODE = re.compile(r"`[^`\n]*`")


class Mark(Struct, frozen=True):
    """A mark that a page could carry."""

    file: str
    line: int
    column: int
    """How many characters of the line are before it."""
    sentence: str
    """The line that it goes into, as people read it."""
    written: str
    """`[@../src/app.py#TTL]`."""
    proof: str
    """What it cites, as a sentence."""


def marks(root: Path, facts: Iterable[Fact]) -> Iterator[Mark]:
    """A mark for each statement that agrees with the code and has none.

    Args:
        root: what the paths of the files are relative to.
    """
    addressed = Addressed(root)
    lines: dict[str, list[str]] = {}
    for fact in facts:
        statement, definition = fact.statement, fact.definition
        if fact.status is not Status.AGREES or definition is None:
            continue
        if statement.file not in lines:
            lines[statement.file] = (
                (root / statement.file).read_text("utf-8", "replace").split("\n")
            )
        place = _place(lines[statement.file], statement)
        cited = _cited(addressed, definition)
        if place is None or cited is None:
            continue
        address, passage = cited
        path = posixpath.relpath(
            definition.file, posixpath.dirname(statement.file) or "."
        )
        line, column = place
        sentence = collapse(lines[statement.file][line - 1])
        yield Mark(
            statement.file, line, column, sentence, f"[@{path}#{address}]", passage.text
        )


def _cited(addressed: Addressed, definition: Definition) -> tuple[str, Passage] | None:
    """The shortest address that leads to this definition alone, with its passage."""
    page = Page(
        definition.file, "", definition.file, type=SourceType.FILE, file=definition.file
    )
    for address in (
        definition.name,
        ".".join(definition.path),
        pointer(definition.path),
    ):
        if set(address) & set("[];\n") or addressed.several(page, address):
            continue
        for passage in addressed.section(page, address)[:1]:
            if passage.value and passage.lines[0] == definition.line:
                return address, passage
    return None


def _place(lines: Sequence[str], statement: Statement) -> tuple[int, int] | None:
    """Line and column behind the sentence or cell that states the value; nothing where several places state it, or it
    has a mark."""
    last = min(statement.end_line, len(lines))
    place = stated_place(lines, statement)
    if place is None:
        return None
    number, start = place[0] + 1, place[2]
    while True:
        line = lines[number - 1]
        shown = _CODE.sub(lambda code: "x" * len(code[0]), line)
        end = _END.search(shown, start)
        column = end.start() if end else len(line.rstrip())
        if "[@" in line[start : column + 3]:
            return None
        if end or number == last:
            return number, column
        number, start = number + 1, 0
