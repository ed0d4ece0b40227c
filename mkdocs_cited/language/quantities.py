"""Numbers with their units: `1,000`, `0.5 s`, `10 MB/s`, `$5 per month`, `>= 3.11`, `v2.1`, `2026-11-26`.

Words for numbers and names of months are words here. Binary prefixes are those of IEC 80000-13, decimal ones of the SI.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources

from msgspec import Struct, structs

VERSION, DATE = "version", "date"
"""Dimensions that are compared part by part, not as amounts: the beginning of a version is that version, too."""

_MOST_EXACT = 2.0**53
"""From here on, two integers may be one `float`."""
_TOLERANCE = 1e-9
_BINARY_TO_DECIMAL = 1024 / 1000
"""KiB to kB; its square is MiB to MB, and so on."""
_MONTH = 2_629_800
"""Seconds, on average."""
_MONTH_TOLERANCE = 0.05
"""Share by which a time in months and one in days may differ."""
_SCALES = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "bn": 1e9, "T": 1e12}
_SIGNS = {"<=": "≤", "=<": "≤", ">=": "≥", "=>": "≥", "−": "-"}
_RELEASE = r"[-.]?(?:alpha|beta|rc|dev|post|pre)[-.]?\d*"
_QUANTITY = r"""
(?P<sign> (?<!\w)(?:[<>]=?|=[<>]|[≤≥])\s? | (?<![\w-])[−-] )?
(?P<money> [$€£] )?
(?<![\w.])
(?:
  (?P<date> \d{4}-\d\d-\d\d ) (?![\d_])
| (?P<day> \d\d? ) \. (?P<month> \d\d? ) \. (?P<year> \d{4} ) (?![\d_]|\.\d)
| (?P<version> [vV]\.?\d+(?:\.\d+)*(?:RELEASE)? | \d+(?:\.\d+){2,}(?:RELEASE)? | \d+(?:\.\d+)*RELEASE ) (?![\d_])
| (?P<number> \d+(?:[.,'_]\d+)*(?:[eE][-+]?\d+)? ) (?![\d_])
  (?: (?P<scale> [kKMGT]|bn|m ) (?!\w) | [\s-]? (?P<unit> UNIT ) (?!\w) )?
  (?: \s? (?:/|(?:per|pro|an?)\ ) \s? (?P<per> TIME ) (?!\w) )?
)
| (?<!\w) (?:per|pro)\ (?P<rate> TIME ) (?!\w)
"""
"""`UNIT`, `TIME` and `RELEASE` stand for all ways to write a unit, a time, and a suffix of a version."""
_COMMAS = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{2,3})*,\d{3}(?![\w,])")
_GROUPED = re.compile(r"\d{1,3}(?:[,'_]\d{2,3})*[,'_]\d{3}(?:\.\d+)?")
_GROUPED_DE = re.compile(r"\d{1,3}(?:[.']\d{3})+(?:,\d+)?")


class Quantity(Struct, frozen=True, kw_only=True):
    """A number that a text states."""

    text: str
    """As it is written, with its unit."""
    start: int
    """Offset of its first character in the text."""
    digits: str
    """The number as it is written; of a version or date all of it, without `v`."""
    value: float
    """0 of a version or date."""
    dimension: str
    """`time`, `data`, `version`, …; empty for a bare number."""
    factor: float
    """Of its unit to the base unit of its dimension."""
    per: float
    """Seconds that it is counted by: 60 for `10 per minute`; 0 for none."""
    sign: str
    """`≤`, `≥`, `<`, `>` or `-`, where one is written before it."""

    @property
    def end(self) -> int:
        """Offset behind its last character."""
        return self.start + len(self.text)

    @property
    def base(self) -> float:
        """The number in base units, by the second where it is counted by a time."""
        return self.value * self.factor / (self.per or 1.0)

    @property
    def key(self) -> str:
        """Equal for two quantities that are the same in other units or spelling."""
        if self.dimension == DATE:
            amount = self.digits
        elif self.dimension == VERSION:
            amount = ".".join(_release(self.digits))
        elif self.dimension or self.per:
            amount = f"{self.base:.9g}"
        elif "." in self.digits or self.value >= _MOST_EXACT:
            amount = self.text  # 1.20 may be no number
        else:
            amount = f"{self.value:.0f}"
        return f"{self.sign}{amount} {self.dimension}" + "/s" * (self.per > 0)


@cache
def units() -> dict[str, tuple[str, float]]:
    """A written unit → its dimension, and its factor to the base unit of that dimension."""
    file = resources.files("mkdocs_cited.language").joinpath("units.txt")
    known: dict[str, tuple[str, float]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            dimension, factor, *names = line.split()
            for name in names:
                known[name] = (dimension, float(factor))
    return known


def unit_of(word: str) -> tuple[str, float] | None:
    """The dimension and factor of a written unit. `Mb` is megabit, `MB` megabyte, and so is `mb`."""
    return units().get(word) or units().get(word.lower())


@cache
def _pattern() -> re.Pattern[str]:
    pattern = _QUANTITY.replace("RELEASE", _RELEASE)
    pattern = pattern.replace("UNIT", _any_of(units()))
    times = [name for name, (dimension, _) in units().items() if dimension == "time"]
    return re.compile(pattern.replace("TIME", _any_of(times)), re.VERBOSE)


def _any_of(names: Iterable[str]) -> str:
    """An expression for any of some units; in those without a capital letter the case of letters does not count."""
    exact = [re.escape(name) for name in names if name != name.lower()]
    others = [re.escape(name) for name in names if name == name.lower()]
    return "|".join([*exact, f"(?i:{'|'.join(others)})"])


def quantities(text: str, language: str = "en") -> Iterator[Quantity]:
    """The quantities of a text, in order.

    Args:
        text: plain text.
        language: code of its language; in German `1.000,5` is a thousand and a half.
    """
    for match in _pattern().finditer(text):
        yield _read(match, language)


def _read(match: re.Match[str], language: str) -> Quantity:
    dimension, factor = "", 1.0
    digits, value = "", 0.0
    if match["date"]:
        dimension, digits = DATE, match["date"]
    elif match["day"]:
        dimension = DATE
        digits = f"{match['year']}-{match['month']:0>2}-{match['day']:0>2}"
    elif match["version"]:
        dimension, digits = VERSION, match["version"].lstrip("vV.").lower()
    elif match["number"]:
        digits = match["number"]
        value = _value(digits, language) * _SCALES.get(match["scale"], 1.0)
        unit = unit_of(match["unit"] or match["money"] or "")
        if unit:
            dimension, factor = unit
        elif match["scale"] == "m":  # `30m`; with a space, metres
            dimension, factor = "time", 60.0
    else:  # `per minute`, behind what is counted
        digits, value = "1", 1.0
    period = unit_of(match["per"] or match["rate"] or "")
    sign = (match["sign"] or "").strip()
    return Quantity(
        text=match[0],
        start=match.start(),
        digits=digits,
        value=value,
        dimension=dimension,
        factor=factor,
        per=period[1] if period else 0.0,
        sign=_SIGNS.get(sign, sign),
    )


def ungrouped(text: str) -> str:
    """An English text whose numbers have no commas: `1,00,000` and `100,000` are `100000`."""
    return _COMMAS.sub(lambda match: match[0].replace(",", ""), text)


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


def may_equal(one: Quantity, other: Quantity) -> bool:
    """True if two quantities are the same or may mean the same: one is rounded, a bound of the other, or lacks a unit
    that the other has."""
    if one.sign != other.sign and "-" in (one.sign, other.sign):
        return False
    dimensions = {one.dimension, other.dimension}
    if DATE in dimensions:
        return _begins(one.digits.split("-"), other.digits.split("-"))
    if VERSION in dimensions:
        return _begins(_release(one.digits), _release(other.digits))
    if bool(one.per) != bool(other.per):
        one, other = structs.replace(one, per=0.0), structs.replace(other, per=0.0)
    if one.dimension == other.dimension:
        return close(one.base, other.base) or _is_near(one, other)
    if not one.dimension:
        return _counts(one, other)
    return not other.dimension and _counts(other, one)


def _is_near(one: Quantity, other: Quantity) -> bool:
    """True if two quantities of a dimension differ by a rounding, by binary prefixes written as decimal ones, or by
    the days of a month."""
    if one.factor == other.factor and one.per == other.per:
        rough, fine = sorted((one, other), key=_decimals)
        decimals = _decimals(rough)
        is_rounded = close(round(fine.value, decimals), rough.value)
        return decimals < _decimals(fine) and is_rounded
    if one.dimension == "time" and max(one.factor, other.factor) >= _MONTH:
        return math.isclose(one.base, other.base, rel_tol=_MONTH_TOLERANCE)
    return one.dimension == "data" and is_other_prefix(one.base, other.base)


def is_other_prefix(one: float, other: float) -> bool:
    """True if one amount of data is the other with a binary prefix written as a decimal one: 1024 KiB, 1 MB."""
    smaller, larger = sorted((one, other))
    return any(
        close(smaller * _BINARY_TO_DECIMAL**power, larger) for power in (1, 2, 3, 4)
    )


def _begins(one: list[str], other: list[str]) -> bool:
    """True if one of two versions or dates is the beginning of the other."""
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def _release(digits: str) -> list[str]:
    """The parts of a version, without zeros before and behind them."""
    parts = [part.lstrip("0") or "0" for part in digits.split(".")]
    while len(parts) > 1 and parts[-1] == "0":
        parts.pop()
    return parts


def _counts(bare: Quantity, measured: Quantity) -> bool:
    """True if a number without a unit is meant in some unit of the dimension of another one."""
    if close(bare.value, measured.value) or close(bare.base, measured.base):
        return True
    for dimension, factor in units().values():
        if dimension != measured.dimension:
            continue
        amount = bare.base * factor
        if close(amount, measured.base):
            return True
        if dimension == "data" and is_other_prefix(amount, measured.base):
            return True
    return False


def _decimals(quantity: Quantity) -> int:
    return len(quantity.digits.partition(".")[2])


def close(one: float, other: float) -> bool:
    """True if two numbers differ by no more than what calculating with them brings."""
    return math.isclose(one, other, rel_tol=_TOLERANCE)
