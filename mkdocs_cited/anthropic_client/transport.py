"""Bounds on requests and replies that the HTTP client lacks: where they go, their whole time, their size."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 1024 * 1024 * 1024
"""Bytes of one reply: those of a batch's results are many."""


class StrayError(Exception):
    """A request was about to go to another server than the one that the options name."""


class Clock:
    """Each thread's time for what it does, all attempts together."""

    def __init__(self) -> None:
        self._local = threading.local()

    def start(self, seconds: float) -> None:
        """From now on, this thread has so much time."""
        self._local.end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds."""
        end: float = self._local.end
        return end - time.monotonic()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Within the block, no time passes."""
        began = time.monotonic()
        yield
        self._local.end += time.monotonic() - began


def bounded(clock: Clock) -> Callable[[httpx2.Response], None]:
    """A response hook that puts the clock's bounds on a reply.

    The client's own timeout is for the silence between two chunks: a server that sends a `ping` now and then could
    keep a reply open for ever.
    """
    import httpx2

    class Bounded(httpx2.SyncByteStream):
        def __init__(self, inner: httpx2.SyncByteStream) -> None:
            self._inner, self._left = inner, MOST_BYTES

        def __iter__(self) -> Iterator[bytes]:
            for chunk in self._inner:
                if clock.left < 0:
                    raise httpx2.ReadTimeout("the reply took longer than it may")
                self._left -= len(chunk)
                if self._left < 0:
                    raise httpx2.ReadError("the reply is larger than it may be")
                yield chunk

        def close(self) -> None:
            self._inner.close()

    def hook(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = Bounded(response.stream)

    return hook


def bound_to(address: str) -> Callable[[httpx2.Request], None]:
    """A request hook that lets nothing go to another host, port or scheme than those of an address: neither a redirect
    nor an address in a reply leads key and texts elsewhere."""
    import httpx2

    def origin(url: httpx2.URL) -> tuple[str, str, int | None]:
        return url.scheme, url.host, url.port

    allowed = origin(httpx2.URL(address))

    def hook(request: httpx2.Request) -> None:
        if origin(request.url) != allowed:
            raise StrayError(f"the server leads on to another host, port or scheme ({request.url.host})")

    return hook
