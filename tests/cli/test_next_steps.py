"""Whatever is wrong is said with a step that helps: none that leads nowhere."""

from __future__ import annotations

import pytest

from tests.projects import Project


def test_a_key_that_is_not_set_is_met_with_how_to_set_it(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once."""
    for variable in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    result = project.cited("ask", "--provider", "anthropic", "How long is a key valid?")
    assert result.code == 1
    assert result.output.count("→ export ANTHROPIC_API_KEY") == 1


def test_what_a_question_would_cost(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is said without a key, and nothing is asked; so it is of statements."""
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert "No model would be asked." in project.cited("ask", "--dry-run", "How long is a key valid?").output
    assert "No model would be asked." in project.cited("verify", "--dry-run", "A key is valid for 90 days.").output
    project.configure({"provider": "anthropic", "reviewer": "anthropic"})
    said = project.cited("ask", "--dry-run", "How long is a key valid?")
    assert (said.code, "1 answer from a model: about $" in said.output) == (0, True), said.output
    said = project.cited("verify", "--dry-run", "A key is valid for 90 days.")
    assert (said.code, "a model reads 1 claim" in said.output) == (0, True), said.output


def test_a_mistaken_declaration_leaves_nothing_behind(project: Project) -> None:
    """Mended, its answer may have another id, or the question stand elsewhere: a record would be an orphan then."""
    asked = "---\nanswers:\n  - question: How long is a key valid?\n    {}\n---\n# FAQ\n"
    project.page("faq.md", asked.format("ID: valid"))
    assert "docs/faq.md:4:5" in project.build().output
    assert "its question cannot be read" in project.cited("update", "--dry-run").output
    assert project.cited("update").code == 1
    assert not (project.root / "answers").exists()
    project.page("faq.md", asked.format("id: valid\n    ID: x"))
    assert project.build().code == 1
    assert not (project.root / "answers").exists()
    project.page("faq.md", asked.format("id: valid"))
    project.taken("faq.md")
    assert sorted(path.name for path in (project.root / "answers").rglob("*.md")) == ["valid.md"]
    assert project.cited("check", "--strict").code == 0


def test_a_missing_name_is_met_with_what_one_is(project: Project) -> None:
    """Where a command does nothing to answers that are not named."""
    for command in ("accept", "reject"):
        result = project.cited(command)
        assert (result.code, f"mkdocs-cited {command} faq.md: a page, a key" in result.output) == (2, True)
