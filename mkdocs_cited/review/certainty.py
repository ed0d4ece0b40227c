"""What a sure pass asks beyond its score: nothing that blocks it, nothing lost, the same words of logic.

A claim may share every word of weight with its passage and still turn it
round with a `not`, an `only` or a dropped `if`. Whoever differs in one of these
may well be right; nobody can be sure of it without reading.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from mkdocs_cited.review.alignment import Alignment
from mkdocs_cited.review.disagreements import BLOCKING, Disagreement
from mkdocs_cited.review.lexicon import word_class
from mkdocs_cited.review.polarity import is_negation

__all__ = ["doubt"]

LOST = 0.7
"""Weight of the words that the passage may lack in a sure pass: less than one uncommon word."""
_NEAR = 4
"""Tokens from a word that the claim repeats, within which the passage's logic concerns the claim."""
_ADDED = ("only", "universal", "obligation", "exception", "bound_low", "bound_high")
"""Classes of words that a claim may not have where its passage has none."""
_DROPPED = ("only", "exception", "condition")
"""Classes of words that a claim may not lack where its passage has one."""


def doubt(alignment: Alignment, found: Sequence[Disagreement], lost: float) -> str:
    """Return why a claim that scores well is no sure pass; empty if it is one.

    `lost` is the weight of the claim's words that stand nowhere in the passage.
    """
    blocking = next((piece for piece in found if piece.kind in BLOCKING), None)
    if blocking:
        return blocking.message
    if lost > LOST:
        return "the passage does not have all of its words"
    return _other_logic(alignment)


def _other_logic(alignment: Alignment) -> str:
    claim, passage = alignment.claim, alignment.passage
    mine = [token for at, token in enumerate(claim.tokens) if at not in claim.covered]
    theirs = [passage.tokens[at] for at in _around(alignment) if at not in passage.covered]
    if sum(map(is_negation, mine)) != sum(map(is_negation, theirs)):
        return "claim and passage do not deny alike"
    said, stated = ({token.text.lower() for token in tokens} for tokens in (mine, theirs))
    for name in _ADDED:
        if said & word_class(name) and not stated & word_class(name):
            return f"the passage does not say '{min(said & word_class(name))}' of this"
    for name in _DROPPED:
        if stated & word_class(name) and not said & word_class(name):
            return f"the passage says '{min(stated & word_class(name))}', the claim does not"
    return ""


def _around(alignment: Alignment) -> list[int]:
    """Return the tokens of the window that the claim repeats, or that stand near a word which it repeats."""
    tokens, weights = alignment.passage.tokens, alignment.claim.weights
    used = sorted({link.to for at, link in enumerate(alignment.links) if link and link.strength > 0 and weights[at]})
    repeated = {link.to for link in alignment.links if link}
    near = []
    for place in range(alignment.first, alignment.last):
        at = bisect_left(used, place)
        if place in repeated or any(
            abs(other - place) <= _NEAR and tokens[other].sentence == tokens[place].sentence
            for other in used[max(0, at - 1) : at + 1]
        ):
            near.append(place)
    return near
