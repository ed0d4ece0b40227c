"""The claim laid over its passage, word by word.

Each token of the claim gets the passage token that says the same, with a
strength: 1 the same word, 0.85 a synonym, 0.55 a wider or related word, -1 an
opposite. What follows from it is decided in `disagreements.py`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from typing import TypeVar

from mkdocs_cited.review.lexicon import OPPOSITE, SAME, familiarity, opposites, relatives, technical_words, word_class
from mkdocs_cited.review.polarity import clauses, negated
from mkdocs_cited.review.quantities import Quantity, equal, quantities
from mkdocs_cited.review.words import Token, language_of, stem, tokenize

__all__ = ["Alignment", "Link", "Nature", "Reading", "align", "read"]

_PARTICIPLE = re.compile(
    "(ab|an|auf|aus|ein|zuruck|um|vor|zu|weg|fest|los|nach|mit|her|hin|)ge([a-zß]{3,}?)(?:et|t|en)?"
)
_Item = TypeVar("_Item")
WINDOW = 3
"""Sentences that one claim may draw on together."""
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
_PART = 0.8
"""Strength of an identifier's part: `disksPerNode` for disks."""
_SPELLING = 0.8
"""Strength of words that share most of their letters."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text read once: tokens and what they are."""

    text: str
    language: str
    tokens: tuple[Token, ...]
    weights: tuple[float, ...]
    """How much each token says, 0 (function word) … 1.5 (figure)."""
    figures: tuple[Quantity, ...]
    stated: Mapping[str, tuple[Quantity, ...]]
    """The quantities by how they are written."""
    figure_at: Mapping[int, Quantity]
    """First token index -> its quantity."""
    covered: frozenset[int]
    """Token indexes inside a quantity, without its first."""
    negated: tuple[int, ...]
    """Per token: 2 if a negation stands before it, 1 if after it in its clause, 0 if none."""
    clause: tuple[int, ...]
    index: Mapping[str, tuple[int, ...]]
    """Key -> token indexes, rising."""
    prefixes: Mapping[str, tuple[int, ...]]
    """First five letters of a long word -> token indexes."""
    parts: Mapping[str, tuple[int, ...]]
    """Part of an identifier or compound -> token indexes."""
    nature: Nature


@dataclass(frozen=True, slots=True)
class Nature:
    """What kind of text it is."""

    words: int
    """Tokens without marks."""
    names: float
    """Share of them that are names, 0…1."""
    figures: float
    """Quantities for each of them."""
    technical: float
    """Words of software documentation for each content word; an identifier counts one and a half."""


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


@lru_cache(maxsize=4096)
def read(text: str, language: str = "") -> Reading:
    """Read a text; cached, since a passage is read for every claim that cites it."""
    language = language or language_of(text)
    tokens = tokenize(text, language)
    figures = quantities(text, language)
    figure_at = {figure.first: figure for figure in figures}
    covered = frozenset(at for figure in figures for at in range(figure.first + 1, figure.last + 1))
    stated: dict[str, list[Quantity]] = {}
    for figure in figures:
        stated.setdefault(figure.text, []).append(figure)
    index: dict[str, list[int]] = {}
    prefixes: dict[str, list[int]] = {}
    parts: dict[str, list[int]] = {}
    for at, token in enumerate(tokens):
        if token.kind == "mark":
            continue
        index.setdefault(token.key, []).append(at)
        if token.kind == "word" and len(token.key) >= 6:
            prefixes.setdefault(token.key[:5], []).append(at)
        if token.kind == "identifier":
            for part in identifier_parts(token.text):
                parts.setdefault(part, []).append(at)
        elif language == "de" and token.kind == "word":
            for plain in german_verbs(token.text.lower(), token.key):
                parts.setdefault(plain, []).append(at)
            for cut in range(3, len(token.key) - 4):
                parts.setdefault(token.key[cut:], []).append(at)
    numbers = clauses(tokens)
    function = word_class("function")
    filler = word_class("filler")
    weights = tuple(_weight(token, at, covered, figure_at, function, filler) for at, token in enumerate(tokens))
    return Reading(
        text,
        language,
        tokens,
        weights,
        figures,
        _frozen(stated),
        figure_at,
        covered,
        negated(tokens, numbers),
        numbers,
        _frozen(index),
        _frozen(prefixes),
        _frozen(parts),
        _nature(tokens, weights, len(figures)),
    )


def _nature(tokens: Sequence[Token], weights: Sequence[float], figures: int) -> Nature:
    known = technical_words()
    words = sum(token.kind != "mark" for token in tokens)
    content = [token for token, weight in zip(tokens, weights, strict=True) if weight]
    technical = sum(
        1.5 if token.kind == "identifier" else token.text.lower() in known or token.key in known for token in content
    )
    names = sum(token.name for token in tokens)
    return Nature(words, names / max(1, words), figures / max(1, words), technical / max(3, len(content)))


@lru_cache(maxsize=16384)
def identifier_parts(text: str) -> tuple[str, ...]:
    """Return the stems of an identifier's words: `disksPerNode` -> disk, per, node."""
    words: list[str] = []
    current = ""
    for character in text:
        if not character.isalnum():
            words.append(current)
            current = ""
        elif current and (
            (character.isupper() and not current[-1].isupper()) or character.isdigit() != current[-1].isdigit()
        ):
            words.append(current)
            current = character
        else:
            current += character
    words.append(current)

    return tuple(dict.fromkeys(stem(word.lower()) for word in words if len(word) > 1))


