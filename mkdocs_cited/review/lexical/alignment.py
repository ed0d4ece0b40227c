"""The claim laid over its passage, word by word.

Each token of the claim gets the passage token that says the same, with a
strength: 1 the same word, 0.85 a synonym, 0.55 a wider or related word, -1 an
opposite. What follows from it is decided in `disagreements.py`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mkdocs_cited.language.words import Token
from mkdocs_cited.review.lexical.partners import candidates_of, function_candidates
from mkdocs_cited.review.lexical.reading import Reading
from mkdocs_cited.review.lexical.window import best_window

__all__ = ["Alignment", "Link", "align"]

_CONTEXT = 0.2
"""Share of its weight that a word keeps which the context explains."""
_CHOICES = 8
"""Places that are weighed for one claim token."""
_JUMP = 0.03
"""Cost of each token that a link leaves its neighbour behind by, of 1 for a lost link."""
_BACK = 0.05
"""Cost of going back in the passage."""
_CROSS = 0.5
"""Cost of leaving a sentence of the passage within a clause of the claim."""
_ROUNDS = 2
"""Times that partners are chosen again, without those that went to two words."""
_SKIP = 3
"""Tokens with partners, of which all but the last may be left out between two links."""
_AGAIN = 0.3


@dataclass(frozen=True, slots=True)
class Link:
    """One claim token's partner."""

    to: int
    """Index of the passage token."""
    strength: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim laid over the best window of its passages."""

    claim: Reading
    passage: Reading
    first: int
    """First token of the window in the passage."""
    last: int
    """One past the window's last token."""
    links: tuple[Link | None, ...]
    """Per claim token."""
    anywhere: tuple[float, ...]
    """Per claim token: its best strength in the whole passage."""
    single: float
    """Share of the claim's weight found in the best single sentence, 0…1."""
    joint: float
    """The same for the best window of up to three."""
    uncommon: float
    """The same, words weighing less the more sentences of the passage have them."""
    clauses: tuple[float, ...]
    """Per clause of the claim, the share in the clause's own best window."""

    @property
    def linked(self) -> frozenset[int]:
        """The tokens of the passage that are partners of any word."""
        return frozenset(link.to for link in self.links if link)

    @property
    def used(self) -> frozenset[int]:
        """Those that are partners of words with a weight, be it as their opposites."""
        weights = self.claim.weights
        return frozenset(link.to for link, weight in zip(self.links, weights, strict=True) if link and weight)

    def in_sentence(self, sentence: int) -> list[int]:
        """Return the window's tokens of one sentence of the passage."""
        return [at for at in range(self.first, self.last) if self.passage.tokens[at].sentence == sentence]


def align(claim: Reading, passage: Reading, context: Reading | None = None) -> Alignment:
    """Lay a claim over the passage's best window.

    A word of the claim that only the context has (its heading, its table's
    header) asks little of the passage; a figure asks as much as ever.
    """
    if context is not None:
        weights = tuple(
            weight * _CONTEXT
            if weight and at not in claim.figure_at and _only_in(claim.tokens[at], context, passage)
            else weight
            for at, weight in enumerate(claim.weights)
        )
        claim = replace(claim, weights=weights)
    candidates = [candidates_of(claim, at, passage) if weight else {} for at, weight in enumerate(claim.weights)]
    anywhere = tuple(max((abs(s) if s > 0 else 0.0 for s in found.values()), default=0.0) for found in candidates)
    window = best_window(claim, passage, candidates)
    starts = [token.sentence for token in passage.tokens]
    first, last = bisect_left(starts, window.first), bisect_left(starts, window.last + 1)
    for at, weight in enumerate(claim.weights):
        if not weight:
            candidates[at] = function_candidates(claim, at, passage, first, last)
    links = _links(claim, passage, candidates, first, last)
    for _ in range(_ROUNDS):
        doubled = _doubled(claim, passage, links)
        if not doubled:
            break
        for at, place in doubled:
            candidates[at] = {other: strength for other, strength in candidates[at].items() if other != place}
        links = _links(claim, passage, candidates, first, last)
    for at, _ in _doubled(claim, passage, links):
        links = (*links[:at], None, *links[at + 1 :])
    return Alignment(
        claim, passage, first, last, links, anywhere, window.single, window.joint, window.rare, window.clauses
    )


def _only_in(token: Token, context: Reading, passage: Reading) -> bool:
    return token.key not in passage.index and token.key in context.index


def _links(
    claim: Reading, passage: Reading, candidates: Sequence[Mapping[int, float]], first: int, last: int
) -> tuple[Link | None, ...]:
    """Choose one partner per claim token so that neighbours stay neighbours (Viterbi over places).

    A token whose only partners lie far from where its neighbours went stays
    without one: what stands in its place there is then the question.
    """
    chosen: list[Link | None] = [None] * len(candidates)
    layers: list[tuple[int, list[tuple[int, float, float]]]] = []
    for at, found in enumerate(candidates):
        share = 1.0 if claim.weights[at] else 0.3
        inside = [
            (place, strength, share * (strength if strength > 0 else 0.7))
            for place, strength in found.items()
            if first <= place < last
        ]
        if any(strength == 1.0 for _, strength, _ in inside):
            inside = [each for each in inside if each[1] > 0]
        if len(inside) > _CHOICES:
            inside = sorted(inside, key=lambda each: -each[1])[:_CHOICES]
        if inside:
            layers.append((at, inside))
    sentence = [token.sentence for token in passage.tokens]
    gains: list[list[float]] = []
    back: list[list[tuple[int, int] | None]] = []
    for layer, (at, inside) in enumerate(layers):
        gain_row: list[float] = []
        back_row: list[tuple[int, int] | None] = []
        for place, _, own in inside:
            best = 0.0
            source: tuple[int, int] | None = None
            for before in range(max(0, layer - _SKIP), layer):
                there, left = layers[before]
                step = at - there
                cross = _CROSS if claim.clause[there] == claim.clause[at] else _CROSS / 3
                for index, (other, _, _) in enumerate(left):
                    jump = place - other - step
                    far = jump if jump >= 0 else -jump
                    gain = gains[before][index] - _JUMP * (far if far < 20 else 20)
                    if sentence[place] != sentence[other]:
                        gain -= cross
                    if place <= other:
                        gain -= _BACK if place < other else _AGAIN
                    if gain > best:
                        best, source = gain, (before, index)
            gain_row.append(best + own)
            back_row.append(source)
        gains.append(gain_row)
        back.append(back_row)
    ends = [(value, layer, index) for layer, row in enumerate(gains) for index, value in enumerate(row)]
    state = max(ends, key=lambda end: (end[0], -end[1], -end[2]))[1:] if ends else None
    while state:
        layer, index = state
        place, strength, _ = layers[layer][1][index]
        chosen[layers[layer][0]] = Link(place, strength)
        state = back[layer][index]
    return tuple(chosen)


def _doubled(claim: Reading, passage: Reading, links: Sequence[Link | None]) -> list[tuple[int, int]]:
    """Return the claim tokens, with the place, that share a word of the passage with another which it fits better.

    Twice the same word of a claim may well have one partner; two words may not.
    """
    taken: dict[int, int] = {}
    found = []
    for at, link in enumerate(links):
        if link is None:
            continue
        other = taken.setdefault(link.to, at)
        rival = links[other]
        if (
            other == at
            or rival is None
            or claim.tokens[at].key == claim.tokens[other].key
            or passage.tokens[link.to].kind != "word"
        ):
            continue
        weaker = at if link.strength <= rival.strength else other
        found.append((weaker, link.to))
        taken[link.to] = other if weaker == at else at
    return found
