"""What a sure pass asks beyond its score: nothing that blocks it, nothing lost, the same logic, the same places.

A claim may share every word of weight with its passage and still turn it
round with a `not`, an `only` or a dropped `if`. And it may say of one figure or
name what the passage says of another. Whoever differs in one of these may well
be right; nobody can be sure of it without reading.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from mkdocs_cited.language.lexicon import word_class
from mkdocs_cited.language.negation import is_negation
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.disagreements import BLOCKING, Disagreement
from mkdocs_cited.review.lexical.reading import Reading

__all__ = ["doubt"]

LOST = 0.5
"""Weight of the words that the passage may lack in a sure pass: less than any word but the emptiest."""
_NEAR = 4
"""Tokens from a word that the claim repeats, within which the passage's logic concerns the claim."""
_FAR = 6
"""Tokens within which a synonym must stand of one of its neighbours' partners."""
_SLOT = 1
"""Tokens around the place beside a word within which another takes it."""
_ADDED = ("only", "universal", "obligation", "exception", "bound_low", "bound_high")
"""Classes of words that a claim may not have where its passage has none."""
_DROPPED = ("only", "exception", "condition")
"""Classes of words that a claim may not lack where its passage has one."""

_OFF = frozenset({"false", "off", "disabled", "deaktiviert", "ausgeschaltet"})
"""Values that deny what stands beside them: `encrypt (default: false)`."""


def doubt(alignment: Alignment, found: Sequence[Disagreement], lost: float) -> str:
    """Return why a claim that scores well is no sure pass; empty if it is one.

    `lost` is the weight of the claim's words that stand nowhere in the passage.
    """
    blocking = next((piece for piece in found if piece.kind in BLOCKING), None)
    if blocking:
        return blocking.message
    if lost > LOST:
        return "the passage does not have all of its words"
    return _other_logic(alignment) or _loose_word(alignment) or _moved_word(alignment) or _rival(alignment)


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
    off = (stated & _OFF) - said
    if off:
        return f"the passage says '{min(off)}', the claim does not"
    for name in _DROPPED:
        if stated & word_class(name) and not said & word_class(name):
            return f"the passage says '{min(stated & word_class(name))}', the claim does not"
    return ""


def _loose_word(alignment: Alignment) -> str:
    """Name a word whose synonym stands away from where its neighbours went: there it may mean another thing."""
    links, tokens = alignment.links, alignment.passage.tokens
    for at, link in enumerate(links):
        if not alignment.claim.weights[at] or link is None or not 0 < link.strength < 1:
            continue
        around = [links[k] for k in range(max(0, at - _NEAR), min(len(links), at + _NEAR + 1)) if k != at]
        if not any(
            near
            and near.strength == 1
            and abs(near.to - link.to) <= _FAR
            and tokens[near.to].sentence == tokens[link.to].sentence
            for near in around
        ):
            return f"'{alignment.claim.tokens[at].text}' may not be the passage's '{tokens[link.to].text}'"
    return ""


def _moved_word(alignment: Alignment) -> str:
    """Name a word that stands apart from its neighbour in the passage, though something else stands where it would.

    `The server stores the token` is not what `The client stores the token and sends it to the server` says.
    """
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    linked = alignment.linked

    def other(places: range) -> int | None:
        inside = [at for at in places if alignment.first <= at < alignment.last and passage.weights[at]]
        return inside[0] if inside and inside[0] not in linked else None

    content = [(at, link.to) for at, link in enumerate(links) if link and claim.weights[at]]
    for (at, here), (after, there) in pairwise(content):
        step = after - at
        together = passage.tokens[here].sentence == passage.tokens[there].sentence
        if claim.clause[at] != claim.clause[after] or (together and 0 < there - here <= step + _NEAR):
            continue
        for word, rival in (
            (after, other(range(here + 1, here + step + _SLOT))),
            (at, other(range(there - 1, there - step - _SLOT, -1))),
        ):
            anchor = here if word == after else there
            if rival is not None and passage.clause[rival] == passage.clause[anchor]:
                said, stated = claim.tokens[word].text, passage.tokens[rival].text
                return f"where the claim says '{said}', the passage says '{stated}'"
    return ""


def _rival(alignment: Alignment) -> str:
    """Name a figure, name or identifier of the passage that stands nearer to what the claim says of another."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    linked = {link.to for at, link in enumerate(links) if link and link.strength > 0 and claim.weights[at]}
    said = {token.key for token in claim.tokens}
    kinds: dict[tuple[str, str], list[int]] = {}
    for place in range(alignment.first, alignment.last):
        kind = _kind(passage, place)
        if kind and place not in linked and passage.tokens[place].key not in said:
            kinds.setdefault(kind, []).append(place)
    for at, link in enumerate(links):
        kind = _kind(claim, at)
        if link is None or kind is None or kind not in kinds:
            continue
        near = [links[k] for k in range(max(0, at - _NEAR - 1), min(len(links), at + _NEAR + 2)) if k != at]
        for anchor in [other.to for k, other in enumerate(near) if other and passage.weights[other.to]]:
            places = kinds[kind]
            first = bisect_left(places, anchor)
            for rival in places[max(0, first - 1) : first + 1]:
                if (
                    abs(rival - anchor) < abs(link.to - anchor)
                    and passage.tokens[rival].sentence == passage.tokens[anchor].sentence
                ):
                    mine, other_ = claim.tokens[at].text, passage.tokens[rival].text
                    return f"the passage may say this of '{other_}', not of '{mine}'"
    return ""


def _kind(reading: Reading, at: int) -> tuple[str, str] | None:
    """Return what a token can be taken for another by: a figure's dimension, being an identifier, being a name."""
    token = reading.tokens[at]
    if at in reading.figure_at:
        return "figure", reading.figure_at[at].dimension
    if not reading.weights[at] or not (token.name or token.kind == "identifier"):
        return None
    return "named", token.kind


def _around(alignment: Alignment) -> list[int]:
    """Return the tokens of the window that the claim repeats, or that stand near a word which it repeats."""
    tokens, weights = alignment.passage.tokens, alignment.claim.weights
    used = sorted({link.to for at, link in enumerate(alignment.links) if link and link.strength > 0 and weights[at]})
    repeated = alignment.linked
    near = []
    for place in range(alignment.first, alignment.last):
        at = bisect_left(used, place)
        if place in repeated or any(
            abs(other - place) <= _NEAR and tokens[other].sentence == tokens[place].sentence
            for other in used[max(0, at - 1) : at + 1]
        ):
            near.append(place)
    return near
