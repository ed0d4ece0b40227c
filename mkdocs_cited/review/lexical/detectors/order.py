"""The question of what comes before what, and what is compared with what."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.language.lexicon import SAME, word_class
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.detectors.mismatch import Disagreement, cut, passage_span, span_of


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
        worst: Disagreement | None = None
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
            if cross < 1.0 or cross <= agree:
                if agree >= 1.0:
                    worst = None
                    break
                continue
            token, rival = claim.tokens[at], passage.tokens[place]
            turned = _nearest(alignment, at, early) in after and _nearest(alignment, at, late) in before
            worst = worst or Disagreement(
                "order",
                1.0 if turned else (cross - agree) / (cross + agree),
                (token.start, token.end),
                (rival.start, rival.end),
                "the claim has these in another order than the passage",
            )
        if worst:
            yield worst


def _nearest(alignment: Alignment, at: int, side: set[int]) -> int:
    """Return the passage token of the linked word of a side that stands nearest to the marker, -1 if none is."""
    linked = [k for k in side if alignment.links[k] and alignment.claim.weights[k]]
    link = alignment.links[min(linked, key=lambda k: abs(k - at))] if linked else None
    return link.to if link else -1


def firsts(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether what the passage puts first (`the nodes come first`) comes second in the claim (`then the nodes`)."""
    claim, passage = alignment.claim, alignment.passage
    then = next((k for k, token in enumerate(claim.tokens) if token.text.lower() in _THEN), None)
    if then is None:
        return
    sentence = [k for k, token in enumerate(claim.tokens) if token.sentence == claim.tokens[then].sentence]
    early = {claim.tokens[k].key for k in sentence if k < then and claim.weights[k]}
    late = [k for k in sentence if k > then and claim.weights[k]][:_FOLLOWS]
    for at in range(max(0, alignment.first - _NEARBY), min(len(passage.tokens), alignment.last + _NEARBY)):
        following = passage.tokens[at + 1] if at + 1 < len(passage.tokens) else None
        if passage.tokens[at].text.lower() not in _FIRST or (
            following is not None and following.kind != "mark" and following.sentence == passage.tokens[at].sentence
        ):
            continue
        clause = [k for k in range(max(0, at - _NEARBY), at) if passage.clause[k] == passage.clause[at]]
        keys = {passage.tokens[k].key for k in clause if passage.weights[k]}
        head = next((k for k in late if claim.tokens[k].key in keys), None)
        if head is not None and not early & keys:
            token, rival = claim.tokens[head], passage.tokens[at]
            message = f"the passage puts '{token.text}' first, the claim does not"
            yield Disagreement("order", 1.0, (token.start, token.end), (rival.start, rival.end), message)
            return


def crossed(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether two phrases have changed places around what stays: `A for x and B for y`, `B for x and A for y`."""
    claim, passage = alignment.claim, alignment.passage
    chunks = _chunks(alignment)
    for index in range(len(chunks) - 3):
        four = chunks[index : index + 4]
        places = [alignment.links[k].to for k, _ in four]  # type: ignore[union-attr]
        if len({passage.tokens[place].sentence for place in places}) > 1:
            continue
        ranks = [sorted(places).index(place) for place in places]
        if ranks not in ([2, 1, 0, 3], [0, 3, 2, 1]):
            continue
        left, right = (four[0], four[2]) if ranks[0] == 2 else (four[1], four[3])
        if not (_takes_place(alignment, left, right) and _takes_place(alignment, right, left)):
            continue
        mine, other = span_of(alignment, left[0]), span_of(alignment, right[0])
        message = f"'{cut(claim.text, mine)}' and '{cut(claim.text, other)}' have changed places"
        theirs = passage_span(alignment, alignment.links[right[0]].to)  # type: ignore[union-attr]
        yield Disagreement("crossed", 1.0, mine, theirs, message)
        return


def _takes_place(alignment: Alignment, mine: tuple[int, int], other: tuple[int, int]) -> bool:
    """Tell whether a phrase of the claim stands between, or beside, the words that the passage puts round another."""
    claim, passage, links = alignment.claim.tokens, alignment.passage.tokens, alignment.links
    first, last = (link.to for k in other if (link := links[k]))
    if claim[mine[0]].kind != passage[first].kind:
        return False
    pairs = ((mine[0] - 1, first - 1), (mine[1] + 1, last + 1))
    return any(
        0 <= at < len(claim)
        and 0 <= place < len(passage)
        and claim[at].kind != "mark"
        and claim[at].key == passage[place].key
        for at, place in pairs
    )


def _chunks(alignment: Alignment) -> list[tuple[int, int]]:
    """Return the runs (first, last) of linked words of the claim that stand side by side in the passage, too."""
    claim, links = alignment.claim, alignment.links
    found: list[tuple[int, int]] = []
    for at, link in enumerate(links):
        if link is None or not claim.weights[at] or link.strength < SAME:
            continue
        last = found[-1][1] if found else None
        before = links[last] if last is not None else None
        if (
            last is not None
            and before is not None
            and claim.clause[last] == claim.clause[at]
            and 0 < link.to - before.to <= at - last + 1 <= 3
        ):
            found[-1] = (found[-1][0], at)
        else:
            found.append((at, at))
    return found


_THEN = frozenset({"then", "afterwards", "dann", "danach"})
_FIRST = frozenset({"first", "zuerst", "zunächst"})
_NEARBY = 40
"""Tokens around the window in which the passage may say what comes first."""
_FOLLOWS = 3
"""Content words after `then` among which is what comes second."""
