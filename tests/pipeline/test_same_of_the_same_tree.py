"""`mkdocs build` and `check` say the same of the same tree: with and without a key, on a desk and on a server."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from mkdocs_cited.records import Record, Store
from tests.projects import Project
from tests.servers.messages import MessagesServer

CONFIG = """
# Configuration

## Logins

A login is valid for 48 hours. Guests may stay longer.

## Uploads

An upload has at most 20 megabytes.

## Reach

The server does not support a subpath.

## Logs

Logs are kept on the disk of the server for a week.

## Mail

Mail is sent by a queue.
"""
EDITED = (
    CONFIG.replace("48 hours", "24 hours")
    .replace("An upload has at most", "Every upload, pictures among them, has at most")
    .replace("## Mail\n\nMail is sent by a queue.\n", "")
)
MARKS = """
# Marks

An upload has at most 20 megabytes [@config.md#uploads].

The server does support a subpath [@config.md#reach].

Large files, 20 megabytes and more, are refused [@config.md#uploads].

You are logged in for two days (48 hours) [@config.md#logins].

Guests can remain for more time [@config.md#logins].

Old logs vanish [@config.md#logs].

It runs at the top of a domain [@config.md#nowhere].
"""
FAQ = """
---
answers:
  - {id: taken, question: Does the server support a subpath?}
  - {id: mail, question: How is mail sent?}
  - {id: quoted, question: Where are logs kept?}
  - {id: written, question: How long is a login valid?, provider: anthropic}
  - {id: broken, question: What is the largest upload?}
  - {id: denied, question: Is there a phone number?}
  - id: hand
    question: How large may an upload be?
    text: Uploads are limited to 20 megabytes [@config.md#uploads]. There is no other limit.
---
# FAQ
"""
TOLD = {
    "broken-record", "changed-evidence", "flipped-polarity", "missing-answer", "missing-citation", "not-documented",
    "orphan-record", "outdated-claim", "stale-answer", "unconfirmed-claim", "unknown-source", "unreviewed-quote",
}  # fmt: skip
"""Every kind of state that the site has."""


@pytest.fixture
def site(project: Project) -> Project:
    """A site with an answer or a marked sentence in each state, and a server that takes no request."""
    options = {"models": ["anthropic"], "severity": {}, "reports": {"json": "build.json"}}
    project.configure(options)
    project.page("config.md", CONFIG)
    project.page("marks.md", MARKS)
    project.page("faq.md", FAQ)
    decided = project.cited("accept", "marks.md#claims", "--claims", "3,4,5", "--by", "Ann", "--reason", "read")
    assert decided.code == 0, decided.output
    taken = [
        ("taken", "config.md#reach"),
        ("mail", "config.md#mail"),
        ("quoted", "config.md#logs"),
        ("denied", "config.md#reach"),
    ]
    for name, address in taken:
        assert project.cited("answer", name, "--take", address, "--by", "Ann").code == 0
    (project.root / "answers/faq/quoted.md").rename(project.root / "answers/faq/gone.md")
    store = Store(project.root)
    denied = store.read("faq.md#denied")
    assert isinstance(denied, Record)
    denied = replace(denied, content="", citations=(), claims=(), abstained=True, reason="the docs do not answer it")
    store.take(denied, "Ann", "2026-11-26")
    project.write("answers/faq/broken.md", "---\nversion: 3\nquestion: [\n---\n")
    project.page("config.md", EDITED)
    return project


def told(findings: Iterable[dict[str, Any]]) -> list[tuple[str, ...]]:
    """What is said, apart from what names a command that needs a key."""
    keys = ("slug", "severity", "answer", "claim", "message")
    return sorted(tuple(str(item.get(key, "")) for key in keys) for item in findings)


@pytest.mark.parametrize("server", [False, True], ids=["on a desk", "in CI"])
@pytest.mark.parametrize("key", [False, True], ids=["no key", "a key"])
def test_the_same_of_the_same_tree(
    site: Project, api: MessagesServer, monkeypatch: pytest.MonkeyPatch, *, server: bool, key: bool
) -> None:
    """Findings, word by word, exit codes, and what readers are shown; nobody is asked, and nothing is written."""
    site.attended(False)
    monkeypatch.chdir(site.root)  # commands that are told need not name the site
    monkeypatch.setenv("CI", "true")
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    expected = told(json.loads(site.cited("check", "--format", "json").output)["findings"])
    assert {item[0] for item in expected} == TOLD
    site.attended(not server)
    if not server:
        monkeypatch.delenv("CI")
        # with a key, a build on a desk would ask
        monkeypatch.setenv("MKDOCS_CITED_UPDATE", "never")
    if key:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    records = {name: data for name, data in site.tree().items() if name.startswith("answers/")}
    checked = site.cited("check", "--format", "json")
    built = site.build()
    report = json.loads((site.root / "build.json").read_text(encoding="utf-8"))
    assert told(json.loads(checked.output)["findings"]) == expected
    assert told(report["findings"]) == expected
    assert (checked.code, built.code) == (1, 1)
    assert api.requests == []
    assert records == {name: data for name, data in site.tree().items() if name.startswith("answers/")}
