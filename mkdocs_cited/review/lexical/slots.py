"""What stands in a passage in the very place of a piece of the claim: between the same words before and behind.

A claim that repeats a sentence but for one figure or name is found out here, even where the figure or name stands
elsewhere in the passage, or is of a kind that people write freely.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from mkdocs_cited.language.words import Token

_SIDE = 2
"""Words on each side that have to be the same; where a sentence starts or ends there are fewer."""
_LEAST = 2
"""Words on both sides together: a heading of one word is no place."""
_MOST = 40
"""Places of a passage that are looked at for one piece."""


class Slots:
    """A text's words in order, without its punctuation, and where each stands."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self._places = [at for at, token in enumerate(tokens) if token.kind != "mark"]
        self._behind: dict[str, list[int]] = {}
        for rank in range(len(self._places)):
            self._behind.setdefault(self._key(rank - 1, rank), []).append(rank)

    def _key(self, rank: int, near: int) -> str:
        """What stands at a rank, if it is in the sentence of the word that is near; otherwise nothing."""
        if not 0 <= rank < len(self._places):
            return ""
        token = self.tokens[self._places[rank]]
        return token.key if token.sentence == self.tokens[self._places[near]].sentence else ""

    def _left(self, rank: int) -> tuple[str, ...]:
        return tuple(self._key(rank - step, rank) for step in range(1, _SIDE + 1))

    def start(self, at: int) -> int:
        """The first word from a token on: what punctuation opens, starts there."""
        rank = bisect_left(self._places, at)
        return self._places[rank] if rank < len(self._places) else at

    def right(self, last: int) -> tuple[str, ...]:
        """The words behind a token, nearest first."""
        rank = bisect_right(self._places, last) - 1
        return tuple(self._key(rank + step, rank) for step in range(1, _SIDE + 1))

    def alike(self, first: int, last: int, other: Slots) -> Iterator[int]:
        """Yield the tokens of another text at which a piece would start that stands between the same words.

        Whether it also ends there is for the caller to see, who knows how long it is: by `right`.
        """
        rank = bisect_left(self._places, first)
        if rank == len(self._places):
            return
        left = self._left(rank)
        if sum(map(bool, (*left, *self.right(last)))) < _LEAST:
            return
        for place in other._behind.get(left[0], ())[:_MOST]:
            if other._left(place) == left:
                yield other._places[place]
