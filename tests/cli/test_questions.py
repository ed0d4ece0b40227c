"""What `ask` and `find` print."""

from __future__ import annotations

import json

from tests.projects import Project


def test_find_lists_passages_and_what_appears_nowhere(project: Project) -> None:
    result = project.cited("find", "Is a valid key blue?")
    assert "A key is valid for 90 days." in result.output
    assert result.output.splitlines()[-1] == "Nowhere in the docs: “blue”."
    nothing = project.cited("find", "Kubernetes operator").output.splitlines()
    assert nothing[-1] == "Nowhere in the docs: “Kubernetes”, “operator”."


def test_find_lists_as_many_as_it_is_asked_for(project: Project) -> None:
    """Best first, so that the shorter list begins the longer one."""
    few = json.loads(project.cited("find", "client key", "--limit", "1", "--json").output)
    many = json.loads(project.cited("find", "client key", "--json").output)
    assert len(few) == 1 < len(many)
    assert few == many[:1]


def test_ask_names_each_source_once(project: Project) -> None:
    """What is not answered, it says, with the nearest sections."""
    assert project.cited("ask", "How long is a key valid?").output.count("guide/install") == 1
    project.configure({}, site_url="https://x.example/docs/")
    listed = project.cited("ask", "How long is a key valid?").output
    assert "\nSources:\n\n[1] Install › Keys: “A key is valid for 90 days.” <https://x.example/docs/guide/" in listed
    assert "Nearest:" in project.cited("ask", "Which database does the settings page use?").output


def test_what_is_wrong_with_a_question_is_said_before_it_is_added(project: Project) -> None:
    """And the page is as it was."""
    before = project.tree()
    result = project.cited("add", "What does it cost?", "--page", "faq.md", "--id", "a b", "--text", "Nothing.")
    assert result.code == 2
    assert "`id` cannot be `a b`" in result.output
    assert "write a word such as `id: rate-limits`" in result.output
    assert project.tree() == before
