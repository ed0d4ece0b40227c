"""What holds for every test, and the fixtures that any may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from jinja2 import Environment, FileSystemBytecodeCache

if os.environ.get("CITED_TEST_HOST") == "properdocs":  # the same suite, on the other host: `import mkdocs` is its own
    import properdocs.replacement  # noqa: F401

from mkdocs.theme import Theme

from mkdocs_cited.anthropic_client import client
from tests.projects import INSTALL, Project
from tests.servers.messages import KEY, MessagesServer

# A busy machine is no failure: what must be fast has a test of its own that says how fast.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(autouse=True, scope="session")
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A key for this run of the suite, in place of the user's own."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True, scope="session")
def _short_waits() -> Iterator[None]:
    """What the client waits of its own before another attempt: a fiftieth. What servers ask for is kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "FIRST_WAIT", client.FIRST_WAIT / 50)
        yield


@pytest.fixture(autouse=True, scope="session")
def _compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Templates of themes are compiled once for all builds of a run: it is a fourth of a small build."""
    compiled, plain = FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates"))), Theme.get_env

    def get_env(theme: Theme) -> Environment:
        environment = plain(theme)
        environment.bytecode_cache = compiled
        return environment

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Theme, "get_env", get_env)
        yield


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesServer]:
    """A Messages API, and the environment of a user who has a key for it."""
    with MessagesServer() as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        for name in ("ANTHROPIC_AUTH_TOKEN", "CI"):
            monkeypatch.delenv(name, raising=False)
        yield server


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with a start page and a page to answer from."""
    made = Project(tmp_path / "project", monkeypatch)
    made.page("index.md", "# Welcome\n\nThe client speaks to the server.\n")
    made.page("guide/install.md", INSTALL)
    return made
