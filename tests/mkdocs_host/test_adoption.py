"""Adoption costs nothing: pages without answers get no warning, notes a line, and records outlive rewording."""

from __future__ import annotations

import pytest

from tests.projects import Project

QUESTION = "How long is a key valid?"
REWORDED = "For how many days is a key valid?"


def faq(question: str) -> str:
    return f"---\nanswers:\n  - question: {question}\n---\n# FAQ\n"


@pytest.mark.parametrize(
    "page",
    [
        "# Notes\n\n<details>\n\n## Inside\n\nNever closed.\n",
        "---\ntitle: a: b\n---\n# Notes\n",
        "---\ndate: 2024-99-99\n---\n# Notes\n",
        "# Notes\n\n```\n<!-- answer: x -->\n```\n",
    ],
)
def test_a_page_without_answers_gets_no_warning(project: Project, page: str) -> None:
    """A site that passes `--strict` passes it with the plugin added."""
    project.page("notes.md", page)
    project.page("faq.md", faq(QUESTION))
    result = project.build("--strict")
    assert result.code == 0, result.output
    assert "WARNING" not in result.output


def test_standing_notes_are_counted_in_one_line(project: Project) -> None:
    """What is for information only says the same on every build; in full it is told on request."""
    project.page(
        "faq.md", "---\nanswers: [{question: Why is the sky blue?}, {question: Who won the cup?}]\n---\n# FAQ\n"
    )
    said = project.build().output
    assert "for your information: 2 × unreviewed-quote" in said
    assert said.count("unreviewed-quote") == 1
    assert "Why is the sky blue?" not in said
    assert "Why is the sky blue?" in project.build("-v").output
    assert project.cited("check").output.count("info  unreviewed-quote") == 2


def test_a_reworded_question_keeps_its_record_by_its_id(project: Project) -> None:
    """Its id was made of its words: the finding on the record says how a person's words stay with the question."""
    project.page("faq.md", faq(QUESTION))
    project.taken("faq.md")
    record = project.root / "answers/faq/how-long-is-a-key-valid.md"
    text = record.read_text(encoding="utf-8")
    record.write_text(
        text.replace("A key is valid for 90 days.[", "Every key is valid for 90 days.["), encoding="utf-8"
    )
    project.page("faq.md", faq(REWORDED))
    assert "give the question that it answers `id: how-long-is-a-key-valid`" in " ".join(
        project.cited("check").output.split()
    )
    project.page("faq.md", faq(f"{REWORDED}\n    id: how-long-is-a-key-valid"))
    assert "Every key is valid for 90 days." in record.read_text(encoding="utf-8")
    assert "orphan-record" not in project.cited("check").output


def test_another_question_takes_no_record_over(project: Project) -> None:
    """A question that is declared in place of another gets an answer of its own, and the record stays an orphan."""
    project.page("faq.md", faq(QUESTION))
    project.taken("faq.md")
    project.page("faq.md", faq("How often does the client retry a request?"))
    assert "orphan-record" in project.cited("check").output


def test_an_id_that_a_person_gave_is_left_alone(project: Project) -> None:
    """Whether on the side of the record or of the question."""
    given = faq(QUESTION).replace("  - question", "  - id: valid\n    question")
    for before, after in ((given, faq(REWORDED)), (faq(QUESTION), given)):
        project.page("faq.md", before)
        project.cited("update")
        project.page("faq.md", after)
        project.cited("update")
        project.cited("prune", "--yes")


def test_a_plugin_that_kept_a_page_prints_its_answers(project: Project) -> None:
    """print-site keeps each page's HTML in `on_page_content`, under `page.html`, and joins them in the end."""
    project.write(
        "hook.py",
        """
        from pathlib import Path

        kept = []

        def on_page_content(html, page, **_):
            page.html = html
            kept.append(page)

        def on_post_build(config):
            Path(config.site_dir, "all.html").write_text("".join(page.html for page in kept), encoding="utf-8")
        """,
    )
    project.configure(hooks=["hook.py"])
    project.page("faq.md", faq(QUESTION))
    assert project.build("--strict").code == 0
    assert 'data-cited-answer="faq.md#how-long-is-a-key-valid"' in project.html("all.html")
