"""The question of what comes before what, and what is compared with what."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.review.alignment import Alignment
from mkdocs_cited.review.lexicon import word_class
from mkdocs_cited.review.questions.piece import (
    Disagreement,
)


def _sequence(reading_tokens: tuple, members: range, at: int) -> tuple[set[int], set[int]]:  # type: ignore[type-arg]
    """Return the token indexes before and after a marker in time (or for `than`, left and right)."""
    lowered = reading_tokens[at].text.lower()
    later = lowered in word_class("after")
    left = set(range(members.start, at))
    right = set(range(at + 1, members.stop))
    if not any(reading_tokens[k].kind == "word" for k in left):
        comma = next((k for k in right if reading_tokens[k].text == ","), None)
        if comma is not None:
            left = {k for k in right if k > comma}
            right = {k for k in right if k < comma}
    if later and lowered not in ("then", "afterwards", "danach", "subsequently"):
        left, right = right, left
    return left, right


def order(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether what comes before what is the same."""
    timed = word_class("before") | word_class("after")
    compared = frozenset({"than", "als"})

    def markers(tokens: tuple, first: int, last: int):  # type: ignore[type-arg, no-untyped-def]
        for at in range(first, last):
            lowered = tokens[at].text.lower()
            if (
                lowered in ("first", "earlier", "later", "following", "ahead", "once", "zuerst", "prior")
                and lowered != "ahead"
            ):
                continue
            following = tokens[at + 1] if at + 1 < last else None
            if following is not None and (
                following.kind == "number"
                or (following.text.lower() in ("which", "that", "a", "all") and lowered == "after")
            ):
                continue
            if lowered in timed or lowered in compared:
                sentence = tokens[at].sentence
                low = at
                while low > first and tokens[low - 1].sentence == sentence:
                    low -= 1
                high = at
                while high + 1 < last and tokens[high + 1].sentence == sentence:
                    high += 1
                yield at, lowered in compared, _sequence(tokens, range(low, high + 1), at)

    claim, passage = alignment.claim, alignment.passage
    theirs = list(markers(passage.tokens, alignment.first, alignment.last))
    for at, kind, (early, late) in markers(claim.tokens, 0, len(claim.tokens)):
        for place, other, (before, after) in theirs:
            if kind != other:
                continue
            agree = cross = 0.0
            for side, same, opposite in ((early, before, after), (late, after, before)):
                for k in side:
                    link = alignment.links[k]
                    if link and claim.weights[k]:
                        agree += claim.weights[k] * (link.to in same)
                        cross += claim.weights[k] * (link.to in opposite)
            if cross > agree and cross >= 1.0:
                token, rival = claim.tokens[at], passage.tokens[place]
                yield Disagreement(
                    "order",
                    (cross - agree) / (cross + agree),
                    (token.start, token.end),
                    (rival.start, rival.end),
                    "the claim has these in another order than the passage",
                )
