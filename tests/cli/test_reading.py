"""What a command costs before it does anything: the files of the commands are read when they are called."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from subprocess import CompletedProcess

import pytest

from mkdocs_cited.cli import main
from mkdocs_cited.cli.group import FILES
from tests.docs.commands import every
from tests.projects import Project

SLOW = ("mkdocs", "rich", "jinja2", "markdown", "mkdocs_cited.pipeline", "mkdocs_cited.search", "mkdocs_cited.review")
"""What takes long to import, and is of no use to `--help` and the TAB key."""
CODE = f"""
import sys
from mkdocs_cited.cli import main
for words in " ".join(sys.argv[1:]).split(" + "):
    try:
        main(words.split(), prog_name='mkdocs-cited')
    except SystemExit:
        print("read:", *(name for name in {SLOW} if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("name", [name for commands in FILES.values() for name in commands])
def test_a_command_is_in_the_file_that_is_named(name: str) -> None:
    """And its line in the list of commands is the first sentence of its help."""
    file = next(file for file, commands in FILES.items() if name in commands)
    command = every(main)[name]
    holder = importlib.import_module(f"mkdocs_cited.cli.{file}")
    assert command in vars(holder).values()
    assert command.get_short_help_str(200) == FILES[file][name]


def test_no_command_is_forgotten() -> None:
    """Reading every file finds no command that the list lacks."""
    assert set(every(main)) == {name for commands in FILES.values() for name in commands}


def test_help_reads_nothing_slow() -> None:
    """One command after the other, in a process of their own: the first line that names something is the culprit's."""
    asked = ["--version", "--help", *(f"{name} --help" for commands in FILES.values() for name in commands)]
    done = run(" + ".join(asked).split())
    assert done.stdout.count("Usage: mkdocs-cited") == len(asked) - 1
    assert list(zip(asked, done.stderr.splitlines(), strict=True)) == [(words, "read:") for words in asked]


def test_the_tab_key_reads_nothing_slow(project: Project) -> None:
    """Neither for commands nor for what they take: pages and ids come from files."""
    project.page("faq.md", "---\nanswers:\n  - {question: How do I install it?, id: installing}\n---\n# FAQ\n")
    project.write("questions.yml", "- {question: How often does it retry?, id: retrying}\n")
    project.configure({"questions": "questions.yml"})
    for words, offered in (("mkdocs-cited che", "check"), ("mkdocs-cited check re", "retrying")):
        asked = {"_MKDOCS_CITED_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        done = run((), str(project.root), asked)
        assert offered in done.stdout
        assert done.stderr.strip() == "read:"


def run(words: Sequence[str], folder: str = ".", more: Mapping[str, str] | None = None) -> CompletedProcess[str]:
    """The command line, and what it has read."""
    return subprocess.run(
        [sys.executable, "-c", CODE, *words],
        cwd=folder, env=os.environ | dict(more or {}), capture_output=True, text=True, check=False,
    )  # fmt: skip
