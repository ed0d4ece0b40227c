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


def cite(*words: str, answers: str = "") -> Result:
    """The command, with what a person answers."""
    return CliRunner().invoke(main, ["cite", *words], input=answers)


def test_a_page_is_shown_and_written_after_a_yes(folder: Path) -> None:
    """With the proof of each mark; all else stays."""
    done = cite("docs/settings.md", answers="n\n")
    assert done.exit_code == 0, done.output
    assert "docs/settings.md:8: CACHE_TTL is 30" in done.output
    assert f"+{TTL}" in done.output
    assert done.output.endswith("no mark is written\n")
    assert (folder / "docs/settings.md").read_text() == PAGE
    assert cite("docs/settings.md").exit_code == 2  # nobody is there to agree
    assert (folder / "docs/settings.md").read_text() == PAGE


def test_the_line_ends_of_a_file_stay(folder: Path) -> None:
    """`--yes` writes all marks."""
    page = folder / "docs/settings.md"
    page.write_bytes(PAGE.replace("\n", "\r\n").encode())
    done = cite("docs/*.md", "--yes")
    assert "+| `CACHE_SIZE` | `512` [@../src/settings.py#CACHE_SIZE] |" in done.output
    assert "wrote marks into 1 page\n  → readers see marks as text: write a mkdocs.yml" in done.output
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
    assert first.pop("column") == len("Default: `30`")
    assert first == {
        "file": "docs/settings.md", "line": 8, "sentence": "Default: `30`. It is a fine day in town 7.",
        "mark": "[@../src/settings.py#CACHE_TTL]", "proof": "CACHE_TTL is 30", "waits": "",
    }  # fmt: skip
    assert second["mark"] == "[@../src/settings.py#CACHE_SIZE]"


def test_a_name_of_no_page_is_refused(folder: Path) -> None:
    """With one that there is; a name of several pages means them all."""
    refused = cite("settngs.md")
    assert (refused.exit_code, "did you mean `docs/settings.md`?" in refused.output) == (2, True)
    (folder / "docs/old").mkdir()
    (folder / "docs/old/settings.md").write_text(PAGE)
    subprocess.run(["git", "add", "."], cwd=folder, check=True)
    assert "wrote marks into 2 pages" in cite("settings.md", "--yes").output


def test_an_equal_value_of_another_thing_gets_no_mark(folder: Path) -> None:
    """Two things have the name, and the page agrees with neither in anything else."""
    (folder / "docs/web.md").write_text("## `timeout`\n\nDefault: `5`\n")
    (folder / "src/web.py").write_text("class Cache:\n    timeout: int = 9\nclass Web:\n    timeout: int = 5\n")
    subprocess.run(["git", "add", "."], cwd=folder, check=True)
    assert cite("docs/web.md").output == "no mark is written\n"


MORE = """# Settings

| Variable | Default |
|----------|---------|
| `APP_PORT` | `8081` |
| `WEB_PORT` | `80` |
| `FEATURE_X` | enabled |
| `CACHE_TTL` | `5 minutes` |

The option `DEPTH` defaults to 4.
"""
MORE_CODE = """import os
NAME = "APP_PORT"
def env(name, default=80):
    return os.environ.get(name, default)
port = os.getenv(NAME, 8081)
web = env("WEB_PORT")
FEATURE_X = True
CACHE_TTL = 300
DEPTH = 4
"""


def test_each_mark_is_told_with_what_check_will_say(folder: Path) -> None:
    """A name in a constant, a default of a helper and a word for yes pass; of each other it is told why it waits."""
    (folder / "docs/settings.md").write_text(MORE)
    (folder / "src/settings.py").write_text(MORE_CODE)
    (folder / "mkdocs.yml").write_text("site_name: S\nplugins: [cited]\n")
    done = cite("docs/settings.md", "--yes")
    told = [line for line in done.output.splitlines() if line.startswith("docs/settings.md:")]
    assert told == [
        "docs/settings.md:5: NAME of port is 8081 by default",
        "docs/settings.md:6: WEB_PORT of web is 80 by default",
        "docs/settings.md:7: FEATURE_X is True",
        "docs/settings.md:8: CACHE_TTL is 300; it waits to be confirmed: the value is `300`",
        "docs/settings.md:10: DEPTH is 4; it waits to be confirmed: the value is `4`, which does not say “option”",
    ]
    waiting = CliRunner().invoke(main, ["check", "--json"])
    finding = json.loads(waiting.output)["findings"][0]
    assert finding["message"].startswith("2 of 5 claims wait"), waiting.output


def test_a_default_that_can_have_no_mark_is_told(folder: Path) -> None:
    """Where no address names it alone, for one."""
    (folder / "docs/web.md").write_text(
        "# Web\n\n`WEB_PORT` defaults to 80.\n\n`WEB_AGE` defaults to 5, and 5 is little.\n"
    )
    (folder / "src/web.py").write_text("from src.tools import env\nweb = env('WEB_PORT')\nWEB_AGE = 5\n")
    (folder / "src/tools.py").write_text(
        "import os\ndef env(name, default=80):\n    return os.environ.get(name, default)\n"
    )
    subprocess.run(["git", "add", "."], cwd=folder, check=True)
    output = cite("docs/web.md").output
    assert "docs/web.md:3: WEB_PORT: no mark: no address in src/web.py leads to its value\n" in output
    assert "docs/web.md:5: WEB_AGE: no mark: 2 places say 5\n" in output
