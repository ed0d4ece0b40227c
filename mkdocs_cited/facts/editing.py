"""What becomes of a page's text: the code's values in the place of those that it states, and marks that cite them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct, field

from mkdocs_cited.base.text import collapse
from mkdocs_cited.code.interface import Definition, Duration, Value, quantity, typed
from mkdocs_cited.facts.files import text_of
from mkdocs_cited.facts.matching import Fact, Status
from mkdocs_cited.facts.reading import Statement
from mkdocs_cited.facts.results import shown_value
from mkdocs_cited.model.source import Page, Passage, SourceType
from mkdocs_cited.sources.addressed import AddressedFile
from mkdocs_cited.sources.names import pointer

_OPPOSITES = {"true": "false", "yes": "no", "on": "off", "enabled": "disabled"}
_OPPOSITES |= {no: yes for yes, no in _OPPOSITES.items()}
_END = re.compile(r"[.!?](?=\s|$)|\s*(?<!\\)\|")
"""The end of a sentence or of a cell."""
_CODE = re.compile(r"`[^`\n]*`")
_NOTE = re.compile(r"`?\s*(\([^()]*\))")


class Mark(Struct, frozen=True):
    """A mark that a page could carry."""

    file: str
    line: int
    column: int
    """How many characters of the line are before it."""
    sentence: str
    """The line that it goes into, as people read it."""
    written: str = field(name="mark")
    """`[@../src/app.py#TTL]`."""
    proof: str
    """What it cites, as a sentence."""
    waits: str = ""
    """Why its sentence waits for a person; empty where it passes."""


def fixed(text: str, facts: Iterable[Fact]) -> tuple[str, list[str]]:
    """A page with the differences of these facts corrected, as far as exactly one place states the old value; and what
    a person has to look at, each with its line: what could not be written, and notes behind what was.

    Args:
        facts: those of this page that differ.
    """
    lines = text.split("\n")
    left = []
    for fact in facts:
        statement = fact.statement
        new = _replacement(statement, fact.value)
        places = _stated_places(lines, statement)
        look = ""
        if not new or re.search(r"\b0o\d", shown_value(fact)):
            look = f"{shown_value(fact)} cannot be said like {statement.text}"
        elif len(places) != 1:
            look = f"{len(places)} places say {statement.text}"
        else:
            number, start, end = places[0]
            rest = lines[number][end:]
            lines[number] = lines[number][:start] + new + rest
            note = _NOTE.match(rest)
            if note:
                look = f"does {note[1]} still hold behind {new}?"
        if look:
            where = f"{statement.file}:{statement.line}"
            left.append(f"{where}: {statement.names[0]}: {look}")
    return "\n".join(lines), left


def _stated_places(
    lines: Sequence[str], statement: Statement
) -> list[tuple[int, int, int]]:
    """Line (from 0), start and end of each place that states the value."""
    word = re.compile(rf"(?<![\w.-]){re.escape(statement.text)}(?![\w-]|\.\w)")
    places = []
    for number, line in enumerate(lines[: statement.end_line]):
        if number >= statement.line - 1:
            places += [(number, *match.span()) for match in word.finditer(line)]
    return places


def _replacement(statement: Statement, value: Value) -> str:
    """A value in the words of the statement that is wrong; empty where it cannot be said like that."""
    old, stated = statement.text, statement.value
    quote = ""
    if old[:1] in "\"'" and old[-1:] == old[:1]:
        quote = old[:1]
    if isinstance(value, str) and isinstance(stated, str):
        return f"{quote}{value}{quote}"
    value = typed(value)
    if isinstance(stated, bool) or isinstance(value, bool):
        return _opposite(old)
    if isinstance(value, Duration) and isinstance(stated, Duration):
        value = value.seconds
    if not isinstance(value, (int, float)):
        return ""
    if re.search("[A-Za-z]", old):
        return _with_unit(old, value)
    if "," in old:
        return f"{value:,}"
    return f"{quote}{value}{quote}"


def _opposite(word: str) -> str:
    """`No` for `Yes`."""
    opposite = _OPPOSITES.get(word.lower(), "")
    if word.isupper():
        return opposite.upper()
    if word.istitle():
        return opposite.capitalize()
    return opposite


def _with_unit(old: str, amount: float) -> str:
    """Seconds or bytes in the unit of another amount, where that gives a whole number."""
    figure = re.match(r"\d+", old)
    if not figure:
        return ""
    unit = old[figure.end() :]
    one = quantity(f"1{unit}")
    if isinstance(one, Duration):
        one = one.seconds
    if isinstance(one, (int, float)) and amount % one == 0:
        return f"{amount / one:.0f}{unit}"
    return ""


def marks(
    root: Path, facts: Iterable[Fact]
) -> tuple[list[tuple[Mark, Sequence[Passage]]], list[str]]:
    """A mark for each statement that agrees with the code and has none, with what it cites; and of each that can have
    none why, with its line.

    Args:
        root: what the paths of the files are relative to.
    """
    files: dict[str, AddressedFile] = {}
    pages: dict[str, list[str]] = {}
    found = []
    left = []
    for fact in facts:
        statement, definition = fact.statement, fact.definition
        file = statement.file
        if fact.status is not Status.AGREES or definition is None:
            continue
        if file not in pages:
            pages[file] = text_of(root / file).split("\n")
        lines = pages[file]
        places = _stated_places(lines, statement)
        where = f"{file}:{statement.line}: {statement.names[0]}: no mark"
        if len(places) != 1:
            left.append(f"{where}: {len(places)} places say {statement.text}")
            continue
        place = _mark_place(lines, statement, places[0])
        if place is None:
            continue
        number, column = place
        if definition.file not in files:
            files[definition.file] = _read(root, definition.file)
        cited = _cited(files[definition.file], definition, statement.names)
        if cited is None:
            left.append(f"{where}: no address in {definition.file} leads to its value")
            continue
        address, passages = cited
        path = posixpath.relpath(definition.file, posixpath.dirname(file) or ".")
        mark = Mark(
            file=file,
            line=number + 1,
            column=column,
            sentence=collapse(lines[number]),
            written=f"[@{path}#{address}]",
            proof=passages[0].text,
        )
        found.append((mark, passages))
    return found, left


def _read(root: Path, file: str) -> AddressedFile:
    page = Page(file, "", file, type=SourceType.FILE, file=file)
    return AddressedFile(root, page)


def _cited(
    source: AddressedFile, definition: Definition, names: Sequence[str]
) -> tuple[str, Sequence[Passage]] | None:
    """The shortest address that leads to this definition alone, with its passages; first a name that the docs write."""
    path = definition.path
    documented = [name for name in names if name in definition.also]
    for address in (*documented, definition.name, ".".join(path), pointer(path)):
        if set(address) & set("[];\n") or source.fault(address):
            continue
        passages = source.section(address)
        first = passages[:1]
        if first and first[0].value and first[0].lines[0] == definition.line:
            return address, passages
    return None


def _mark_place(
    lines: Sequence[str], statement: Statement, place: tuple[int, int, int]
) -> tuple[int, int] | None:
    """Line (from 0) and column behind the sentence or cell that states a value; nothing where that has a mark.

    Args:
        place: line, start and end of the value.
    """
    number, _, start = place
    while True:
        line = lines[number]
        end = _END.search(_CODE.sub(lambda code: "x" * len(code[0]), line), start)
        column = len(line.rstrip())
        if end:
            column = end.start()
        if "[@" in line[start : column + 3]:
            return None
        if end or number + 1 >= min(statement.end_line, len(lines)):
            return number, column
        number, start = number + 1, 0
