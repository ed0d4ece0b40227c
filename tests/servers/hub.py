"""A model hub on 127.0.0.1: the two endpoints that `huggingface_hub` asks for a file of a revision."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from urllib.parse import unquote, urlsplit

from tests.servers.running import running

LARGE = 2_000
"""Bytes from which on a file is listed with its SHA-256, as git LFS has it."""


@contextmanager
def hub(repository: str, revision: str, files: Mapping[str, bytes], served: Mapping[str, bytes] = {}) -> Iterator[str]:
    """Serve a repository; the address to set HF_ENDPOINT to.

    Args:
        repository: `organisation/name`.
        revision: its only commit.
        files: what the hub lists.
        served: bytes that it hands out in place of the listed ones, as a damaged mirror would.
    """
    listing = json.dumps({"id": repository, "siblings": [_entry(path, data) for path, data in files.items()]}).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._file(body=False)

        def do_GET(self) -> None:
            if urlsplit(self.path).path == f"/api/models/{repository}/revision/{revision}":
                self._send(200, listing, {"Content-Type": "application/json"})
            else:
                self._file(body=True)

        def _file(self, *, body: bool) -> None:
            path = unquote(urlsplit(self.path).path).removeprefix(f"/{repository}/resolve/{revision}/")
            if path not in files:
                self._send(404, b"", {"X-Error-Code": "EntryNotFound"})
                return
            data = served.get(path, files[path])
            headers = {"ETag": f'"{hashlib.sha256(data).hexdigest()}"', "X-Repo-Commit": revision}
            self._send(200, data, headers, body=body)

        def _send(self, status: int, data: bytes, headers: Mapping[str, str], *, body: bool = True) -> None:
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(data))} | dict(headers)).items():
                self.send_header(name, value)
            self.end_headers()
            if body:
                self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with running(Handler) as port:
        yield f"http://127.0.0.1:{port}"


def _entry(path: str, data: bytes) -> dict[str, object]:
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    entry: dict[str, object] = {"rfilename": path, "size": len(data), "blobId": blob}
    if len(data) >= LARGE:
        entry["lfs"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
    return entry
