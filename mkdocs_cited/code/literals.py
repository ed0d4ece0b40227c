"""Values that texts state in every language alike: numbers, sizes and durations, words for yes, no and nothing."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from mkdocs_cited.code.interface import Computed, Duration, Items, Value
from mkdocs_cited.language.quantities import unit_of

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
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][\d_]*)")
_BASED = re.compile(r"0(?:[xX][\da-fA-F_]+|[oO][0-7_]+|[bB][01_]+)")
_DECIMAL = re.compile(r"[-+]?(?:\d[\d_]*\.\d*|\.\d+|\d[\d_]*)(?:[eE][-+]?\d+)?")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+")
_WITH_UNIT = re.compile(r"([-+]?\d[\d_,]*(?:\.\d+)?)[ \u00a0-]?([A-Za-zµ]+)")
_ISO = re.compile(r"P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?")
"""A duration of ISO 8601: `P1DT2H`."""


def number(text: str) -> int | float | None:
    """What a numeral of any usual writing is: `1_048_576`, `1,000`, `0x10`, `1e3`; nothing for other text."""
    text = text.strip()
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
