"""What a reader of code or configuration returns: definitions, names with the values that a file gives them.

Files are parsed, and never imported or executed. What only a run can tell is `Computed`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Union

from msgspec import Struct

MOST_CHARACTERS = 2_000_000
"""A longer file is generated, and is not read."""
LONGEST_TEXT = 200
"""Characters of a value's source text that are kept, to be shown."""


class Duration(Struct, frozen=True, tag="duration"):
    """A length of time."""

    seconds: float


class Reference(Struct, frozen=True, tag="reference"):
    """The value of another name: `DEFAULT_PORT`, `defaults.port`; what a function returns, `default_port()`."""

    name: str


class Computed(Struct, frozen=True, tag="computed"):
    """A value that only a run can tell."""


class Items(Struct, frozen=True, tag="items"):
    """A list, tuple or set."""

    values: tuple[Value, ...]


class Entries(Struct, frozen=True, tag="entries"):
    """A mapping, in the order of the file."""

    pairs: tuple[tuple[str, Value], ...]


Value = Union[  # noqa: UP007 -- it names itself
    None, bool, int, float, str, Duration, Reference, Computed, Items, Entries
]
"""A parsed value."""


class Kind(StrEnum):
    """How a name comes to its value."""

    CONSTANT = "constant"
    """A name of a module: `TTL = 5`, `const TTL = 5`."""
    FIELD = "field"
    """A member of a class or struct, with its default."""
    PARAMETER = "parameter"
    """A parameter of a function, with its default."""
    OPTION = "option"
    """An option of a command line, with its default."""
    LOOKUP = "lookup"
    """A call that names a setting and its default: `os.getenv("PORT", "80")`, `${PORT:-80}`."""
    KEY = "key"
    """An entry of a mapping, in code or in a file of configuration."""
    UNSET = "unset"
    """A member that is declared without a value: its language makes it false, zero or empty."""


class Definition(Struct, frozen=True):
    """A name and its value in one place of a file."""

    name: str
    """As the file writes it: `TTL`, `--port`, `PAGE_SIZE`."""
    scope: tuple[str, ...]
    """What it lies in, outermost first: classes, functions, mappings."""
    value: Value
    kind: Kind
    file: str
    """Path as given to the reader."""
    line: int
    """First line, from 1."""
    end_line: int
    text: str = ""
    """The value as the file writes it, on one line."""
    also: tuple[str, ...] = ()
    """Other names of the same setting: `-p`, the variable that sets it, the name in its file."""
    choices: tuple[Value, ...] = ()
    """What it may be, where the file says so."""
    help: str = ""
    """What an option says of itself."""
    declared: str = ""
    """The call that gives the value, where it has other figures too, such as bounds: `Field(3, ge=0, le=10)`."""

    @property
    def path(self) -> tuple[str, ...]:
        """Scope and name."""
        return (*self.scope, self.name)

    @property
    def lines(self) -> tuple[int, int]:
        """First and last line, from 1."""
        return self.line, self.end_line


def one_line(text: str) -> str:
    """Source text on one line, cut at `LONGEST_TEXT`."""
    joined = " ".join(text.split())
    if len(joined) > LONGEST_TEXT:
        return joined[: LONGEST_TEXT - 1] + "…"
    return joined
