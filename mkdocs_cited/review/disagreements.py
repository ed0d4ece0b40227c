"""What of a claim its passage does not say, piece by piece.

Each function asks one question of an alignment and yields the pieces that
answer it badly. A piece has a kind, a weight 0..1 and words for a person; the
sums by kind are what the model weighs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mkdocs_cited.review.alignment import Alignment, Link, Reading
from mkdocs_cited.review.identifiers import is_code
from mkdocs_cited.review.lexicon import relatives, siblings, word_class
from mkdocs_cited.review.polarity import is_negation
from mkdocs_cited.review.quantities import Quantity, derives, equal

__all__ = ["KINDS", "Disagreement", "disagreements"]

_MODALS = frozenset({"must", "may", "can", "could", "should", "need", "muss", "darf", "kann", "soll", "sollte"})
NEAR = 6
"""Tokens within which a word counts as context of another."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One piece of a claim that its passage does not bear out."""

    kind: str
    weight: float
    """0..1: how much it speaks against the claim, by itself."""
    claim: tuple[int, int]
    """Offsets in the claim."""
    passage: tuple[int, int] | None
    """Offsets in the passage of what stands there instead."""
    message: str


def disagreements(alignment: Alignment) -> tuple[Disagreement, ...]:
    """Return every piece that disagrees, in the order of the questions."""
    return tuple(piece for question in _QUESTIONS for piece in question(alignment))


def _span(alignment: Alignment, at: int) -> tuple[int, int]:
    figure = alignment.claim.figure_at.get(at)
    if figure:
        return figure.start, figure.end
    token = alignment.claim.tokens[at]
    return token.start, token.end


def _passage_span(alignment: Alignment, at: int) -> tuple[int, int]:
    figure = alignment.passage.figure_at.get(at)
    if figure:
        return figure.start, figure.end
    token = alignment.passage.tokens[at]
    return token.start, token.end


def _cut(text: str, span: tuple[int, int]) -> str:
    return text[span[0] : span[1]]


def _figures(alignment: Alignment) -> Iterator[Disagreement]:
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
            f for f in window if not f.dimension or not figure.dimension
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


def _missing_words(alignment: Alignment) -> Iterator[Disagreement]:
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
                    _span(alignment, at),
                    None,
                    f"the passage does not mention '{token.text}'",
                )
        elif token.name and token.kind == "word" and found < 0.5:
            yield Disagreement("name", 1.0, _span(alignment, at), None, f"the passage does not mention '{token.text}'")


