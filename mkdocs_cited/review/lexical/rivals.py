"""Proofs against a claim in other words: a figure or identifier that nothing cited has, and another answers to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from mkdocs_cited.language.identifiers import METHODS, is_code, stands_in
from mkdocs_cited.language.quantities import Quantity, equal, same, shown
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.derived import SINCE, counts_freely, follows, is_multiple, limited, within
from mkdocs_cited.review.lexical.evidence import CitedTexts
from mkdocs_cited.review.lexical.parsed import Item, ItemKind, ParsedText
from mkdocs_cited.review.lexical.proofs import Proof, ProofKind

ABOUT = 0.45
"""Share of the claim's other words that a place has, from which on it speaks of the same."""
ABOUT_ALONE = 0.25
"""The same where nothing else that is cited has a figure of the kind."""
ABOUT_SEVERAL = 0.5
"""The same where the place has several."""
ABOUT_WHOLE = 0.75
"""The same where a heading has the claim's figure."""
ALIKE = 0.7
"""Likeness of two identifiers of which one was probably made from the other, 0…1."""
MOST = 50
"""Figures of a claim, and of a place, that are looked at."""
_JOINT = re.compile(r"[,;:.]\s|\b(?:and|or|but|while|und|oder|aber|während)\b", re.IGNORECASE)


def rivals(claim: ParsedText, cited: CitedTexts, alignments: Sequence[Alignment], asked: ParsedText) -> Iterator[Proof]:
    """A proof for each figure and identifier of the claim that is not said, where one of its kind is.

    Args:
        alignments: the claim over the places closest to it, best first.
        asked: the question; what it names may be said without a passage.
    """
    yield from _figures(claim, cited, alignments, asked)
    yield from _identifiers(claim, cited, alignments, asked)


def _figures(
    claim: ParsedText, cited: CitedTexts, alignments: Sequence[Alignment], asked: ParsedText
) -> Iterator[Proof]:
    declared = shown(claim.text, claim.figures)
    for number, figure in enumerate(claim.figures[:MOST]):
        above = _stated(figure, cited)
        if number in declared or (above and figure in cited.passages):
            continue
        if any(same(figure, other) for other in asked.figures):
            continue
        if counts_freely(figure) or any(within(figure, other) for other in cited.stated.figures):
            continue
        rival, quote = next(
            (
                (rival, each.place.body.text) for each in alignments
                if (rival := _rival(figure, each, cited, ABOUT_WHOLE if above else 0.0))
            ),
            (None, ""),
        )  # fmt: skip
        if rival is not None:
            message = f"the claim says “{figure.text}”, its passage says “{rival.text}”"
            yield Proof(ProofKind.FIGURE, (figure.start, figure.end), rival.text, message, quote)


def _stated(figure: Quantity, cited: CitedTexts) -> bool:
    """Whether a figure stands in what is cited; one with a bound, by the number that a bound of its kind has there."""
    if not cited.states(figure):
        return False
    if figure.dimension == "version" and "." in figure.text:  # a 1 that counts something is not version 1.0
        released = (each for each in cited.stated.figures if each.dimension == "version" or "." in each.text)
        if not any(equal(figure, other) for other in released):
            return False
    bounded = [other for other in cited.stated.figures if other.bound == figure.bound and _comparable(other, figure)]
    if not figure.bound or len(bounded) != 1:
        return True
    return equal(figure, bounded[0]) or figure.dimension != "version"


def _comparable(one: Quantity, other: Quantity) -> bool:
    return one.dimension == other.dimension and one.per == other.per


def _rival(figure: Quantity, alignment: Alignment, cited: CitedTexts, whole: float) -> Quantity | None:
    """The figure of the same kind in a place that speaks of the same; several only where it speaks of little else."""
    body = alignment.place.body
    beside = [other for other in alignment.claim.figures[:MOST] if _beside(other, figure, alignment.claim.text)]
    said_there = _sentences_of(beside, body)
    if any(other in cited.passages for other in beside) and not said_there:
        return None  # the claim has this figure beside one of another place
    span = limited(figure, alignment.claim.text)
    alike = [
        other
        for other in body.figures[:MOST]
        if _comparable(other, figure)
        and (not said_there or said_there & _sentences_of((other,), body))
        and not any(equal(other, mine) for mine in alignment.claim.figures[:MOST])
        and limited(other, body.text) == span
        and (other.bound == figure.bound or span == SINCE or _outside(other, figure))  # 3.1 is a release from 3.0 on
        and not counts_freely(other)
    ]
    rival = min(alike, key=lambda other: abs(other.base - figure.base), default=None)
    if rival is None or any(is_multiple(figure, other, alignment) for other in alike) or follows(figure, alignment):
        return None
    alone = figure.dimension and sum(_comparable(other, figure) for other in cited.stated.figures) == 1
    least = max(whole, ABOUT_SEVERAL if len(alike) > 1 else ABOUT_ALONE if alone else ABOUT)
    return rival if about([item for item in alignment.claim.items if item.figure is None], alignment) >= least else None


