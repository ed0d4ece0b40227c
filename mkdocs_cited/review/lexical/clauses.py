"""Proofs clause by clause: one that is denied on one side only, and two whose parts changed places."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mkdocs_cited.language.lexicon import opposite, word_class
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.parsed import Item, ItemKind, ParsedText
from mkdocs_cited.review.lexical.proofs import Proof, ProofKind

_CUT = re.compile(r"[;:.!?\n]\s|,|\s[–—]\s|\b(?:but|while|whereas|and|aber|während|sondern|und)\b", re.IGNORECASE)
LEAST_CROSSED = 2
"""Words that must have gone to the neighbouring clause, and none stayed, before clauses are called swapped."""

LEAST_DENIED = 3
SAME_CLAUSE = 0.75


@dataclass(frozen=True, slots=True)
class Clause:
    """Some items of a text in a row, with nothing between them that separates statements."""

    items: tuple[Item, ...]

    @property
    def words(self) -> frozenset[str]:
        return frozenset(item.key for item in self.items if item.kind not in (ItemKind.NEGATION, ItemKind.LIMIT))

    @property
    def subject(self) -> str:
        """What it opens with."""
        return next(item.key for item in self.items if item.key in self.words)


def clauses(text: ParsedText) -> list[Clause]:
    """A text's clauses that have two words or more, in order."""
    parts: list[list[Item]] = [[]]
    for before, item in itertools.pairwise((None, *text.items)):
        gap = text.text[before.end if before else 0 : item.start if item else 0]
        if before and item and _CUT.search(gap):
            parts.append([])
        if item:
            parts[-1].append(item)
    found = [Clause(tuple(part)) for part in parts]
    return [clause for clause in found if len(clause.words) > 1]


def swapped(alignments: Sequence[Alignment]) -> Iterator[Proof]:
    """The proof that two neighbouring clauses of the claim say of each what the passage says of the other."""
    for alignment in alignments:
        mine, theirs = clauses(alignment.claim), clauses(alignment.place.body)
        for first, second in itertools.pairwise(mine):
            for one, other in itertools.pairwise(theirs):
                if _crossed((first, second), (one, other)):
                    span = (first.items[0].start, second.items[-1].end)
                    passage = alignment.place.body.text[one.items[0].start : other.items[-1].end]
                    message = f"the claim exchanges what its passage says of two things: “{passage}”"
                    yield Proof(ProofKind.CELL, span, passage, message, alignment.place.body.text)
                    return


def _crossed(mine: tuple[Clause, Clause], theirs: tuple[Clause, Clause]) -> bool:
    """Whether both pairs of clauses open with the same two things, and say of one what the others say of the other."""
    if _negated(*mine, *theirs):
        return False
    subjects, others = [each.subject for each in mine], [each.subject for each in theirs]
    if subjects[0] == subjects[1] or sorted(subjects) != sorted(others):
        return False
    if subjects != others:
        theirs = theirs[::-1]
    straight = crossed = 0
    for here, there in ((0, 1), (1, 0)):
        own = mine[here].words - mine[there].words - set(subjects)
        straight += len(own & (theirs[here].words - theirs[there].words))
        crossed += len(own & (theirs[there].words - theirs[here].words))
    return crossed >= LEAST_CROSSED and not straight


def opposed(alignments: Sequence[Alignment]) -> Iterator[Proof]:
    """The proof that a clause of the claim has all words of one of the passage's, but an opposite for one."""
    said = [part.words for alignment in alignments for part in clauses(alignment.place.body)]
    for clause in clauses(alignments[0].claim) if alignments else ():
        if any(clause.words <= words for words in said):
            continue
        for alignment in alignments:
            for part in clauses(alignment.place.body):
                here = clause.words & part.words
                mine, theirs = clause.words - here, part.words - here
                if len(here) < 2 or len(theirs) != 1 or _limits(clause) != _limits(part) or _negated(clause, part):
                    continue
                word = next((each for each in clause.items if each.key in mine and opposite(each.key, *theirs)), None)
                if word is not None:
                    passage = alignment.place.body.text[part.items[0].start : part.items[-1].end]
                    message = f"“{word.text}” is the opposite of what its passage says: “{passage}”"
                    span = (word.start, word.end)
                    yield Proof(ProofKind.POLARITY, span, passage, message, alignment.place.body.text)
                    return


def _negated(*some: Clause) -> bool:
    return any(item.kind is ItemKind.NEGATION for each in some for item in each.items)


def denied(alignments: Sequence[Alignment]) -> Iterator[Proof]:
    """The proof that claim and passage say the same of the same, but that one of them denies it.

    The word behind the negation is in both clauses, and no clause of the passage says it as the claim does.
    """
    if not alignments or alignments[0].claim.language != "en":
        return  # the word behind the negation is what is denied only there
    for clause in clauses(alignments[0].claim):
        others = [(part, each) for each in alignments for part in clauses(each.place.body)]
        denying = [(part, each) for part, each in others if _deny(clause, part, each)]
        if not denying:
            continue
        part, each = max(denying, key=lambda pair: len(clause.words & pair[0].words))
        predicate, most = _denied_word(clause) or _denied_word(part), len(clause.words & part.words)
        agreeing = (
            other for other, _ in others
            if predicate in other.words and bool(_denied_word(other)) == bool(_denied_word(clause))
            and len(clause.words & other.words) >= most - 1
        )  # fmt: skip
        if next(agreeing, None) is None:
            span = (clause.items[0].start, clause.items[-1].end)
            passage = each.place.body.text[part.items[0].start : part.items[-1].end]
            message = f"the claim and its passage differ in negation: “{passage}”"
            yield Proof(ProofKind.POLARITY, span, passage, message, each.place.body.text)


def _denied_word(clause: Clause) -> str:
    """The first word behind the negation of a clause; empty without a negation."""
    behind = itertools.dropwhile(lambda item: item.kind is not ItemKind.NEGATION, clause.items)
    return next((item.key for item in behind if item.key in clause.words), "")


def _deny(clause: Clause, part: Clause, alignment: Alignment) -> bool:
    """Whether one of two clauses denies what the other says, and nothing else around the other denies."""
    denials = [sum(item.kind is ItemKind.NEGATION for item in each.items) for each in (clause, part)]
    if sum(denials) != 1 or not _limits(part) <= _limits(clause):
        return False
    body = alignment.place.body
    sentence = tuple(item for item in body.items if item.sentence == part.items[0].sentence)
    others = sentence if denials[0] else alignment.claim.items
    if any(item.kind is ItemKind.NEGATION or item.text.lower() in word_class("denying") for item in others):
        return False
    here = clause.words & part.words
    shared = clause.words & (part.words | alignment.place.context.key_set)
    predicate = _denied_word(clause) or _denied_word(part)
    return predicate in here and len(here) >= LEAST_DENIED and len(shared) >= SAME_CLAUSE * len(clause.words)


def _limits(clause: Clause) -> set[str]:
    return {item.key for item in clause.items if item.kind is ItemKind.LIMIT and item.key != "[permission]"}
