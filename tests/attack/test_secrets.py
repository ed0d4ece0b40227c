"""Five words that readers must not see are nowhere in what is published, and in no log, where git refuses to answer."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from tests.projects import Project

SECRETS = {
    "encrypted": "hunterone",
    "draft": "huntertwo",
    "ignored": "hunterthree",
    "environment": "hunterfour",
    "note": "hunterfive",
}
# Material's `offline` is left out: with it encryptcontent alone, without us, publishes the page in `search_index.js`.
LOOKS: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "mkdocs, search": ({"name": "mkdocs"}, ["search"]),
    "mkdocs, no search": ({"name": "mkdocs"}, []),
    "readthedocs, search": ({"name": "readthedocs"}, ["search"]),
    "readthedocs, whole index": ({"name": "readthedocs"}, [{"search": {"prebuild_index": False, "indexing": "full"}}]),
    "material, search": ({"name": "material", "font": False}, ["material/search"]),
    "material, more files": ({"name": "material", "font": False}, ["search", "material/tags", "minify"]),
    "cinder, search": ({"name": "cinder"}, ["search"]),
    "bootswatch, search": ({"name": "cosmo"}, ["search"]),
    "terminal, search": ({"name": "terminal"}, ["search"]),
}
QUESTIONS = """
---
answers:
  - question: Which token does the relay of the {0} page use?
  - id: cited
    question: What does the {0} page say?
    text: The relay uses a token [@{1}].
---
# About {0}

The relay uses the token of the {0} page [@{1}].
"""
PLACES = {
    "encrypted": "encrypted.md",
    "draft": "draft.md",
    "ignored": "../conf/ignored.md",
    "environment": "../conf/.env",
    "note": "../notes/note.md",
}


@pytest.mark.parametrize("look", LOOKS)
def test_no_secret_gets_out(project: Project, look: str, tmp_path: Path) -> None:
    """Though pages ask for them by their words, and cite the pages and files that hold them."""
    pytest.importorskip("encryptcontent")
    theme, plugins = LOOKS[look]
    if not entry_points(group="mkdocs.themes", name=theme["name"]):
        pytest.skip(f"the theme {theme['name']} is not installed")
    sources = [{"glob": "conf/*"}, {"glob": "conf/**/*.md"}, {"type": "note", "glob": "notes/*.md"}]
    cited = {"extra_sources": sources, "reports": {"json": "cited.report.json"}, "render": {"report": "report.html"}}
    project.configure(theme=theme, plugins=[*plugins, "encryptcontent", {"cited": cited}], draft_docs="draft.md")
    for name, word in SECRETS.items():
        project.page(f"about-{name}.md", QUESTIONS.format(name, PLACES[name]))
        text = f"# The {name} page\n\nThe relay of the {name} page uses the token {word}.\n"
        head = "---\npassword: open sesame\n---\n" if name == "encrypted" else ""
        project.write(f"docs/{PLACES[name]}", f"TOKEN={word}\n" if name == "environment" else head + text)
    project.write(".gitignore", "conf/ignored.md\nconf/.env\n")
    project.belongs_to_ann()
    fake = tmp_path / "git"
    fake.write_text("#!/bin/sh\necho 'fatal: detected dubious ownership in repository' >&2\nexit 128\n")
    fake.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    said = b""
    for command in (["mkdocs", "build", "-v"], ["mkdocs_cited", "check"], ["mkdocs_cited", "find", "token"]):
        words = [sys.executable, "-m", *command]
        done = subprocess.run(words, cwd=project.root, env=environment, capture_output=True, check=False, timeout=300)
        said += done.stdout + done.stderr
    assert b"git does not say what it ignores" in said
    assert leaks(said, "the log") == []
    files = [file for name in ("site", ".cache") for file in (project.root / name).rglob("*") if file.is_file()]
    assert any("about-note" in str(file) for file in files)
    assert any(file.suffix == ".sqlite3" for file in files)
    found: list[str] = []
    for file in files:
        found += leaks(file.read_bytes(), file.name)
    assert found == []


def leaks(data: bytes, where: str) -> list[str]:
    """What of the secrets is in some bytes."""
    return [f"{name} in {where}" for name, word in SECRETS.items() if word.encode() in data]
