"""What pages have said of the passages that are cited of them, kept for as long as they stay as they are.

Reading a page costs far more than all that is asked of it. Here is only how it is remembered; what is asked stands
where it is asked: `links`, `originals`, `cited_by`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Values, each under a digest of what it was made from."""

    def __init__(self, before: Mapping[str, T] | None = None) -> None:
        """
        Args:
            before: what an earlier build has asked for (its `asked`).
        """
        self._before = before or {}
        self.asked: dict[str, T] = {}
        """What this build has asked for: what the next one may need."""

    def of(self, made_from: tuple[str, ...], make: Callable[[], T]) -> T:
        """The value that was made from this, or is made now."""
        key = hashlib.blake2b(repr(made_from).encode(), digest_size=16).hexdigest()
        if key not in self.asked:
            self.asked[key] = self._before[key] if key in self._before else make()
        return self.asked[key]
