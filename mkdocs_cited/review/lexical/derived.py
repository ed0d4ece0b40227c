"""Figures that a claim may have made itself of its passage's, so that another figure there proves nothing."""

from __future__ import annotations

import math
import re

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion

from mkdocs_cited.language.quantities import Quantity, close, derives, equal
from mkdocs_cited.review.lexical.alignment import Alignment

FREELY = 12
"""The greatest bare number in words that a claim may have counted for itself."""
_MULTIPLIES = re.compile(
    r"\b(?:twice|thrice|doubl\w*|tripl\w*|halves|halved|times|per|in total|together"
    r"|doppelt\w*|halbiert|pro|je|insgesamt|zusammen)\b",
    re.IGNORECASE,
)
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
    try:
        return figure.code != bounded.code and figure.code in SpecifierSet(bounded.bound + bounded.code)
    except (InvalidSpecifier, InvalidVersion):
        return True  # nothing can be proven of what cannot be compared
