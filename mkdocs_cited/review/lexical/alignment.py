"""A claim laid over a place: which items stand in both in the same order, and what differs between them.

What a difference means is decided in `proofs` and `support`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import cached_property

from msgspec import Struct

from mkdocs_cited.language.lexicon import interchangeable
from mkdocs_cited.language.quantities import same
from mkdocs_cited.review.lexical.evidence import Place
from mkdocs_cited.review.lexical.parsed import Item, ItemKind, ParsedText

WEIGHTS = {ItemKind.FIGURE: 1.5, ItemKind.IDENTIFIER: 1.5, ItemKind.NEGATION: 0.4, ItemKind.LIMIT: 0.3}
"""How much an item says, beside a word's 1."""


VALUES = (ItemKind.FIGURE, ItemKind.IDENTIFIER, ItemKind.NAME)
"""What may stand for another of its kind in wording that is the same."""


class Difference(Struct, frozen=True):
    """What stands in the claim and in the place between two items that both have, or before or behind all."""

    claim: tuple[Item, ...]
    place: tuple[Item, ...]


class Alignment(Struct, frozen=True, dict=True):
    """A claim over one place."""

    claim: ParsedText
    place: Place
    pairs: tuple[tuple[int, int], ...]
    """Indexes of the items that both have, rising in both."""

    @cached_property
    def inner(self) -> tuple[Difference, ...]:
        """What differs between the first and the last item that both have, and what else the claim says."""
        if not self.pairs:
            return (Difference(self.claim.items, ()),)
        mine, theirs, found = self.claim.items, self.place.body.items, []
        first, last = self.pairs[0], self.pairs[-1]
        found.append(Difference(mine[: first[0]], ()))
        for before, after in zip(self.pairs, self.pairs[1:], strict=False):
            found.append(Difference(mine[before[0] + 1 : after[0]], theirs[before[1] + 1 : after[1]]))
        found.append(Difference(mine[last[0] + 1 :], ()))
        return tuple(each for each in found if each.claim or each.place)

    @cached_property
    def head(self) -> tuple[Item, ...]:
        """What the place's sentence says before all that both have."""
        items = self.place.body.items
        first = self.pairs[0][1] if self.pairs else 0
        return tuple(item for item in items[:first] if item.sentence == items[first].sentence)

    @cached_property
    def tail(self) -> tuple[Item, ...]:
        """What the place's sentence says behind all that both have."""
        items = self.place.body.items
        last = self.pairs[-1][1] if self.pairs else 0
        return tuple(item for item in items[last + 1 :] if item.sentence == items[last].sentence)

    @cached_property
    def lost(self) -> tuple[Item, ...]:
        """The items of the claim that the place does not have, wherever they stand in it."""
        matched = {at for at, _ in self.pairs}
        return tuple(item for at, item in enumerate(self.claim.items) if at not in matched)

    @cached_property
    def coverage(self) -> float:
        """Share of what the claim says that the place has, in whatever order, 0…1."""
        keys = self.place.body.key_set | {self.claim.items[at].key for at, _ in self.pairs}
        return share((item for item in self.claim.items if item.key in keys), self.claim.items)

    @cached_property
    def in_order(self) -> float:
        """Share of what the claim says that the place has in the same order, 0…1."""
        return share((self.claim.items[at] for at, _ in self.pairs), self.claim.items)

    @cached_property
    def worded(self) -> float:
        """The same, figures and names of the claim that the place does not have left aside."""
        return _worded(self.claim.items, {at for at, _ in self.pairs})

    @cached_property
    def retold(self) -> float:
        """Share of what the place says between the common items that the claim says too, other values left aside."""
        if not self.pairs:
            return 0.0
        first, last = self.pairs[0][1], self.pairs[-1][1]
        return _worded(self.place.body.items[first : last + 1], {at - first for _, at in self.pairs})

    @cached_property
    def edged(self) -> tuple[Difference, ...]:
        """What differs, with what the place has where the claim begins or ends otherwise, or without a negation."""
        if not self.pairs:
            return ()
        before, behind = self.claim.items[: self.pairs[0][0]], self.claim.items[self.pairs[-1][0] + 1 :]
        more = bool(before) and all(item.kind in VALUES for item in before)
        head = self.head[-len(before) - more :] if before else self.head
        tail = self.tail[: len(behind)] if behind else ()
        opens = before or (len(head) == 1 and head[0].kind is ItemKind.NEGATION)
        inner = [each for each in self.inner if each.place or each.claim not in (before, behind)]
        return tuple(
            each for each in (Difference(before, head if opens else ()), *inner, Difference(behind, tail))
            if each.claim or each.place
        )  # fmt: skip

    @cached_property
    def told(self) -> float:
        """Share of what the place says between the first and the last common item that the claim says too, 0…1."""
        if not self.pairs:
            return 0.0
        span = self.place.body.items[self.pairs[0][1] : self.pairs[-1][1] + 1]
        return share((self.place.body.items[at] for _, at in self.pairs), span)


def _worded(items: Sequence[Item], matched: set[int]) -> float:
    kept = [item for at, item in enumerate(items) if at in matched or item.kind not in VALUES]
    return share((items[at] for at in matched), kept)


def share(some: Iterable[Item], every: Sequence[Item]) -> float:
    """The weight of some items ÷ the weight of all, 0…1."""
    total = sum(WEIGHTS.get(item.kind, 1.0) for item in every)
    return sum(WEIGHTS.get(item.kind, 1.0) for item in some) / total if total else 0.0


_MOST = 2_000
"""Items of either text that are laid over each other, since that takes the square of them: all beyond is unsaid."""


def align(claim: ParsedText, place: Place) -> Alignment:
    """Lay a claim over a place: synonyms, and figures in equal forms, count as the same item."""
    keys = [_key_in(item, claim, place.body) for item in claim.items]
    matcher = SequenceMatcher(None, keys[:_MOST], place.body.keys[:_MOST], autojunk=False)
    pairs = [(block.a + step, block.b + step) for block in matcher.get_matching_blocks() for step in range(block.size)]
    return Alignment(claim, place, tuple(pairs))


def best(claim: ParsedText, places: Iterable[Place]) -> list[Alignment]:
    """The claim over each place, the closest first."""
    alignments = [align(claim, place) for place in places]
    return sorted(alignments, key=lambda each: (-(each.coverage + each.in_order), -each.told))


def _key_in(item: Item, claim: ParsedText, body: ParsedText) -> str:
    """An item's key, or that of what says the same in a place which does not have the item itself."""
    if item.key in body.key_set:
        return item.key
    for other in body.items:
        if item.figure and other.figure and same(item.figure, other.figure):
            return other.key
        plain = item.kind is other.kind is ItemKind.WORD and other.key not in claim.key_set
        if plain and interchangeable(item.key, other.key):
            return other.key
    return item.key
