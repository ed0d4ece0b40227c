"""The tutorial is followed word for word: every file is written, every command run, every line compared."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from mkdocs_cited.cli import main
from tests.docs.pages import Block, blocks
from tests.docs.roots import DOCS

PAGE = DOCS / "tutorial.md"
COMMAND = re.compile(r"^\$ mkdocs-cited (.*)\n", re.MULTILINE)


def steps() -> list[Block]:
    """The tutorial's files and commands, in their order."""
    return [block for block in blocks("yaml", "markdown", "console") if block.page == PAGE]


def calls(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a block, each with what it prints."""
    parts = COMMAND.split(block.code)
    assert parts[0] == "", f"{block}: a command comes first"
    yield from zip(parts[1::2], parts[2::2], strict=True)


def followed(folder: Path) -> Iterator[tuple[Block, str, str, str]]:
    """Every command of the tutorial, with what the page says and what it printed."""
    for block in steps():
        if block.language != "console":
            path = folder / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.code, encoding="utf-8")
            continue
        for command, said in calls(block):
            result = CliRunner().invoke(main, shlex.split(command))
            assert result.exception is None or isinstance(result.exception, SystemExit), (command, result.exception)
            yield block, command, said, result.output


def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page shows is what happens."""
    for name in ("CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        for block, command, said, printed in followed(tmp_path):
            assert plain(printed) == plain(said), f"{block}: {command}"
    finally:
        os.chdir(before)


def plain(text: str) -> str:
    """Output as the page shows it: tabs as three spaces, no empty cells at line ends, no empty lines at its end."""
    return "\n".join(line.replace("\t", "   ").rstrip() for line in text.rstrip().splitlines())


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("tutorial-quote.png", PAGE),
        ("tutorial-passage.png", PAGE),
        ("answer.png", DOCS / "index.md"),
        ("fact-check.png", DOCS / "guide" / "rendering.md"),
        ("report.png", DOCS / "guide" / "rendering.md"),
    ],
)
def test_the_pictures(name: str, page: Path) -> None:
    """`python -m tests.docs.pictures` takes them; each is small, and shown with words for those who do not see it."""
    data = (DOCS / "assets" / name).read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) <= 150_000
    assert re.search(rf"!\[[^\]]{{20,}}\]\((?:\.\./)?assets/{re.escape(name)}\)", page.read_text(encoding="utf-8"))
