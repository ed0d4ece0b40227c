"""Bounds on requests and replies that the HTTP client lacks: where they go, their whole time, their size."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 64 * 1024 * 1024
"""Bytes of a reply, all attempts together."""


class StrayError(Exception):
    """A request was about to go to another server than the one that the options name."""


class Limits:
    """Where requests may go, and what each thread may use for one, all attempts together: time and bytes.

    The client's own timeout is for the silence between two reads: a server that sends a `ping`, a header or
    `100 Continue` now and then could keep a request open for ever. Here its connection is shut down at the end.
    """

    def __init__(self, address: str) -> None:
        """`address` is where requests go: neither a redirect nor an address in a reply leads key and texts to another
        host, port or scheme."""
        self.address = address
        self._local = threading.local()

    def start(self, seconds: float, most_bytes: int = MOST_BYTES) -> None:
        """From now on, this thread has so much."""
        self._local.end, self._local.bytes = time.monotonic() + seconds, most_bytes

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

    @contextmanager
    def enforced(self) -> Iterator[None]:
        """Within the block, the connections that this thread opens are shut down when its time is over."""
        opened: list[socket.socket] = []
        self._local.opened = opened
        timer = threading.Timer(max(0.0, self.left), _shut, [opened])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def on_request(self, request: httpx2.Request) -> None:
        """A request hook: see that it goes where it may, and which connection it opens."""
        import httpx2

        own = httpx2.URL(self.address)
        if (request.url.scheme, request.url.netloc) != (own.scheme, own.netloc):
            raise StrayError(f"the server redirects to another host, port or scheme ({request.url.host})")
        request.extensions["trace"] = self._trace

    def on_response(self, response: httpx2.Response) -> None:
        """A response hook: count its bytes. What is packed could be of any size."""
        import httpx2

        if response.headers.get("content-encoding", "identity") != "identity":
            raise httpx2.DecodingError("the reply is compressed, which was not requested")
        limits, local = self, self._local

        class Bounded(httpx2.SyncByteStream):
            def __init__(self, inner: httpx2.SyncByteStream) -> None:
                self._inner = inner

            def __iter__(self) -> Iterator[bytes]:
                for chunk in self._inner:
                    local.bytes -= len(chunk)
                    if limits.left < 0:
                        raise httpx2.ReadTimeout("the reply took too long")
                    if local.bytes < 0:
                        raise httpx2.ReadError("the reply is too large")
                    yield chunk

            def close(self) -> None:
                self._inner.close()

        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = Bounded(response.stream)

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Called by the HTTP client at each of its steps."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            stream = info["return_value"]
            self._local.opened.append(stream.get_extra_info("socket"))
            if self.left < 0:
                stream.close()
                raise TimeoutError


def _shut(opened: list[socket.socket]) -> None:
    """End these connections, and take from them what has come and was not read: that alone can take long to parse.

    The methods of TLS sockets would touch what another thread uses.
    """
    for connection in opened:
        with suppress(OSError):
            socket.socket.shutdown(connection, socket.SHUT_RDWR)
            while socket.socket.recv(connection, 1 << 20):
                pass
