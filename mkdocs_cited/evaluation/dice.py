"""Chance that can be repeated: numbers drawn from a seed and from what they are for, the same on every Python."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Draws for one purpose. Another purpose, or another draw before it, changes nothing.

    Each draw is the SHA-256 of seed, purpose and counter, so that adding a claim leaves the others' draws alone.
    """

    def __init__(self, seed: int, *purpose: str) -> None:
        self._state = hashlib.sha256("\x1f".join((str(seed), *purpose)).encode("utf-8", "surrogatepass"))
        self._count = 0

    def below(self, most: int) -> int:
        """A number from 0 to `most` - 1."""
        state = self._state.copy()
        state.update(b"%d" % self._count)
        self._count += 1
        return int.from_bytes(state.digest()[:8], "big") % most

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, which must not be empty."""
        return items[self.below(len(items))]

    def order(self, items: Sequence[T]) -> list[T]:
        """The items in another order."""
        return [item for _, _, item in sorted((self.below(1 << 62), at, item) for at, item in enumerate(items))]
