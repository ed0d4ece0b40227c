"""A build writes records at a terminal alone: not on a build server, nor where nobody sees it."""

from __future__ import annotations

from typing import Any

import pytest

from mkdocs_cited.model.options import SERVERS, on_server
from tests.pipeline.test_update import reviewed
from tests.projects import Project
from tests.servers.messages import MessagesServer
from tests.servers.rules import said, search_results
from tests.servers.script import Answer, Quote, say

SERVICES = {
    "GitHub": {"CI": "true", "GITHUB_ACTIONS": "true"},
    "Azure Pipelines": {"TF_BUILD": "True"},
    "Read the Docs": {"READTHEDOCS": "True"},
    "CodeBuild": {"CODEBUILD_BUILD_ID": "x:1"},
    "TeamCity": {"TEAMCITY_VERSION": "2025.03"},
    "Jenkins": {"JENKINS_URL": "https://ci.example.org/", "BUILD_ID": "7"},
}
OPTIONS = ("", "always")


MODEL = {"provider": "anthropic"}


def honest(body: dict[str, Any]) -> Answer:
    """The sentence that says it, or a reviewer's word that it does."""
    if "format" in body["output_config"]:
        return reviewed(body, "supported")
    for result, block in enumerate(search_results(body)):
        for number, part in enumerate(block["content"]):
            if "A key is valid for" in part["text"]:
                return say(Quote(said(part).strip(), result, number, number + 1))
    return say("[[NOT-DOCUMENTED]]")


@pytest.fixture
def asking(project: Project, api: MessagesServer) -> Project:
    """A site with a question that a model is to answer, and a key."""
    api.answer_with(honest)
    project.configure(MODEL)
    project.page("faq.md", "---\nanswers:\n  - question: How long is a key valid?\n---\n# FAQ\n")
    return project


@pytest.mark.parametrize("update", OPTIONS)
@pytest.mark.parametrize("service", [*SERVICES, "no terminal"])
def test_a_build_nobody_sees_writes_nothing(asking: Project, api: MessagesServer, service: str, update: str) -> None:
    """Nor does it ask a model, whatever `update` says; that the answer is missing is the finding."""
    asking.configure({**MODEL, "update": update} if update else MODEL)
    for name, value in SERVICES.get(service, {}).items():
        asking.monkeypatch.setenv(name, value)
    asking.attended(service != "no terminal")
    result = asking.build("--strict")
    assert (result.code, "missing-answer" in result.output) == (1, True)
    assert not (asking.root / "answers").exists()
    assert api.requests == []


def test_a_build_at_a_terminal_writes(asking: Project, api: MessagesServer) -> None:
    """On a desk that says so, too: `CI=false`. It says before what it asks, and after what it cost."""
    asking.monkeypatch.setenv("CI", "false")
    asking.monkeypatch.setenv("BUILD_ID", "7")
    result = asking.build("--strict")
    assert result.code == 0, result.output
    assert "90 days" in asking.html("faq/index.html")
    cost = f"; {len(api.requests)} model call"
    assert result.output.index("1 answer from a model: about $") < result.output.index(cost)


@pytest.mark.parametrize("name", SERVERS)
def test_update_on_a_server_needs_a_word(asking: Project, name: str) -> None:
    """The command does nothing under `never`, which holds on servers unless something else is set."""
    asking.monkeypatch.setenv(name, "1")
    before = asking.tree()
    assert asking.cited("update").code == 2
    assert asking.tree() == before
    asking.monkeypatch.setenv("MKDOCS_CITED_UPDATE", "stale")
    assert asking.cited("update").code == 0
    assert asking.tree() != before


def test_update_never_binds_update(asking: Project) -> None:
    """Wherever it runs, and for those that are named."""
    asking.configure({**MODEL, "update": "never"})
    for arguments in ((), ("faq.md",), ("--all",)):
        assert asking.cited("update", *arguments).code == 2
    assert asking.cited("update", "--dry-run").code == 0


@pytest.mark.parametrize("value", ["", "0", "false", "no"])
def test_a_variable_that_says_no(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names no server."""
    for name in SERVERS:
        monkeypatch.setenv(name, value)
    assert not on_server()
