"""Under ProperDocs, which continues MkDocs 1.6: its own builds, and its configuration found by our commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed import install_ours
from tests.projects import Project


@pytest.fixture
def moved(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose configuration is called as ProperDocs has it."""
    monkeypatch.chdir(project.root)
    (project.root / "mkdocs.yml").rename(project.root / "properdocs.yml")
    project.page("faq.md", "---\nanswers:\n  - question: How long is a key valid?\n---\n# FAQ\n")
    return project


def properdocs(project: Project, packages: Path) -> subprocess.CompletedProcess[str]:
    """`properdocs build --strict` in the folder of the project."""
    install_ours(packages)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), str(packages)])}
    command = [sys.executable, "-W", "ignore", "-m", "properdocs", "build", "--strict"]
    return subprocess.run(command, cwd=project.root, env=env, capture_output=True, text=True, check=False)


def test_a_build(moved: Project, tmp_path: Path) -> None:
    """ProperDocs runs the plugin unchanged; the commands find its configuration, and read what it built."""
    (tmp_path / "packages").mkdir()
    assert moved.cited_here("accept", "faq.md", "--by", "Ann").code == 0
    done = properdocs(moved, tmp_path / "packages")
    assert done.returncode == 0, done.stderr
    assert 'data-cited-answer="faq.md#how-long-is-a-key-valid"' in moved.html("faq/index.html")
    assert moved.answers()["how-long-is-a-key-valid"]["ok"]
    assert "Install › Keys" in moved.html("faq/index.html")
    for options in ((), ("--site", "site")):
        result = moved.cited_here("check", *options)
        assert (result.code, "no findings in 1 answer" in result.output) == (0, True), result.output


def test_a_failing_build(moved: Project, tmp_path: Path) -> None:
    """What fails the build of MkDocs fails that of ProperDocs."""
    (tmp_path / "packages").mkdir()
    moved.page("faq.md", "---\nanswers:\n  - question: How long?\n    text: For ever [@guide/none.md].\n---\n# FAQ\n")
    done = properdocs(moved, tmp_path / "packages")
    assert done.returncode == 1
    assert "unknown-source" in done.stderr
