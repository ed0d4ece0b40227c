"""Which words of a passage may stand for a word of a claim, and how well: the same, a synonym, a part, an opposite."""

from __future__ import annotations

from bisect import bisect_left

from mkdocs_cited.language.lexicon import OPPOSITE, SAME, opposites, relatives
from mkdocs_cited.language.quantities import equal
from mkdocs_cited.review.lexical.reading import Reading, german_verbs, identifier_parts

__all__ = ["candidates_of", "function_candidates"]

_PART = 0.8
"""Strength of an identifier's part: `disksPerNode` for disks."""
_SPELLING = 0.8
"""Strength of words that share most of their letters."""


def candidates_of(claim: Reading, at: int, passage: Reading) -> dict[int, float]:
    """Return passage token index -> strength for one claim token."""
    token = claim.tokens[at]
    if token.kind == "mark" or at in claim.covered:
        return {}
    figure = claim.figure_at.get(at)
    found: dict[int, float] = {}
    if figure is not None:
        for group in passage.stated.values():
            if equal(figure, group[0]):
                found.update((other.first, 1.0) for other in group)
        if not found and not figure.dimension and figure.spelled:
            for place in passage.index.get(token.key, ()):
                found[place] = 1.0
        return found
    for place in passage.index.get(token.key, ()):
        found[place] = 1.0
    if token.kind == "identifier":
        for part in identifier_parts(token.text):
            for place in passage.index.get(part, ()):
                found.setdefault(place, _PART * 0.7)
        return found
    for place in passage.parts.get(token.key, ()):
        found.setdefault(place, _PART)
    if token.kind == "word":
        lowered = token.text.lower()
        for key, strength in relatives(lowered, token.key).items():
            if token.name and strength < SAME:
                continue
            for place in passage.index.get(key, ()):
                if found.get(place, 0.0) <= 0.0 or (strength == OPPOSITE and found[place] < SAME):
                    found[place] = strength
        for plain in german_verbs(lowered, token.key) if claim.language == "de" else ():
            for place in (*passage.index.get(plain, ()), *passage.parts.get(plain, ())):
                found.setdefault(place, SAME)
            for key, strength in relatives(plain, plain).items():
                for place in passage.index.get(key, ()) if strength >= SAME else ():
                    found.setdefault(place, SAME)
        if len(token.key) >= 6:
            for place in passage.prefixes.get(token.key[:5], ()):
                found.setdefault(place, _spelling(token.key, passage.tokens[place].key))
        if not found and len(token.key) >= 8:
            _compounds(token.key, passage, found)
    return {place: strength for place, strength in found.items() if strength}


def function_candidates(claim: Reading, at: int, passage: Reading, first: int, last: int) -> dict[int, float]:
    """Return the places of a function word in the window; those of its opposite (on, off) where there are none."""
    token = claim.tokens[at]
    if token.kind == "mark" or at in claim.covered:
        return {}

    def inside(key: str) -> tuple[int, ...]:
        places = passage.index.get(key, ())
        return places[bisect_left(places, first) : bisect_left(places, last)]

    found = dict.fromkeys(inside(token.key), 1.0)
    if not found and token.kind == "word":
        found = {place: OPPOSITE for key in opposites(token.key) for place in inside(key)}
    return found


def _spelling(left: str, right: str) -> float:
    shared = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        shared += 1
    return _SPELLING if shared >= 0.7 * max(len(left), len(right)) or shared >= min(len(left), len(right)) else 0.0


def _compounds(key: str, passage: Reading, found: dict[int, float]) -> None:
    """Find the parts of a compound: Höchstdauer in Dauer, filesystem in file system."""
    for cut in range(4, len(key) - 3):
        for part in (key[:cut], key[cut:]):
            for place in passage.index.get(part, ()):
                if passage.weights[place]:
                    found.setdefault(place, _PART * 0.8)
