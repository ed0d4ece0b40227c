"""Numbers with their units: `1,000`, `0.5 s`, `10 MB/s`, `$5 per month`, `>= 3.11`, `v2.1`, `2026-11-26`.

Words for numbers and names of months are words here. Binary prefixes are those of IEC 80000-13, decimal ones of the SI.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from importlib import resources

from msgspec import Struct

VERSION, DATE = "version", "date"
"""Dimensions that are compared part by part, not as amounts: the beginning of a version is that version, too."""

_MOST_EXACT = 2.0**53
"""From here on, two integers may be one `float`."""
_TOLERANCE = 1e-9
_BINARY_TO_DECIMAL = 1024 / 1000
"""KiB to kB; its square is MiB to MB, and so on."""
_DAYS_OF_A_MONTH = 86400 * 30.44
"""Seconds, on average."""
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
    end: int
    """Offset behind its last character."""
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
        quantity = _read(match, text, language)
        at = match.end()
        if quantity:
            yield quantity
            at = quantity.end


def _read(match: re.Match[str], text: str, language: str) -> Quantity | None:
    if match["rate"]:
        return _rate(match)
    sign = _SIGNS.get((match["sign"] or "").strip(), "")
    if match["date"]:
        return _named(match, DATE, match["date"], sign)
    if match["version"] and (day := _DAY.fullmatch(match["version"])):
        return _named(match, DATE, f"{day[3]}-{day[2]:0>2}-{day[1]:0>2}", sign)
    if match["version"]:
        return _named(match, VERSION, _version(match["version"]), sign)
    value = _value(match["number"], language)
    dimension, factor, end = (
        _MONEY.get(match["money"] or "", ""),
        1.0,
        match.end("number"),
    )
    word = match["near"] or (match["far"] or "").strip(" \t\n-")
    unit = ("time", 60.0) if match["near"] == "m" else unit_of(word)
    if match["near"] in _SCALES:
        value *= _SCALES[word]
        end = match.end("near")
    elif unit is not None:
        dimension, factor = unit
        end = match.end("near") if match["near"] else match.end("far")
    per, per_factor = "", 1.0
    period = _period(match["per"] or "")
    if period:
        between = match.string[end : match.start("per")].strip()
        if between in ("/", "per", "pro"):
            per, per_factor = period
            end = match.end("per")
    return Quantity(
        text=text[match.start() : end],
        start=match.start(),
        end=end,
        digits=match["number"],
        value=value,
        dimension=dimension,
        factor=factor,
        per=per,
        per_factor=per_factor,
        sign=sign,
    )


def ungrouped(text: str) -> str:
    """An English text whose numbers have no commas: `1,00,000` and `100,000` are `100000`."""
    return _COMMAS.sub(lambda match: match[0].replace(",", ""), text)


def _rate(match: re.Match[str]) -> Quantity | None:
    """`per minute`, behind what is counted."""
    period = _period(match["by"])
    if period is None:
        return None
    return Quantity(
        text=match["rate"],
        start=match.start("rate"),
        end=match.end("rate"),
        digits="1",
        value=1.0,
        per=period[0],
        per_factor=period[1],
    )


def _period(word: str) -> tuple[str, float] | None:
    unit = unit_of(word)
    if unit and unit[0] in ("time", "months"):
        return unit
    return None


def _named(match: re.Match[str], dimension: str, digits: str, sign: str) -> Quantity:
    end = match.end("date") if match["date"] else match.end("version")
    return Quantity(
        text=match.string[match.start() : end],
        start=match.start(),
        end=end,
        digits=digits,
        dimension=dimension,
        sign=sign,
    )


def _version(written: str) -> str:
    return written.lstrip("vV").lstrip(".").lower()


def _value(number: str, language: str) -> float:
    if language == "de" and _GROUPED_DE.fullmatch(number):
        number = number.replace(".", "").replace("'", "").replace(",", ".")
    elif _GROUPED.fullmatch(number):
        number = re.sub(r"[,'_]", "", number)
    else:
        number = number.replace("_", "").replace("'", "").replace(",", ".")
    try:
        return float(number)
    except ValueError:  # `1,2,3`
        return 0.0


def compare(one: Quantity, other: Quantity) -> Likeness:
    """How two quantities relate, signs included."""
    likeness = _compare(one, other)
    if likeness is Likeness.SAME and one.sign != other.sign:
        if "-" not in (one.sign, other.sign):
            return Likeness.ALIKE
        return Likeness.DIFFERENT
    return likeness


def _compare(one: Quantity, other: Quantity) -> Likeness:
    dimensions = {one.dimension, other.dimension}
    if DATE in dimensions:
        return _by_beginning(one.digits, other.digits, "-")
    if VERSION in dimensions:
        return _by_beginning(one.digits, other.digits, ".")
    if dimensions == {"time", "months"}:
        return _month_in_days(one, other)
    if one.dimension != other.dimension and "" not in dimensions:
        return Likeness.DIFFERENT
    if bool(one.per) != bool(other.per):
        if _close(one.value, other.value):
            return Likeness.ALIKE
        return Likeness.DIFFERENT
    if one.per != other.per:
        return Likeness.DIFFERENT
    if one.dimension != other.dimension:
        return _one_without_unit(one, other)
    if _close(one.base, other.base):
        if one.dimension or one.digits == other.digits:
            return Likeness.SAME
        is_whole = "." not in one.digits and "." not in other.digits
        if is_whole and one.value < _MOST_EXACT:  # 1.20 may be no number
            return Likeness.SAME
        return Likeness.ALIKE
    if one.dimension == "data" and _binary(one.base, other.base):
        return Likeness.ALIKE
    if _rounded(one, other):
        return Likeness.ALIKE
    return Likeness.DIFFERENT


def _binary(one: float, other: float) -> bool:
    """True if one amount of data is the other with a binary prefix written as a decimal one: 1024 KiB, 1 MB."""
    smaller, larger = sorted((one, other))
    return any(
        _close(smaller * _BINARY_TO_DECIMAL**power, larger) for power in (1, 2, 3, 4)
    )


def _by_beginning(one: str, other: str, separator: str) -> Likeness:
    """Versions and dates: the same, or one of them is the beginning of the other."""
    left, right = _parts(one, separator), _parts(other, separator)
    if left == right:
        return Likeness.SAME
    length = min(len(left), len(right))
    if left[:length] == right[:length]:
        return Likeness.ALIKE
    return Likeness.DIFFERENT


def _parts(digits: str, separator: str) -> list[str]:
    parts = [part.lstrip("0") or "0" for part in digits.split(separator)]
    while separator == "." and len(parts) > 1 and parts[-1] == "0":
        parts.pop()
    return parts


def _month_in_days(one: Quantity, other: Quantity) -> Likeness:
    months, time = (one, other) if one.dimension == "months" else (other, one)
    if bool(one.per) != bool(other.per) or not months.base:
        return Likeness.DIFFERENT
    ratio = time.base / (months.base * _DAYS_OF_A_MONTH)
    if abs(ratio - 1) <= _MONTH_TOLERANCE:
        return Likeness.ALIKE
    return Likeness.DIFFERENT


def _one_without_unit(one: Quantity, other: Quantity) -> Likeness:
    """A bare number may be meant in any unit of the other one's dimension."""
    bare, measured = (one, other) if not one.dimension else (other, one)
    if _close(bare.value, measured.value) or _close(bare.base, measured.base):
        return Likeness.ALIKE
    for dimension, factor in units().values():
        if dimension != measured.dimension:
            continue
        amount = bare.value * factor / bare.per_factor
        if _close(amount, measured.base) or (
            dimension == "data" and _binary(amount, measured.base)
        ):
            return Likeness.ALIKE
    return Likeness.DIFFERENT


def _rounded(one: Quantity, other: Quantity) -> bool:
    """True if the one with fewer decimals is the other one rounded."""
    if one.factor != other.factor or one.per_factor != other.per_factor:
        return False
    rough, fine = sorted((one, other), key=_decimals)
    return _decimals(rough) < _decimals(fine) and _close(
        round(fine.value, _decimals(rough)), rough.value
    )


def _decimals(quantity: Quantity) -> int:
    return len(quantity.digits.partition(".")[2])


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= _TOLERANCE * max(abs(one), abs(other), 1e-12)
