"""Proofs that two things changed places: what is said of each of them, and which of them comes first."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from mkdocs_cited.review.lexical.alignment import VALUES, Alignment
from mkdocs_cited.review.lexical.clauses import Clause, clauses
from mkdocs_cited.review.lexical.parsed import ItemKind, ParsedText, parse
from mkdocs_cited.review.lexical.proofs import Proof, ProofKind
from mkdocs_cited.review.lexical.sequence import before_and_after, steps

LEAST = 2
"""Words that must have gone over to the other thing, and none stayed, before two things are called exchanged."""
SAME = 0.9
"""Share of the claim that must stand in one sentence, values aside, before two values are called exchanged."""
_JOINED = re.compile(r"[,;]|\b(?:and|or|but|while|whereas|und|oder|aber|während)\b", re.IGNORECASE)
MOST_OF = 0.6
"""Share of what a sentence says on either side of `before` that the claim must have on the other."""
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]*)*")


def swapped(alignments: Sequence[Alignment]) -> Iterator[Proof]:
    """The proof that two neighbouring clauses of the claim say of each what the passage says of the other."""
    parts = clauses(alignments[0].claim) if alignments else []
    for alignment in alignments:
        body = alignment.place.body
        for one, other in itertools.pairwise(parts):
            if _crossed(one, other, body):
                span = (one.items[0].start, other.items[-1].end)
                message = f"the claim exchanges what its passage says of two things: “{body.text}”"
                yield Proof(ProofKind.CELL, span, body.text, message, body.text)
                return


def permuted(alignments: Sequence[Alignment]) -> Iterator[Proof]:
    """The proof that two values of a sentence have changed places in the same words: 404 in v2 and 204 in v1."""
    for alignment in alignments:
        mine, theirs = alignment.claim.items, alignment.place.body.items
        slots = [["" if item.kind in VALUES else item.key for item in items] for items in (mine, theirs)]
        blocks = SequenceMatcher(None, slots[0], slots[1], autojunk=False).get_matching_blocks()
        pairs = [(mine[each.a + at], theirs[each.b + at]) for each in blocks for at in range(each.size)]
        if len(pairs) < SAME * len(mine) or len({other.sentence for _, other in pairs}) > 1:
            continue
        differ = [(at, one, other) for at, (one, other) in enumerate(pairs) if one.key != other.key]
        if len(differ) != LEAST:
            continue
        (at, item, other), (last, second, instead) = differ
        between = alignment.place.body.text[other.end : instead.start]
        if (item.key, other.key) == (instead.key, second.key) and last - at > 1 and _JOINED.search(between):
            message = f"the claim has “{item.text}” where its passage has “{other.text}”, and the other way round"
            quote = alignment.place.body.text
            yield Proof(ProofKind.CELL, (item.start, item.end), quote, message, quote)
            return


def _crossed(one: Clause, other: Clause, body: ParsedText) -> bool:
    """Whether two clauses say of one thing what the place says of another, and of that what it says of the first."""
    if _denied((one, other)) or min(len(one.words), len(other.words)) <= LEAST:
        return False
    return any(
        _said_of_the_other(one, other, {*mine}, {*theirs}, body)
        for mine in _things(one, other) for theirs in _things(other, one)
    )  # fmt: skip


def _things(clause: Clause, other: Clause) -> list[frozenset[str]]:
    """What a clause may be about: what it opens with, and its names, each alone and with the words behind it."""
    own = clause.words - other.words
    found: list[frozenset[str]] = []
    for at, item in enumerate(clause.items):
        if item.key in own and (item.kind in VALUES or not found):
            run = itertools.takewhile(
                lambda pair: pair[1].start - pair[0].end <= 1, itertools.pairwise(clause.items[at:])
            )
            found += [frozenset({item.key}), frozenset({item.key, *(after.key for _, after in run)}) & own]
    return found


def _said_of_the_other(one: Clause, other: Clause, first: set[str], second: set[str], body: ParsedText) -> bool:
    here, there = _about(body, first, second), _about(body, second, first)
    if not here or not there:
        return False
    mine, theirs = one.words - other.words - first, other.words - one.words - second
    straight = len(mine & (here - there)) + len(theirs & (there - here))
    crossed = len(mine & (there - here)), len(theirs & (here - there))
    both = min(crossed) > 0 and sum(crossed) >= LEAST
    return not straight and (both or (sum(crossed) > LEAST and min(len(mine), len(theirs)) >= LEAST))


def _about(body: ParsedText, thing: set[str], other: set[str]) -> frozenset[str]:
    """The words of the clauses about one thing and not the other: that name it, or follow one that does."""
    found: set[str] = set()
    current, sentence = False, -1
    for clause in clauses(body):
        mine, theirs = thing <= clause.words, other <= clause.words
        if mine or theirs or clause.items[0].sentence != sentence:
            current = mine and not theirs
        sentence = clause.items[0].sentence
        if current:
            if _denied((clause,)):
                return frozenset()
            found |= clause.words - thing
    return frozenset(found)


def _denied(some: Sequence[Clause]) -> bool:
    return any(item.kind is ItemKind.NEGATION for each in some for item in each.items)


def reversed_order(alignments: Sequence[Alignment]) -> Iterator[Proof]:
    """The proof that the claim puts first what a sentence of the passage puts second, and the other way round."""
    if not alignments or alignments[0].claim.language != "en":
        return
    claim = alignments[0].claim
    sides = before_and_after(claim.text) if "not" not in claim.key_set else None
    told = list(map(_words, steps(claim.text)))
    for alignment in alignments:
        for match in () if alignment.place.source.cells else _SENTENCE.finditer(alignment.place.body.text):
            said = match[0].strip()
            if (sides and _is_reversed(sides, said)) or _tells_otherwise(told, said):
                span = (claim.items[0].start, claim.items[-1].end)
                message = f"the claim has the order of its passage reversed: “{said}”"
                yield Proof(ProofKind.CELL, span, said, message, alignment.place.body.text)
                return


def _is_reversed(mine: tuple[str, str], sentence: str) -> bool:
    """Whether a sentence with a `before` or `after` has two things in the other order."""
    theirs = before_and_after(sentence)
    if theirs is None or "not" in parse(sentence, "en").key_set:
        return False
    (first, second), (earlier, later) = map(_words, mine), map(_words, theirs)
    first, second, earlier, later = first - second, second - first, earlier - later, later - earlier
    if not earlier:  # `it goes after those`
        return len(first & later) >= LEAST and not second & later
    opening = first & earlier  # `the operator updates`, on both sides
    first, earlier = first - opening, earlier - opening
    if second & later or not later or not earlier:
        return False
    return len(first & later) >= MOST_OF * len(later) and len(second & earlier) >= MOST_OF * len(earlier)


def _tells_otherwise(told: Sequence[frozenset[str]], sentence: str) -> bool:
    """Whether a sentence tells the steps one after the other, in another order."""
    items = parse(sentence, "en").items
    if len(told) < LEAST or any(item.key in ("not", "[before]", "[after]") for item in items):
        return False
    own = [step.difference(*told[:at], *told[at + 1 :]) for at, step in enumerate(told)]
    places = [next((item.start for item in items if item.key in step), None) for step in own]
    known = [place for place in places if place is not None]
    return len(known) == len(places) and known[0] > known[1]


def _words(part: str) -> frozenset[str]:
    return frozenset(item.key for item in parse(part, "en").words() if item.figure is None)
