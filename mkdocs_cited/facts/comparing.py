"""Whether two values are the same, as values: `300` and five minutes, `1 MiB` and `1_048_576`, sets in any order.

What is not surely different is not decided: a factor of a unit, a placeholder, another type.
"""

from __future__ import annotations

import re
from enum import Enum

from mkdocs_cited.code.interface import (
    Computed,
    Duration,
    Entries,
    Items,
    Reference,
    Value,
)
from mkdocs_cited.code.literals import scalar

_UNITS = (1, 1e-9, 1e-6, 1e-3, 60, 3600, 86400)
"""Seconds of the units that a bare number may count."""
_FACTORS = (
    60,
    100,
    1000,
    1024,
    3600,
    86400,
    1_000_000,
    1_048_576,
    1_000_000_000,
    1_073_741_824,
)
"""Between two units of one thing."""
_PLACEHOLDER = re.compile(r"[<>{}$%*…~]|\.\.\.|\bxx+|\byour\b", re.IGNORECASE)
_WORDS = {
    "yes": True,
    "on": True,
    "enabled": True,
    "no": False,
    "off": False,
    "disabled": False,
    "1": True,
    "0": False,
}
_HOSTS = ("localhost", "127.0.0.1", "0.0.0.0", "::1", "[::]")  # noqa: S104 -- compared, not bound


class Verdict(Enum):
    """What comparing two values gives."""

    SAME = "same"
    DIFFERENT = "different"
    UNSURE = "unsure"


def compared(docs: Value, code: Value, written: str = "") -> Verdict:
    """Whether the docs' value is the code's.

    Args:
        written: the docs' value as it is written, which may name a constant.
    """
    if isinstance(code, Reference):
        return _named(written, code)
    if isinstance(docs, (Computed, Reference)) or isinstance(code, Computed):
        return Verdict.UNSURE
    if _is_empty(docs) or _is_empty(code):
        return _emptiness(docs, code)
    if isinstance(code, str) and not isinstance(docs, str):
        code = scalar(code)
    if isinstance(docs, str) and not isinstance(code, str):
        docs = scalar(docs)
    if isinstance(docs, str) and isinstance(code, str):
        return _texts(docs, code)
    if isinstance(docs, bool) or isinstance(code, bool):
        return _truths(docs, code)
    if isinstance(docs, (int, float, Duration)) and isinstance(
        code, (int, float, Duration)
    ):
        return _figures(docs, code)
    if isinstance(docs, Items) or isinstance(code, Items):
        return _sets(docs, code)
    if isinstance(docs, Entries) and isinstance(code, Entries):
        return _mappings(docs, code)
    return Verdict.UNSURE


def _is_empty(value: Value) -> bool:
    return value is None or value in ("", "{}", "[]", Items(()), Entries(()))


def _emptiness(docs: Value, code: Value) -> Verdict:
    """Nothing is the same as an empty text or list. What code leaves empty, it may fill in later."""
    if _is_empty(docs) and _is_empty(code):
        return Verdict.SAME
    if _is_empty(code) or code is False or code == 0 or isinstance(code, Entries):
        return Verdict.UNSURE
    return Verdict.DIFFERENT


def _truths(docs: Value, code: Value) -> Verdict:
    pair = []
    for value in (docs, code):
        word = value.lower() if isinstance(value, str) else str(value)
        pair.append(value if isinstance(value, bool) else _WORDS.get(word))
    if None in pair:
        return Verdict.UNSURE
    if pair[0] == pair[1]:
        return Verdict.SAME
    return Verdict.DIFFERENT


def _figures(docs: float | Duration, code: float | Duration) -> Verdict:
    """Numbers and durations. A bare number may count any unit, so a factor of two units proves nothing."""
    if isinstance(docs, Duration):
        if not isinstance(code, Duration):
            return _counted(code, docs)
        if _near(docs.seconds, code.seconds):
            return Verdict.SAME
        return Verdict.DIFFERENT
    if isinstance(code, Duration):
        return _counted(docs, code)
    if _near(docs, code):
        return Verdict.SAME
    if (
        docs
        and code
        and any(
            _near(docs * factor, code) or _near(code * factor, docs)
            for factor in _FACTORS
        )
    ):
        return Verdict.UNSURE
    if (
        docs
        and code
        and any(_near(docs * 1.024**power, code) for power in (-3, -2, -1, 1, 2, 3))
    ):
        return Verdict.SAME  # MB of either kind
    return Verdict.DIFFERENT


def _counted(bare: float, duration: Duration) -> Verdict:
    """Whether a number counts a duration in some unit."""
    fits = any(_near(bare * unit, duration.seconds) for unit in _UNITS)
    if fits:
        return Verdict.SAME
    return Verdict.DIFFERENT


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-9 * max(abs(one), abs(other))


def _texts(docs: str, code: str) -> Verdict:
    one, other = (_normal(text) for text in (docs, code))
    if one == other or sorted(docs.casefold().split()) == sorted(
        code.casefold().split()
    ):
        return Verdict.SAME
    parsed = scalar(docs), scalar(code)
    if not any(isinstance(value, str) for value in parsed):  # `"3600"` and `"1h"`
        return compared(*parsed)
    if _PLACEHOLDER.search(docs) or _PLACEHOLDER.search(code):
        return Verdict.UNSURE
    if one in other or other in one:  # a path or an address, said in part
        return Verdict.UNSURE
    if _without_host(one) == _without_host(other):
        return Verdict.UNSURE
    return Verdict.DIFFERENT


def _normal(text: str) -> str:
    return "".join(text.strip().strip("\"'`").rstrip("./").casefold().split())


def _without_host(text: str) -> str:
    for host in _HOSTS:
        text = text.replace(host, "")
    return text


def _named(written: str, code: Reference) -> Verdict:
    """Whether the docs write the name of the constant, or of the variant, that is the value."""
    one = re.sub(
        r"[\W_]", "", re.split(r"\.|::", written.strip("`\"' "))[-1]
    ).casefold()
    other = re.sub(r"[\W_]", "", re.split(r"\.|::", code.name)[-1]).casefold()
    if one == other and one:
        return Verdict.SAME
    return Verdict.UNSURE


def _sets(docs: Value, code: Value) -> Verdict:
    """Lists in any order; a text of several with commas is one too."""
    pair = []
    for value in (docs, code):
        values: tuple[Value, ...] = (value,)
        if isinstance(value, Items):
            values = value.values
        elif isinstance(value, str):
            values = tuple(value.split(","))
        if any(
            isinstance(item, (Computed, Reference, Items, Entries)) for item in values
        ):
            return Verdict.UNSURE
        pair.append({_normal(str(item)) for item in values})
    if pair[0] == pair[1]:
        return Verdict.SAME
    is_list = isinstance(docs, Items) and isinstance(code, Items)
    if is_list:
        return Verdict.DIFFERENT
    return Verdict.UNSURE


def _mappings(docs: Entries, code: Entries) -> Verdict:
    one, other = dict(docs.pairs), dict(code.pairs)
    verdicts = []
    for name, value in one.items():
        if name in other:
            verdicts.append(compared(value, other[name]))
    if Verdict.DIFFERENT in verdicts or one.keys() != other.keys():
        if Verdict.UNSURE not in verdicts:
            return Verdict.DIFFERENT
        return Verdict.UNSURE
    if Verdict.UNSURE in verdicts:
        return Verdict.UNSURE
    return Verdict.SAME
