"""Numbers with their units: `1,000`, `0.5 s`, `10 MB/s`, `$5 per month`, `>= 3.11`, `v2.1`, `2026-11-26`.

Words for numbers and names of months are words here. Binary prefixes are those of IEC 80000-13, decimal ones of the SI.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from importlib import resources
from typing import Any

from msgspec import Struct

VERSION, DATE = "version", "date"
"""Dimensions that are compared part by part, not as amounts: the beginning of a version is that version, too."""

_MOST_EXACT = 2.0**53
"""From here on, two integers may be one `float`."""
_TOLERANCE = 1e-9
_BINARY_TO_DECIMAL = 1024 / 1000
"""KiB to kB; its square is MiB to MB, and so on."""
_SECONDS_OF_A_MONTH = 86400 * 30.44
"""On average."""
_MONTH_TOLERANCE = 0.05
_SCALES = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "bn": 1e9, "T": 1e12}
_MONEY = {"$": "money", "€": "euro", "£": "pound"}
_SIGNS = {
    "<=": "≤",
    "=<": "≤",
    "≤": "≤",
    ">=": "≥",
    "=>": "≥",
    "≥": "≥",
    "<": "<",
    ">": ">",
    "-": "-",
    "−": "-",
}

_DATE = r"\d{4}-\d{2}-\d{2}"
_RELEASE = r"[-.]?(?:alpha|beta|rc|dev|post|pre)[-.]?\d*"
_DOTTED = rf"[vV]\.?\d+(?:\.\d+)*(?:{_RELEASE})?|\d+(?:\.\d+){{2,}}(?:{_RELEASE})?|\d+(?:\.\d+)*{_RELEASE}"
_NUMBER = r"\d+(?:[.,'_]\d+)*(?:[eE][-+]?\d+)?"
_UNIT = r"[A-Za-zµ°%€£$]+"
_QUANTITY = re.compile(
    rf"(?P<sign>(?<!\w)(?:[<>]=?|=[<>]|[≤≥])\s?|(?<![\w-])[−-])?(?P<money>[$€£])?"
    rf"(?<![\w.])(?:(?P<date>{_DATE})|(?P<version>{_DOTTED})|(?P<number>{_NUMBER}))(?![\d_])"
    rf"(?:(?P<near>{_UNIT})(?!\w)|(?P<far>[\s-](?!(?:per|pro)\b){_UNIT})(?!\w))?"
    rf"(?:\s?(?:/|per |pro )\s?(?P<per>[A-Za-z]+)(?!\w))?"
    rf"|(?<!\w)(?P<rate>(?:per|pro) (?P<by>[A-Za-z]+))(?!\w)"
)
_DAY = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
"""A date as German and others write it."""
_GROUPED = re.compile(r"\d{1,3}(?:[,'_]\d{2,3})*[,'_]\d{3}(?:\.\d+)?")
_COMMAS = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{2,3})*,\d{3}(?![\w,])")
_GROUPED_DE = re.compile(r"\d{1,3}(?:[.']\d{3})+(?:,\d+)?")


class Likeness(IntEnum):
    """How two quantities relate."""

    DIFFERENT = 0
    ALIKE = 1
    """They may mean the same: one is rounded, or lacks a unit that the other has."""
    SAME = 2


class Quantity(Struct, frozen=True, kw_only=True):
    """A number that a text states."""

    text: str
    """As it is written, with its unit."""
    start: int
    """Offset of its first character in the text."""
    digits: str
    """The number as it is written; of a version or date all of it, without `v`."""
    value: float = 0.0
    dimension: str = ""
    """`time`, `data`, `version`, …; empty for a bare number."""
    factor: float = 1.0
    """Of its unit to the base unit of its dimension."""
    per: str = ""
    """Dimension of what it is counted by: `time` for `10 per second`."""
    per_factor: float = 1.0
    sign: str = ""
    """`≤`, `≥`, `<`, `>` or `-`, where one is written before it."""

    @property
    def end(self) -> int:
        """Offset behind its last character."""
        return self.start + len(self.text)

    @property
    def base(self) -> float:
        """The number in base units, by one base unit of `per`."""
        return self.value * self.factor / self.per_factor


@cache
def units() -> dict[str, tuple[str, float]]:
    """A written unit → its dimension, and its factor to the base unit of that dimension."""
    text = (
        resources.files("mkdocs_cited.language")
        .joinpath("units.txt")
        .read_text(encoding="utf-8")
    )
    found: dict[str, tuple[str, float]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            dimension, factor, *names = line.split()
            for name in names:
                found[name] = (dimension, float(factor))
    return found


def unit_of(word: str) -> tuple[str, float] | None:
    """The dimension and factor of a written unit. `Mb` is megabit, `MB` megabyte, and so is `mb`."""
    bits = re.fullmatch(r"([KMGTP])b", word)
    if bits:
        return "data", 1e3 ** ("KMGTP".index(bits[1]) + 1) / 8
    if word == "B":
        return "data", 1.0
    return units().get(word.lower())


def quantities(text: str, language: str = "en") -> Iterator[Quantity]:
    """The quantities of a text, in order.

    Args:
        text: plain text.
        language: code of its language; in German `1.000,5` is a thousand and a half.
    """
    at = 0
    while match := _QUANTITY.search(text, at):
        at = match.end()
        quantity = _read(match, language)
        if quantity:
            yield quantity
            at = quantity.end


def _read(match: re.Match[str], language: str) -> Quantity | None:
    if match["rate"]:
        return _rate(match)
    named = match["date"] or match["version"]
    day = _DAY.fullmatch(named or "")
    if day:
        return _found(match, "version", DATE, f"{day[3]}-{day[2]:0>2}-{day[1]:0>2}")
    if match["date"]:
        return _found(match, "date", DATE, named)
    if named:
        return _found(match, "version", VERSION, named.lstrip("vV").lstrip(".").lower())
    return _amount(match, language)


def _found(
    match: re.Match[str], group: str, dimension: str, digits: str, **amount: Any
) -> Quantity:
    """The quantity from the beginning of a match to the end of one of its groups."""
    return Quantity(
        text=match.string[match.start() : match.end(group)],
        start=match.start(),
        digits=digits,
        dimension=dimension,
        sign=_SIGNS.get((match["sign"] or "").strip(), ""),
        **amount,
    )


def _amount(match: re.Match[str], language: str) -> Quantity:
    """A number with its unit, and with what it is counted by."""
    group = "number"
    value = _value(match["number"], language)
    dimension, factor = _MONEY.get(match["money"] or "", ""), 1.0
    word = match["near"] or (match["far"] or "").strip(" \t\n-")
    unit = unit_of(word)
    if match["near"] == "m":
        unit = ("time", 60.0)
    if match["near"] in _SCALES:
        value *= _SCALES[word]
        group = "near"
    elif unit:
        dimension, factor = unit
        group = "near" if match["near"] else "far"
    per, per_factor = "", 1.0
    period = _period(match["per"] or "")
    if period:
        between = match.string[match.end(group) : match.start("per")].strip()
        if between in ("/", "per", "pro"):
            per, per_factor = period
            group = "per"
    return _found(
        match,
        group,
        dimension,
        match["number"],
        value=value,
        factor=factor,
        per=per,
        per_factor=per_factor,
    )


def ungrouped(text: str) -> str:
    """An English text whose numbers have no commas: `1,00,000` and `100,000` are `100000`."""
    return _COMMAS.sub(lambda match: match[0].replace(",", ""), text)


def _rate(match: re.Match[str]) -> Quantity | None:
    """`per minute`, behind what is counted."""
    period = _period(match["by"])
    if period is None:
        return None
    per, per_factor = period
    return _found(match, "rate", "", "1", value=1.0, per=per, per_factor=per_factor)


def _period(word: str) -> tuple[str, float] | None:
    unit = unit_of(word)
    if unit and unit[0] in ("time", "months"):
        return unit
    return None


def _value(number: str, language: str) -> float:
    if language == "de" and _GROUPED_DE.fullmatch(number):
        number = number.replace(".", "")
    elif _GROUPED.fullmatch(number):
        number = number.replace(",", "")
    plain = number.replace("'", "").replace("_", "").replace(",", ".")
    try:
        return float(plain)
    except ValueError:  # `1,2,3`
        return 0.0


def compare(one: Quantity, other: Quantity) -> Likeness:
    """How two quantities relate, signs included."""
    likeness = _compare(one, other)
    if likeness is not Likeness.SAME or one.sign == other.sign:
        return likeness
    if "-" in (one.sign, other.sign):
        return Likeness.DIFFERENT
    return Likeness.ALIKE


def _compare(one: Quantity, other: Quantity) -> Likeness:
    dimensions = {one.dimension, other.dimension}
    if DATE in dimensions:
        return _by_beginning(one.digits.split("-"), other.digits.split("-"))
    if VERSION in dimensions:
        return _by_beginning(_release(one.digits), _release(other.digits))
    if bool(one.per) != bool(other.per):
        is_fit = len(dimensions) == 1 or "" in dimensions
        return _alike(is_fit and close(one.value, other.value))
    if dimensions == {"time", "months"}:
        return _alike(_is_month_in_days(one, other))
    if one.per != other.per:
        return Likeness.DIFFERENT
    if not one.dimension and other.dimension:
        return _alike(_counts(one, other))
    if one.dimension and not other.dimension:
        return _alike(_counts(other, one))
    if one.dimension != other.dimension:
        return Likeness.DIFFERENT
    if close(one.base, other.base):
        is_amount = bool(one.dimension) or one.digits == other.digits
        is_whole = "." not in one.digits + other.digits and one.value < _MOST_EXACT
        if is_amount or is_whole:
            return Likeness.SAME
        return Likeness.ALIKE  # 1.20 may be no number
    is_binary = one.dimension == "data" and is_other_prefix(one.base, other.base)
    return _alike(is_binary or _rounded(one, other))


def _alike(is_alike: bool) -> Likeness:
    if is_alike:
        return Likeness.ALIKE
    return Likeness.DIFFERENT


def is_other_prefix(one: float, other: float) -> bool:
    """True if one amount of data is the other with a binary prefix written as a decimal one: 1024 KiB, 1 MB."""
    smaller, larger = sorted((one, other))
    return any(
        close(smaller * _BINARY_TO_DECIMAL**power, larger) for power in (1, 2, 3, 4)
    )


def _by_beginning(one: list[str], other: list[str]) -> Likeness:
    """Versions and dates: the same, or one of them is the beginning of the other."""
    if one == other:
        return Likeness.SAME
    length = min(len(one), len(other))
    return _alike(one[:length] == other[:length])


def _release(digits: str) -> list[str]:
    """The parts of a version, without zeros before and behind them."""
    parts = [part.lstrip("0") or "0" for part in digits.split(".")]
    while len(parts) > 1 and parts[-1] == "0":
        parts.pop()
    return parts


def _is_month_in_days(one: Quantity, other: Quantity) -> bool:
    """True if a time is roughly that of some months."""
    seconds = []
    for item in (one, other):
        unit = _SECONDS_OF_A_MONTH if item.dimension == "months" else 1.0
        seconds.append(item.base * unit)
    shorter, longer = sorted(seconds)
    return longer - shorter <= _MONTH_TOLERANCE * longer


def _counts(bare: Quantity, measured: Quantity) -> bool:
    """True if a number without a unit is meant in some unit of the other one's dimension."""
    if close(bare.value, measured.value) or close(bare.base, measured.base):
        return True
    for dimension, factor in units().values():
        amount = bare.value * factor / bare.per_factor
        is_binary = dimension == "data" and is_other_prefix(amount, measured.base)
        if dimension == measured.dimension and (
            is_binary or close(amount, measured.base)
        ):
            return True
    return False


def _rounded(one: Quantity, other: Quantity) -> bool:
    """True if the one with fewer decimals is the other one rounded."""
    if one.factor != other.factor or one.per_factor != other.per_factor:
        return False
    rough, fine = sorted((one, other), key=_decimals)
    decimals = _decimals(rough)
    return decimals < _decimals(fine) and close(
        round(fine.value, decimals), rough.value
    )


def _decimals(quantity: Quantity) -> int:
    return len(quantity.digits.partition(".")[2])


def close(one: float, other: float) -> bool:
    """True if two numbers differ by no more than what calculating with them brings."""
    return math.isclose(one, other, rel_tol=_TOLERANCE)