def _beside(other: Quantity, figure: Quantity, text: str) -> bool:
    """Whether another figure of the kind stands in the same clause of the claim."""
    first, second = sorted((other, figure), key=lambda each: each.start)
    return first is not second and _comparable(first, second) and not _JOINT.search(text[first.end : second.start])


def _sentences_of(figures: Sequence[Quantity], body: ParsedText) -> set[int]:
    """The sentences of a place in which one of some figures stands."""
    items = [item for item in body.items if item.figure]
    return {item.sentence for item in items if any(item.figure and equal(item.figure, one) for one in figures)}


def _outside(figure: Quantity, bounded: Quantity) -> bool:
    """Whether a figure of the passage is none of those that the claim's bound lets in."""
    if figure.bound or not bounded.bound or figure.dimension == "version":
        return False
    above = figure.base > bounded.base
    return above if bounded.bound.startswith("<") else figure.base < bounded.base


def about(items: Sequence[Item], alignment: Alignment) -> float:
    """The share of some words of the claim that a place has, or what stands above it, 0…1; 0 of none."""
    known = alignment.place.body.key_set | alignment.place.context.key_set
    words = [item for item in items if item.kind not in (ItemKind.NEGATION, ItemKind.LIMIT)]
    return sum(item.key in known for item in words) / len(words) if words else 0.0


def _identifiers(
    claim: ParsedText, cited: CitedTexts, alignments: Sequence[Alignment], asked: ParsedText
) -> Iterator[Proof]:
    known = cited.identifiers()
    for item in claim.items:
        if item.kind is not ItemKind.IDENTIFIER and item.text not in METHODS:
            continue
        if stands_in(item.text, cited.said) or item.key in asked.key_set or _is_part(item, known):
            continue
        found = ((rival, each) for each in alignments if (rival := _other_name(item, each)) is not None)
        rival, alignment = next(found, (None, None))
        span = (item.start, item.end)
        if rival is not None and alignment is not None:
            message = f"the claim says `{item.text}`, its passage says `{rival.text}`"
            yield Proof(ProofKind.IDENTIFIER, span, rival.text, message, alignment.place.body.text)
        elif is_code(item.text):
            message = f"the claim says `{item.text}`, which stands nowhere in what it cites"
            yield Proof(ProofKind.IDENTIFIER, span, "", message, "")


def _is_part(item: Item, known: dict[str, str]) -> bool:
    """Whether an identifier is a part of one that is said, or is one that is said with its folder before it."""
    if item.key.startswith("-"):
        return False
    return any(item.key in other or item.key.endswith(f"/{other}") for other in known)


def _other_name(item: Item, alignment: Alignment) -> Item | None:
    """The identifier of the same shape in a place that speaks of the same, if the claim does not have that too."""
    others = [each for each in alignment.claim.items if each.key != item.key]
    found = [
        other
        for other in alignment.place.body.items
        if other.kind in (ItemKind.IDENTIFIER, item.kind)
        and other.key not in alignment.claim.key_set
        and _shape(other.text) == _shape(item.text)
    ]
    likest = max(found, key=lambda other: _likeness(item, other), default=None)
    if likest is None or about(others, alignment) < ABOUT:
        return None
    return likest if len({other.key for other in found}) == 1 or _likeness(item, likest) >= ALIKE else None


_LONGEST = 200
"""Characters of an identifier that are compared: matching takes the square of it."""


def _likeness(one: Item, other: Item) -> float:
    return SequenceMatcher(None, one.key[:_LONGEST], other.key[:_LONGEST], autojunk=False).ratio()


def _shape(text: str) -> str:
    """Flags answer to flags, constants to constants, paths to paths."""
    if text.startswith("-"):
        return "flag"
    if text.isupper():
        return "constant" if "_" in text else "method"
    return "path" if "/" in text else "setting" if "=" in text else "name"
