"""A build writes records at a terminal alone: not on a build server, nor where nobody sees it."""

from __future__ import annotations

import pytest

from mkdocs_cited.base.desk import SERVERS, on_server
from tests.projects import Project

SERVICES = {
    "GitHub": {"CI": "true", "GITHUB_ACTIONS": "true"},
    "Azure Pipelines": {"TF_BUILD": "True"},
    "Read the Docs": {"READTHEDOCS": "True"},
    "CodeBuild": {"CODEBUILD_BUILD_ID": "x:1"},
    "TeamCity": {"TEAMCITY_VERSION": "2025.03"},
    "Jenkins": {"JENKINS_URL": "https://ci.example.org/", "BUILD_ID": "7"},
}
OPTIONS = ("", "missing", "stale", "always")


@pytest.fixture
def stale(project: Project) -> Project:
    """A site with an answer whose page has changed since."""
    project.page("faq.md", "---\nanswers:\n  - question: How do I rotate an API key?\n---\n# FAQ\n")
    assert project.cited("update").code == 0
    page = project.root / "docs/guide/install.md"
    page.write_text(page.read_text().replace("settings page", "keys page"))
    return project


@pytest.mark.parametrize("update", OPTIONS)
@pytest.mark.parametrize("service", [*SERVICES, "no terminal"])
def test_a_build_nobody_sees_writes_nothing(stale: Project, service: str, update: str) -> None:
    """Whatever `update` says, and it says what is stale."""
    stale.configure({"update": update} if update else {})
    for name, value in SERVICES.get(service, {}).items():
        stale.monkeypatch.setenv(name, value)
    stale.attended(service != "no terminal")
    before = (stale.root / "answers/faq/how-do-i-rotate-an-api-key.md").read_bytes()
    result = stale.build("--strict")
    assert (result.code, "stale-answer" in result.output) == (1, True)
    assert (stale.root / "answers/faq/how-do-i-rotate-an-api-key.md").read_bytes() == before
    assert "keys page" not in stale.html("faq/index.html")


def test_a_build_at_a_terminal_writes(stale: Project) -> None:
    """On a desk that says so, too: `CI=false`."""
    stale.monkeypatch.setenv("CI", "false")
    stale.monkeypatch.setenv("BUILD_ID", "7")
    assert stale.build("--strict").code == 0
    assert "keys page" in stale.html("faq/index.html")


@pytest.mark.parametrize("name", SERVERS)
def test_update_on_a_server_needs_a_word(stale: Project, name: str) -> None:
    """The command does nothing under `never`, which holds on servers unless something else is set."""
    stale.monkeypatch.setenv(name, "1")
    before = stale.tree()
    assert stale.cited("update").code == 2
    assert stale.tree() == before
    stale.monkeypatch.setenv("MKDOCS_CITED_UPDATE", "stale")
    assert stale.cited("update").code == 0
    assert stale.tree() != before


def test_update_never_binds_update(stale: Project) -> None:
    """Wherever it runs, and for those that are named."""
    stale.configure({"update": "never"})
    for arguments in ((), ("faq.md",), ("--all",)):
        assert stale.cited("update", *arguments).code == 2
    assert stale.cited("update", "--dry-run").code == 0


@pytest.mark.parametrize("value", ["", "0", "false", "no"])
def test_a_variable_that_says_no(value: str) -> None:
    """It names no server."""
    assert not on_server(dict.fromkeys(SERVERS, value))
