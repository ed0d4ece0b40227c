"""Whatever a server sends, a request ends: within its time, in a fault with a next step.

Each reply is sent by a real socket and read through the real SDK; a hang fails after half a minute.
"""

from __future__ import annotations

import itertools
import socket
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from socketserver import BaseRequestHandler
from typing import Any

import pytest

from mkdocs_cited.anthropic_client import Client
from mkdocs_cited.model.answer import Fault
from mkdocs_cited.model.report import Ledger
from mkdocs_cited.settings import parse
from tests.servers.messages import KEY
from tests.servers.running import running

SECONDS = 0.4
HANGS = 30
Pieces = Iterable[bytes | float]
"""Bytes to send, and seconds to wait between them."""

OK = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
CHUNKED = OK + b"transfer-encoding: chunked\r\n\r\n"


def endless(head: bytes, piece: bytes) -> Pieces:
    """A piece, again and again."""
    return itertools.chain([head], itertools.cycle([piece, 0.02]))


def whole(status: bytes, body: bytes, *headers: bytes) -> Pieces:
    """A reply with its length."""
    return [b"\r\n".join([b"HTTP/1.1 " + status, b"content-length: %d" % len(body), *headers, b"", body])]


DEEP = b"[" * 100_000
REPLIES: dict[str, Callable[[], Pieces]] = {
    "100 Continue now and then": lambda: endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "102 Processing, then nothing": lambda: [b"HTTP/1.1 102 Processing\r\n\r\n", 60.0],
    "nothing": lambda: [60.0],
    "nothing, and the end": list,
    "a status line letter by letter": lambda: endless(b"", b"H"),
    "headers letter by letter": lambda: endless(OK + b"x-slow: ", b"a"),
    "a body letter by letter": lambda: endless(CHUNKED, b"1\r\n \r\n"),
    "a body that stops": lambda: [CHUNKED, b"1\r\n{\r\n", 60.0],
    "chunks of no length": lambda: [CHUNKED, b"0\r\n\r\n"],
    "a chunk of a negative length": lambda: [CHUNKED, b"-1\r\nxx\r\n"],
    "a length that is none": lambda: [OK + b"content-length: many\r\n\r\n", b"{}"],
    "a body shorter than its length": lambda: [OK + b"content-length: 100000\r\n\r\n", b"{}"],
    "a redirect": lambda: whole(b"307 Temporary Redirect", b"", b"location: https://example.invalid/v1/messages"),
    "an upgrade": lambda: [b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n"],
    "an error that is nested deeply": lambda: whole(b"400 Bad Request", DEEP),
    "an error of another form": lambda: whole(b"400 Bad Request", b'{"error": [1, {"type": 5}], "type": []}'),
    "a body that says it is packed": lambda: whole(b"200 OK", b"xx", b"content-encoding: br"),
    "a body that is nested deeply": lambda: whole(b"200 OK", DEEP, b"content-type: application/json"),
    "noise": lambda: [bytes(range(256)) * 100],
    "a greeting of another protocol": lambda: [b"SSH-2.0-OpenSSH_9.6\r\n", 60.0],
}


class Hostile:
    """Sends one reply on every connection, as often as it is asked."""

    def __init__(self, reply: Callable[[], Pieces]) -> None:
        self._over = threading.Event()
        hostile = self

        class Handler(BaseRequestHandler):
            def handle(self) -> None:
                hostile._talk(self.request, reply())

        self._running = running(Handler)

    def __enter__(self) -> str:
        return f"http://127.0.0.1:{self._running.__enter__()}"

    def __exit__(self, *error: Any) -> None:
        self._over.set()
        self._running.__exit__(*error)

    def _talk(self, connection: socket.socket, pieces: Pieces) -> None:
        try:
            connection.recv(1 << 20)
            for piece in pieces:
                if isinstance(piece, float):
                    self._over.wait(piece)
                else:
                    connection.sendall(piece)
                if self._over.is_set():
                    break
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def ends(work: Callable[[], Any]) -> Any:
    """What a piece of work comes to; a hang is a failure."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(work).result(HANGS)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


BODY: Any = {
    "model": "claude-sonnet-5-5",
    "max_tokens": 100,
    "messages": [{"role": "user", "content": [{"type": "text", "text": "Question"}]}],
}


@pytest.mark.parametrize("own", [False, True], ids=["the API", "a server of one's own"])
@pytest.mark.parametrize("name", REPLIES)
def test_a_request_ends_in_a_fault(name: str, own: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is bounded in time, and the fault says what to do."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with Hostile(REPLIES[name]) as url:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
        options = parse({"anthropic": {"own_server": own, "timeout": SECONDS}}, {}).anthropic
        client = Client(options, Ledger(None))
        reply = ends(lambda: client.send(BODY))
    assert isinstance(reply, Fault), reply
    assert reply.reason
    assert reply.tip
    assert KEY not in str(reply)
