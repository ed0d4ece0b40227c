"""`mkdocs serve` as a process: its pages follow edits, and its endpoint answers this machine's questions."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from tests import forks
from tests.installed import install_ours
from tests.local_models import tiny
from tests.mkdocs_host.test_languages import TRANSLATED, translated
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

    def ask(self, data: Any, **headers: str) -> tuple[int, dict[str, Any]]:
        """Status and object of the endpoint's reply, which is always JSON."""
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        status, kind, text = self.request("POST", "/qa", body, **{"Content_Type": "application/json", **headers})
        assert kind == "application/json", text
        return status, json.loads(text)

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


def test_the_box_asks_and_an_edit_shows(server: Server, project: Project) -> None:
    """The endpoint answers with what `ask --json` prints; an edit shows in answer and page."""
    html = server.page()
    assert '<form class="cited-ask" method="post" action="/qa" data-root="../"' in html
    script = re.search(r'src="\.\./(assets/cited/preview\.js)"', html)
    assert script
    assert server.request("GET", f"/try/{script[1]}")[0] == 200

    status, answer = server.ask({"question": QUESTION})
    assert status == 200
    assert "A key is valid for 90 days." in answer["content"]
    printed = json.loads(project.cited("ask", QUESTION, "--json").output)
    assert {*answer} == {*printed, "html"}
    assert '<a class="footnote-ref" href="#fn:cited-asked-1"' in answer["html"]
    assert (answer["content"], answer["context"]) == (printed["content"], printed["context"])
    page, _, fragment = answer["sources"][-1]["href"].partition("#")
    assert page == "guide/install/"
    assert f'id="{fragment.partition(":~:")[0]}"' in server.page(f"/try/{page}")

    project.page("guide/install.md", INSTALL.replace("90 days", "30 days"))
    server.waited("/try/guide/install/", "30 days")
    assert "A key is valid for 30 days." in server.ask({"question": QUESTION})[1]["content"]
    assert "valid for 30 days" in server.page()

    record = next(project.root.glob("answers/faq/*.md"))
    record.write_text("Any key is".join(record.read_text(encoding="utf-8").rsplit("A key is", 1)), encoding="utf-8")
    server.waited("/try/faq/", "Any key is")

    # A record that a build writes sets off one more, which writes none; the question sets off none.
    before = -1
    while (now := server.builds()) > before:
        assert now <= 6, server.log.read_text(encoding="utf-8")
        before = now
        time.sleep(1)


def test_each_language_is_asked_on_its_own_pages(project: Project, tmp_path: Path) -> None:
    """The box sends the language of its page; without one, the site's own is meant. The next build's pages count."""
    translated(project)
    with serving(project, tmp_path) as server:
        assert 'data-root="../../" data-lang="de"' in server.page("/try/de/faq/")
        assert 'data-root="../" data-lang="en"' in server.page()
        for suffix, (question, answer) in TRANSLATED.items():
            status, given = server.ask({"question": question, **({"lang": suffix[1:]} if suffix else {})})
            assert (status, [item["page"] for item in given["sources"]]) == (200, [f"keys{suffix}.md"]), given
            assert answer in given["content"]
        german = {"question": TRANSLATED[".de"][0]}
        for lang in ("", "en", "<b>", 5, None):
            assert server.ask({**german, "lang": lang})[1]["status"] == "abstained"

        project.page("keys.de.md", "# Keys\n\n## API\n\nEin Schlüssel ist 30 Tage gültig.\n")
        server.waited("/try/de/keys/", "30 Tage")
        assert "30 Tage" in server.ask({**german, "lang": "de"})[1]["content"]


def test_what_is_no_question_of_this_machine_is_refused(server: Server) -> None:
    """With a status that says why, in JSON, whatever was sent; and the server lives on."""
    question = {"question": QUESTION}
    assert server.ask(question, Host="example.org")[0] == 403
    assert server.ask(question, Host="127.0.0.1.example.org:80")[0] == 403
    assert server.ask(question, Origin="http://localhost:1")[0] == 403
    assert server.ask(question, Content_Type="text/plain")[0] == 415
    for bad in (
        b"",
        b"{",
        b"\xff",
        b"[]",
        b"[" * 30_000,
        {"question": 5},
        {"question": " "},
        {"question": "x" * 2_001},
    ):
        status, reply = server.ask(bad)
        assert status == 400, bad
        assert reply["error"]
    assert server.ask(b"", Content_Length="99999999")[0] == 413
    assert server.ask(b"", Content_Length="-1")[0] == 411
    assert server.ask({"question": "é" * 2_000})[0] == 200
    assert server.ask(question, Host="localhost:1", Origin="http://localhost:1")[0] == 200
    assert server.request("GET", "/qa")[0] == 404
    assert "Traceback" not in server.log.read_text(encoding="utf-8")


def test_without_live_reload_there_is_no_box(project: Project, tmp_path: Path) -> None:
    """MkDocs gives plugins its server only with it: a box would get no answer."""
    with serving(project, tmp_path, "--no-livereload") as server:
        html = server.page()
        assert "cited-verdict" in html or "cited-check" in html  # what else authors see is there
        assert "cited-ask" not in html
        assert "preview.js" not in html


def test_no_model_is_asked(project: Project, tmp_path: Path) -> None:
    """Where a site's answers are a model's, the box answers by the words of the docs."""
    key = {"ANTHROPIC_API_KEY": "none", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}  # which nobody runs
    project.configure({"provider": "anthropic", "anthropic": {"max_cost": 0.000001}})
    project.page("faq.md", "# FAQ\n")
    with serving(project, tmp_path / "serving", **key) as server:
        status, answer = server.ask({"question": QUESTION})
        assert (status, answer["status"]) == (200, "accepted"), answer


def test_nothing_of_it_is_built(project: Project) -> None:
    project.page("faq.md", FAQ)
    assert project.build("--strict").code == 0
    assert not [path for path, data in project.tree().items() if b'class="cited-ask"' in data or "preview" in path]


def test_the_box_asks_by_meaning(project: Project, tmp_path: Path) -> None:
    """With an encoder the box finds what lies near the question in meaning, and gives what it made; vectors are
    made once, whoever asks and however often."""
    tiny.encoder(tmp_path / "models" / "tiny")
    project.configure({"local": {"encoder": "tiny"}})
    project.page("logs.md", "# Logs\n\nLogs can be on for seven days.\n")
    with serving(project, tmp_path, MKDOCS_CITED_MODELS=str(tmp_path / "models")) as server:
        for _ in range(2):
            status, answer = server.ask({"question": "How long can it be on for?"})
            assert status == 200
            assert answer["consulted"][0]["page"] == "logs.md"
        project.page("logs.md", "# Logs\n\nLogs can be on for thirty days.\n")
        server.waited("/try/logs/", "thirty")
        _, answer = server.ask({"question": "How long can it be on for?"})
        assert "thirty" in answer["consulted"][0]["text"]
