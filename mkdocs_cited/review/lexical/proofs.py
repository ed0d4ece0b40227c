"""What a proof is, and the proofs against a claim that repeats its passage but for one thing.

A proof has two spans, in claim and passage, that cannot both hold: a figure, a flag or a name in the place of another,
a negation or an opposite in wording that otherwise matches. Claims that say it in other words are for `rivals`,
`clauses` and `tables`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.language.lexicon import opposite, word_class
from mkdocs_cited.language.quantities import Quantity, equal, same
from mkdocs_cited.review.lexical.alignment import VALUES, Alignment, Difference
from mkdocs_cited.review.lexical.derived import counts_freely, follows, is_multiple, limited, within
from mkdocs_cited.review.lexical.evidence import CitedTexts
from mkdocs_cited.review.lexical.parsed import Item, ItemKind, ParsedText

WORD_FOR_WORD = 0.75
"""Share of the claim that a place has in order, from which on the claim repeats it but for what differs."""
REPEATED = 0.9
"""The same share, from which on claim and place are one sentence."""


class ProofKind(StrEnum):
    """Which rule reports it."""

    FIGURE = "figure"
    IDENTIFIER = "identifier"
    POLARITY = "polarity"
    CELL = "cell"


class Proof(Struct, frozen=True):
    """Two spans that cannot both hold."""

    kind: ProofKind
    claim: tuple[int, int]
    """Range of the claim."""
    passage: str
    """The words of the passage."""
    message: str
    quote: str
    """The place that they stand in."""


def in_its_place(alignments: Sequence[Alignment], cited: CitedTexts) -> list[Proof]:
    """What proves a claim wrong that repeats a place but for one thing; at most one for each span of the claim."""
    found: dict[tuple[int, int], Proof] = {}
    for alignment in alignments:
        if alignment.worded >= WORD_FOR_WORD and len(alignment.pairs) > 1:
            for proof in _in_its_place(alignment, alignments, cited):
                found.setdefault(proof.claim, proof)
    return list(found.values())


def _in_its_place(alignment: Alignment, others: Sequence[Alignment], cited: CitedTexts) -> Iterator[Proof]:
    differences = [each for each in alignment.edged if not _moved(each, alignment)]
    added = any(item.kind in VALUES for each in differences if not each.place for item in each.claim)
    quote = alignment.place.body.text
    for each in differences:
        for mine, theirs in _opposed(each):
            if added and mine.figure and any(_states(other, mine.figure) for other in others):
                continue  # the claim speaks of more than this place, and another has its figure
            if mine.kind is ItemKind.NAME and len(each.claim) > len(each.place) and _listed(each.claim, alignment):
                continue  # the place speaks of one of several names
            proof = _opposing(mine, theirs, alignment, _one_to_one(each, alignment))
            if proof is not None and not (mine.kind in VALUES and _said_elsewhere(mine, alignment, cited)):
                yield Proof(proof[0], (mine.start, mine.end), theirs.text, proof[1], quote)
    if alignment.told >= WORD_FOR_WORD:
        yield from _negated(differences, alignment, quote)


def _states(alignment: Alignment, figure: Quantity) -> bool:
    return any(equal(figure, other) for other in alignment.place.body.figures)


def _said_elsewhere(mine: Item, alignment: Alignment, cited: CitedTexts) -> bool:
    """Whether the claim names more than this place does, and other words that are cited have its value.

    The row of another thing, of which the claim says nothing, does not count.
    """
    known = alignment.place.body.key_set | alignment.place.context.key_set
    named = {item.key for item in alignment.lost if item is not mine and _names(item)} - known
    return bool(named) and any(
        _has(body, mine) and not (row and named.isdisjoint(body.key_set)) for body, row in cited.sayings
    )


def _names(item: Item) -> bool:
    """Whether an item tells which thing is spoken of."""
    if item.kind is ItemKind.WORD:
        return item.text.lower() not in word_class("light")
    return item.kind in (ItemKind.NAME, ItemKind.IDENTIFIER)


def _has(body: ParsedText, item: Item) -> bool:
    """Whether a text has a value, with its unit; of a bound, the number."""
    figure = item.figure
    if figure is None:
        return item.key in body.key_set
    return any(same(figure, replace(other, bound=figure.bound)) for other in body.figures)


def _opposed(each: Difference) -> Iterator[tuple[Item, Item]]:
    """The items that stand for one another where claim and place differ: as many on both sides, kind for kind."""
    if len(each.claim) == len(each.place) <= 3:
        yield from zip(each.claim, each.place, strict=True)
        return
    if each.claim and each.place and all(item.kind in VALUES for item in (*each.claim, *each.place)):
        mine = each.claim[0]
        yield mine, next((item for item in each.place if item.kind is mine.kind), each.place[0])
        return
    for kind in (ItemKind.FIGURE, ItemKind.IDENTIFIER):
        own, others = ([item for item in side if item.kind is kind] for side in (each.claim, each.place))
        if len(own) == len(others) == 1:
            yield own[0], others[0]


def _listed(items: Sequence[Item], alignment: Alignment) -> bool:
    """Whether words or commas stand between some items of the claim."""
    text = alignment.claim.text
    return any(text[one.end : other.start].strip(" -/") for one, other in itertools.pairwise(items))


def _one_to_one(each: Difference, alignment: Alignment) -> bool:
    """Whether as much stands on both sides, `SHA-256` counting as one."""
    sides = (each.claim, alignment.claim.text), (each.place, alignment.place.body.text)
    return len(each.claim) == len(each.place) or all(
        side and " " not in text[side[0].start : side[-1].end] for side, text in sides
    )


def _opposing(mine: Item, theirs: Item, alignment: Alignment, one_to_one: bool) -> tuple[ProofKind, str] | None:
    """What two items prove that stand in the same place of two sentences."""
    says = f"the claim says “{mine.text}”, its passage says “{theirs.text}”"
    if mine.figure and theirs.figure:
        return (ProofKind.FIGURE, says) if _figures_differ(mine.figure, theirs.figure, alignment) else None
    repeated = alignment.worded >= REPEATED and alignment.retold >= REPEATED
    if mine.kind in VALUES and theirs.kind in VALUES and theirs.key not in alignment.claim.key_set:
        copied = mine.kind is theirs.kind is ItemKind.IDENTIFIER
        if (repeated or copied) and ((repeated and one_to_one) or not _part_of(mine, theirs)):
            return ProofKind.IDENTIFIER, f"the claim says `{mine.text}`, its passage says `{theirs.text}`"
    plain = mine.kind is theirs.kind is ItemKind.WORD or ItemKind.LIMIT in (mine.kind, theirs.kind)
    if plain and opposite(_stem(mine), _stem(theirs)) and not _negations_differ(alignment):
        return ProofKind.POLARITY, f"“{mine.text}” is the opposite of “{theirs.text}”"
    return None


def _figures_differ(mine: Quantity, theirs: Quantity, alignment: Alignment) -> bool:
    """Whether two figures in the same place cannot both hold; in other wording, one may follow from the other."""
    if same(mine, theirs) or within(mine, theirs):
        return False
    if alignment.worded >= REPEATED and alignment.retold >= REPEATED:
        return True
    if not mine.bound and _states(alignment, mine):
        return False  # it stands elsewhere in the place
    alike = (mine.dimension, mine.per, mine.bound) == (theirs.dimension, theirs.per, theirs.bound)
    free = counts_freely(mine) or counts_freely(theirs)
    span = limited(mine, alignment.claim.text) == limited(theirs, alignment.place.body.text)
    return alike and span and not free and not is_multiple(mine, theirs, alignment) and not follows(mine, alignment)


def _stem(item: Item) -> str:
    return item.text.lower() if item.kind is ItemKind.LIMIT else item.key


def _part_of(mine: Item, theirs: Item) -> bool:
    """Whether one name is a part of the other: `kopia` of `kopia snapshot`, APIs of API."""
    one, other = mine.key.strip("-`'\".,"), theirs.key.strip("-`'\".,")
    return one in other or other in one


def _negated(differences: Sequence[Difference], alignment: Alignment, quote: str) -> Iterator[Proof]:
    """A negation that only one of two sentences has which otherwise say the same."""
    mine = [item for each in differences for item in each.claim]
    theirs = [item for each in differences for item in each.place]
    denying = [item for item in (*mine, *theirs) if item.kind is ItemKind.NEGATION]
    rest = [item for item in (*mine, *theirs) if item.kind is not ItemKind.NEGATION]
    if (
        len(denying) != 1
        or any(item.kind is not ItemKind.WORD for item in rest)
        or len(rest) > len(alignment.pairs) / 4
    ):
        return
    if any(item.text.lower() in word_class("denying") for item in rest):
        return  # `refuses to start` is `never starts`
    if any(opposite(one.key, other.key) for one in mine for other in theirs):
        return
    item = denying[0]
    if item in mine:
        message = f"the claim says “{item.text}”, the same words of its passage do not"
        yield Proof(ProofKind.POLARITY, (item.start, item.end), quote, message, quote)
    elif item.sentence == alignment.place.body.items[alignment.pairs[0][1]].sentence:
        message = f"its passage says “{item.text}”, the same words of the claim do not"
        start = alignment.claim.items[alignment.pairs[0][0]].start
        yield Proof(ProofKind.POLARITY, (start, alignment.claim.items[-1].end), item.text, message, quote)


def _negations_differ(alignment: Alignment) -> bool:
    mine = sum(item.kind is ItemKind.NEGATION for each in alignment.inner for item in each.claim)
    theirs = sum(item.kind is ItemKind.NEGATION for each in alignment.inner for item in each.place)
    return mine % 2 != theirs % 2


def _moved(each: Difference, alignment: Alignment) -> bool:
    """Whether what the claim has here stands elsewhere in the place."""
    return bool(each.claim) and all(item.key in alignment.place.body.key_set for item in each.claim)
