"""Whatever is wrong is said with a step that helps: none that leads nowhere."""

from __future__ import annotations

import pytest

from tests.projects import Project


def test_a_key_that_is_not_set_is_met_with_how_to_set_it(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once."""
    for variable in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    project.configure({"provider": "anthropic"})
    result = project.cited("ask", "How long is a key valid?")
    assert result.code == 1
    assert result.output.count("→ export ANTHROPIC_API_KEY") == 1


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
