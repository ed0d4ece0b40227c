"""The sentences of a passage that a claim draws on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from mkdocs_cited.review.lexical.reading import Reading

__all__ = ["WINDOW", "Window", "best_window"]

WINDOW = 3
"""Sentences that one claim may draw on together."""


@dataclass(frozen=True, slots=True)
class Window:
    """The best window and how much of the claim stands where, all shares 0…1."""

    first: int
    last: int
    single: float
    joint: float
    rare: float
    clauses: tuple[float, ...]


def best_window(claim: Reading, passage: Reading, candidates: Sequence[Mapping[int, float]]) -> Window:
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
    return Window(first, last, min(1.0, single), min(1.0, joint), min(1.0, rare), tuple(min(1.0, top) for top in tops))


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
