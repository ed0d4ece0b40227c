"""Proofs clause by clause: one that is denied on one side only, and one with an opposite."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mkdocs_cited.language.lexicon import interchangeable, opposite, word_class
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.parsed import Item, ItemKind, ParsedText
from mkdocs_cited.review.lexical.proofs import Proof, ProofKind

_CUT = re.compile(r"[;:.!?\n]\s|,|\s[–—]\s|\b(?:but|while|whereas|and|aber|während|sondern|und)\b", re.IGNORECASE)
_IT = re.compile(r"(?:^|[.;:,]\s+)(?:it|they)\b[\w\s'’]{0,12}$", re.IGNORECASE)
"""A pronoun that opens a clause, with an auxiliary verb."""
LEAST_DENIED = 3
SAME_CLAUSE = 0.75


class Clause(Struct, frozen=True):
    """Some items of a text in a row, with nothing between them that separates statements."""

    items: tuple[Item, ...]

    @property
    def words(self) -> frozenset[str]:
        return frozenset(item.key for item in self.items if item.kind not in (ItemKind.NEGATION, ItemKind.LIMIT))


def clauses(text: ParsedText) -> list[Clause]:
    """A text's clauses that have two words or more, in order."""
    parts: list[list[Item]] = [[]]
    for before, item in itertools.pairwise((None, *text.items)):
        gap = text.text[before.end if before else 0 : item.start if item else 0]
        if before and item and _CUT.search(gap) and not _coordinated(before, item, gap):
            parts.append([])
        if item:
            parts[-1].append(item)
    found = [Clause(tuple(part)) for part in parts]
    return [clause for clause in found if len(clause.words) > 1]


def _coordinated(before: Item, item: Item, gap: str) -> bool:
    """Whether `and` only joins two names: `--a and --b are not inherited`."""
    names = (ItemKind.IDENTIFIER, ItemKind.NAME)
    return before.kind in names and item.kind in names and gap.strip(" `").lower() in ("and", "or", "und", "oder")


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
    """The first word behind the negation of a clause that names what is denied; empty without a negation."""
    behind = itertools.dropwhile(lambda item: item.kind is not ItemKind.NEGATION, clause.items)
    words = [item for item in behind if item.key in clause.words]
    plain = (item for item in words if item.text.lower() not in word_class("auxiliary"))
    return next((item.key for item in (*plain, *words)), "")


def _deny(clause: Clause, part: Clause, alignment: Alignment) -> bool:
    """Whether one of two clauses denies what the other says, and nothing else around the other denies."""
    denials = [sum(item.kind is ItemKind.NEGATION for item in each.items) for each in (clause, part)]
    if sum(denials) != 1 or not _limits(part) <= _limits(clause):
        return False
    body = alignment.place.body
    if denials[1] and (_says_no_more(part, clause) or _is_about_it(part, clause, body)):
        return True
    sentence = tuple(item for item in body.items if item.sentence == part.items[0].sentence)
    before = tuple(item for item in alignment.claim.items if item.end <= clause.items[-1].end)
    others = sentence if denials[0] else before
    if any(item.kind is ItemKind.NEGATION or item.text.lower() in word_class("denying") for item in others):
        return False
    here = clause.words & part.words
    predicate = _denied_word(clause) or _denied_word(part)
    if predicate not in here and not _means(predicate, clause.words ^ part.words):
        return False
    shared = clause.words & (part.words | alignment.place.context.key_set)
    return len(here) >= LEAST_DENIED and len(shared) >= SAME_CLAUSE * len(clause.words)


def _means(predicate: str, words: frozenset[str]) -> bool:
    """Whether other words than the predicate say the same, of those that only one clause has."""
    return any(word != predicate and interchangeable(predicate, word) for word in words)


def _says_no_more(part: Clause, clause: Clause) -> bool:
    """Whether a clause denies of a thing with an identifier, without any condition, what the claim says of that."""
    values = (ItemKind.IDENTIFIER, ItemKind.NAME)
    named = {item.key for item in part.items if item.kind is ItemKind.IDENTIFIER} & clause.words
    own = {item.key for item in part.items if item.kind not in values} & part.words
    return bool(named and own) and own <= clause.words and _limits(clause) <= {"[universal]"}


def _is_about_it(part: Clause, clause: Clause, body: ParsedText) -> bool:
    """Whether a clause denies of `it`, what was spoken of before, all that it says, and the claim says so of that."""
    opening = body.text[: part.items[0].start]
    before = {
        item.key
        for item in body.items
        if item.end <= part.items[0].start and item.sentence >= part.items[0].sentence - 1
    }
    own = part.words
    return (
        _IT.search(opening) is not None
        and len(own) > 1 and own <= clause.words and _limits(clause) <= {"[universal]"}
        and len(before & clause.words - own) > 1
    )  # fmt: skip


def _limits(clause: Clause) -> set[str]:
    return {item.key for item in clause.items if item.kind is ItemKind.LIMIT and item.key != "[permission]"}
