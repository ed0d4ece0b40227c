"""What bounds a figure from one side: `>= 3`, `3.11+`, at least 3, 3 or more, no more than 3."""

from __future__ import annotations

import re

_REACH = 32
"""Characters before and after a figure in which the words of a bound stand."""
_SIGNS = {">=": ">=", "=>": "", "≥": ">=", "<=": "<=", "=<": "<=", "≤": "<=", ">": ">", "<": "<"}
_SIGN = re.compile(r"(?:[<>]=|=[<>]|[<>≤≥])$")
_BEFORE = {
    ">=": ("at least", "no less than", "not less than", "no fewer than", "a minimum of", "minimum of", "mindestens"),
    ">": ("more than", "greater than", "longer than", "larger than", "older than", "higher than", "mehr als",
          "länger als", "größer als", "älter als"),
    "<=": ("at most", "up to", "no more than", "not more than", "never more than", "no longer than",
           "never longer than", "never for longer than", "not exceed", "never exceed", "never exceeds",
           "no greater than", "no larger than", "a maximum of", "maximum of", "höchstens", "bis zu", "nicht mehr als"),
    "<": ("less than", "fewer than", "smaller than", "shorter than", "younger than", "lower than", "weniger als",
          "kürzer als", "kleiner als"),
}  # fmt: skip
_OPENERS = sorted(((words, sign) for sign, all_ in _BEFORE.items() for words in all_), key=lambda pair: -len(pair[0]))
_AFTER = re.compile(
    r"\s*,?\s*(?:or|and|oder|und) "
    r"(?:(?P<up>more|later|newer|higher|above|greater|up|mehr|neuer|höher|später|größer)"
    r"|(?P<down>less|fewer|lower|earlier|older|below|smaller|weniger|niedriger|älter|kleiner))\b(?! (?:than|als)\b)"
)
_NAMED = re.compile(r"\s+[A-Z]\w*(?:\.\w+)?$")
"""What a version is of, behind the words of its bound: at least Python 3.11."""


def bound_of(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Return what bounds the figure at `text[start:end]` (`>=`, `>`, `<=`, `<` or nothing), and the range of both."""
    if text[end : end + 1] == "+" and not text[end + 1 : end + 2].isalnum():
        return ">=", start, end + 1
    opens = max(0, start - _REACH)
    before = text[opens:start].rstrip()
    sign = _SIGN.search(before)
    if sign and _SIGNS[sign[0]] and before[: sign.start()][-1:] not in ("-", "=", "<", ">"):
        return _SIGNS[sign[0]], opens + sign.start(), end
    after = _AFTER.match(text[end : end + _REACH].lower())
    if after:
        return (">=" if after["up"] else "<="), start, end + after.end()
    before = _NAMED.sub("", before).lower().rstrip()
    for words, found in _OPENERS:
        if before.endswith(words) and not before[: -len(words)][-1:].isalpha():
            return found, opens + len(before) - len(words), end
    return "", start, end
