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

__all__ = ["Model", "shipped"]


@dataclass(frozen=True, slots=True)
class Model:
    """A sum of monotone tables, squashed to 0…1."""

    bias: float
    tables: Mapping[str, tuple[tuple[float, float], ...]]
    """Feature -> points (value, logits), by rising value; straight between them, flat outside."""
    passes: float
    """Least score of a sure pass."""
    fails: float
    """Greatest score of a sure fail."""

    def contributions(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return what each feature adds, in logits."""
        return {name: _between(points, features[name]) for name, points in self.tables.items()}

    def score(self, features: Mapping[str, float]) -> float:
        """Return support 0…1; 0.5 is the boundary."""
        logits = self.bias + sum(self.contributions(features).values())
        return 1 / (1 + exp(-max(-30.0, min(30.0, logits))))


def _between(points: tuple[tuple[float, float], ...], value: float) -> float:
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
    tables = {name: tuple((float(x), float(y)) for x, y in points) for name, points in data["tables"].items()}
    return Model(data["bias"], tables, data["passes"], data["fails"])
