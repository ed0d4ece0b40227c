"""Whether two values are the same, as values: `300` and five minutes, `1 MiB` and `1_048_576`, sets in any order.

What is not surely different is not decided: a factor of a unit, a placeholder, another type.
"""

from __future__ import annotations

import re

from mkdocs_cited.base.text import letters
from mkdocs_cited.code.interface import (
    Computed,
    Duration,
    Entries,
    Items,
    Reference,
    Value,
    scalar,
    typed,
)
from mkdocs_cited.language.quantities import close, is_other_prefix

_SECONDS = (1, 1e-9, 1e-6, 1e-3, 60, 3600, 86400)
"""Of the units that a bare number may count."""
_FACTORS = (60, 100, 1000, 1024, 3600, 86400, 1000**2, 1024**2, 1000**3, 1024**3)
"""Between two units of one thing."""
_LETTER = re.compile(r"[^\W\d_]")
_PLACEHOLDER = re.compile(
    r"[<>{}$%*…~?]|\.\.\.|\bxx+|\byour\b|(?:\b|_)defaults? \w|\w defaults?\b",
    re.IGNORECASE,
)
_CUT = re.compile(r"(?:\.\.\.|…)\W*\Z")
_PUNCTUATION = re.compile(r"\\[nrt]|[^\w.-]")
"""What a format may escape, or leave out."""
_MODE = re.compile(r"[0-7]{3,4}")
"""Permissions of a file, which docs may write without `0o`."""
_DIGEST = re.compile(r"@sha256:[0-9a-f]+")
_HOST = re.compile(r"localhost|127\.0\.0\.1|0\.0\.0\.0|\[?::1?\]?")
_NOT_ONE = (Computed, Reference, Items, Entries)
_TRUTHS = {
    **dict.fromkeys(("true", "yes", "on", "enabled", "1"), True),
    **dict.fromkeys(("false", "no", "off", "disabled", "0"), False),
}


def is_same(docs: Value, code: Value, written: str = "") -> bool | None:
    """Whether the docs' value is the code's; None where that is not sure. Values nest, so this calls itself.

    Args:
        written: the docs' value as it is written, which may name a constant.
    """
    if isinstance(code, Reference):
        last = Reference(written).parts[-1]
        return letters(last) == letters(code.parts[-1]) or None
    if isinstance(docs, (Computed, Reference)) or isinstance(code, Computed):
        return None
    if _MODE.fullmatch(written) and int(written, 8) == code:
        return True
    if _CUT.search(written):  # a part of it is enough for the docs
        return None
    if is_empty(code):  # it may be filled in later
        return is_empty(docs) or None
    if is_empty(docs):
        return None if code == 0 or isinstance(code, (Items, Entries)) else False
    if isinstance(docs, str) and isinstance(code, str):
        return _is_same_text(docs, code)
    has_unit = _LETTER.search(written or str(docs)) is not None
    if isinstance(docs, float) and isinstance(code, str):
        return _is_same_text(written, code)
    docs, code = typed(docs), typed(code)
    if isinstance(docs, bool) or isinstance(code, bool):
        return _is_same_truth(docs, code)
    if isinstance(docs, Items) or isinstance(code, Items):
        return _is_same_set(docs, code)
    if isinstance(docs, Entries) and isinstance(code, Entries):
        return _is_same_mapping(docs, code)
    if isinstance(docs, (int, float, Duration)) and isinstance(
        code, (int, float, Duration)
    ):
        return _is_same_figure(docs, code, has_unit=has_unit)
    return None


def is_empty(value: Value) -> bool:
    """True for no value, an empty text, and a list or mapping without members."""
    if isinstance(value, Items):
        return all(map(is_empty, value.values))
    return value is None or value in ("", "{}", "[]", Entries(()))


def _is_same_truth(docs: Value, code: Value) -> bool | None:
    one, other = _TRUTHS.get(str(docs).lower()), _TRUTHS.get(str(code).lower())
    if one is None or other is None:
        return None
    return one == other


def _is_same_figure(
    docs: float | Duration, code: float | Duration, *, has_unit: bool
) -> bool | None:
    """Numbers and durations. A bare number may count any unit, so a factor of two units proves nothing.

    Args:
        has_unit: whether the docs write a unit: 1 MB may be 1,000,000 or 1,048,576, and 4096 bits are 512 bytes.
    """
    if isinstance(docs, Duration):
        if isinstance(code, Duration):
            return close(docs.seconds, code.seconds)
        return _counts(code, docs)
    if isinstance(code, Duration):
        return _counts(docs, code)
    smaller, larger = sorted((docs, code))
    if close(smaller, larger):
        return True
    is_in_bits = close(8 * smaller, larger)
    if has_unit and (is_in_bits or is_other_prefix(smaller, larger)):
        return True
    if any(close(smaller * factor, larger) for factor in _FACTORS):
        return None
    return False


def _counts(number: float, duration: Duration) -> bool:
    """True if a number counts a duration in some unit."""
    return any(close(number * unit, duration.seconds) for unit in _SECONDS)


def _is_same_text(docs: str, code: str) -> bool | None:
    one, other = _normal(docs), _normal(code)
    is_reordered = sorted(docs.lower().split()) == sorted(code.lower().split())
    if one == other or is_reordered:
        return True
    left, right = scalar(docs), scalar(code)
    if not isinstance(left, str) and not isinstance(right, str):  # `"3600"` and `"1h"`
        same = is_same(left, right, docs)
        if same and isinstance(left, float):  # version 1.10 is not 1.1
            return None
        return same
    is_part = one in other or other in one  # of a path or an address
    plain = _PUNCTUATION.sub("", one)
    is_escaped = plain != "" and plain == _PUNCTUATION.sub("", other)
    is_elsewhere = _HOST.sub("", one) == _HOST.sub("", other)
    is_described = (" " in docs) != (" " in code)  # in words, not stated
    is_unsure = is_part or is_escaped or is_elsewhere or is_described
    if is_unsure or _PLACEHOLDER.search(docs + code):
        return None
    return False


def _normal(text: str) -> str:
    """A text without quotation marks, blanks, second backslashes, and the digest behind an image's tag."""
    text = _DIGEST.sub("", text).replace("\\\\", "\\")
    return "".join(text.strip("\"'` \n").rstrip("./").casefold().split())


def _is_same_set(docs: Value, code: Value) -> bool | None:
    """Lists in any order; a text of several with commas is one too."""
    one, other = _members(docs), _members(code)
    if one is None or other is None:
        return None
    if isinstance(docs, Items) and isinstance(code, Items):
        return one == other
    return one == other or None


def _members(value: Value) -> set[str] | None:
    """The members of a list, or of a text that is one; nothing where they are not known."""
    values: tuple[Value, ...] = (value,)
    if isinstance(value, Items):
        values = value.values
    elif isinstance(value, str):
        values = tuple(value.split(","))
    members = set()
    for item in map(typed, values):
        if isinstance(item, _NOT_ONE):
            return None
        if isinstance(item, Duration):
            item = f"{item.seconds:g}"
        members.add(_normal(str(item)))
    return members


def _is_same_mapping(docs: Entries, code: Entries) -> bool | None:
    """Mappings by their names, of which they have some in common."""
    one, other = dict(docs.pairs), dict(code.pairs)
    found = set()
    for name in one.keys() & other.keys():
        found.add(is_same(one[name], other[name]))
    is_part = found == {True} and one.keys() < other.keys()
    if not found or None in found or is_part:
        return None
    return found == {True} and one.keys() == other.keys()
