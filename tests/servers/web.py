"""A small web on 127.0.0.1: what each path answers, and who asked for what, when."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from tests.servers.running import running


@dataclass(frozen=True)
class Answer:
    """What a path answers."""

    body: bytes | str = b""
    status: int = 200
    type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: int = 1
    """How often the body is sent."""
    wait: float = 0.0
    """Seconds before each piece."""


@dataclass(frozen=True)
class Request:
    """What somebody asked."""

    path: str
    headers: Mapping[str, str]
    at: float


@dataclass
class Web:
    """One server. A path that it does not know is 404; `/robots.txt` too, unless a test says otherwise."""

    port: int = 0
    answers: dict[str, Answer | Callable[[Request], Answer]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def paths(self) -> list[str]:
        """What was asked for, without `robots.txt`."""
        return [request.path for request in self.requests if request.path != "/robots.txt"]

    def answer(self, request: Request) -> Answer:
        self.requests.append(request)
        known = self.answers.get(request.path, Answer("<p>There is no such page.</p>", 404))
        return known if isinstance(known, Answer) else known(request)


@contextmanager
def small_web(tls: ssl.SSLContext | None = None) -> Iterator[Web]:
    """A server for the time of a test; with a certificate, over HTTPS."""
    web = Web()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = web.answer(Request(self.path, dict(self.headers), time.monotonic()))
            body = answer.body.encode() if isinstance(answer.body, str) else answer.body
            self.send_response(answer.status)
            for name, value in {"Content-Type": answer.type, **answer.headers}.items():
                self.send_header(name, value)
            if answer.pieces == 1 and answer.status != 304:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            try:
                for _ in range(answer.pieces):
                    time.sleep(answer.wait)
                    self.wfile.write(body)
                    self.wfile.flush()
            except OSError:  # whoever asked has enough
                pass

        def log_message(self, format: str, *args: object) -> None:
            pass

    with running(Handler, tls) as web.port:
        yield web
