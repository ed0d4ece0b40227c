"""A Messages API on 127.0.0.1: it keeps the real one's rules, says what a script says, and keeps what it was sent."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from types import TracebackType
from typing import Any, Literal, Self

from tests.servers.rules import objection, text_objection
from tests.servers.running import running
from tests.servers.script import Answer, Refused, Script, Turn, message_of

KEY = "sk-ant-test-0123456789abcdef"
"""The only key that the server accepts."""


class MessagesServer:
    """The server. Use it as a context manager; `requests` are the bodies of all messages it was asked for."""

    def __init__(self, answers: Script | Iterable[Answer] = (), *, knows: Literal["all", "text"] = "all") -> None:
        """
        Args:
            answers: a function of the request, or the answers in order, the last of them for ever.
            knows: the whole API, for a key; or, as a team's own server, plain text without a key: whatever is new to
                it, it refuses.
        """
        self.knows = knows
        self.requests: list[dict[str, Any]] = []
        self.counted: list[dict[str, Any]] = []
        self.batches: dict[str, dict[str, Any]] = {}
        self.headers: list[dict[str, str]] = []
        self.polls = 1
        """Looks at a batch before it has ended."""
        self.drop_batch_reply = False
        """Whether the connection breaks after a batch was created."""
        self._lock = threading.Lock()
        self._cached: set[str] = set()
        self._ids = itertools.count(1)
        self.answer_with(answers)
        api = self

        class Handler(_Handler):
            server_api = api

        self._running = running(Handler)
        self.url = ""

    def answer_with(self, answers: Script | Iterable[Answer]) -> None:
        """Replace the script."""
        if callable(answers):
            self._script: Script = answers
            return
        left = deque(answers)

        def script(body: dict[str, Any]) -> Answer:
            with self._lock:
                return left.popleft() if len(left) > 1 else left[0]

        self._script = script

    def __enter__(self) -> Self:
        port = self._running.__enter__()
        self.url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.__exit__(kind, error, trace)

    def begin(self, body: dict[str, Any]) -> None:
        with self._lock:
            self.requests.append(body)

    def answer(self, body: dict[str, Any]) -> Answer:
        """What to answer: the API's objection, or what the script says."""
        if wrong := text_objection(body) if self.knows == "text" else objection(body):
            return Refused(400, "invalid_request_error", wrong)
        return self._script(body)

    def usage(self, body: dict[str, Any]) -> dict[str, int]:
        """Token counts, with a cache for marked parts of the system prompt."""
        usage = {"input_tokens": tokens(body), "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        for block in body.get("system", []) if self.knows == "all" else ():
            if "cache_control" in block:
                count = len(block["text"]) // 4
                usage["input_tokens"] -= count
                with self._lock:
                    kind = "read" if block["text"] in self._cached else "creation"
                    self._cached.add(block["text"])
                usage[f"cache_{kind}_input_tokens"] += count
        return usage

    def create_batch(self, body: dict[str, Any]) -> dict[str, Any]:
        """Keep a batch with its results, which are there once it has been looked at `polls` times."""
        results = []
        for request in body["requests"]:
            self.requests.append(request["params"])
            answer = self.answer(request["params"])
            results.append({"custom_id": request["custom_id"], "result": self._result(answer, request["params"])})
        name = f"msgbatch_{next(self._ids)}"
        # The API gives results in any order.
        kinds = [item["result"]["type"] for item in results]
        batch = {
            "id": name,
            "results": results[::-1],
            "polls": self.polls,
            "created": datetime.now(UTC),
            "kinds": kinds,
        }
        self.batches[name] = batch
        return batch

    def _result(self, answer: Answer, params: dict[str, Any]) -> dict[str, Any]:
        if isinstance(answer, Turn):
            return {"type": "succeeded", "message": message_of(answer, params, self.usage(params))}
        if answer.type in ("expired", "canceled"):
            return {"type": answer.type}
        error = {"type": answer.type, "message": answer.message}
        return {"type": "errored", "error": {"type": "error", "error": error, "request_id": None}}


def tokens(body: dict[str, Any]) -> int:
    """A token for each four characters."""
    return len(json.dumps(body)) // 4


class _Handler(BaseHTTPRequestHandler):
    server_api: MessagesServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if not self._allowed():
            return
        path = self.path.partition("?")[0]
        if path == "/v1/messages":
            self._message(body)
        elif self.server_api.knows != "all":
            self._refuse(Refused(404, "not_found_error", f"no such address: {path}"))
        elif path == "/v1/messages/count_tokens":
            self.server_api.counted.append(body)
            self._json(200, {"input_tokens": tokens(body)})
        elif path == "/v1/messages/batches":
            batch = self.server_api.create_batch(body)
            if self.server_api.drop_batch_reply:
                self.close_connection = True
            else:
                self._json(200, self._batch(batch))
        else:
            self._refuse(Refused(404, "not_found_error", f"no such address: {path}"))

    def do_GET(self) -> None:
        if not self._allowed():
            return
        parts = self.path.partition("?")[0].strip("/").split("/")
        batches = self.server_api.batches
        if parts == ["v1", "messages", "batches"]:
            data = [self._batch(batch) for batch in reversed(batches.values())]
            self._json(200, {"data": data, "has_more": False, "first_id": None, "last_id": None})
        elif len(parts) >= 4 and parts[3] in batches:
            batch = batches[parts[3]]
            if len(parts) == 5:
                lines = "".join(json.dumps(item) + "\n" for item in batch["results"])
                self._send(200, lines.encode(), "application/x-jsonl")
            else:
                batch["polls"] -= 1
                self._json(200, self._batch(batch))
        else:
            self._refuse(Refused(404, "not_found_error", "no such batch"))

    def _allowed(self) -> bool:
        """The key goes as a bearer token since 2.x, and the version is fixed."""
        self.server_api.headers.append(dict(self.headers.items()))
        if self.server_api.knows != "all":
            return True
        if self.headers.get("authorization") != f"Bearer {KEY}":
            self._refuse(Refused(401, "authentication_error", "invalid bearer token"))
            return False
        if self.headers.get("anthropic-version") != "2026-10-21":
            self._refuse(Refused(400, "invalid_request_error", "anthropic-version: unknown"))
            return False
        return True

    def _message(self, body: dict[str, Any]) -> None:
        self.server_api.begin(body)
        answer = self.server_api.answer(body)
        if isinstance(answer, Refused):
            self._refuse(answer)
            return
        time.sleep(answer.delay)
        message = message_of(answer, body, self.server_api.usage(body))
        data = json.dumps(message).encode()
        self._send(200, data[: len(data) // 2] if answer.hang_up else data, "application/json", size=len(data))

    def _batch(self, batch: dict[str, Any]) -> dict[str, Any]:
        ended = batch["polls"] <= 0
        kinds = batch["kinds"]
        counts = {kind: kinds.count(kind) if ended else 0 for kind in ("succeeded", "errored", "canceled", "expired")}
        moment = batch["created"].isoformat()
        return {
            "id": batch["id"],
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {**counts, "processing": 0 if ended else len(kinds)},
            "created_at": moment,
            "expires_at": (batch["created"] + timedelta(days=1)).isoformat(),
            "ended_at": moment if ended else None,
            "archived_at": None,
            "cancel_initiated_at": None,
            "results_url": f"{self.server_api.url}/v1/messages/batches/{batch['id']}/results" if ended else None,
        }

    def _refuse(self, answer: Refused) -> None:
        error: dict[str, Any] = {"type": answer.type, "message": answer.message}
        if answer.code:
            error["details"] = {"error_code": answer.code}
        body = json.dumps({"type": "error", "error": error, "request_id": "req_0001"}).encode()
        self._send(answer.status, answer.raw if answer.raw is not None else body, "application/json", answer.headers)

    def _json(self, status: int, value: Any) -> None:
        self._send(status, json.dumps(value).encode(), "application/json")

    def _send(
        self, status: int, data: bytes, kind: str, headers: tuple[tuple[str, str], ...] = (), *, size: int | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(size or len(data)))
        self.close_connection = size is not None and size > len(data)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
