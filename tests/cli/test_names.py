"""Answers are named as people name things, and a mistyped name is met with the close ones."""

from __future__ import annotations

import pytest

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
        ("zzz", "`mkdocs-cited status` lists all answers"),
    ],
)
def test_a_mistyped_name(asked: Project, name: str, tip: str) -> None:
    """It is met with a few close names, or with where all of them are."""
    for command in ("check", "status", "update", "accept", "reject", "review"):
        result = asked.cited(command, name)
        assert result.code == 2
        assert tip in result.output
        assert len(result.output) < 300


def test_a_page_without_an_answer(asked: Project) -> None:
    """It may be checked, and so may any file that findings are in; what decides needs an answer."""
    asked.configure({"facts": True})
    asked.write("app.py", 'import os\n\nPORT = os.getenv("APP_PORT", "8080")\n')
    asked.page("guide/wrong.md", "# Wrong\n\n- `APP_PORT`: default `8081`\n")
    asked.write("README.md", "# Read\n\n- `APP_PORT`: default `8082`\n")
    asked.git("init", "-q")
    asked.git("add", ".")
    for name in ("guide/wrong.md", "docs/guide/wrong.md", "guide/w*", "README.md", str(asked.root / "README.md")):
        checked = asked.cited("check", name)
        assert (checked.code, checked.output.count("altered-number")) == (1, 2), name
    assert asked.cited("check", "guide/").output.count("error  altered-number") == 1
    assert asked.cited("check", "guide/install.md").code == 0
    assert asked.cited("status", "guide/install.md").output == "no answers\n"
    for command in ("update", "accept", "reject", "review"):
        refused = asked.cited(command, "docs/guide/install.md")
        assert refused.code == 2
        assert "mkdocs-cited add 'How do I …?' --page guide/install.md" in refused.output


def test_several_mistyped_names(asked: Project) -> None:
    """Each is told, not the first alone."""
    result = asked.cited("update", "retrys", "faq.md", "docs/guide/install.md")
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
    assert listed.output.endswith("1 quoted, 1 unreadable\n  → mkdocs-cited check\n")
    assert "1 quoted" in asked.cited("status", "guide/").output
    for name in ("faq.md", "docs/faq.md", "*.md"):
        checked = asked.cited("check", name)
        assert (checked.code, "not valid YAML" in checked.output) == (1, True), name
    assert place in asked.cited("accept", "faq.md").output
    before = asked.tree()
    assert place in asked.cited("add", "How is it removed?", "--page", "faq.md").output
    assert asked.tree() == before


def test_an_answer_that_cannot_be_used(asked: Project) -> None:
    """Its page, and its id, may be named: its errors are shown, as without a name."""
    asked.page("q.md", "---\nanswers:\n  - id: who\n    question: Who?\n    target: prose\n---\n# Q\n")
    for name in ("q.md", "docs/q.md", "who", "q.md#who", "q*"):
        checked = asked.cited("check", name)
        assert (checked.code, "`target` is not a key of an answer" in checked.output) == (1, True), name
    assert "1 unreadable" in asked.cited("status", "q.md").output


def test_a_misspelt_list_beside_the_right_one(asked: Project) -> None:
    """Its questions are missed as well."""
    asked.page("faq.md", FAQ.replace("---\n    # FAQ", "answer:\n      - question: Why?\n    ---\n    # FAQ"))
    told = asked.cited("check", "faq.md")
    assert "`answer` lists questions, but is not a key of cited" in told.output
    assert "did you mean `answers`?" in told.output
