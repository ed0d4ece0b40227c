"""What holds for every test, and the fixtures that any may use."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import cache, partialmethod
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from jinja2 import Environment, FileSystemBytecodeCache

if os.environ.get("CITED_TEST_HOST") == "properdocs":  # the same suite, on the other host: `import mkdocs` is its own
    import properdocs.replacement  # noqa: F401

from mkdocs_cited.base.errors import NAMED
from tests.projects import INSTALL, Project
from tests.servers.browsers import ALL, LEFT_OUT, executable
from tests.servers.messages import KEY, MessagesServer

# Where the system has memory to write into, tests write there: a disk makes them wait half their time.
MEMORY = Path("/dev/shm")  # noqa: S108 -- pytest makes a folder of its own in it
if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 4 << 30:
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

# A busy machine is no failure: what must be fast has a test of its own that says how fast.
settings.register_profile("patient", deadline=None, max_examples=30)
settings.register_profile("thorough", deadline=None, max_examples=1000)  # `make properties`
settings.load_profile("patient")


def pytest_configure() -> None:
    """All tests must run where CI says so."""
    if os.environ.get(ALL) and not executable():
        raise pytest.UsageError(f"{ALL} is set, but {LEFT_OUT}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the browser tests out where there is no Chromium."""
    left_out = [item for item in items if item.get_closest_marker("browser") and not executable()]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line what was left out."""
    if not executable():
        terminalreporter.write_line(LEFT_OUT)


@pytest.fixture(autouse=True)
def _no_site_named() -> None:
    """A test begins as a process does: no command and no build has named a site."""
    NAMED.clear()


@pytest.fixture(autouse=True, scope="session")
def _short_waits() -> Iterator[None]:
    """What the SDK waits of its own before another attempt: a fiftieth. What servers ask for is kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("anthropic._base_client.INITIAL_RETRY_DELAY", 0.01)
        yield


@pytest.fixture(autouse=True, scope="session")
def _compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Templates, of themes and our own, are compiled once for all builds of a run: it is a third of a small build."""
    compiled = FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Environment, "__init__", partialmethod(Environment.__init__, bytecode_cache=compiled))
        yield


@pytest.fixture(autouse=True, scope="session")
def _packages_read_once() -> Iterator[None]:
    """What packages offer is read once for all builds with one search path: each build asks twice."""

    @cache
    def offered(*search_path: str) -> Any:
        return entry_points()

    with pytest.MonkeyPatch.context() as patch:
        for module in ("mkdocs.utils", "mkdocs_cited.base.families"):
            patch.setattr(f"{module}.entry_points", lambda **of: offered(*sys.path).select(**of))
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
