"""Whether two values are the same, as values: `300` and five minutes, `1 MiB` and `1_048_576`, sets in any order.

What is not surely different is not decided: a factor of a unit, a placeholder, another type.
"""

from __future__ import annotations

import re
from enum import Enum

from mkdocs_cited.base.text import letters
from mkdocs_cited.code.interface import (
    Computed,
    Duration,
    Entries,
    Items,
    Reference,
    Value,
)
from mkdocs_cited.code.literals import scalar
from mkdocs_cited.language.quantities import close, is_other_prefix

_SECONDS = (1, 1e-9, 1e-6, 1e-3, 60, 3600, 86400)
"""Of the units that a bare number may count."""
_FACTORS = (60, 100, 1000, 1024, 3600, 86400, 1000**2, 1024**2, 1000**3, 1024**3)
"""Between two units of one thing."""
_PLACEHOLDER = re.compile(r"[<>{}$%*…~]|\.\.\.|\bxx+|\byour\b", re.IGNORECASE)
_HOST = re.compile(r"localhost|127\.0\.0\.1|0\.0\.0\.0|\[?::1?\]?")
_NOT_ONE = (Computed, Reference, Items, Entries)
_TRUTHS = {
    **dict.fromkeys(("true", "yes", "on", "enabled", "1"), True),
    **dict.fromkeys(("false", "no", "off", "disabled", "0"), False),
}


class Verdict(Enum):
    """What comparing two values gives."""

    SAME = "same"
    DIFFERENT = "different"
    UNSURE = "unsure"


def compared(docs: Value, code: Value, written: str = "") -> Verdict:
    """Whether the docs' value is the code's. Values nest, so this calls itself.

    Args:
        written: the docs' value as it is written, which may name a constant.
    """
    if isinstance(code, Reference):
        if last_name(written) == last_name(code.name):
            return Verdict.SAME
        return Verdict.UNSURE
    if isinstance(docs, (Computed, Reference)) or isinstance(code, Computed):
        return Verdict.UNSURE
    if _is_empty(docs) or _is_empty(code):
        return _emptiness(docs, code)
    if isinstance(docs, str) and isinstance(code, str):
        return _texts(docs, code)
    docs, code = _parsed(docs), _parsed(code)
    if isinstance(docs, bool) or isinstance(code, bool):
        return _truths(docs, code)
    if isinstance(docs, Items) or isinstance(code, Items):
        return _sets(docs, code)
    if isinstance(docs, Entries) and isinstance(code, Entries):
        return _mappings(docs, code)
    if isinstance(docs, (int, float, Duration)) and isinstance(
        code, (int, float, Duration)
    ):
        return _figures(docs, code)
    return Verdict.UNSURE


def last_name(dotted: str) -> str:
    """The letters of `port` in `defaults.PORT`, in `Config::Port` and in `PORT()`."""
    return letters(re.split(r"\.|::", dotted)[-1])


def _verdict(*, is_same: bool) -> Verdict:
    if is_same:
        return Verdict.SAME
    return Verdict.DIFFERENT


def _parsed(value: Value) -> Value:
    """The value; what a text is in a file that has no types."""
    if isinstance(value, str):
        return scalar(value)
    return value


def _is_empty(value: Value) -> bool:
    if isinstance(value, Items):
        return all(map(_is_empty, value.values))
    return value is None or value in ("", "{}", "[]", Entries(()))


def _emptiness(docs: Value, code: Value) -> Verdict:
    """Nothing is the same as an empty text or list. What code leaves empty, it may fill in later."""
    if _is_empty(docs) and _is_empty(code):
        return Verdict.SAME
    if _is_empty(code) or code is False or code == 0 or isinstance(code, Entries):
        return Verdict.UNSURE
    return Verdict.DIFFERENT


def _truths(docs: Value, code: Value) -> Verdict:
    one, other = _TRUTHS.get(str(docs).lower()), _TRUTHS.get(str(code).lower())
    if one is None or other is None:
        return Verdict.UNSURE
    return _verdict(is_same=one == other)


def _figures(docs: float | Duration, code: float | Duration) -> Verdict:
    """Numbers and durations. A bare number may count any unit, so a factor of two units proves nothing."""
    one, other = _amount(docs), _amount(code)
    if isinstance(docs, Duration) and isinstance(code, Duration):
        return _verdict(is_same=close(one, other))
    if isinstance(code, Duration):
        return _verdict(is_same=_counts(one, other))
    if isinstance(docs, Duration):
        return _verdict(is_same=_counts(other, one))
    smaller, larger = sorted((one, other))
    if close(smaller, larger):
        return Verdict.SAME
    if any(close(smaller * factor, larger) for factor in _FACTORS):
        return Verdict.UNSURE
    return _verdict(is_same=is_other_prefix(smaller, larger))


def _amount(value: float | Duration) -> float:
    """A number, or the seconds of a duration."""
    if isinstance(value, Duration):
        return value.seconds
    return value


def _counts(number: float, seconds: float) -> bool:
    """True if a number counts a duration in some unit."""
    return any(close(number * unit, seconds) for unit in _SECONDS)


def _texts(docs: str, code: str) -> Verdict:
    one, other = _normal(docs), _normal(code)
    is_reordered = sorted(docs.lower().split()) == sorted(code.lower().split())
    if one == other or is_reordered:
        return Verdict.SAME
    left, right = scalar(docs), scalar(code)
    if not isinstance(left, str) and not isinstance(right, str):  # `"3600"` and `"1h"`
        return compared(left, right)
    is_part = one in other or other in one  # of a path or an address
    is_elsewhere = _HOST.sub("", one) == _HOST.sub("", other)
    if is_part or is_elsewhere or _PLACEHOLDER.search(docs + code):
        return Verdict.UNSURE
    return Verdict.DIFFERENT


def _normal(text: str) -> str:
    return "".join(text.strip("\"'` \n").rstrip("./").casefold().split())


def _sets(docs: Value, code: Value) -> Verdict:
    """Lists in any order; a text of several with commas is one too."""
    one, other = _members(docs), _members(code)
    if one is None or other is None:
        return Verdict.UNSURE
    if one == other:
        return Verdict.SAME
    if isinstance(docs, Items) and isinstance(code, Items):
        return Verdict.DIFFERENT
    return Verdict.UNSURE


def _members(value: Value) -> set[str] | None:
    """The members of a list, or of a text that is one; nothing where they are not known."""
    values: tuple[Value, ...] = (value,)
    if isinstance(value, Items):
        values = value.values
    elif isinstance(value, str):
        values = tuple(value.split(","))
    if any(isinstance(item, _NOT_ONE) for item in values):
        return None
    return {_normal(str(_parsed(item))) for item in values}


def _mappings(docs: Entries, code: Entries) -> Verdict:
    """Mappings by their common names: docs may leave some out."""
    one, other = dict(docs.pairs), dict(code.pairs)
    verdicts = set()
    for name in one.keys() & other.keys():
        verdicts.add(compared(one[name], other[name]))
    if verdicts == {Verdict.SAME} and one.keys() == other.keys():
        return Verdict.SAME
    if Verdict.DIFFERENT in verdicts and Verdict.UNSURE not in verdicts:
        return Verdict.DIFFERENT
    return Verdict.UNSURE
