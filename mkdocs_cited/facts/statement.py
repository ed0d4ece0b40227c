"""What the docs state, and what comparing it with code gives: the values that the other modules exchange."""

from __future__ import annotations

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
    is_sure: bool = True
    """Whether one value of one thing is stated; what depends on a condition is not sure."""
    is_code: bool = False
    """Whether the docs write the value as code."""

    @property
    def heading(self) -> str:
        """The nearest heading."""
        return self.headings[-1] if self.headings else ""


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
