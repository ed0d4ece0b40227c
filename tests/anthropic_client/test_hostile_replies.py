"""Whatever a server sends, a request ends: within its time and memory, in a fault with a next step.

Each reply is sent by a real socket and read through the real SDK; a hang fails after half a minute.
"""

from __future__ import annotations

import gzip
import itertools
import json
import socket
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from socketserver import BaseRequestHandler
from typing import Any

import pytest

from mkdocs_cited.anthropic_client import Client
from mkdocs_cited.anthropic_client.transport import MOST_BYTES
from mkdocs_cited.model.answer import Fault
from mkdocs_cited.model.ledger import Ledger
from mkdocs_cited.settings.parsing import parse
from tests.servers.messages import KEY
from tests.servers.running import running

SECONDS = 0.4
HANGS = 30
UNDER_WAY = 16 << 20
"""Bytes that a system takes before anybody has read them."""
Pieces = Iterable[bytes | float]
"""Bytes to send, and seconds to wait between them."""

OK = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
CHUNKED = OK + b"transfer-encoding: chunked\r\n\r\n"
TO_THE_END = OK + b"\r\n"
START: dict[str, Any] = {
    "type": "message_start",
    "message": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    },
}
TEXT = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
CALL = {"type": "tool_use", "id": "t", "name": "search_docs", "input": {}}
STOP = {"type": "message_stop"}


def event(data: Any) -> bytes:
    """A server-sent event."""
    text = data if isinstance(data, str) else json.dumps(data)
    kind = data["type"] if isinstance(data, dict) and isinstance(data.get("type"), str) else "message_start"
    return f"event: {kind}\ndata: {text}\n\n".encode()


def delta(**said: Any) -> bytes:
    """A part of a block."""
    return event({"type": "content_block_delta", "index": 0, "delta": said})


def ended(reason: Any) -> bytes:
    """The end of a turn."""
    usage = {"output_tokens": 1}
    return event({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}) + event(STOP)


def stream(*events: bytes) -> Pieces:
    """A stream that ends with its connection."""
    return [TO_THE_END, *events]


def endless(head: bytes, piece: bytes, pause: float = 0) -> Pieces:
    """A piece, again and again."""
    return itertools.chain([head], itertools.cycle([piece, pause] if pause else [piece]))


def whole(status: bytes, body: bytes, *headers: bytes) -> Pieces:
    """A reply with its length."""
    return [b"\r\n".join([b"HTTP/1.1 " + status, b"content-length: %d" % len(body), *headers, b"", body])]


def chunk(data: bytes) -> bytes:
    """A chunk of a body."""
    return b"%x\r\n%s\r\n" % (len(data), data)


