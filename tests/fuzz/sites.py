"""A small site for the long runs: built in this process, in one of two states, and what it then shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.projects import INSTALL, Project

QUESTIONS = {
    "keys": "How do I rotate an API key?",
    "retries": "How often does the client retry a failed request?",
    "valid": "How long is a key valid?",
}
STATES = ("5 times", "7 times")
_DATED = re.compile(rb"Build Date UTC : .*|<lastmod>.*?</lastmod>|\x1f\x8b(?s:.*)")


@contextmanager
def site() -> Iterator[Project]:
    """A project with three questions, in a folder that is deleted afterwards."""
    with TemporaryDirectory(prefix="mkdocs-cited-fuzz-") as folder, pytest.MonkeyPatch.context() as patch:
        project = Project(Path(folder) / "project", patch)
        entries = "".join(f"  - {{question: {text}, id: {name}}}\n" for name, text in QUESTIONS.items())
        project.page("index.md", "# Welcome\n\nThe client speaks to the server.\n")
        project.page("faq.md", f"---\nanswers:\n{entries}---\n# FAQ\n")
        change(project, STATES[0])
        yield project


def change(project: Project, state: str) -> None:
    """Let the page that answers cite say something else."""
    project.page("guide/install.md", INSTALL.replace(STATES[0], state))


def shown(project: Project) -> dict[str, bytes]:
    """Every file of the site, without what MkDocs itself dates."""
    files = project.tree().items()
    return {path: _DATED.sub(b"", data) for path, data in files if path.startswith("site/")}


def said(project: Project) -> list[tuple[str, str, str]]:
    """Id, status and text of each answer."""
    answers = json.loads(project.html("cited.json"))["answers"]
    return [(answer["id"], answer["status"], answer["content"]) for answer in answers]
