"""The numbers that the model weighs: one alignment and its disagreements to named values.

Each feature has a direction: more of it always speaks for the claim (+1) or
against it (-1), and the model may not turn that round. Those of the passage
alone have none (0): they say how much of any claim such a text would have, so
that a short sentence and a page full of names are not held to one measure, and
cannot tell one claim from another.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from math import log2

from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.disagreements import KINDS, Disagreement

__all__ = ["DIRECTIONS", "features"]

DIRECTIONS: Mapping[str, int] = {
    "joint": 1,
    "single": 1,
    "whole": 1,
    "exact": 1,
    "pairs": 1,
    "run": 1,
    "uncommon": 1,
    "clause-least": 1,
    "clause-mean": 1,
    "hard": 1,
    "soft": 1,
    "bigrams": 1,
    "gap": -1,
    "lost": -1,
    "names": -1,
    "weakest": 1,
    "rare": -1,
    "jumps": -1,
    **dict.fromkeys(KINDS, -1),
    "length": 0,
    "names-in-passage": 0,
    "figures-in-passage": 0,
    "technical": 0,
}


def features(alignment: Alignment, found: Sequence[Disagreement]) -> dict[str, float]:
    """Return every feature of `DIRECTIONS`: shares 0…1, small counts, and `length`, the passage's words as log2."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    weights = claim.weights
    total = sum(weights) or 1.0
    content = [at for at, weight in enumerate(weights) if weight]
    exact = sum(weight for weight, link in zip(weights, links, strict=True) if link and link.strength == 1.0)
    whole = sum(weights[at] * alignment.anywhere[at] for at in content)
    close = pairs = jumps = 0.0
    for a, b in itertools.pairwise(content):
        weight = weights[a] + weights[b]
        pairs += weight
        left, right = links[a], links[b]
        if left and right and left.strength > 0 and right.strength > 0:
            distance = right.to - left.to
            jumps += not -4 <= distance <= b - a + 6
            close += weight * (
                1.0 if 0 < distance <= b - a + 1 else 0.7 if 0 < distance <= 8 else 0.5 if -6 <= distance < 0 else 0.2
            )
    longest = current = gap = hole = bigrams = 0.0
    previous = None
    for at, token in enumerate(claim.tokens):
        if token.kind == "mark" or at in claim.covered:
            continue
        link = links[at]
        if link and link.strength == 1.0 and (previous is None or 0 < link.to - previous <= 2):
            current += 1
        else:
            current = 1.0 if link and link.strength == 1.0 else 0.0
        bigrams += current > 1
        previous = link.to if link else None
        longest = max(longest, current)
        if weights[at]:
            hole = 0.0 if link and link.strength > 0 else hole + weights[at]
            gap = max(gap, hole)
    words = sum(1 for at, token in enumerate(claim.tokens) if token.kind != "mark" and at not in claim.covered) or 1
    lost = 0.0
    for at in content:
        link = links[at]
        lost += weights[at] * (1 - max(alignment.anywhere[at], link.strength if link else 0.0))
    rare = sum(weights[at] >= 1.0 and alignment.anywhere[at] < 0.5 for at in content)
    shares: dict[int, list[float]] = {}
    for at in content:
        row = shares.setdefault(claim.clause[at], [0.0, 0.0])
        row[0] += weights[at]
        link = links[at]
        row[1] += weights[at] * max(0.0, link.strength if link else 0.0)
    weakest = min((found_ / all_ for all_, found_ in shares.values() if all_ >= 1.5), default=alignment.joint)
    named = [at for at in content if claim.tokens[at].name or claim.tokens[at].kind == "identifier"]
    result = {
        "joint": alignment.joint,
        "single": alignment.single,
        "whole": whole / total,
        "exact": exact / total,
        "pairs": close / pairs if pairs else alignment.joint,
        "run": longest / words,
        "gap": gap,
        "lost": lost,
        "rare": float(rare),
        "weakest": weakest,
        "names": sum(alignment.anywhere[at] < 0.5 for at in named) / (len(named) or 1),
        "uncommon": alignment.uncommon,
        "clause-least": min(alignment.clauses),
        "clause-mean": sum(alignment.clauses) / len(alignment.clauses),
        "hard": _share(alignment, [at for at in content if weights[at] >= 1.0]),
        "soft": _share(alignment, [at for at in content if weights[at] < 1.0]),
        "bigrams": bigrams / max(1, words - 1),
        "jumps": jumps / max(1, len(content) - 1),
        "length": log2(1 + passage.nature.words),
        "names-in-passage": passage.nature.names,
        "figures-in-passage": passage.nature.figures,
        "technical": passage.nature.technical,
    }
    result.update(dict.fromkeys(KINDS, 0.0))
    for piece in found:
        result[piece.kind] += piece.weight
    return result


def _share(alignment: Alignment, members: Sequence[int]) -> float:
    """Return the matched share of some claim tokens' weight; the whole claim's where there are none."""
    weights, links = alignment.claim.weights, alignment.links
    total = sum(weights[at] for at in members)
    if not total:
        return alignment.joint
    return sum(weights[at] * max(0.0, link.strength) for at in members if (link := links[at])) / total
