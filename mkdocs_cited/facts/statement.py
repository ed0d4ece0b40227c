"""What the docs state, and what comparing it with code gives: the values that the other modules exchange."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from mkdocs_cited.code.interface import Definition, Value


class Statement(Struct, frozen=True):
    """The docs say what the default of a name is."""

    names: tuple[str, ...]
    """The names of what it is about, as the docs write them; the first is shown."""
    value: Value
    text: str
    """The value as the docs write it."""
    file: str
    line: int
    end_line: int
    page: str = ""
    """What its page is called: the name of the file, or of its folder."""
    headings: tuple[str, ...] = ()
    """The headings over it, outermost first."""
    code: str = ""
    """The files that a rule of the project names for it: a glob."""
    is_sure: bool = True
    """Whether one value of one thing is stated; what depends on a condition is not sure."""

    @property
    def heading(self) -> str:
        """The nearest heading."""
        if self.headings:
            return self.headings[-1]
        return ""


class Status(StrEnum):
    """What came of a statement."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNKNOWN = "unknown"
    """It was not decided: nothing has that name, or more than one thing has it, or its value is known at run time."""


class Fact(Struct, frozen=True):
    """A statement, and what code says of it."""

    statement: Statement
    status: Status
    definition: Definition | None = None
    """What was compared; the nearest one where nothing was decided."""
    value: Value = None
    """Of the definition, with what a constant's name leads to."""
    reason: str = ""
    """Why it is unknown."""


def stated_place(
    lines: Sequence[str], statement: Statement
) -> tuple[int, int, int] | None:
    """Line (from 0), start and end of the one place that states the value; nothing where there are several."""
    word = re.compile(rf"(?<![\w.-]){re.escape(statement.text)}(?![\w-]|\.\w)")
    found = []
    for number in range(statement.line - 1, min(statement.end_line, len(lines))):
        found += [
            (number, match.start(), match.end())
            for match in word.finditer(lines[number])
        ]
    if len(found) == 1:
        return found[0]
    return None
