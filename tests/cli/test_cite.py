"""`cite` proposes marks for what pages say of defaults and the code proves; a person takes or leaves each."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mkdocs_cited.cli import main

PAGE = """---
title: Home
---
# Settings

## `CACHE_TTL`

Default: `30`. It is a fine day in town 7.

| Variable | Default |
|----------|---------|
| `CACHE_SIZE` | `512` |

## `CACHE_NAME`

Default: `"main"` [@../src/settings.py#CACHE_NAME].
"""
CODE = 'CACHE_TTL = 30\nCACHE_SIZE = 512\nCACHE_NAME = "main"\nOTHER = 30\n'
TTL = "Default: `30` [@../src/settings.py#CACHE_TTL]. It is"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository without any configuration: a page with two defaults that the code proves, and a marked one."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "docs/settings.md").write_text(PAGE)
    (tmp_path / "src/settings.py").write_text(CODE)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def cite(*words: str, keys: str = "") -> Result:
    """The command, with the keys that are pressed."""
    return CliRunner().invoke(main, ["cite", *words], input="".join(f"{key}\n" for key in keys))


def test_each_is_taken_or_left(folder: Path) -> None:
    """What is taken is written behind its sentence, all else stays."""
    done = cite("docs/settings.md", keys="yn")
    assert done.exit_code == 0, done.output
    assert "docs/settings.md:8" in done.output
    assert "proof: CACHE_TTL is 30" in done.output
    assert (folder / "docs/settings.md").read_text() == PAGE.replace("Default: `30`. It is", TTL)
    assert "wrote 1 mark\n  → mkdocs-cited check" in done.output


def test_a_dry_run_shows_the_diff(folder: Path) -> None:
    """Of all of them, and writes nothing; `--yes` writes the same, with the line ends of the file."""
    page = folder / "docs/settings.md"
    page.write_bytes(PAGE.replace("\n", "\r\n").encode())
    before = page.read_bytes()
    shown = cite("settings.md", "--dry-run").output
    assert f"+{TTL}" in shown
    assert "+| `CACHE_SIZE` | `512` [@../src/settings.py#CACHE_SIZE] |" in shown
    assert shown.endswith("would write 2 marks\n")
    assert page.read_bytes() == before
    assert cite("docs/*.md", "--yes").exit_code == 0
    assert (page.read_bytes().count(b"[@"), page.read_bytes().count(b"\r\n")) == (3, PAGE.count("\n"))


def test_a_link_stays_one(folder: Path) -> None:
    """What it leads to is written."""
    (folder / "docs/settings.md").rename(folder / "README.md")
    (folder / "docs/settings.md").symlink_to("../README.md")
    assert cite("docs/settings.md", "--yes").exit_code == 0
    assert (folder / "docs/settings.md").is_symlink()
    assert TTL in (folder / "README.md").read_text()


def test_as_json(folder: Path) -> None:
    """They are listed with file, line and proof."""
    first, second = json.loads(cite("settings.md", "--json").output)
    assert first == {
        "file": "docs/settings.md", "line": 8, "sentence": "Default: `30`. It is a fine day in town 7.",
        "mark": "[@../src/settings.py#CACHE_TTL]", "proof": "CACHE_TTL is 30",
    }  # fmt: skip
    assert second["mark"] == "[@../src/settings.py#CACHE_SIZE]"


def test_a_name_of_no_page_or_several_is_refused(folder: Path) -> None:
    """With those that there are."""
    refused = cite("settngs.md")
    assert (refused.exit_code, "did you mean `docs/settings.md`?" in refused.output) == (2, True)
    (folder / "docs/old").mkdir()
    (folder / "docs/old/settings.md").write_text(PAGE)
    refused = cite("settings.md")
    assert (refused.exit_code, "`docs/old/settings.md`" in refused.output) == (2, True)