@lru_cache(maxsize=16384)
def german_verbs(word: str, key: str) -> tuple[str, ...]:
    """Return the stems of the verbs that a German word may be a form of: aufgelistet -> auflist, sinkt -> sink."""
    match = _PARTICIPLE.fullmatch(key)
    found = [match.group(1) + match.group(2)] if match else []
    for ending in ("et", "te", "t"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            found += [stem(word[: -len(ending)] + "en", "de"), stem(word[: -len(ending)] + "n", "de")]
    return tuple(dict.fromkeys(each for each in found if each != key))


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
    candidates = [_candidates(claim, at, passage) if weight else {} for at, weight in enumerate(claim.weights)]
    anywhere = tuple(max((abs(s) if s > 0 else 0.0 for s in found.values()), default=0.0) for found in candidates)
    window = _window(claim, passage, candidates)
    starts = [token.sentence for token in passage.tokens]
    first, last = bisect_left(starts, window.first), bisect_left(starts, window.last + 1)
    for at, weight in enumerate(claim.weights):
        if not weight:
            candidates[at] = _function_candidates(claim, at, passage, first, last)
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


def _frozen(table: Mapping[str, Sequence[_Item]]) -> Mapping[str, tuple[_Item, ...]]:
    return {key: tuple(places) for key, places in table.items()}


def _only_in(token: Token, context: Reading, passage: Reading) -> bool:
    return token.key not in passage.index and token.key in context.index


def _weight(
    token: Token,
    at: int,
    covered: frozenset[int],
    figure_at: Mapping[int, Quantity],
    function: frozenset[str],
    filler: frozenset[str],
) -> float:
    if token.kind == "mark" or at in covered:
        return 0.0
    if at in figure_at:
        return 1.3 if figure_at[at].dimension or not figure_at[at].spelled else 1.0
    if token.kind in ("identifier", "number"):
        return 1.3
    if token.kind == "cjk":
        return 0.6
    lowered = token.text.lower()
    if lowered in function or len(lowered) == 1 or lowered == "cannot" or token.key == "not":
        return 0.0
    if lowered in filler:
        return 0.15
    if token.name:
        return 1.2
    uses = familiarity(lowered)
    return 0.6 if uses > 400 else 0.8 if uses > 40 else 1.0


def _candidates(claim: Reading, at: int, passage: Reading) -> dict[int, float]:
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


def _function_candidates(claim: Reading, at: int, passage: Reading, first: int, last: int) -> dict[int, float]:
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


@dataclass(frozen=True, slots=True)
class _Window:
    """The best window and how much of the claim stands where, all shares 0…1."""

    first: int
    last: int
    single: float
    joint: float
    rare: float
    clauses: tuple[float, ...]


def _window(claim: Reading, passage: Reading, candidates: Sequence[Mapping[int, float]]) -> _Window:
    """Find the window of up to three sentences that holds most of the claim's weight."""
    rows: dict[int, dict[int, float]] = {}
    spread = [0] * len(candidates)
    for at, found in enumerate(candidates):
        if not claim.weights[at]:
            continue
        for place, strength in found.items():
            row = rows.setdefault(passage.tokens[place].sentence, {})
            value = strength if strength > 0 else 0.5
            if value > row.get(at, 0.0):
                spread[at] += at not in row
                row[at] = value
    weights = claim.weights
    sentences = passage.tokens[-1].sentence + 1 if passage.tokens else 1
    scale = log(sentences + 10)
    rarity = [weight * (1 - 0.7 * log(max(1, count)) / scale) for weight, count in zip(weights, spread, strict=True)]
    total, rare_total = sum(weights) or 1.0, sum(rarity) or 1.0
    group, sizes = _groups_of(claim)
    best, first, last = 0.0, 0, 0
    single = joint = rare = 0.0
    tops = [0.0] * len(sizes)
    for sentence in sorted(rows):
        merged: dict[int, float] = {}
        for size in range(WINDOW):
            here = rows.get(sentence + size)
            if here is None:
                continue
            for at, value in here.items():
                if value > merged.get(at, 0.0):
                    merged[at] = value
            share = sum(weights[at] * value for at, value in merged.items()) / total
            if size == 0 and share > single:
                single = share
            joint = max(joint, share)
            if share - 0.05 * size > best + 1e-9:
                best, first, last = share - 0.05 * size, sentence, sentence + size
        rare = max(rare, sum(rarity[at] * value for at, value in merged.items()) / rare_total)
        sums = [0.0] * len(sizes)
        for at, value in merged.items():
            sums[group[at]] += weights[at] * value
        tops = [max(top, found / size) for top, found, size in zip(tops, sums, sizes, strict=True)]
    return _Window(first, last, min(1.0, single), min(1.0, joint), min(1.0, rare), tuple(min(1.0, top) for top in tops))


def _groups_of(claim: Reading) -> tuple[list[int], list[float]]:
    """Return the group of each claim token and each group's weight: clauses, short ones joined to their neighbour."""
    group: list[int] = []
    sizes = [0.0]
    previous = None
    for at, clause in enumerate(claim.clause):
        if previous is not None and clause != previous and sizes[-1] >= 2.0:
            sizes.append(0.0)
        previous = clause
        sizes[-1] += claim.weights[at]
        group.append(len(sizes) - 1)
    if len(sizes) > 1 and sizes[-1] < 2.0:
        last = len(sizes) - 1
        short = sizes.pop()
        sizes[-1] += short
        group = [min(each, last - 1) for each in group]
    return group, [size or 1.0 for size in sizes]


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