def _replaced(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each word without a partner whether another stands in its very place."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    size = len(claim.tokens)
    used = {link.to for link in links if link}
    at = 0
    while at < size:
        if not claim.weights[at] or links[at]:
            at += 1
            continue
        end = at
        while (
            end + 1 < size and end - at < 4 and links[end + 1] is None and claim.tokens[end + 1].kind != "mark"
        ):
            end += 1
        while end > at and not claim.weights[end]:
            end -= 1
        first, at = at, end + 1
        members = [k for k in range(first, end + 1) if claim.weights[k]]
        if all(k in claim.figure_at for k in members):
            continue
        slot = _slot(alignment, first, end, used)
        span = (claim.tokens[first].start, _span(alignment, end)[1])
        weight = min(1.0, sum(claim.weights[first : end + 1]))
        known = all(any(k in passage.index.get(claim.tokens[m].key, ()) for k in range(alignment.first, alignment.last)) for m in members)
        if slot is None:
            continue
        rivals, sure = slot
        if rivals:
            place = (_passage_span(alignment, rivals[0])[0], _passage_span(alignment, rivals[-1])[1])
            alike = len(members) <= 2 and any(_alike(alignment, k, rival) for k in members for rival in rivals[:2])
            kind = "displaced" if known else "replaced-alike" if alike else "replaced" if sure else "replaced-edge"
            if len(members) == len(rivals) == 1 and not known and _framed(alignment, first, end, rivals[0]):
                kind = "replaced-one"
            yield Disagreement(
                kind, weight, span, place,
                f"the claim says '{_cut(claim.text, span)}', the passage says '{_cut(passage.text, place)}'",
            )
        elif sure:
            kind = "inserted-known" if known else "inserted"
            yield Disagreement(kind, weight, span, None, f"the passage does not say '{_cut(claim.text, span)}'")


def _framed(alignment: Alignment, first: int, end: int, rival: int) -> bool:
    """Tell whether a word and its rival both stand between the same neighbours, or open their sentences before them."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    left = links[first - 1] if first else None
    right = links[end + 1] if end + 1 < len(links) else None
    opens = first == 0 or claim.tokens[first - 1].sentence != claim.tokens[first].sentence
    rival_opens = rival == 0 or passage.tokens[rival - 1].sentence != passage.tokens[rival].sentence
    ends = end + 1 == len(claim.tokens) or claim.tokens[end + 1].kind == "mark"
    rival_ends = (
        rival + 1 == len(passage.tokens)
        or passage.tokens[rival + 1].kind == "mark"
        or passage.tokens[rival + 1].sentence != passage.tokens[rival].sentence
    )
    before = left is not None and left.strength == 1.0 and left.to == rival - 1
    after = right is not None and right.strength == 1.0 and right.to == rival + 1
    if before and (after or (ends and rival_ends)):
        return _run(links, first - 1, -1) >= 2 or _run(links, end + 1, 1) >= 2
    return after and opens and rival_opens and _run(links, end + 1, 1) >= 2


def _slot(alignment: Alignment, first: int, end: int, used: set[int]) -> tuple[list[int], bool] | None:
    """Return the passage's content tokens where a run of the claim would stand, and whether both sides are held."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    size = len(claim.tokens)
    left = next((k for k in range(first - 1, max(-1, first - 4), -1) if links[k]), None)
    right = next((k for k in range(end + 1, min(size, end + 4)) if links[k]), None)
    low = links[left].to + 1 if left is not None else None  # type: ignore[union-attr]
    high = links[right].to if right is not None else None  # type: ignore[union-attr]
    if low is not None and high is not None and 0 <= high - low <= end - first + 7:
        return [k for k in range(low, high) if passage.weights[k] and k not in used][:4], True
    if low is not None and first - left <= 2 and low < alignment.last:  # type: ignore[operator]
        edge = range(low, min(low + 3, alignment.last))
        found = [k for k in edge if passage.weights[k] and k not in used and passage.tokens[k].sentence == passage.tokens[low - 1].sentence][:1]
        if found:
            return found, False
    if high is not None and right - end <= 2:  # type: ignore[operator]
        edge = range(max(alignment.first, high - 3), high)
        return [k for k in edge if passage.weights[k] and k not in used and passage.tokens[k].sentence == passage.tokens[high].sentence][-1:], False
    return None


def _alike(alignment: Alignment, at: int, other: int) -> bool:
    """Tell whether two tokens are of one kind: figures, identifiers, names, or words with a wider word in common."""
    claim, passage = alignment.claim, alignment.passage
    mine, theirs = claim.tokens[at], passage.tokens[other]
    if not claim.weights[at]:
        return False
    if at in claim.figure_at or other in passage.figure_at:
        return at in claim.figure_at and other in passage.figure_at
    if "identifier" in (mine.kind, theirs.kind):
        return mine.kind == theirs.kind
    if mine.name and theirs.name:
        return True
    return siblings(mine.text.lower(), theirs.text.lower())


def _run(links: Sequence[Link | None], at: int, step: int) -> int:
    """Count the tokens from `at` on, in steps, that lie side by side in the passage."""
    count = 1
    while (
        0 <= at + step < len(links) and (a := links[at]) and (b := links[at + step]) and 0 < (b.to - a.to) * step <= 2
    ):
        count += 1
        at += step
    return count


def _misplaced(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each word with a partner whether its neighbours stand around another of its kind."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    for at, link in enumerate(links):
        if link is None or not claim.weights[at] or link.strength < 0.8:
            continue
        end = claim.figure_at[at].last if at in claim.figure_at else at
        rivals = []
        value = at > 0 and claim.tokens[at - 1].text in (":", "=")
        for near, step in ((at - 2 if value else at - 1, 1), (end + 1, -1)):
            if not 0 <= near < len(links) or (other := links[near]) is None or other.strength != 1.0:
                continue
            place = other.to + step
            if value and step == 1 and place < alignment.last and passage.tokens[place].text in (":", "="):
                place += 1
            place = _first_of(passage, place)
            if place == link.to or 0 < step * (link.to - other.to) <= 2:
                rivals = []
                break
            if alignment.first <= place < alignment.last and _same_sort(alignment, at, place, value and step == 1):
                rivals.append(place)
        if not rivals or passage.tokens[rivals[0]].key == passage.tokens[link.to].key:
            continue
        if abs(rivals[0] - link.to) > 25 or (passage.tokens[rivals[0]].sentence != passage.tokens[link.to].sentence and claim.tokens[at].name):
            continue
        typed = value or at in claim.figure_at or claim.tokens[at].kind == "identifier"
        if typed or len(rivals) > 1:
            place = _passage_span(alignment, rivals[0])
            yield Disagreement(
                "misplaced", 1.0 if len(rivals) > 1 else 0.7, _span(alignment, at), place,
                f"the claim says '{_cut(claim.text, _span(alignment, at))}' where the passage says '{_cut(passage.text, place)}'",
            )


def _first_of(passage: Reading, place: int) -> int:
    """Return the first token of the figure that a token belongs to, or the token."""
    while place in passage.covered:
        place -= 1
    return place


def _same_sort(alignment: Alignment, at: int, place: int, literal: bool) -> bool:
    """Tell whether two tokens are both figures, both identifiers or both words, and not the same."""
    claim, passage = alignment.claim, alignment.passage
    if not passage.weights[place]:
        return False
    if at in claim.figure_at or place in passage.figure_at:
        return at in claim.figure_at and place in passage.figure_at and not equal(claim.figure_at[at], passage.figure_at[place])
    mine, theirs = claim.tokens[at], passage.tokens[place]
    return mine.kind == theirs.kind and mine.key != theirs.key and (literal or relatives(mine.text.lower(), mine.key).get(theirs.key, 0.0) <= 0)


_NONE_CELLS = frozenset({"no", "none", "-", "–", "nein", "✗", "false", "off", "never"})
_SOME_CELLS = frozenset({"yes", "ja", "✓", "true", "x", "on", "always"})


def _columns(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of a table row whether a cell's content is claimed of the column that it stands in."""
    claim, passage = alignment.claim, alignment.passage
    lines = passage.text.split("\n")
    if len(lines) < 2 or "\t" not in lines[0] or lines[0].count("\t") != lines[1].count("\t"):
        return
    column, line = {}, {}
    row = cell = at = 0
    for offset, character in enumerate(passage.text):
        while at < len(passage.tokens) and passage.tokens[at].start <= offset:
            column[at], line[at] = cell, row
            at += 1
        if character == "\t":
            cell += 1
        elif character == "\n":
            row, cell = row + 1, 0
    heads: dict[int, int] = {}
    for k, link in enumerate(alignment.links):
        if link and claim.weights[k] and link.strength >= 0.8 and line.get(link.to) == 0 and column.get(link.to, 0) > 0:
            heads[k] = column[link.to]
    if not heads:
        return
    cells = lines[1].split("\t")
    for k, link in enumerate(alignment.links):
        if not link or not claim.weights[k] or line.get(link.to) != 1 or column.get(link.to, 0) == 0 or link.strength < 0.8:
            continue
        nearest = min(heads, key=lambda head: abs(head - k))
        places = {column[p] for p in _twins(alignment, link.to) if line.get(p) == 1}
        if heads[nearest] not in places and heads[nearest] < len(cells) and len(set(cells)) > 2 - (len(cells) < 3):
            span = (claim.tokens[nearest].start, claim.tokens[nearest].end)
            yield Disagreement(
                "column", 1.0, span, _passage_span(alignment, link.to),
                f"the table has '{cells[heads[nearest]].strip()}' under '{_cut(claim.text, span)}'",
            )
    for k, index in heads.items():
        said = cells[index].strip().lower() if index < len(cells) else ""
        token = claim.tokens[k]
        denies = any(is_negation(other) for other in claim.tokens)
        if (said in _NONE_CELLS and not denies) or (said in _SOME_CELLS and claim.negated[k]):
            yield Disagreement("column", 1.0, (token.start, token.end), None, f"the table has '{said}' under '{token.text}'")


def _negations(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each negated word of claim and passage whether its partner is negated too.

    Only the word that a negation stands before counts: a claim that negates a
    word which the passage lacks says the same in other words, or nothing of the kind.
    """
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    message = "one of claim and passage negates '{}', the other does not"
    for at in _heads(claim, 0, len(claim.tokens)):
        link = links[at]
        if link is None or link.strength <= 0 or not claim.weights[at]:
            continue
        if any(passage.negated[k] for k in _twins(alignment, link.to)):
            continue
        weight = link.strength * _context(alignment, at, link.to)
        yield Disagreement("negation", weight, _span(alignment, at), _passage_span(alignment, link.to), message.format(claim.tokens[at].text))
    partners = {link.to: at for at, link in enumerate(links) if link and link.strength > 0}
    for place in _heads(passage, alignment.first, alignment.last):
        head = partners.get(place)
        if head is None or claim.negated[head] or not claim.weights[head]:
            continue
        if any(claim.negated[k] == 2 and claim.tokens[k].key == claim.tokens[head].key for k in range(len(links))):
            continue
        link = links[head]
        weight = (link.strength if link else 0.0) * _context(alignment, head, place)
        yield Disagreement("negation", weight, _span(alignment, head), _passage_span(alignment, place), message.format(claim.tokens[head].text))


def _denied_subjects(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the passage denies of a thing what the claim says of it: `Signed URLs are not supported`."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    for place in _heads(passage, alignment.first, alignment.last):
        predicate = [k for k, token in enumerate(claim.tokens) if token.key == passage.tokens[place].key and not claim.negated[k]]
        if not predicate:
            continue
        for at, link in enumerate(links):
            if (
                link and claim.weights[at] and link.strength >= 0.8 and passage.negated[link.to] == 1 and not claim.negated[at]
                and passage.clause[link.to] == passage.clause[place] and claim.clause[at] == claim.clause[predicate[0]]
            ):
                message = f"the passage denies this of '{claim.tokens[at].text}'"
                yield Disagreement("denied", 1.0, _span(alignment, at), _passage_span(alignment, place), message)
                break


def _heads(reading: Reading, first: int, last: int) -> Iterator[int]:
    """Yield the words that negations deny.

    That is the first content word that a negation reaches; all of them in a
    contrast (`, not from its last read`); the word before it where nothing
    follows (`listings do not`).
    """
    for at in range(first, last):
        if not is_negation(reading.tokens[at]):
            continue
        contrast = at > first and reading.tokens[at - 1].kind == "mark" and reading.tokens[at].text.lower() in ("not", "nicht")
        found = False
        for head in range(at + 1, min(at + 7, last)):
            if reading.negated[head] != 2 or reading.clause[head] != reading.clause[at]:
                break
            if reading.weights[head] and reading.tokens[head].text.lower() not in _MODALS and head not in reading.figure_at:
                found = True
                yield head
                if not contrast:
                    break
        if not found:
            for head in range(at - 1, max(first - 1, at - 6), -1):
                if reading.clause[head] != reading.clause[at]:
                    break
                if reading.weights[head]:
                    yield head
                    break


def _twins(alignment: Alignment, place: int) -> list[int]:
    """Return the tokens of the window that are the same word as one of them."""
    key = alignment.passage.tokens[place].key
    return [k for k in alignment.passage.index.get(key, ()) if alignment.first <= k < alignment.last]


def _context(alignment: Alignment, at: int, place: int) -> float:
    """Return the share 0…1 of the words around a claim token whose partners lie around its partner."""
    near = [k for k in range(max(0, at - NEAR), min(len(alignment.links), at + NEAR + 1)) if k != at and alignment.claim.weights[k]]
    close = [k for k in near if (link := alignment.links[k]) and abs(link.to - place) <= 2 * NEAR]
    return len(close) / len(near) if near else 0.5


def _opposites(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each word whose partner is its opposite whether a negation makes up for it."""
    claim, passage = alignment.claim, alignment.passage
    bounds = word_class("bound_low") | word_class("bound_high")
    for at, link in enumerate(alignment.links):
        if link is None or link.strength >= 0:
            continue
        if claim.tokens[at].text.lower() in bounds and any(k in claim.figure_at for k in range(max(0, at - 3), at + 4)):
            continue
        if {claim.negated[at], passage.negated[link.to]} == {0, 2}:
            continue
        weight = _context(alignment, at, link.to) * (1.0 if claim.weights[at] else 0.7)
        yield Disagreement(
            "opposite", weight, _span(alignment, at), _passage_span(alignment, link.to),
            f"'{claim.tokens[at].text}' is the opposite of '{passage.tokens[link.to].text}'",
        )


def _class_places(alignment: Alignment, name: str) -> tuple[list[int], list[int]]:
    words = word_class(name)
    claim = [at for at, token in enumerate(alignment.claim.tokens) if token.text.lower() in words]
    passage = [
        at for at in range(alignment.first, alignment.last) if alignment.passage.tokens[at].text.lower() in words
    ]
    return claim, passage


def _quantifiers(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim says more than the passage: all for some, always for mostly, or drops an only."""
    claim = alignment.claim
    mine, theirs = _class_places(alignment, "universal")
    for at in mine:
        link = next(
            (
                alignment.links[k]
                for k in range(at, min(at + 4, len(claim.tokens)))
                if alignment.links[k] and claim.weights[k]
            ),
            None,
        )
        if not any(link is None or abs(place - link.to) <= 4 for place in theirs):
            token = claim.tokens[at]
            yield Disagreement(
                "universal-moved" if theirs else "universal", 1.0, (token.start, token.end), None, f"the passage does not say '{token.text}' here"
            )
    mine, theirs = _class_places(alignment, "only")
    mine = [at for at in mine if not at or claim.text[claim.tokens[at].start - 1] != "-"]
    if mine and not theirs:
        token = claim.tokens[mine[0]]
        yield Disagreement(
            "only-added", 1.0, (token.start, token.end), None, f"the passage does not say '{token.text}'"
        )
    for name, kind in (("only", "only-dropped"), ("partial", "partial-dropped"), ("exception", "exception-dropped")):
        mine, theirs = _class_places(alignment, name)
        if theirs and not mine:
            near = [
                p
                for p in theirs
                if any(
                    link and abs(link.to - p) <= 3 and alignment.claim.weights[at]
                    for at, link in enumerate(alignment.links)
                )
            ]
            if near:
                token = alignment.passage.tokens[near[0]]
                yield Disagreement(
                    kind, 1.0, (0, 0), (token.start, token.end), f"the passage says '{token.text}', the claim does not"
                )


def _bounds(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether a figure that the passage bounds from one side is bounded from the other."""
    low, high = word_class("bound_low"), word_class("bound_high")

    def side(tokens: tuple, at: int, negated: bool) -> int:  # type: ignore[type-arg]
        before = [token.text.lower() for token in tokens[max(0, at - 4) : at]]
        after = [token.text.lower() for token in tokens[at + 1 : at + 4]]
        value = 0
        for word in before + after:
            value += (word in low) - (word in high)
        if "no" in before or "not" in before:
            value = -value
        return (value > 0) - (value < 0)

    for at, link in enumerate(alignment.links):
        if link and at in alignment.claim.figure_at:
            mine = side(alignment.claim.tokens, at, False)
            theirs = side(alignment.passage.tokens, link.to, False)
            if mine * theirs < 0:
                yield Disagreement(
                    "bound",
                    1.0,
                    _span(alignment, at),
                    _passage_span(alignment, link.to),
                    f"claim and passage bound '{alignment.claim.tokens[at].text}' from different sides",
                )


def _modality(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether must, should and may were exchanged."""
    ranks = {"obligation": 3, "advice": 2, "permission": 1}
    mine: dict[str, int] = {}
    theirs: dict[str, int] = {}
    for name in ranks:
        claim, passage = _class_places(alignment, name)
        if claim:
            mine[name] = claim[0]
        if passage:
            theirs[name] = passage[0]
    for name, at in mine.items():
        if name in theirs:
            continue
        token = alignment.claim.tokens[at]
        span = (token.start, token.end)
        if theirs:
            other = max(theirs, key=lambda key: ranks[key])
            place = alignment.passage.tokens[theirs[other]]
            kind = "modality-raised" if ranks[name] > ranks[other] else "modality-lowered"
            yield Disagreement(
                kind,
                1.0,
                span,
                (place.start, place.end),
                f"the claim says '{token.text}', the passage says '{place.text}'",
            )
        else:
            yield Disagreement(f"{name}-added", 1.0, span, None, f"the passage does not say '{token.text}'")


def _share(alignment: Alignment, members: list[int]) -> tuple[float, float]:
    """Return the matched share and the whole weight of some claim tokens."""
    weights = alignment.claim.weights
    total = sum(weights[at] for at in members)
    found = 0.0
    for at in members:
        link = alignment.links[at]
        if link and weights[at]:
            found += weights[at] * (link.strength if link.strength > 0 else 0.3)
    return (found / total if total else 1.0), total


def _causes(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the reason that the claim gives is the passage's."""
    causes = word_class("cause")
    tokens = alignment.claim.tokens
    for at, token in enumerate(tokens):
        lowered = token.text.lower()
        if lowered not in causes or at + 1 >= len(tokens):
            continue
        if lowered == "as" and not (at and tokens[at - 1].kind == "mark"):
            continue
        if lowered in ("therefore", "thus", "hence", "deshalb", "daher"):
            continue
        if lowered in ("since", "da") and (at + 1 in alignment.claim.figure_at or (at == 0 and lowered == "da")):
            continue
        members = [k for k in range(at + 1, len(tokens)) if tokens[k].sentence == token.sentence]
        if at == 0:
            stop = next((k for k in members if tokens[k].text == ","), len(tokens))
            members = [k for k in members if k < stop]
        share, total = _share(alignment, members)
        if total >= 1.0 and share < 0.75:
            last = tokens[members[-1]]
            yield Disagreement(
                "cause",
                1.0 - share,
                (token.start, last.end),
                None,
                f"the passage does not give this reason ('{_cut(alignment.claim.text, (token.start, last.end))}')",
            )


def _conditions(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim drops a condition under which the passage holds."""
    passage = alignment.passage
    words = word_class("condition")
    used = {link.to for at, link in enumerate(alignment.links) if link and alignment.claim.weights[at]}
    mine = any(token.text.lower() in words for token in alignment.claim.tokens)
    for at in range(alignment.first, alignment.last):
        token = passage.tokens[at]
        if token.text.lower() not in words or token.text.lower() in ("while", "where", "until", "bis", "once"):
            continue
        sentence = [k for k in range(alignment.first, alignment.last) if passage.tokens[k].sentence == token.sentence]
        clause = [k for k in sentence if passage.clause[k] == passage.clause[at] and k > at and passage.weights[k]]
        rest = [k for k in sentence if passage.clause[k] != passage.clause[at] and passage.weights[k]]
        if not clause or not rest:
            continue
        inside = sum(k in used for k in clause) / len(clause)
        outside = sum(k in used for k in rest) / len(rest)
        if inside < 0.34 and outside > 0.4:
            end = passage.tokens[clause[-1]].end
            yield Disagreement(
                "condition",
                (outside - inside) * (0.5 if mine else 1.0),
                (0, 0),
                (token.start, end),
                f"the claim leaves out '{_cut(passage.text, (token.start, end))}'",
            )


_SCOPES = frozenset("within in for on with during under at unless if when while after before im in bei mit während unter für ohne without nach vor".split())


def _scopes(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim drops what opens the passage's sentence: `Within a minor version, …`."""
    passage, claim = alignment.passage, alignment.claim
    used = {link.to for at, link in enumerate(alignment.links) if link and claim.weights[at]}
    starts = [k for k in range(alignment.first, alignment.last) if k == 0 or passage.tokens[k - 1].sentence != passage.tokens[k].sentence]
    for start in starts:
        if passage.tokens[start].text.lower() not in _SCOPES:
            continue
        sentence = [k for k in range(start, alignment.last) if passage.tokens[k].sentence == passage.tokens[start].sentence]
        comma = next((k for k in sentence if passage.tokens[k].text == ","), None)
        if comma is None:
            comma = next((k for k in sentence[2:] if passage.tokens[k].text.lower() in ("is", "are", "can", "may", "must", "ist", "sind")), None)
        if comma is None:
            continue
        opening = [k for k in sentence if k < comma and passage.weights[k]]
        rest = [k for k in sentence if k > comma and passage.weights[k]]
        if not opening or not rest:
            continue
        inside, outside = (sum(k in used for k in part) / len(part) for part in (opening, rest))
        if inside < 0.5 and outside >= 0.5:
            span = (passage.tokens[start].start, passage.tokens[comma - 1].end)
            yield Disagreement("scope", outside - inside, (0, 0), span, f"the claim leaves out '{_cut(passage.text, span)}'")


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


def _order(alignment: Alignment) -> Iterator[Disagreement]:
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


def _siblings(alignment: Alignment) -> Iterator[Disagreement]:
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
            own = min(_gap(passage, a, b) for a in twins for b in places)
            best, rival = min((min(_gap(passage, a, b) for b in places), a) for a in rivals)
            vote = claim.weights[near] / abs(near - at)
            total += vote
            if best + 1 < own:
                against += vote
                rival_votes[rival] = rival_votes.get(rival, 0.0) + vote
        if total and against / total > 0.5 and _run(alignment.links, at, 1) + _run(alignment.links, at, -1) < 5:
            rival = max(rival_votes, key=lambda k: rival_votes[k])
            yield Disagreement(
                "attachment",
                against / total,
                _span(alignment, at),
                _passage_span(alignment, rival),
                f"the passage says this of '{_cut(passage.text, _passage_span(alignment, rival))}', not of '{claim.tokens[at].text}'",
            )


def _gap(passage, a: int, b: int) -> float:  # type: ignore[no-untyped-def]
    return (
        abs(a - b)
        + 15 * (passage.tokens[a].sentence != passage.tokens[b].sentence)
        + 3 * (passage.clause[a] != passage.clause[b])
    )


def _exchanged(alignment: Alignment) -> Iterator[Disagreement]:
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
    for index, (a, b, pa, pb, reversed_) in enumerate(pairs):
        for c, d, _, _, other in pairs[index + 1 :]:
            if {a, b} & {c, d} or reversed_ == other:
                continue
            yield Disagreement(
                "exchanged",
                1.0,
                _span(alignment, a),
                _passage_span(alignment, pb),
                f"'{claim.tokens[a].text}' and '{claim.tokens[b].text}' have changed places",
            )
            return


def _speaker(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim speaks of its speaker, or asks: no passage bears that out."""
    claim = alignment.claim
    mine, theirs = _class_places(alignment, "deictic")
    if mine and not theirs:
        token = claim.tokens[mine[0]]
        you = token.text.lower().startswith(("you", "du", "di", "de"))
        yield Disagreement(
            "reader" if you else "speaker",
            1.0,
            (token.start, token.end),
            None,
            f"the passage does not speak of '{token.text}'",
        )
    for token in claim.tokens:
        if token.text == "?":
            yield Disagreement("asks", 1.0, (token.start, token.end), None, "this asks, and states nothing")
            break


def _dropped_figures(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim leaves out a bound that stands amid words it repeats."""
    passage = alignment.passage
    used = {link.to for at, link in enumerate(alignment.links) if link and alignment.claim.weights[at]}
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


def _clauses(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each clause whether the passage says anything like it."""
    claim = alignment.claim
    clauses: dict[int, list[int]] = {}
    for at, _ in enumerate(claim.tokens):
        clauses.setdefault(claim.clause[at], []).append(at)
    if len(clauses) < 2:
        return
    for members in clauses.values():
        share, total = _share(alignment, members)
        if total >= 1.5 and share < 0.6:
            span = (claim.tokens[members[0]].start, claim.tokens[members[-1]].end)
            yield Disagreement(
                "clause", 1.0 - share, span, None, f"the passage does not say '{_cut(claim.text, span)}'"
            )


HARD = frozenset(
    "code order opposite cause figure-differs figure-missing misplaced column denied replaced-one exchanged".split()
)
"""Kinds that are seldom mere rewording: a sure fail has at least one."""
BLOCKING = HARD | frozenset(
    "clause name identifier figure-elsewhere negation universal universal-moved only-added only-dropped condition"
    " replaced-alike bound-dropped exception-dropped bound modality-raised modality-lowered obligation-added speaker asks".split()
)
"""Kinds that a sure pass has none of."""
_QUESTIONS: tuple[Callable[[Alignment], Iterator[Disagreement]], ...] = (
    _figures,
    _missing_words,
    _replaced,
    _negations,
    _denied_subjects,
    _opposites,
    _misplaced,
    _columns,
    _scopes,
    _quantifiers,
    _bounds,
    _modality,
    _causes,
    _conditions,
    _order,
    _siblings,
    _exchanged,
    _clauses,
    _speaker,
    _dropped_figures,
)
KINDS = (
    "figure-differs",
    "figure-missing",
    "figure-elsewhere",
    "figure-derived",
    "identifier",
    "code",
    "name",
    "replaced",
    "replaced-alike",
    "replaced-one",
    "displaced",
    "replaced-edge",
    "inserted",
    "inserted-known",
    "negation",
    "denied",
    "opposite",
    "universal",
    "universal-moved",
    "only-added",
    "only-dropped",
    "partial-dropped",
    "exception-dropped",
    "bound",
    "modality-raised",
    "modality-lowered",
    "obligation-added",
    "advice-added",
    "permission-added",
    "cause",
    "condition",
    "order",
    "attachment",
    "misplaced",
    "column",
    "scope",
    "exchanged",
    "clause",
    "reader",
    "speaker",
    "asks",
    "bound-dropped",
)
