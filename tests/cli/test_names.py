"""Answers are named as people name things, completed by the shell, and a mistyped name is met with the close ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from mkdocs_cited.cli import main
from mkdocs_cited.cli.layout import middle
from tests.projects import Project

FAQ = """
    ---
    answers:
      - {question: How often does the client retry a failed request?, id: retries}
      - {question: For how many days is a key valid?, id: valid}
    ---
    # FAQ
"""
OTHER = "---\nanswers:\n  - {question: How is the client installed?, id: setup}\n---\n# Other\n"


@pytest.fixture
def asked(project: Project) -> Project:
    """A project with three answers on two pages."""
    project.page("faq.md", FAQ)
    project.page("guide/other.md", OTHER)
    assert project.cited("update").code == 0
    return project


def test_every_name_that_people_have(asked: Project) -> None:
    """Page, file, absolute file, record, id, key, folder, glob."""
    names = {
        "faq.md": 2, "docs/faq.md": 2, "./docs/faq.md": 2, str(asked.root / "docs/faq.md"): 2, "retries": 1,
        "answers/faq/retries.md": 1, "faq.md#valid": 1, "guide/": 1, "docs/guide/": 1, "*.md": 2, "**": 3,
    }  # fmt: skip
    for name, number in names.items():
        result = asked.cited("check", name)
        assert f"in {number} answer" in result.output, (name, result.output)


@pytest.mark.parametrize(
    ("name", "tip"),
    [
        ("retrys", "did you mean `retries`"),
        ("faq", "did you mean `faq.md`"),
        ("docs/fqa.md", "did you mean `faq.md`"),
        ("docs/guide/install.md", 'mkdocs-cited add "How do I …?" --page guide/install.md'),
        ("zzz", "`mkdocs-cited status` lists the 3 answers"),
    ],
)
def test_a_mistyped_name(asked: Project, name: str, tip: str) -> None:
    """It is met with a few close names, or with where all of them are."""
    for command in ("check", "status", "update", "accept", "reject", "diff", "review"):
        result = asked.cited(command, name)
        assert result.code == 2
        assert tip in result.output
        assert len(result.output) < 300


def test_several_mistyped_names(asked: Project) -> None:
    """Each is told, not the first alone."""
    result = asked.cited("check", "retrys", "faq.md", "docs/guide/install.md")
    assert result.code == 2
    assert "did you mean `retries`" in result.output
    assert "--page guide/install.md" in result.output


BROKEN = "---\nanswers:\n  - question: Why: because?\n---\n# Broken\n"


def test_a_page_whose_answers_cannot_be_read(asked: Project) -> None:
    """It is named wherever its answers are missed, and nothing is written elsewhere in its place."""
    asked.page("faq.md", BROKEN)
    place = "docs/faq.md:3: the front matter is not valid YAML"
    listed = asked.cited("status")
    assert place in listed.output
    assert listed.output.endswith("1 accepted, 1 unreadable\n  → mkdocs-cited check\n")
    assert asked.cited("status", "guide/").output.endswith("1 accepted\n")
    for name in ("faq.md", "docs/faq.md", "*.md"):
        checked = asked.cited("check", name)
        assert (checked.code, "not valid YAML" in checked.output) == (1, True), name
    assert place in asked.cited("accept", "faq.md").output
    before = asked.tree()
    added = asked.cited("add", "How is it removed?")
    assert (added.code, "`--page faq.md`, `--page guide/other.md`" in added.output) == (2, True)
    assert place in asked.cited("add", "How is it removed?", "--page", "faq.md").output
    assert asked.tree() == before


def test_a_misspelt_list_beside_the_right_one(asked: Project) -> None:
    """Its questions are missed as well."""
    asked.page("faq.md", FAQ.replace("---\n    # FAQ", "answer:\n      - question: Why?\n    ---\n    # FAQ"))
    told = asked.cited("check", "faq.md")
    assert "`answer` holds questions, and cited does not know it" in told.output
    assert "did you mean `answers`?" in told.output


def test_a_page_that_is_full(asked: Project) -> None:
    """Its questions are counted before one more is written."""
    asked.page("faq.md", "---\nanswers:\n" + "".join(f"  - question: Why {n}?\n" for n in range(1000)) + "---\n")
    told = asked.cited("add", "And why?", "--page", "faq.md")
    assert (told.code, "has 1,000 answers, the most of one page\n  → name another page" in told.output) == (2, True)


def complete(project: Project, words: str, shell: str = "bash") -> list[str]:
    """What a shell is offered behind these words."""
    typed = words.split(" ")
    line = {"COMP_WORDS": words, "COMP_CWORD": str(len(typed) - 1 if shell != "fish" else typed[-1])}
    environment = {**os.environ, **line, "_MKDOCS_CITED_COMPLETE": f"{shell}_complete"}
    before = Path.cwd()
    os.chdir(project.root)
    try:
        result = CliRunner().invoke(main, [], env=environment, prog_name="mkdocs-cited")
    finally:
        os.chdir(before)
    return [line.partition(",")[2] or line for line in result.output.split()]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(asked: Project, shell: str) -> None:
    """Commands, pages, ids, keys, findings and formats."""
    assert "retries" in "\n".join(complete(asked, "mkdocs-cited check re", shell))
    assert "guide/other.md" in "\n".join(complete(asked, "mkdocs-cited accept guide/", shell))
    assert "altered-number" in "\n".join(complete(asked, "mkdocs-cited explain altered-n", shell))
    assert "sarif" in "\n".join(complete(asked, "mkdocs-cited check --format sa", shell))
    assert "doctor" in "\n".join(complete(asked, "mkdocs-cited doc", shell))


def test_completion_of_a_page_that_has_moved(asked: Project) -> None:
    """`rename` offers the page whose records are left, then pages that declare answers."""
    asked.cited("update")
    (asked.root / "docs/guide/other.md").rename(asked.root / "docs/guide/new.md")
    assert complete(asked, "mkdocs-cited rename guide/o") == ["guide/other.md"]
    assert complete(asked, "mkdocs-cited rename guide/other.md guide/") == ["guide/new.md"]


def test_completion_where_there_is_no_site(project: Project) -> None:
    """Nothing is offered, and nothing is said."""
    (project.root / "mkdocs.yml").unlink()
    assert complete(project, "mkdocs-cited check re") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_installed(shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words are printed and written where the shell looks."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    printed = CliRunner().invoke(main, ["completion", shell])
    assert printed.exit_code == 0, printed.output
    installed = CliRunner().invoke(main, ["completion", "--install"])
    assert installed.exit_code == 0, installed.output
    [file] = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert file.read_text(encoding="utf-8") == printed.output
    assert "_MKDOCS_CITED_COMPLETE" in printed.output


def test_long_names_are_cut_in_the_middle() -> None:
    """So that two of them that begin alike stay two."""
    assert middle("can-i-change-the-name", 12) == "can-i…e-name"
    assert middle("short", 12) == "short"
