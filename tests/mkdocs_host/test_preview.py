"""`mkdocs serve` as a process: its pages follow edits."""

from __future__ import annotations

import http.client
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests import forks
from tests.installed import install_ours
from tests.projects import INSTALL, Project

QUESTION = "How long is a key valid?"
FAQ = f"---\nanswers:\n  - question: {QUESTION}\n---\n# FAQ\n"
PATIENCE = 60.0


@dataclass
class Server:
    """A running `mkdocs serve`."""

    process: BaseProcess
    port: int
    log: Path

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str, str]:
        """Status, media type and text of the reply; `Content_Type` stands for `Content-Type`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            reply = connection.getresponse()
            return reply.status, reply.headers.get_content_type(), reply.read().decode("utf-8")
        finally:
            connection.close()

    def page(self, path: str = "/try/faq/") -> str:
        return self.request("GET", path)[2]

    def waited(self, path: str, words: str) -> str:
        """The page once these words are on it."""
        end = time.monotonic() + PATIENCE
        while words not in (html := self.page(path)):
            assert time.monotonic() < end, self.log.read_text(encoding="utf-8")
            time.sleep(0.05)
        return html

    def builds(self) -> int:
        return self.log.read_text(encoding="utf-8").count("Building documentation")


@pytest.fixture
def server(project: Project, tmp_path: Path) -> Iterator[Server]:
    """The preview of a site with one answer."""
    with serving(project, tmp_path) as running:
        yield running


@contextmanager
def serving(project: Project, tmp_path: Path, *options: str, **environment: str) -> Iterator[Server]:
    """`mkdocs serve` on a free port, until it is left."""
    project.page("faq.md", FAQ)
    project.taken("faq.md")
    folder = tmp_path / "installed"
    folder.mkdir(parents=True)
    install_ours(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path / "serve.log"
    log.touch()
    words = ["serve", "-a", f"127.0.0.1:{port}", *options]
    files = (os.devnull, str(log), str(log))
    process = forks.started(
        forks.MKDOCS,
        words,
        project.root,
        files=files,
        environment={"TMPDIR": str(tmp_path), "PYTHONPATH": str(folder), **environment},
    )
    try:
        end = time.monotonic() + PATIENCE
        while "Serving on" not in log.read_text(encoding="utf-8"):
            assert process.is_alive(), log.read_text(encoding="utf-8")
            assert time.monotonic() < end, log.read_text(encoding="utf-8")
            time.sleep(0.02)
        yield Server(process, port, log)
    finally:
        process.kill()
        process.join()


def test_an_edit_shows(server: Server, project: Project) -> None:
    """An edited page and an edited record show in the answer, without a restart and without going round."""
    project.page("guide/install.md", INSTALL.replace("90 days", "30 days"))
    server.waited("/try/guide/install/", "30 days")
    assert "valid for 30 days" in server.page()

    record = next(project.root.glob("answers/faq/*.md"))
    record.write_text("Any key is".join(record.read_text(encoding="utf-8").rsplit("A key is", 1)), encoding="utf-8")
    server.waited("/try/faq/", "Any key is")

    # A record that a build writes sets off one more, which writes none.
    before = -1
    while (now := server.builds()) > before:
        assert now <= 6, server.log.read_text(encoding="utf-8")
        before = now
        time.sleep(1)


def test_authors_see_more_than_readers(project: Project, server: Server) -> None:
    """The preview has a style sheet of its own, which no build writes."""
    html = server.page()
    assert "cited-check" in html
    assert "preview.css" in html
    assert project.build("--strict").code == 0
    assert not [path for path in project.tree() if "preview" in path]
