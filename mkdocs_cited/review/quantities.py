"""Numbers with their units, and when two of them say the same.

1,000 is 1000, 0.5 s is 500 ms, half an hour is 30 minutes, 50 % is 0.5, 1 GiB
is 1024 MiB. Binary prefixes are those of IEC 80000-13, decimal ones of the SI.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from mkdocs_cited.review.lexicon import number_words, units
from mkdocs_cited.review.words import Token, tokenize

__all__ = ["Quantity", "derives", "equal", "quantities"]

_HEAD = re.compile(r"[-+~≈<>≤≥=]*([$€£]?)([0-9][0-9.,']*)")
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_SHORT_FACTORS = {"k": 1e3, "bn": 1e9, "mn": 1e6, "mio": 1e6, "b": 1e9, "m": 1e6}
_TOLERANCE = 0.034
"""A month is 28 to 31 days and a year 365 or 366."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that a text states."""

    text: str
    """As it stands, with its unit."""
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
    """`time`, `data`, …; empty for a bare number; `version` for 1.2.3."""
    base: float
    """The value in the base unit of its dimension."""
    spelled: bool
    """Written as a word."""
    per: bool = False
    """A rate's denominator: per hour, daily."""


@lru_cache(maxsize=4096)
def quantities(text: str, language: str = "") -> tuple[Quantity, ...]:
    """Return the numbers of a text in order."""
    tokens = tokenize(text, language)
    found: list[Quantity] = []
    at = 0
    while at < len(tokens):
        read = _read(tokens, at)
        if read is None:
            at += 1
            continue
        value, dimension, base, last, spelled, per = read
        start, end = tokens[at].start, tokens[last].end
        found.append(Quantity(text[start:end], start, end, at, last, value, dimension, base, spelled, per))
        at = last + 1
    return tuple(found)


def equal(left: Quantity, right: Quantity) -> bool:
    """Tell whether two quantities can say the same."""
    if left.dimension == "version" or right.dimension == "version":
        a, b = left.text.strip("v."), right.text.strip("v.")
        return a == b or a.startswith(b + ".") or b.startswith(a + ".")
    if left.dimension and right.dimension:
        if left.dimension != right.dimension:
            return False
        exact = left.dimension != "time" or max(left.base, right.base) < 2e6
        return _close(left.base, right.base, 1e-6 if exact else _TOLERANCE)
    if _close(left.value, right.value, 1e-9) and not (left.per or right.per):
        return True
    if "ratio" in (left.dimension, right.dimension):
        return _close(left.base, right.base, 1e-9)
    return False


def derives(target: Quantity, sources: Sequence[Quantity]) -> str:
    """Return the arithmetic by which two sources give the target, or an empty string.

    Sums, differences and products of two figures count, no more, so that
    chance does not explain everything.
    """
    for index, a in enumerate(sources[:12]):
        for b in sources[index + 1 : 12]:
            if a.dimension == b.dimension and (not target.dimension or target.dimension == a.dimension):
                if _close(a.base + b.base, target.base, 1e-9):
                    return f"{a.text} + {b.text} = {target.text}"
                if _close(abs(a.base - b.base), target.base, 1e-9):
                    return f"the difference of {a.text} and {b.text} is {target.text}"
            found = _product(target, a, b) or _product(target, b, a)
            if found:
                return found
    return ""


def _product(target: Quantity, factor: Quantity, other: Quantity) -> str:
    """Try `factor` as a bare number or a ratio: 6 x 4, 25 % of 16 GiB, 20 million x 3 minutes a million."""
    if factor.dimension not in ("", "ratio") or other.dimension != target.dimension:
        return ""
    for scale in (1.0, 1e3, 1e6, 1e9):
        if (
            factor.base >= scale
            and factor.base / scale not in (0.0, 1.0)
            and _close(factor.base / scale * other.base, target.base, 1e-6)
        ):
            return f"{factor.text} x {other.text} = {target.text}"
        if scale == 1.0 and factor.dimension == "ratio" and _close(factor.base * other.base, target.base, 1e-6):
            return f"{factor.text} of {other.text} = {target.text}"
    return ""


def _close(a: float, b: float, tolerance: float) -> bool:
    return abs(a - b) <= tolerance * max(abs(a), abs(b), 1e-12)


