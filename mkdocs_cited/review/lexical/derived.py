"""Figures that a claim may have made itself of its passage's, so that another figure there proves nothing."""

from __future__ import annotations

import math
import re

from mkdocs_cited.language.quantities import Quantity, close, derives, equal
from mkdocs_cited.review.lexical.alignment import Alignment

FREELY = 12
"""The greatest bare number in words that a claim may have counted for itself."""
_MULTIPLIES = re.compile(
    r"\b(?:twice|thrice|doubl\w*|tripl\w*|halves|halved|times|per|in total|together"
    r"|doppelt\w*|halbiert|pro|je|insgesamt|zusammen)\b",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    r"\b(before|since|after|until|from|to|below|above|under|over|than|vor|seit|nach|bis|ab|von)\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|nicht|never|nie)\b[^.!?]*$|n['’]t\b[^.!?]*$", re.IGNORECASE)
SINCE = "since"
"""What limits a version from which on something holds, in whatever words."""
_SINCE = frozenset({"since", "from", "ab", "seit"})
_THEREAFTER = re.compile(r"\s+(later|earlier|ago|später|früher)\b", re.IGNORECASE)
_MOST = 12
"""Figures of the passages from which one of the claim may follow."""


def counts_freely(figure: Quantity) -> bool:
    """Whether a number is one that people put in by themselves: three ways, both, first."""
    return figure.spelled and not figure.dimension and figure.value <= FREELY


def follows(figure: Quantity, alignment: Alignment) -> bool:
    """Whether a figure may follow by arithmetic from those around it, or others of the claim from it."""
    own = [other for other in alignment.claim.figures[:_MOST] if not equal(other, figure)]
    said = alignment.place.body.figures[:_MOST]
    if derives(figure, (*own, *said)):
        return True
    return any(derives(other, (figure, one)) for other in own for one in said)


def is_multiple(figure: Quantity, rival: Quantity, alignment: Alignment) -> bool:
    """Whether a figure may be so many times the passage's, or a part of it, where either text speaks of such."""
    if figure.per and rival.per:
        return False  # once per day is not once per hour
    few, many = sorted((abs(figure.base), abs(rival.base)))
    times = many / few if few else math.inf
    whole = math.isfinite(times) and close(times, round(times))  # a figure of 400 digits is none that floats hold
    return bool(whole and figure.dimension not in ("", "version") and _MULTIPLIES.search(alignment.place.body.text))


def limited(figure: Quantity, text: str) -> str:
    """The word by which a version or a date limits a span of them, or that behind a time: before 3.0, 3 days later."""
    if figure.dimension == "time":
        match = _THEREAFTER.match(text, figure.end)
    else:
        match = _LIMITED.search(text, 0, figure.start) if figure.dimension in ("version", "date", "") else None
    word = match[1].lower() if match else SINCE if figure.dimension == "version" and figure.bound == ">=" else ""
    if word in ("before", "vor") and match and _NOT.search(text, 0, match.start()):
        return SINCE  # not available before 3.0
    return SINCE if word in _SINCE else word


def within(figure: Quantity, bounded: Quantity) -> bool:
    """Whether a figure is one of those that a bound lets in: a file of 3 GB is larger than 2 GB, and 3.1 is 3.0 or
    newer (PEP 440)."""
    if figure.bound or not bounded.bound:
        return False
    if bounded.dimension != "version":
        above = figure.base > bounded.base
        return figure.dimension == bounded.dimension and (
            above if bounded.bound.startswith(">") else figure.base < bounded.base
        )
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # for versions only
    from packaging.version import InvalidVersion

    try:
        return figure.code != bounded.code and figure.code in SpecifierSet(bounded.bound + bounded.code)
    except (InvalidSpecifier, InvalidVersion):
        return True  # nothing can be proven of what cannot be compared
