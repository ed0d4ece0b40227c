"""Bounds on a reply that the HTTP client does not have: its time from first to last byte, and its size."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 64 * 1024 * 1024
"""Bytes of one reply."""
MOST_RESULT_BYTES = 1024 * 1024 * 1024
"""Bytes of a batch's results."""


class Clock:
    """Each thread's deadline, on the monotonic clock."""

    def __init__(self) -> None:
        self._local = threading.local()

    @contextmanager
    def until(self, deadline: float, *, most_bytes: int = MOST_BYTES) -> Iterator[None]:
        """Within the block, replies read by this thread must end before `deadline`."""
        self._local.deadline, self._local.most = deadline, most_bytes
        try:
            yield
        finally:
            self._local.deadline = None

    @property
    def deadline(self) -> float | None:
        """This thread's, if it has one."""
        return getattr(self._local, "deadline", None)

    @property
    def most(self) -> int:
        """Bytes that this thread may read of one reply."""
        return getattr(self._local, "most", MOST_BYTES)


def bounded(clock: Clock) -> Callable[[httpx2.Response], None]:
    """A response hook that puts the clock's bounds on a reply.

    The client's own timeout is for the silence between two chunks: a server that sends a `ping` now and then could
    keep a reply open for ever.
    """
    import httpx2

    class Bounded(httpx2.SyncByteStream):
        def __init__(self, inner: httpx2.SyncByteStream, deadline: float, most: int) -> None:
            self._inner, self._deadline, self._left = inner, deadline, most

        def __iter__(self) -> Iterator[bytes]:
            for chunk in self._inner:
                if time.monotonic() > self._deadline:
                    raise httpx2.ReadTimeout("the reply took longer than it may")
                self._left -= len(chunk)
                if self._left < 0:
                    raise httpx2.ReadError("the reply is larger than it may be")
                yield chunk

        def close(self) -> None:
            self._inner.close()

    def hook(response: httpx2.Response) -> None:
        deadline, stream = clock.deadline, response.stream
        if deadline is not None and isinstance(stream, httpx2.SyncByteStream):
            response.stream = Bounded(stream, deadline, clock.most)

    return hook
