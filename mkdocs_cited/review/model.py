"""The weights of the lexical reviewer: features to a score of support.

`weights.json` holds one monotone table a feature, and the three-outcome
thresholds. `benchmarks/train_lexical.py` makes it; a person can read it.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp

__all__ = ["Model", "longness", "shipped"]

Table = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Model:
    """A sum of monotone tables, squashed to 0…1.

    In a long passage much of a claim is found by chance, so there are tables
    for short and for long ones; between the two lengths both count in part.
    """

    bias: float
    short: Mapping[str, Table]
    """For passages up to 80 words: feature -> points (value, logits), by rising value; straight
    between them, flat outside."""
    long: Mapping[str, Table]
    """The same for passages from 320 words on."""
    passes: float
    """Least score of a sure pass; no piece of a hard kind may disagree."""
    fails: float
    """Greatest score of a sure fail, where a piece of a hard kind disagrees."""
    lacks: float
    """Greatest score of a sure fail without one: hardly anything of the claim is there."""

    def contributions(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return what each feature adds, in logits."""
        share = longness(features["length"])
        added = dict.fromkeys(features, 0.0)
        for tables, part in ((self.short, 1 - share), (self.long, share)):
            if part:
                for name, points in tables.items():
                    added[name] += part * _between(points, features[name])
        return added

    def score(self, features: Mapping[str, float]) -> float:
        """Return support 0…1; 0.5 is the boundary."""
        logits = self.bias + sum(self.contributions(features).values())
        return 1 / (1 + exp(-max(-30.0, min(30.0, logits))))

    def cost(self, kind: str) -> float:
        """Return how much one piece of a kind of disagreement takes away in a short passage, in logits."""
        points = self.short.get(kind)
        return -points[1][1] if points else 0.0


def longness(length: float) -> float:
    """Return 0 for a passage of up to 80 words, 1 from 320 on, from the feature `length`."""
    return min(1.0, max(0.0, (length - 6.34) / 2))


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
    data = json.loads(resources.files("mkdocs_cited.review").joinpath("weights.json").read_text(encoding="utf-8"))
    short, long = (
        {name: tuple((float(x), float(y)) for x, y in points) for name, points in data[part].items()}
        for part in ("short", "long")
    )
    return Model(data["bias"], short, long, data["passes"], data["fails"], data["lacks"])
