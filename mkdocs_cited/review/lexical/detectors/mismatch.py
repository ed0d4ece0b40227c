"""What a question yields, and what the questions share: places, cuts and contexts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mkdocs_cited.language.lexicon import word_class
from mkdocs_cited.language.words import Token
from mkdocs_cited.review.lexical.alignment import Alignment, Link
from mkdocs_cited.review.lexical.reading import Reading

MOST = 12
"""Like things that are compared at most, so that no text makes the questions slow."""
NEAR = 6
"""Tokens within which a word counts as context of another."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One piece of a claim that its passage does not bear out."""

    kind: str
    weight: float
    """0..1: how much it speaks against the claim, by itself."""
    claim: tuple[int, int]
    """Offsets in the claim."""
    passage: tuple[int, int] | None
    """Offsets in the passage of what stands there instead."""
    message: str


def span_of(alignment: Alignment, at: int) -> tuple[int, int]:
    figure = alignment.claim.figure_at.get(at)
    if figure:
        return figure.start, figure.end
    token = alignment.claim.tokens[at]
    return token.start, token.end


def passage_span(alignment: Alignment, at: int) -> tuple[int, int]:
    figure = alignment.passage.figure_at.get(at)
    if figure:
        return figure.start, figure.end
    token = alignment.passage.tokens[at]
    return token.start, token.end


def cut(text: str, span: tuple[int, int]) -> str:
    return text[span[0] : span[1]]


def twins(alignment: Alignment, place: int) -> list[int]:
    """Return the tokens of the window that are the same word as one of them."""
    key = alignment.passage.tokens[place].key
    return [k for k in alignment.passage.index.get(key, ()) if alignment.first <= k < alignment.last][:MOST]


def context(alignment: Alignment, at: int, place: int) -> float:
    """Return the share 0…1 of the words around a claim token whose partners lie around its partner."""
    near = [
        k
        for k in range(max(0, at - NEAR), min(len(alignment.links), at + NEAR + 1))
        if k != at and alignment.claim.weights[k]
    ]
    close = [k for k in near if (link := alignment.links[k]) and abs(link.to - place) <= 2 * NEAR]
    return len(close) / len(near) if near else 0.5


def run_length(links: Sequence[Link | None], at: int, step: int) -> int:
    """Count the tokens from `at` on, in steps, that lie side by side in the passage."""
    count = 1
    while (
        0 <= at + step < len(links) and (a := links[at]) and (b := links[at + step]) and 0 < (b.to - a.to) * step <= 2
    ):
        count += 1
        at += step
    return count


def class_places(alignment: Alignment, name: str) -> tuple[list[int], list[int]]:
    words = word_class(name)
    claim = [at for at, token in enumerate(alignment.claim.tokens) if _said(token, words)]
    passage = [at for at in range(alignment.first, alignment.last) if _said(alignment.passage.tokens[at], words)]
    return claim, passage


def _said(token: Token, words: frozenset[str]) -> bool:
    """Tell whether a token is one of some words, and no month."""
    return token.text.lower() in words and not (token.text == "May" and token.name)


def share_of(alignment: Alignment, members: list[int]) -> tuple[float, float]:
    """Return the matched share and the whole weight of some claim tokens."""
    weights = alignment.claim.weights
    total = sum(weights[at] for at in members)
    found = 0.0
    for at in members:
        link = alignment.links[at]
        if link and weights[at]:
            found += weights[at] * (link.strength if link.strength > 0 else 0.3)
    return (found / total if total else 1.0), total


def first_of(passage: Reading, place: int) -> int:
    """Return the first token of the figure that a token belongs to, or the token."""
    while place in passage.covered:
        place -= 1
    return place


def gap_between(passage: Reading, a: int, b: int) -> float:
    """Return how far two tokens lie apart, in tokens; another clause or sentence counts as more."""
    apart = abs(a - b) + 3 * (passage.clause[a] != passage.clause[b])
    return float(apart + 15 * (passage.tokens[a].sentence != passage.tokens[b].sentence))
