"""`ask` and `find` say why a question is answered or not."""

from __future__ import annotations

from tests.projects import Project


def test_find_says_why(project: Project) -> None:
    """The words that each candidate has and lacks, whether the best is enough, and what stands nowhere."""
    result = project.cited("find", "Is a valid key blue?")
    assert "A key is valid for 90 days." in result.output
    assert "lacks “blue”" in result.output
    *_, conclusion, unknown = result.output.splitlines()
    assert conclusion.startswith("Nothing reaches cite_threshold 0.30: the best is guide/install.md#keys (0.")
    assert unknown == "Nowhere in the docs: “blue”."
    *_, conclusion = project.cited("find", "How do I rotate an API key?").output.splitlines()
    assert conclusion.startswith("First is guide/install.md#keys (0.")
    nothing = project.cited("find", "Kubernetes operator").output.splitlines()
    assert nothing == ["Nothing in the docs has these words.", "Nowhere in the docs: “Kubernetes”, “operator”."]


def test_ask_says_why(project: Project) -> None:
    """In a sentence."""
    short = project.cited("ask", "How long is a key valid?").output
    assert "Why: Answered from guide/install.md#keys (0." in short
    assert short.count("guide/install") == 2  # the source, and why: no passage is listed twice
    nothing = project.cited("ask", "Which database does the settings page use?").output
    assert "Nothing reaches cite_threshold 0.30: the best is guide/install.md#keys" in nothing
    assert "lacks “database”" in nothing


def test_what_is_wrong_with_a_question_is_said_before_it_is_added(project: Project) -> None:
    """And the page is as it was."""
    before = project.tree()
    result = project.cited("add", "What does it cost?", "--page", "faq.md", "--id", "a b", "--text", "Nothing.")
    assert result.code == 2
    assert "`a b` cannot be an id" in result.output
    assert "write `id: a-b`" in result.output
    assert project.tree() == before