PING = event({"type": "ping"})
BLOCK = b"x" * 65536
DEEP = "[" * 100_000
REPLIES: dict[str, Callable[[], Pieces]] = {
    "100 Continue without end": lambda: endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "100 Continue now and then": lambda: endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.02),
    "103 Early Hints without end": lambda: endless(b"", b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"),
    "102 Processing, then nothing": lambda: [b"HTTP/1.1 102 Processing\r\n\r\n", 60.0],
    "nothing": lambda: [60.0],
    "nothing, and the end": list,
    "a status line letter by letter": lambda: endless(b"", b"H", 0.02),
    "headers letter by letter": lambda: endless(OK + b"x-slow: ", b"a", 0.02),
    "headers without end": lambda: endless(OK, b"x-more: 1\r\n"),
    "one header without end": lambda: endless(OK + b"x-long: ", BLOCK),
    "a body letter by letter": lambda: endless(CHUNKED, chunk(b"e"), 0.02),
    "a body that stops": lambda: [CHUNKED, chunk(event(START)), 60.0],
    "pings without end": lambda: endless(CHUNKED, chunk(PING)),
    "pings now and then": lambda: endless(CHUNKED, chunk(PING), 0.02),
    "comments without end": lambda: endless(CHUNKED, chunk(b": x\n\n" * 1000)),
    "empty lines without end": lambda: endless(TO_THE_END, b"\n" * 65536),
    "one line without end": lambda: endless(TO_THE_END + b"data: ", BLOCK),
    "text without end": lambda: endless(TO_THE_END + event(START) + event(TEXT), delta(type="text_delta", text="xxxx")),
    "blocks without end": lambda: endless(TO_THE_END + event(START), event(TEXT)),
    "a call's input without end": lambda: endless(
        TO_THE_END + event(START) + event(TEXT | {"content_block": CALL}),
        delta(type="input_json_delta", partial_json="[" * 100),
    ),
    "chunks of no length": lambda: [CHUNKED, b"0\r\n\r\n"],
    "a chunk of a negative length": lambda: [CHUNKED, b"-1\r\nxx\r\n"],
    "a chunk of a huge length": lambda: [CHUNKED, b"ffffffffffffffff\r\nxx", 60.0],
    "an extension of a chunk without end": lambda: endless(CHUNKED + b"1;", b"x" * 1000),
    "trailers without end": lambda: endless(CHUNKED + b"0\r\n", b"x-more: 1\r\n"),
    "a length that is none": lambda: [OK + b"content-length: many\r\n\r\n", event(START)],
    "two lengths": lambda: [OK + b"content-length: 5\r\ncontent-length: 6\r\n\r\n", b"xxxxxx"],
    "a body shorter than its length": lambda: [OK + b"content-length: 100000\r\n\r\n", event(START)],
    "redirects to itself": lambda: whole(b"307 Temporary Redirect", b"", b"location: /v1/messages"),
    "a redirect with a body without end": lambda: endless(
        b"HTTP/1.1 307 Temporary Redirect\r\nlocation: /v1/messages\r\n\r\n", BLOCK
    ),
    "a redirect to nowhere": lambda: whole(b"307 Temporary Redirect", b"", b"location: http://["),
    "an upgrade": lambda: [b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n", BLOCK],
    "an error without end": lambda: endless(b"HTTP/1.1 500 Oops\r\n\r\n", BLOCK),
    "an error that is nested deeply": lambda: whole(b"400 Bad Request", DEEP.encode()),
    "an error of another form": lambda: whole(b"400 Bad Request", b'{"error": [1, {"type": 5}], "type": []}'),
    "a packed body": lambda: whole(
        b"200 OK",
        gzip.compress(b"data: " + bytes(10_000_000)),
        b"content-encoding: gzip",
        b"content-type: text/event-stream",
    ),
    "a body that says it is packed": lambda: whole(b"200 OK", b"xx", b"content-encoding: br"),
    "noise": lambda: [bytes(range(256)) * 100],
    "a greeting of another protocol": lambda: [b"SSH-2.0-OpenSSH_9.6\r\n", 60.0],
    "an older protocol": lambda: [b"HTTP/0.9 200\r\n\r\n", event(START)],
    "a head without a body": lambda: [TO_THE_END],
    "events that are no JSON": lambda: stream(event("{"), event(STOP)),
    "events that are nested deeply": lambda: stream(event(DEEP), event(STOP)),
    "events that are no objects": lambda: stream(event("[]"), event("null"), event("5"), event(STOP)),
    "events that begin nowhere": lambda: stream(delta(type="text_delta", text="x"), ended("end_turn")),
    "a message that is none": lambda: stream(event({"type": "message_start", "message": None}), event(STOP)),
    "a delta for no block": lambda: stream(event(START), delta(type="text_delta", text="x"), ended("end_turn")),
    "text that is none": lambda: stream(
        event(START), event(TEXT), delta(type="text_delta", text={"a": 1}), ended("end_turn")
    ),
    "halves of characters": lambda: stream(
        event(START), event(TEXT), delta(type="text_delta", text="\ud800"), ended("end_turn")
    ),
    "bytes that are no UTF-8": lambda: stream(event(START), b"data: \xff\xfe\n\n", ended("end_turn")),
    "a reason of another type": lambda: stream(event(START), event(TEXT), ended(["end_turn"])),
    "no reason": lambda: stream(event(START), event(TEXT), ended(None)),
    "tokens that no model has": lambda: stream(
        event(START | {"message": {**START["message"], "usage": {"input_tokens": -5, "output_tokens": 1e99}}}),
        event(TEXT),
        ended("end_turn"),
    ),
    "two messages, and no end": lambda: stream(event(START), event(TEXT), event(START), event(TEXT)),
}


class Hostile:
    """Sends one reply on every connection, as often as it is asked."""

    def __init__(self, reply: Callable[[], Pieces]) -> None:
        self.sent = 0
        self.hung_up = threading.Event()
        self._over = threading.Event()
        hostile = self

        class Handler(BaseRequestHandler):
            def handle(self) -> None:
                try:
                    hostile._talk(self.request, reply())
                except OSError:
                    hostile.hung_up.set()

        self._running = running(Handler)

    def __enter__(self) -> tuple[str, Hostile]:
        return f"http://127.0.0.1:{self._running.__enter__()}", self

    def __exit__(self, *error: Any) -> None:
        self._over.set()
        self._running.__exit__(*error)

    def _talk(self, connection: socket.socket, pieces: Pieces) -> None:
        connection.recv(1 << 20)
        for piece in pieces:
            if isinstance(piece, float):
                self._over.wait(piece)
            else:
                connection.sendall(piece)
                self.sent += len(piece)
            if self._over.is_set():
                break
        connection.shutdown(socket.SHUT_WR)
        self._over.wait(0.05)


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


def client_for(url: str, monkeypatch: pytest.MonkeyPatch, *, own: bool = False) -> Client:
    """A client that sends to an address, with the key that this takes."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
    options = parse({"anthropic": {"own_server": own, "timeout": SECONDS}}, {}).anthropic
    return Client(options, Ledger(None))


@pytest.mark.parametrize("name", REPLIES)
def test_a_request_ends_in_a_fault(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is bounded in time and bytes, and the fault says what to do."""
    with Hostile(REPLIES[name]) as (url, server):
        client = client_for(url, monkeypatch)
        reply = ends(lambda: client.send(BODY))
    assert isinstance(reply, Fault), reply
    assert reply.reason
    assert reply.tip
    assert KEY not in str(reply)
    assert server.sent < MOST_BYTES + UNDER_WAY


@pytest.mark.parametrize("name", [name for name in REPLIES if "without end" in name or "now and then" in name])
def test_a_server_of_one_s_own_is_bounded_as_well(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be broken as well as any other."""
    with Hostile(REPLIES[name]) as (url, server):
        client = client_for(url, monkeypatch, own=True)
        assert isinstance(ends(lambda: client.send(BODY)), Fault)
    assert server.sent < MOST_BYTES + UNDER_WAY


@pytest.mark.parametrize("name", [name for name in REPLIES if "without end" in name or "now and then" in name])
def test_what_is_no_message_is_bounded_as_well(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch that is looked at."""
    with Hostile(REPLIES[name]) as (url, _):
        client = client_for(url, monkeypatch)
        ends(lambda: client.call(lambda sdk: sdk.messages.batches.retrieve("batch").processing_status))


def test_time_that_is_over_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that the connection broke: we broke it."""
    for name in ("100 Continue without end", "headers letter by letter", "pings now and then", "a body that stops"):
        with Hostile(REPLIES[name]) as (url, _):
            client = client_for(url, monkeypatch)
            assert ends(partial(client.send, BODY)).reason == "the API did not answer in time"


def test_all_connections_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever came, nothing is left open when the request has ended."""
    with Hostile(REPLIES["100 Continue now and then"]) as (url, server):
        client = client_for(url, monkeypatch)
        ends(lambda: client.send(BODY))
        assert server.hung_up.wait(HANGS)
