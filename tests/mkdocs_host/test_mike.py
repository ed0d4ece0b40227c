"""Versions that mike keeps beside each other: each with answers, links and a `cited.json` of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed import install_ours
from tests.projects import INSTALL, Project


@pytest.fixture
def versions(project: Project, tmp_path: Path) -> Project:
    """Two versions, deployed by mike itself; in the second, keys are valid for longer."""
    project.configure(plugins=["search", "cited", "mike"])
    project.page("faq.md", "---\nanswers:\n  - question: How long is a key valid?\n---\n# FAQ\n")
    (tmp_path / "packages").mkdir()
    install_ours(tmp_path / "packages")
    path = [str(Path(__file__).parents[2]), str(tmp_path / "packages")]
    who = {f"GIT_{role}_{name}": "a@b.example" for role in ("AUTHOR", "COMMITTER") for name in ("NAME", "EMAIL")}
    env = {**os.environ, **who, "PYTHONPATH": os.pathsep.join(path), "CI": "1"}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

    def run(*command: str) -> None:
        done = subprocess.run(command, cwd=project.root, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    run("git", "init", "--quiet", "--initial-branch=main")
    for version, days in (("1.0", "90 days"), ("2.0", "120 days")):
        project.page("guide/install.md", INSTALL.replace("90 days", days))
        run("git", "add", "docs")
        run("git", "commit", "--quiet", "--message", version)
        run(sys.executable, "-W", "ignore", "-c", "from mike.driver import main; main()", "deploy", version)
    run("git", "checkout", "--quiet", "gh-pages")
    return project


def test_each_version_is_its_own(versions: Project) -> None:
    """Answers, whole addresses and files for machines are those of the version; no link leads into another one."""
    for version, other, days in (("1.0", "2.0", "90 days"), ("2.0", "1.0", "120 days")):
        folder = versions.root / version
        (answer,) = json.loads((folder / "cited.json").read_text(encoding="utf-8"))["answers"]
        assert days in answer["content"]
        texts = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*") if _is_ours(path)}
        assert len(texts) >= 2
        for path, text in texts.items():
            whole = re.findall(r"https://example\.org/try/[^\s\"')<>]*", text)
            assert all(address.startswith(f"https://example.org/try/{version}/") for address in whole), path
            assert f"/{other}/" not in text, path


def _is_ours(path: Path) -> bool:
    return path.name == "cited.json" or path.parent.name == "faq"
