"""Questions about words with a partner: do they stand where they should?"""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.language.identifiers import is_code
from mkdocs_cited.language.lexicon import relatives
from mkdocs_cited.language.quantities import Quantity, equal
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.detectors.mismatch import (
    NEAR,
    Disagreement,
    cut,
    first_of,
    gap_between,
    passage_span,
    run_length,
    span_of,
    twins,
)
from mkdocs_cited.review.lexical.reading import Reading


def misplaced(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each word with a partner whether its neighbours stand around another of its kind."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    for at, link in enumerate(links):
        if link is None or not claim.weights[at] or link.strength < 0.8:
            continue
        end = claim.figure_at[at].last if at in claim.figure_at else at
        rivals: list[int] = []
        value = at > 0 and claim.tokens[at - 1].text in (":", "=")
        for near, step in ((at - 2 if value else at - 1, 1), (end + 1, -1)):
            if not 0 <= near < len(links) or (other := links[near]) is None or other.strength != 1.0:
                continue
            place = other.to + step
            if value and step == 1 and place < alignment.last and passage.tokens[place].text in (":", "="):
                place += 1
            place = first_of(passage, place)
            if place == link.to or 0 < step * (link.to - other.to) <= 2:
                rivals = []
                break
            if alignment.first <= place < alignment.last and _same_sort(alignment, at, place, value and step == 1):
                rivals.append(place)
        if not rivals or passage.tokens[rivals[0]].key == passage.tokens[link.to].key:
            continue
        if abs(rivals[0] - link.to) > 25 or (
            passage.tokens[rivals[0]].sentence != passage.tokens[link.to].sentence and claim.tokens[at].name
        ):
            continue
        typed = value or at in claim.figure_at or claim.tokens[at].kind == "identifier"
        if typed or len(rivals) > 1:
            mine, theirs = span_of(alignment, at), passage_span(alignment, rivals[0])
            message = f"the claim says '{cut(claim.text, mine)}' where the passage says '{cut(passage.text, theirs)}'"
            yield Disagreement("misplaced", 1.0 if len(rivals) > 1 else 0.7, mine, theirs, message)


def _same_sort(alignment: Alignment, at: int, place: int, literal: bool) -> bool:
    """Tell whether two tokens are both figures, both identifiers or both words, and not the same."""
    claim, passage = alignment.claim, alignment.passage
    if not passage.weights[place]:
        return False
    if at in claim.figure_at or place in passage.figure_at:
        return (
            at in claim.figure_at
            and place in passage.figure_at
            and not equal(claim.figure_at[at], passage.figure_at[place])
        )
    mine, theirs = claim.tokens[at], passage.tokens[place]
    return (
        mine.kind == theirs.kind
        and mine.key != theirs.key
        and (literal or relatives(mine.text.lower(), mine.key).get(theirs.key, 0.0) <= 0)
    )


def values(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each figure, identifier and literal whether another stands right after the words that lead to it."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    for at in range(2, len(claim.tokens)):
        literal = claim.tokens[at - 1].text in _ASSIGNS
        if not claim.weights[at] or not (literal or _typed(claim, at)):
            continue
        step = 2 if literal else 1
        lead = at - step - 1
        while lead > 0 and claim.tokens[lead].kind == "mark":
            lead -= 1
        link, before = links[at - step], links[lead] if lead >= 0 else None
        if not link or not before or min(link.strength, before.strength) < 1.0 or not 1 <= link.to - before.to <= 2:
            continue
        if literal and passage.tokens[min(link.to + 1, len(passage.tokens) - 1)].text not in _ASSIGNS:
            continue
        led = [place + step for place in twins(alignment, link.to)]
        if any(_equal(alignment, at, near) for place in led for near in range(max(0, place - 3), place + 4)):
            continue
        rival = first_of(passage, min(link.to + step, len(passage.tokens) - 1))
        if _same_sort(alignment, at, rival, literal):
            mine, theirs = span_of(alignment, at), passage_span(alignment, rival)
            message = f"the claim says '{cut(claim.text, mine)}' where the passage says '{cut(passage.text, theirs)}'"
            yield Disagreement("value-differs", 1.0, mine, theirs, message)


_ASSIGNS = (":", "=")


def _typed(claim: Reading, at: int) -> bool:
    """Tell whether a token is a figure or code, or a name with digits (`v2`)."""
    token = claim.tokens[at]
    coded = token.kind == "identifier" and (is_code(token.text) or any(c.isdigit() for c in token.text))
    return coded or at in claim.figure_at


def _equal(alignment: Alignment, at: int, place: int) -> bool:
    """Tell whether a figure or word of the claim is the passage's at a place."""
    if place >= len(alignment.passage.tokens):
        return False
    mine, theirs = alignment.claim.figure_at.get(at), alignment.passage.figure_at.get(place)
    if mine and theirs:
        return equal(mine, theirs) or (mine.value == theirs.value and not (mine.dimension and theirs.dimension))
    return alignment.claim.tokens[at].key == alignment.passage.tokens[place].key


def attachments(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each figure, identifier, name or opposite whether its context belongs to another of its kind."""
    claim, passage = alignment.claim, alignment.passage
    window = range(alignment.first, alignment.last)

    def shape(token, figure: Quantity | None) -> str:  # type: ignore[no-untyped-def]
        if figure:
            return "figure " + figure.dimension
        if token.kind == "identifier":
            lead = token.text[0]
            return "identifier " + (
                "-"
                if lead == "-"
                else "/"
                if lead == "/"
                else "v"
                if token.text[:2].lower() in ("v1", "v2", "v3", "v4")
                else "x"
            )
        return "name" if token.name else ""

    shapes = {k: shape(passage.tokens[k], passage.figure_at.get(k)) for k in window if passage.weights[k]}
    for at, link in enumerate(alignment.links):
        if not link or not claim.weights[at] or link.strength < 0.8:
            continue
        mine = shapes.get(link.to, "")
        key = claim.tokens[at].key
        rivals = [
            k
            for k, other in shapes.items()
            if other == mine
            and mine
            and passage.tokens[k].key != passage.tokens[link.to].key
            and not (
                k in passage.figure_at
                and at in claim.figure_at
                and passage.figure_at[k].base == claim.figure_at[at].base
            )
        ]
        if not rivals:
            continue
        twins = [link.to] + [k for k in passage.index.get(passage.tokens[link.to].key, ()) if k in window]
        against = total = 0.0
        rival_votes: dict[int, float] = {}
        for near in range(max(0, at - NEAR), min(len(claim.tokens), at + NEAR + 1)):
            other = alignment.links[near]
            if (
                near == at
                or not other
                or not claim.weights[near]
                or claim.tokens[near].key == key
                or claim.tokens[near].sentence != claim.tokens[at].sentence
            ):
                continue
            places = [k for k in passage.index.get(passage.tokens[other.to].key, ()) if k in window] or [other.to]
            own = min(gap_between(passage, a, b) for a in twins for b in places)
            best, rival = min((min(gap_between(passage, a, b) for b in places), a) for a in rivals)
            vote = claim.weights[near] / abs(near - at)
            total += vote
            if best + 1 < own:
                against += vote
                rival_votes[rival] = rival_votes.get(rival, 0.0) + vote
        if (
            total
            and against / total > 0.5
            and run_length(alignment.links, at, 1) + run_length(alignment.links, at, -1) < 5
        ):
            rival = max(rival_votes, key=lambda k: rival_votes[k])
            theirs = passage_span(alignment, rival)
            message = f"the passage says this of '{cut(passage.text, theirs)}', not of '{claim.tokens[at].text}'"
            yield Disagreement("attachment", against / total, span_of(alignment, at), theirs, message)


def exchanged(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether of two pairs of like things exactly one stands in reverse: 404 in v1, 204 in v2."""
    claim, passage = alignment.claim, alignment.passage
    members = [
        (at, link.to) for at, link in enumerate(alignment.links) if link and claim.weights[at] and link.strength >= 0.8
    ]
    pairs = []
    for index, (a, pa) in enumerate(members):
        for b, pb in members[index + 1 : index + 12]:
            if (
                passage.tokens[pa].key == passage.tokens[pb].key
                or passage.tokens[pa].sentence != passage.tokens[pb].sentence
            ):
                continue
            fa, fb = passage.figure_at.get(pa), passage.figure_at.get(pb)
            ta, tb = passage.tokens[pa], passage.tokens[pb]
            alike = (fa is not None and fb is not None) or (
                fa is None
                and fb is None
                and ta.kind == tb.kind
                and (
                    (ta.kind == "identifier" and ta.text[0] == tb.text[0])
                    or (ta.kind == "word" and ta.name and tb.name)
                )
            )
            if alike and ta.kind == tb.kind:
                pairs.append((a, b, pa, pb, pa > pb))
    for index, (a, b, _, pb, reversed_) in enumerate(pairs):
        for c, d, _, _, other in pairs[index + 1 :]:
            if {a, b} & {c, d} or reversed_ == other:
                continue
            yield Disagreement(
                "exchanged",
                1.0,
                span_of(alignment, a),
                passage_span(alignment, pb),
                f"'{claim.tokens[a].text}' and '{claim.tokens[b].text}' have changed places",
            )
            return
