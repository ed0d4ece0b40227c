"""A number that a text states, and when two of them say the same.

1,000 is 1000, 0.5 s is 500 ms, half an hour is 30 minutes, 50 % is 0.5, 1 GiB is 1024 MiB, 10 a.m. is 10:00, v2 is
2.0. Binary prefixes are those of IEC 80000-13, decimal ones of the SI.
"""

from __future__ import annotations

from msgspec import Struct

NAMED = frozenset({"version", "date", "clock", "address", "proportion"})
"""Dimensions whose quantities are named by `code`, and are equal or not: nothing is near them."""


class Quantity(Struct, frozen=True):
    """A number that a text states."""

    text: str
    """As it is, with its unit."""
    start: int
    """Offset of its first character."""
    end: int
    """Offset after its last character."""
    first: int
    """Index of its first token."""
    last: int
    """Index of its last token."""
    value: float
    """The number as written."""
    dimension: str
    """`time`, `data`, …; empty for a bare number; `version` for 1.2.3; see `NAMED`."""
    base: float
    """The value in the base unit of its dimension."""
    spelled: bool = False
    """Written as a word."""
    per: bool = False
    """A rate's denominator: per hour, daily."""
    code: str = ""
    """A version without its last `.0`s, a date as `2024-03-05`, a time of day as `22:00`; a bare number's digits."""
    months: float = 0.0
    """How many, where it is written in months, quarters or years; they have no exact length in days."""
    bound: str = ""
    """`>=`, `>`, `<=` or `<`, where the text says so next to it, in signs or in words."""
    span: tuple[int, int] = (0, 0)
    """Offsets of the number with what bounds it: `at least 3`, `3.11 or newer`."""


def equal(left: Quantity, right: Quantity) -> bool:
    """Tell whether two quantities can say the same. What bounds them is another question."""
    if left.dimension in NAMED or right.dimension in NAMED:
        return _named_alike(left, right)
    if "scaled" in (left.dimension, right.dimension):
        return _scaled_alike(left, right)
    if left.dimension and right.dimension:
        if left.dimension != right.dimension:
            return False
        if bool(left.months) != bool(right.months):
            return _is_long(left.months, right.base) if left.months else _is_long(right.months, left.base)
        if left.months:
            return close(left.months, right.months)
        return close(left.base, right.base)
    if "ratio" in (left.dimension, right.dimension) and close(left.base, right.base):
        return True
    return close(left.value, right.value) and not (left.per or right.per)


def same(left: Quantity, right: Quantity) -> bool:
    """Tell whether two quantities in the same place of two sentences say the same: with their units and bounds."""
    if not equal(left, right) or (left.dimension == right.dimension == "date" and left.code != right.code):
        return False
    if bool(left.months) != bool(right.months):
        return False  # a month has no fixed number of days
    if not (left.dimension or right.dimension) and "." in left.code and "." in right.code and left.code != right.code:
        return False  # 1.20 may be no number
    if bool(left.dimension) != bool(right.dimension):
        unit = left.dimension or right.dimension  # 0.5 is 50 %, 2 is v2, 5,000 is 5K, but 5 is not 5 %
        if unit not in ("version", "scaled") and not (unit == "ratio" and close(left.base, right.base)):
            return False
    return left.bound == right.bound


def close(left: float, right: float, tolerance: float = 1e-9) -> bool:
    """Tell whether two numbers are one, but for what floating point makes of them."""
    return abs(left - right) <= tolerance * max(abs(left), abs(right), 1e-12)


def _named_alike(left: Quantity, right: Quantity) -> bool:
    dimensions = {left.dimension, right.dimension}
    if dimensions == {"date"}:
        few, many = sorted((left.code, right.code), key=lambda code: len(code.strip("-")))
        return many.startswith(few) or many.endswith(few.removeprefix("-"))  # in March 2024; on March 5
    if len(dimensions) == 1:
        return left.code == right.code
    if dimensions == {"version", ""} and not (left.spelled or right.spelled or left.per or right.per):
        return left.code == right.code
    if dimensions == {"proportion", ""}:  # 3 to 1
        proportion, other = (left, right) if left.dimension else (right, left)
        return f"{other.value:.12g}" in proportion.code.split(":")
    return False


def _scaled_alike(left: Quantity, right: Quantity) -> bool:
    """5G is 5 GB or 5 GiB, and 5,000,000,000 of anything else."""
    if left.dimension == right.dimension or "" in (left.dimension, right.dimension):
        return close(left.base, right.base)
    if {left.dimension, right.dimension} != {"scaled", "data"}:
        return False
    scaled, data = (left, right) if left.dimension == "scaled" else (right, left)
    power = {1e3: 1, 1e6: 2, 1e9: 3, 1e12: 4}.get(scaled.base / scaled.value if scaled.value else 0.0, 0)
    return close(scaled.base, data.base) or close(scaled.base * 1.024**power, data.base)


def _is_long(months: float, seconds: float) -> bool:
    """Tell whether a time is so many months, as people count: 30 days each, or their share of 365 days, or 52 weeks."""
    days = seconds / 86400
    if close(days, 30 * months) or close(days, 364 * months / 12):
        return True
    return close(days, round(days)) and abs(days - 365 * months / 12) < 1
