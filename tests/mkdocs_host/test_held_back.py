"""What is held back from readers is no source, and is published nowhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.projects import Project

HELD = "The relay retries a failed delivery 5 times with the token hunter2."
ASKS = "---\npassword: ''\nanswers:\n  - question: How often is a failed delivery retried?\n---\n# FAQ\n"


def in_clear(project: Project) -> list[str]:
    """The files of the site that hold the secret."""
    files = (file for file in (project.root / "site").rglob("*") if file.is_file())
    return sorted(file.name for file in files if b"hunter2" in file.read_bytes())


@pytest.mark.parametrize("theme", ["mkdocs", "material"])
@pytest.mark.parametrize("first", [True, False], ids=["cited first", "encryption first"])
@pytest.mark.parametrize("own", [True, False], ids=["answer of the page", "answer of another"])
def test_an_encrypted_page(project: Project, theme: str, first: bool, own: bool) -> None:
    """In either order of plugins, with MkDocs' own search and Material's, also where the build fails."""
    pytest.importorskip("encryptcontent")
    pytest.importorskip("material")
    encrypt: dict[str, Any] = {"encryptcontent": {"global_password": "xyzzy"}}
    ours: dict[str, Any] = {"cited": {"render": {"report": "report.html"}}}
    plugins = ["search", *([ours, encrypt] if first else [encrypt, ours])]
    project.configure(theme={"name": theme}, plugins=plugins)
    answer = f"answers:\n  - id: r\n    question: How?\n    text: '{HELD[:-1]} [@secret.md#retries].'\n" if own else ""
    project.page("secret.md", f"---\n{answer or 'title: Relay'}\n---\n# Relay\n\n## Retries\n\n{HELD}\n")
    project.page("index.md", "---\npassword: ''\n---\n# Home\n\nWords.\n")
    project.page("faq.md", ASKS)
    command = [sys.executable, "-W", "ignore", "-m", "mkdocs", "build"]
    result = subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False)
    assert (result.returncode != 0, "is protected" in result.stderr) == (own, own)
    assert in_clear(project) == []


@pytest.mark.parametrize("word", ["password: xyzzy", "private: true", "draft: true"])
def test_front_matter_holds_a_page_back(project: Project, word: str) -> None:
    """Whichever plugin reads it: the page answers nothing, and citing it is a finding."""
    project.configure()
    project.page("secret.md", f"---\n{word}\n---\n# Relay\n\n{HELD}\n")
    project.page("faq.md", ASKS)
    assert project.build().code == 0
    assert in_clear(project) == ["index.html", "search_index.json"]  # where MkDocs puts the page itself
    project.page("claim.md", "# Claim\n\nIt does [@secret.md].\n")
    assert "unknown-source" in project.build("--strict").output


def test_what_a_page_that_is_held_back_says_is_not_stored(project: Project) -> None:
    """Neither its claims nor its questions, though `check` has read them."""
    project.configure()
    project.page("secret.md", f"---\nprivate: true\n---\n# Relay\n\n{HELD[:-1]} [@index.md].\n")
    project.page("index.md", "# Home\n\nWords.\n")
    project.belongs_to_ann()
    project.lies_for_a_while()
    assert HELD[:-1] in project.cited("check", "--strict").output
    stored = [file for file in (project.root / ".cache").rglob("*") if file.is_file()]
    assert stored
    assert not any(HELD[:-1].encode() in file.read_bytes() for file in stored)


def test_what_is_wrong_on_a_page_that_is_held_back_is_not_stored(project: Project) -> None:
    """A citation that covers nothing is told and no more."""
    project.configure()
    project.page("secret.md", "---\nprivate: true\n---\n# Relay\n\n[@index.md#hunter2]\n")
    project.belongs_to_ann()
    project.lies_for_a_while()
    assert "hunter2" in project.cited("check").output
    stored = [file for file in (project.root / ".cache").rglob("*") if file.is_file()]
    assert stored
    assert not any(b"hunter2" in file.read_bytes() for file in stored)


def test_what_a_plugin_makes_of_content_stays(project: Project) -> None:
    """Nothing is put back after others have written."""
    project.configure(hooks=["hook.py"])
    project.write("hook.py", "def on_page_context(context, page, config, nav):\n    page.content = 'CHANGED'\n")
    assert project.build().code == 0
    assert "CHANGED" in project.html("index.html")


def test_records_and_snapshots_are_no_pages(project: Project) -> None:
    """Though they lie in the folder of the docs: they are not built, and prove nothing."""
    project.configure({"records_dir": "docs/answers", "extra_sources": [{"glob": "**/*.md"}]})
    project.page("answers/faq/old.md", f"# Old\n\n{HELD}\n")
    project.page("faq.md", "---\nanswers:\n  - question: How?\n    text: It does [@answers/faq/old.md].\n---\n# FAQ\n")
    assert "unknown-source" in project.build("--strict").output
    assert in_clear(project) == []
    assert not Path(project.root, "site/answers/faq/old/index.html").exists()
