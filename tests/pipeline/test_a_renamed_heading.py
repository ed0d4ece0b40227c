"""An answer whose text is in its record, and what a person is told when a heading that it cites is renamed or left."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner

from mkdocs_cited.cli import main
from tests.projects import Project

PAGE = "# Keys\n\n## {}\n\n{}\n\n## Other\n\n{}\n"
LOGIN = "A login is valid for 48 hours, unless the keys are rotated."


@pytest.fixture
def answered(project: Project) -> Callable[[str], Project]:
    """A project with an answer in a person's words, whose claim is confirmed."""

    def made(text: str) -> Project:
        project.page("keys.md", PAGE.format("Logins", LOGIN, "Nothing else."))
        project.page("faq.md", "---\nanswers:\n  - {id: q, question: How long is a login valid?}\n---\n# FAQ\n")
        file = str(project.write("words.txt", text))
        take = ("answer", "q", "--take", "keys.md#logins", "--by", "Ann")
        assert project.cited(*take, *(["--text", file] if text else [])).code == 0
        project.cited("accept", "q", "--all", "--by", "Ann")
        assert project.build("--strict").code == 0
        return project

    return made


def test_a_renamed_heading_names_no_address_to_write(answered: Callable[[str], Project]) -> None:
    """The text in the record has a number; where it leads, `update` writes."""
    project = answered("You stay in for two days[^1].\n")
    project.page("keys.md", PAGE.format("Guests", LOGIN, "Nothing else."))
    words = " ".join(project.cited("check").output.split())
    assert "it was under “Logins”, and is under “Guests”" in words
    assert "was Logins ^^^^^^ is Guests ^^^^^^" in words
    assert "[@" not in words
    assert "keys.md#logins to keys.md#guests" in words
    assert project.cited("accept", "q", "--all", "--by", "Ann").code == 0
    done = project.cited("update").output.splitlines()
    assert done[:2] == ["faq.md#q: its record is renewed", "  → git diff answers/faq/q.md"]
    assert done[2].startswith("cited: no findings")
    assert done[3:] == ["renewed 1", "  → commit answers/"]
    assert "at: keys.md#guests" in (project.root / "answers/faq/q.md").read_text(encoding="utf-8")
    assert "moved-source" not in project.cited("check", "--strict").output


def test_a_passage_that_is_gone_is_taken_again_in_a_session(answered: Callable[[str], Project]) -> None:
    """No model wrote the answer, so none writes it again: the tip names the command that does it."""
    project = answered("")
    project.page("keys.md", PAGE.format("Logins", "Nothing else.", LOGIN))
    result = project.cited("check")
    assert result.code == 1
    assert "run `mkdocs-cited review faq.md#q" in " ".join(result.output.split())
    arguments = ["review", "-f", str(project.root / "mkdocs.yml"), "--by", "Ann"]
    session = CliRunner().invoke(main, arguments, input="y\n")
    assert "answered 1" in session.output
    assert project.build("--strict").code == 0
    assert "at: keys.md#other" in (project.root / "answers/faq/q.md").read_text(encoding="utf-8")
