"""Questions about figures and names: does the passage state them?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mkdocs_cited.language.identifiers import is_code
from mkdocs_cited.language.lexicon import word_class
from mkdocs_cited.language.quantities import NAMED, Quantity, derives, equal
from mkdocs_cited.language.words import Token
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.detectors.mismatch import (
    NEAR,
    Disagreement,
    passage_span,
    span_of,
)


def figures(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each figure whether the passage states it."""
    claim, passage = alignment.claim, alignment.passage
    window = [f for f in passage.figures if alignment.first <= f.first < alignment.last]
    lost = [f for f in claim.figures if not alignment.links[f.first]]
    for figure in lost:
        span = (figure.start, figure.end)
        if alignment.anywhere[figure.first] > 0:
            yield Disagreement(
                "figure-elsewhere", 1.0, span, None, f"'{figure.text}' stands in another part of the passage"
            )
            continue
        if any(
            other is not figure and alignment.links[other.first] and equal(figure, other) for other in claim.figures
        ):
            continue
        if any(other is not figure and equal(figure, other) for other in lost):
            yield Disagreement("figure-derived", 1.0, span, None, f"'{figure.text}' is supposed by the claim itself")
            continue
        following = claim.tokens[figure.last + 1] if figure.last + 1 < len(claim.tokens) else None
        if following is not None and not figure.dimension and _counted(alignment, following.key) == figure.value:
            continue
        small = figure.spelled and not figure.dimension and figure.value < 3
        sums = "" if small else _arithmetic(figure, lost, passage.figures)
        if sums:
            yield Disagreement("figure-derived", 1.0, span, None, f"'{figure.text}' is not stated, but {sums}")
            continue
        rivals = [f for f in window if f.dimension == figure.dimension] or [
            f
            for f in window
            if not (f.dimension and figure.dimension) and figure.dimension not in NAMED and f.dimension not in NAMED
        ]
        weight = 1.0 if figure.dimension or not figure.spelled else 0.5
        if rivals:
            rival = min(rivals, key=lambda f: _distance(alignment, figure.first, f.first))
            yield Disagreement(
                "figure-differs",
                weight,
                span,
                (rival.start, rival.end),
                f"the claim says '{figure.text}', the passage says '{rival.text}'",
            )
        else:
            yield Disagreement("figure-missing", weight, span, None, f"the passage does not say '{figure.text}'")


def _counted(alignment: Alignment, key: str) -> int:
    """Return how many things of a name the passage lists: node1, node2 …, or a flag given twice."""
    passage = alignment.passage
    texts = [passage.tokens[k].text for k in passage.parts.get(key, ())]
    flags = sum(text.startswith("-") for text in texts)
    return flags if flags > 1 else len(texts) - flags


def _arithmetic(figure: Quantity, lost: Sequence[Quantity], stated: Sequence[Quantity]) -> str:
    """Return how the figure follows from two of the passage, or from one and one that the claim supposes."""
    found = derives(figure, stated)
    if found:
        return found
    for other in lost:
        if other is figure:
            continue
        for known in stated:
            for target, source in ((figure, other), (other, figure)):
                found = derives(target, (source, known))
                if (found and " x " in found) or " of " in found:
                    return found
    return ""


def _distance(alignment: Alignment, claim_at: int, passage_at: int) -> float:
    near = [abs(link.to - passage_at) for link in alignment.links[max(0, claim_at - NEAR) : claim_at + NEAR] if link]
    return min(near, default=99)


def missing_words(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each identifier and name whether the passage has it."""
    claim = alignment.claim
    for at, token in enumerate(claim.tokens):
        if not claim.weights[at] or at in claim.figure_at:
            continue
        link = alignment.links[at]
        found = max(link.strength if link else 0.0, alignment.anywhere[at])
        if token.kind == "identifier" and found < 1.0:
            code = is_code(token.text)
            if code or found < 0.5:
                yield Disagreement(
                    "code" if code else "identifier",
                    1.0 if code else 1.0 - found,
                    span_of(alignment, at),
                    None,
                    f"the passage does not mention '{token.text}'",
                )
        elif token.name and token.kind == "word" and found < 0.5:
            yield Disagreement(
                "name", 1.0, span_of(alignment, at), None, f"the passage does not mention '{token.text}'"
            )


def bounds(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether a figure that the passage bounds from one side is bounded from the other."""
    for at, link in enumerate(alignment.links):
        if link and (figure := alignment.claim.figure_at.get(at)):
            other = alignment.passage.figure_at.get(link.to)
            mine, theirs = _side(alignment.claim.tokens, at), _side(alignment.passage.tokens, link.to)
            stricter = other is not None and figure.bound and other.bound and figure.bound != other.bound
            if mine * theirs < 0 or stricter:
                yield Disagreement(
                    "bound",
                    1.0,
                    span_of(alignment, at),
                    passage_span(alignment, link.to),
                    f"claim and passage bound '{figure.text}' {'otherwise' if stricter else 'from different sides'}",
                )
            elif other is not None and bool(figure.bound) != bool(other.bound) and not (mine and theirs):
                what = f"bounds '{figure.text}'" if figure.bound else f"leaves out what bounds '{figure.text}'"
                yield Disagreement(
                    "bound-dropped",
                    1.0,
                    span_of(alignment, at),
                    passage_span(alignment, link.to),
                    f"the claim {what}, the passage does {'not' if figure.bound else 'bound it'}",
                )


def _side(tokens: Sequence[Token], at: int) -> int:
    """Return from which side the words around a figure bound it: 1 from below, -1 from above, 0 from none."""
    low, high = word_class("bound_low"), word_class("bound_high")
    before = [token.text.lower() for token in tokens[max(0, at - 4) : at]]
    after = [token.text.lower() for token in tokens[at + 1 : at + 4]]
    value = sum((word in low) - (word in high) for word in before + after)
    if "no" in before or "not" in before:
        value = -value
    return (value > 0) - (value < 0)


def dropped_figures(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim leaves out a bound that stands amid words it repeats."""
    passage = alignment.passage
    used = alignment.used
    for figure in passage.figures:
        if (
            not alignment.first <= figure.first < alignment.last
            or figure.first in used
            or (figure.spelled and not figure.dimension)
        ):
            continue
        around = [
            k
            for k in range(max(alignment.first, figure.first - 8), min(alignment.last, figure.last + 9))
            if passage.weights[k]
            and k != figure.first
            and passage.tokens[k].sentence == passage.tokens[figure.first].sentence
        ]
        if (
            around
            and sum(k in used for k in around) / len(around) >= 0.5
            and any(
                token.text.lower()
                in ("more", "longer", "than", "least", "most", "mehr", "als", "mindestens", "höchstens", "within")
                for token in passage.tokens[max(alignment.first, figure.first - 3) : figure.first]
            )
        ):
            yield Disagreement(
                "bound-dropped", 1.0, (0, 0), (figure.start, figure.end), f"the claim leaves out '{figure.text}'"
            )
