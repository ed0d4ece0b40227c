"""What a reader of code or configuration returns: definitions, names with the values that a file gives them; and the
values that texts state in every language alike: numbers, sizes and durations, words for yes, no and nothing.

Files are parsed, and never imported or executed. What only a run can tell is `Computed`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Union

from msgspec import Struct

from mkdocs_cited.language.quantities import unit_of

MOST_CHARACTERS = 2_000_000
"""A longer file is generated, and is not read."""
LONGEST_TEXT = 200
"""Characters of a value's source text that are kept, to be shown."""


class Duration(Struct, frozen=True, tag="duration"):
    """A length of time."""

    seconds: float


class Reference(Struct, frozen=True, tag="reference"):
    """The value of another name: `DEFAULT_PORT`, `defaults.port`; what a call of a helper returns, `flag()`."""

    name: str

    @property
    def parts(self) -> list[str]:
        """`defaults` and `PORT` of `defaults.PORT`, and of `defaults::PORT`."""
        return re.split(r"\.|::", self.name)


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


_LETTERS = {"b": 1, "k": 1024, "M": 1024**2, "g": 1024**3}
"""What a letter alone counts in a setting: bytes."""
_WEEK = 604800
"""Seconds. A longer unit, as a month, has no certain length."""
_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "<<": operator.lshift, "**": operator.pow,
}  # fmt: skip
_LARGEST = 10**18
"""No setting is larger; powers of more would take long."""
_LONGEST = 100
"""Characters of a numeral. Python writes and reads no more than 4,300 digits, and a `float` has 308."""
_INTEGER = re.compile(r"[-+]?(?:0|[1-9](?:_?\d)*)")
_BASED = re.compile(r"0(?:[xX](?:_?[\da-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)")
_DECIMAL = re.compile(r"[-+]?(?:\d[\d_]*\.\d*|\.\d+|\d[\d_]*)(?:[eE][-+]?\d+)?")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+")
_WITH_UNIT = re.compile(r"([-+]?\d[\d_,]*(?:\.\d+)?)[ \u00a0-]?([A-Za-zµ]+)")
_ISO = re.compile(r"P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?")
"""A duration of ISO 8601: `P1DT2H`."""


def is_too_long(value: object) -> bool:
    """True if an integer has more digits than can be written."""
    return isinstance(value, int) and value.bit_length() > 4 * _LONGEST


def number(text: str) -> int | float | None:
    """What a numeral of any usual writing is: `1_048_576`, `1,000`, `0x10`, `1e3`; nothing for other text."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    if _INTEGER.fullmatch(text) or _BASED.fullmatch(text):
        return int(text, 0)
    if _THOUSANDS.fullmatch(text):
        return int(text.replace(",", ""))
    # `007` is no number
    if _DECIMAL.fullmatch(text) and not re.match(r"[-+]?0\d", text):
        return float(text.replace("_", ""))
    return None


def quantity(text: str) -> Value:
    """What a numeral with a unit is: a `Duration`, or bytes as an integer; nothing for other text. `1h30m` is one."""
    text = text.strip()
    if _ISO.fullmatch(text):
        text = re.sub("[PT]", "", text).lower()
    parts = _WITH_UNIT.findall(text)
    if not parts or re.sub(r"[\s,]|and", "", _WITH_UNIT.sub("", text)):
        return None
    seconds = 0.0
    for figure, unit in parts:
        amount = number(figure)
        dimension, factor = _unit(unit)
        if amount is None:
            return None
        if dimension == "data" and len(parts) == 1:
            return int(amount * factor)
        if dimension != "time" or factor > _WEEK:
            return None
        seconds += amount * factor
    return Duration(round(seconds, 9))


def _unit(name: str) -> tuple[str, float]:
    """Dimension and factor of a unit in a setting: `M` are MiB, `m` minutes."""
    letter = _LETTERS.get(name, _LETTERS.get(name.lower()))
    if letter:
        return "data", letter
    if name == "m":
        return "time", 60.0
    return unit_of(name.lower()) or ("", 0.0)


def scalar(text: str) -> Value:
    """What an unquoted text of a format without types is: a number, a quantity, yes or no, nothing, or the text."""
    plain = text.strip()
    word = plain.lower()
    if word in ("true", "false"):
        return word == "true"
    if word in ("", "null", "none", "nil", "undefined"):
        return None
    for value in (number(plain), quantity(plain)):
        if value is not None:
            return value
    return plain


def typed(value: Value) -> Value:
    """The value; of a text, which may be all that its format has, what it is."""
    if isinstance(value, str):
        return scalar(value)
    return value


def arithmetic(left: Value, sign: str, right: Value) -> Value:
    """What two plain numbers come to, as Python writes the sign; sums of texts and lists, multiples of durations."""
    if isinstance(left, str) and isinstance(right, str) and sign == "+":
        return left + right
    if isinstance(left, Items) and isinstance(right, Items) and sign == "+":
        return Items(left.values + right.values)
    if isinstance(right, Duration):
        left, right = right, left
    if isinstance(left, Duration) and isinstance(right, (int, float)) and sign == "*":
        return Duration(round(left.seconds * right, 9))
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return Computed()
    if sign in ("**", "<<") and not (0 <= right <= 64 and abs(left) <= 1024):
        return Computed()
    try:
        value: float = _OPERATORS[sign](left, right)
    except (ArithmeticError, KeyError, TypeError, ValueError):
        return Computed()
    if abs(value) < _LARGEST:
        return value
    return Computed()
