"""The weights of the lexical reviewer: features to a score of support.

`weights.json` holds one table a feature for each kind of passage, and the
three-outcome thresholds. `benchmarks/train_lexical.py` makes it; a person can
read it.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from math import exp

__all__ = ["REGISTERS", "Model", "registers", "shipped"]

Table = tuple[tuple[float, float], ...]
REGISTERS = ("prose", "technical", "long")
"""Kinds of passage that are weighed by tables of their own."""


@dataclass(frozen=True, slots=True)
class Model:
    """A sum of tables, squashed to 0…1.

    In a long passage much of a claim is found by chance, and in technical
    prose a wrong claim shares nearly all of its words with its passage: each
    kind of passage has its tables, and one between two kinds has a part of both.
    """

    bias: float
    tables: Mapping[str, Mapping[str, Table]]
    """Register -> feature -> points (value, logits), by rising value; straight between them, flat outside.
    A feature with a direction has tables that only rise or only fall."""
    passes: float
    """Least score of a sure pass; no piece of a hard kind may disagree."""
    fails: float
    """Greatest score of a sure fail, where a piece of a hard kind disagrees."""
    lacks: float
    """Greatest score of a sure fail without one: hardly anything of the claim is there."""

    def cut(self, passes: float | None, fails: float | None) -> Model:
        """Return the model with other cuts where some are given; `lacks` is never above `fails`."""
        fails = self.fails if fails is None else fails
        passes = self.passes if passes is None else passes
        return replace(self, passes=passes, fails=fails, lacks=min(self.lacks, fails))

    def contributions(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return what each feature adds, in logits."""
        added = dict.fromkeys(features, 0.0)
        for register, part in registers(features).items():
            if part:
                for name, points in self.tables[register].items():
                    added[name] += part * _between(points, features[name])
        return added

    def score(self, features: Mapping[str, float]) -> float:
        """Return support 0…1; 0.5 is the boundary."""
        logits = self.bias + sum(self.contributions(features).values())
        return 1 / (1 + exp(-max(-30.0, min(30.0, logits))))

    def cost(self, kind: str) -> float:
        """Return how much one piece of a kind of disagreement takes away in a short technical passage, in logits."""
        points = self.tables["technical"].get(kind)
        return -points[1][1] if points else 0.0


def registers(features: Mapping[str, float]) -> dict[str, float]:
    """Return how much of each register a passage is, 0…1 and 1 together.

    Long is a passage from 320 words on, not at all one of up to 80; of the
    rest, technical is one with two technical words in five, not at all one
    with less than one in seven.
    """
    long = min(1.0, max(0.0, (features["length"] - 6.34) / 2))
    technical = (1 - long) * min(1.0, max(0.0, (features["technical"] - 0.15) / 0.25))
    return {"prose": 1 - long - technical, "technical": technical, "long": long}


def _between(points: Table, value: float) -> float:
    at = bisect_right(points, (value, float("inf")))
    if at == 0:
        return points[0][1]
    if at == len(points):
        return points[-1][1]
    (x0, y0), (x1, y1) = points[at - 1], points[at]
    return y0 + (y1 - y0) * (value - x0) / (x1 - x0)


@cache
def shipped() -> Model:
    """Return the model that the package ships."""
    data = json.loads(
        resources.files("mkdocs_cited.review.lexical").joinpath("weights.json").read_text(encoding="utf-8")
    )
    tables = {
        register: {name: tuple((float(x), float(y)) for x, y in points) for name, points in data[register].items()}
        for register in REGISTERS
    }
    return Model(data["bias"], tables, data["passes"], data["fails"], data["lacks"])