def _read(tokens: Sequence[Token], at: int) -> tuple[float, str, float, int, bool, bool] | None:
    token = tokens[at]
    lowered = token.text.lower()
    if token.kind == "number":
        return _read_figure(tokens, at, lowered)
    if token.kind != "word":
        return None
    words = number_words()
    if (lowered in words and not words[lowered][1]) or lowered in ("hundred", "hundert", "thousand", "tausend"):
        return _read_words(tokens, at)
    if lowered in (
        "hourly",
        "daily",
        "weekly",
        "monthly",
        "yearly",
        "annually",
        "quarterly",
        "stündlich",
        "täglich",
        "wöchentlich",
        "monatlich",
        "jährlich",
    ):
        dimension, factor = units()[lowered]
        return 1.0, dimension, factor, at, True, True
    before = tokens[at - 1].text.lower() if at else ""
    if (
        lowered in units()
        and before in ("per", "pro", "every", "each", "jede", "jeden", "a", "an", "einmal")
        and len(lowered) > 2
    ):
        dimension, factor = units()[lowered]
        if dimension == "time" and before in ("per", "pro", "each", "every", "jede", "jeden"):
            return 1.0, dimension, factor, at, True, True
        if before in ("a", "an"):
            return 1.0, dimension, factor, at, True, False
    return None


def _read_figure(tokens: Sequence[Token], at: int, text: str) -> tuple[float, str, float, int, bool, bool] | None:
    match = _HEAD.match(text)
    if match is None:
        return None
    sign, digits = match.groups()
    rest = text[match.end() :]
    digits = digits.rstrip(".,'")
    if digits.count(".") >= 2:
        return 0.0, "version", 0.0, at, False, False
    grouped = re.fullmatch(r"[0-9]{1,3}([,'][0-9]{3})+(\.[0-9]+)?", digits)
    plain = (
        digits.replace(",", "").replace("'", "")
        if grouped
        else digits.replace(",", ".", 1).replace(",", "").replace("'", "")
    )
    value = float(plain) if plain.count(".") <= 1 else 0.0
    last = at
    dimension, factor = {"$": ("money", 1.0), "€": ("euro", 1.0)}.get(sign, ("", 1.0))
    multiplier = 1.0
    if rest == "m" and not sign and "." not in digits:
        dimension, factor = "time", 60.0  # 30m, as settings have it; nobody writes metres like this
    elif rest in _ORDINALS or (rest == "s" and value >= 1000):
        rest = ""
    elif rest in _SHORT_FACTORS and (sign or rest in ("k", "bn")):
        multiplier = _SHORT_FACTORS[rest]
    elif rest in units() or rest.rstrip("s") in units():
        dimension, factor = units().get(rest) or units()[rest.rstrip("s")]
    elif not rest:
        last, multiplier, dimension, factor = _unit_after(tokens, at, dimension, factor)
    elif rest[0] in "-–:/":
        pass
    return value * multiplier, dimension, value * multiplier * factor, last, False, False


def _unit_after(tokens: Sequence[Token], at: int, dimension: str, factor: float) -> tuple[int, float, str, float]:
    """Return last token, multiplier, dimension and factor, reading what follows a figure."""
    last, multiplier = at, 1.0
    following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
    words = number_words()
    if following in words and words[following][1]:
        multiplier, last = words[following][0], at + 1
        following = tokens[last + 1].text.lower() if last + 1 < len(tokens) else ""
    if following == "-" and last + 2 < len(tokens):
        following = tokens[last + 2].text.lower()
    if following in units() and not dimension:
        dimension, factor = units()[following]
        last += 1
    return last, multiplier, dimension, factor


def _read_words(tokens: Sequence[Token], at: int) -> tuple[float, str, float, int, bool, bool] | None:
    words = number_words()
    if tokens[at].text.lower() in ("once", "twice", "thrice", "einmal", "zweimal", "dreimal"):
        return None
    total, current, last = 0.0, 0.0, at
    started = False
    while last < len(tokens) and tokens[last].text.lower() in words:
        value, multiplies = words[tokens[last].text.lower()]
        if multiplies:
            current = (current or 1.0) * value
            if value >= 1000:
                total, current = total + current, 0.0
        elif started and not (current >= 20 and value < 10) and current % 100 != 0:
            break
        else:
            current += value
        started = True
        last += 1
    last -= 1
    value = total + current
    lowered = tokens[at].text.lower()
    dimension, factor, end = "", 1.0, last
    ahead = [token.text.lower() for token in tokens[last + 1 : last + 4]]
    skip = 0
    while (
        skip < len(ahead)
        and ahead[skip] in ("a", "an", "of", "einer", "eine", "full", "-", "per", "pro")
        and value < 3
        and skip < 2
    ):
        if ahead[skip] in ("per", "pro"):
            return None
        skip += 1
    if skip < len(ahead) and ahead[skip] in units():
        dimension, factor = units()[ahead[skip]]
        end = last + 1 + skip
    elif lowered in ("half", "quarter", "third") and ahead[:1] == ["of"]:
        return value, "", value, last, True, False
    elif lowered in (
        "one",
        "once",
        "single",
        "first",
        "both",
        "eins",
        "einmal",
        "double",
        "pair",
        "beide",
        "beiden",
        "half",
        "halb",
        "quarter",
        "null",
        "second",
    ):
        return None
    return value, dimension, value * factor, end, True, False
