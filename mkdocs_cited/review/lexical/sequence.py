"""The order in which an English sentence says that things come: first … then, before, after."""

from __future__ import annotations

import re

_THEN = re.compile(
    r"\b(?:and |but )?(?:then|next|after that|afterwards|finally|lastly|in the end|at last)\b", re.IGNORECASE
)
_FIRST = re.compile(r"\bfirst\b", re.IGNORECASE)
_BETWEEN = re.compile(r"(?P<first>.*\w.*)\b(?P<word>before|after)\b(?P<second>.*)", re.IGNORECASE | re.DOTALL)
_OPENS = re.compile(r"\s*(?P<word>before|after)\b(?P<first>[^,]*),(?P<second>.*)", re.IGNORECASE | re.DOTALL)
_CLAUSE = re.compile(r"[,;:()]|\b(?:and|while|whereas|but)\b", re.IGNORECASE)


def in_sequence(text: str) -> list[str]:
    """The parts of a sentence that follow one another in time, the earliest first; empty where it tells no order."""
    if found := steps(text):
        return found
    for pattern, after in ((_OPENS, "after"), (_BETWEEN, "before")):
        if match := pattern.match(text):
            sides = [match["first"], match["second"]]
            return sides if match["word"].lower() == after else sides[::-1]
    return []


def steps(text: str) -> list[str]:
    """What a sentence says to come first, and then; empty where it does not say so."""
    match = _FIRST.search(text)
    return _THEN.split(text[match.end() :]) if match and _THEN.search(text, match.end()) else []


def before_and_after(text: str) -> tuple[str, str] | None:
    """The clauses on both sides of a `before` or `after`, the earlier one first; None where a sentence has neither."""
    match = _OPENS.match(text)
    if match:
        sides = match["first"], _clauses(match["second"])[0]
        return sides if match["word"].lower() == "after" else sides[::-1]
    match = _BETWEEN.match(text)
    if match is None:
        return None
    left, right = _clauses(match["first"])[-1], _clauses(match["second"])[0]
    return (left, right) if match["word"].lower() == "before" else (right, left)


def _clauses(text: str) -> list[str]:
    return [piece for piece in _CLAUSE.split(text) if piece.strip()] or [""]
