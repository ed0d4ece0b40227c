"""Plain word overlap, the yardstick of the claim benchmarks: what anybody has without a reviewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

from mkdocs_cited.evaluation.labelled import Row
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.language.stems import stems

__all__ = ["CUT", "overlaps"]

CUT = 0.7
"""Overlap from which a claim counts as supported."""
WINDOW = 3
"""Sentences that a claim is compared with at once, at most."""


def overlaps(rows: Sequence[Row]) -> list[float]:
    """Return for each row the share 0…1 of its claim's stems that the best window of its evidence has.

    Stems weigh by their inverse frequency in the evidence of all rows.
    """
    texts = list(dict.fromkeys("\n".join(row.evidence) for row in rows))
    parts = {text: [set(stems(text[start:end])) for start, end in sentences(text)] for text in texts}
    spread = Counter(stem for found in parts.values() for stem in set().union(*found))
    return [_best(stems(row.claim), parts["\n".join(row.evidence)], spread, len(texts)) for row in rows]


def _best(claim: Sequence[str], parts: Sequence[set[str]], spread: Counter[str], texts: int) -> float:
    weights = {stem: log(1 + texts / (1 + spread[stem])) for stem in claim}
    total = sum(weights.values()) or 1.0
    windows = (set().union(*parts[at : at + size]) for at in range(len(parts)) for size in range(1, WINDOW + 1))
    return max((sum(weights[stem] for stem in weights if stem in window) / total for window in windows), default=0.0)
