"""`update` says of each answer what became of it, and beforehand what would and why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from mkdocs_cited.cli import main
from tests.projects import Project

ASKED = {"retries": "How often does the client retry a failed request?", "valid": "For how many days is a key valid?"}


@pytest.fixture
def faq(project: Project) -> Project:
    """A project with two questions that its pages answer, and one that they do not."""
    ask(project, **ASKED, moon="Which zebra paints the moon?")
    return project


def ask(project: Project, **questions: str) -> None:
    entries = "".join(f"  - {{id: {name}, question: '{question}'}}\n" for name, question in questions.items())
    project.page("faq.md", f"---\nanswers:\n{entries}---\n# FAQ\n")


def change(project: Project, path: str, old: str, new: str) -> None:
    file: Path = project.root / path
    before, found, behind = file.read_text(encoding="utf-8").rpartition(old)
    assert found
    file.write_text(before + new + behind, encoding="utf-8")


def test_a_run_ends_in_what_it_did(faq: Project) -> None:
    """Counts, what changed, and the next step; without a model nothing is written."""
    result = faq.cited("update")
    assert result.code == 0
    assert result.output.endswith("3 unchanged, 3 still waiting\n  → mkdocs-cited review\n")
    assert not (faq.root / "answers").exists()
    session = ["review", "moon", "-f", str(faq.root / "mkdocs.yml"), "--by", "Ann"]
    assert "not documented 1" in CliRunner().invoke(main, session, input="n\n").output
    assert "2 unchanged, 1 not documented, 2 still waiting" in faq.cited("update").output
    faq.taken("retries", "valid")
    change(faq, "docs/guide/install.md", "5 times", "7 times")
    result = faq.cited("update")
    assert result.code == 1, result.output
    assert "it was “5”, it is “7”" in " ".join(result.output.split())
    assert result.output.endswith("1 unchanged, 1 not documented, 1 failed, 1 still waiting\n  → mkdocs-cited review\n")


def test_a_failed_text_of_an_author_is_shown_by_check(faq: Project) -> None:
    """A person may overrule it in a review session."""
    faq.authored("guide/install.md#with-pip", wrong=["The client retries a failed request 9 times before it gives up."])
    result = faq.cited("update")
    assert (result.code, result.output.endswith("1 failed, 1 still waiting\n  → mkdocs-cited review\n")) == (1, True)
    assert "claim    The client retries a failed request 9 times" in faq.cited("review").output


def test_a_named_answer_is_told_alone(faq: Project) -> None:
    """What is wrong with others neither shows nor counts."""
    faq.taken("retries", "valid")
    change(faq, "answers/faq/valid.md", "90 days", "91 days")
    assert faq.cited("check").code == 1
    result = faq.cited("update", "retries")
    assert (result.code, "valid" in result.output) == (0, False), result.output
    assert "1 answer" in result.output
    result = faq.cited("update", "no-such-one")
    assert (result.code, "no page asks a question `no-such-one`" in result.output) == (2, True)


def test_a_dry_run_says_why(faq: Project) -> None:
    """For each answer; and nothing is written."""
    faq.taken("valid")
    rows = faq.cited("update", "--dry-run").output.splitlines()
    asked = "no model is asked: `mkdocs-cited review` takes or edits a quotation"
    assert f"faq.md#retries\tleave\t{asked}" in rows
    assert f"faq.md#valid\tleave\t{asked}" in rows
    assert rows[-1] == "3 would stay"
    assert not (faq.root / "answers/faq/retries.md").exists()


def test_a_dry_run_names_the_model_that_it_would_ask(faq: Project) -> None:
    """And asks nobody."""
    faq.configure({"provider": "anthropic"})
    output = faq.cited("update", "--dry-run", "valid").output
    assert re.match(r"faq\.md#valid\task claude-sonnet-5-5, about \$0\.\d{3}\tit has no answer yet\n", output)
