"""A record is an orphan only when its question is known to be gone: never because a page could not be read."""

from __future__ import annotations

import pytest

from tests.projects import Project

ASKED = """
    ---
    answers:
      - question: How do I rotate an API key?
      - question: How long is a key valid?
    ---
    # Questions
"""
RECORD = "answers/faq/how-do-i-rotate-an-api-key.md"


@pytest.fixture(autouse=True)
def recorded(project: Project) -> None:
    """Two answers with records."""
    project.page("faq.md", ASKED)
    project.taken("faq.md")
    assert project.build("--strict").code == 0
    assert (project.root / RECORD).is_file()


def test_a_question_that_is_gone_leaves_an_orphan_and_prune_deletes_it(project: Project) -> None:
    """Its page is there, and does not ask it any more."""
    project.page("faq.md", "# Questions\n")
    assert "orphan-record" in project.build().output
    assert project.cited("prune").code == 0
    assert not (project.root / RECORD).exists()


def test_decisions_on_sentences_that_have_no_mark_any_more_are_called_that(project: Project) -> None:
    """Nobody asked a question there, so none is to be given its id back."""
    project.page("faq.md", f"{ASKED}\nAPI keys are in the settings [@guide/install.md#keys].\n".replace("    ", ""))
    project.cited("accept", "faq.md#claims", "--all", "--by", "Ann")
    project.page("faq.md", ASKED)
    said = " ".join(project.cited("check").output.split())
    assert "faq.md has no citation behind a sentence any more" in said
    assert "id: claims" not in said


def test_a_page_that_is_gone_leaves_orphans(project: Project) -> None:
    """Nobody can ask any more."""
    (project.root / "docs/faq.md").unlink()
    assert project.build().output.count("orphan-record") == 2


def test_a_page_that_was_emptied_leaves_orphans(project: Project) -> None:
    """It was read to its end, and asks nothing."""
    project.page("faq.md", b"")
    assert project.build().output.count("orphan-record") == 2


def test_a_typo_in_the_front_matter_makes_no_orphans(project: Project) -> None:
    """The page may still ask, so nothing is said of its records, and nothing is deleted."""
    project.page("faq.md", ASKED.replace("answers:", "answers: ["))
    result = project.build()
    assert (result.code, "orphan-record" in result.output) == (1, False)
    project.cited("prune")
    assert (project.root / RECORD).is_file()


def test_a_misspelt_key_makes_no_orphans(project: Project) -> None:
    """The finding names the key; that records are to be deleted would be bad advice."""
    project.page("faq.md", ASKED.replace("answers:", "answer:"))
    output = project.cited("check").output
    assert "did you mean `answers`?" in output
    assert "orphan-record" not in output


def test_a_question_with_another_id_keeps_its_record(project: Project) -> None:
    """What people decided on it would be lost otherwise."""
    given = "- id: key\n        question: How do I"
    project.page("faq.md", ASKED.replace("- question: How do I", given))
    assert "mkdocs-cited update" in project.cited("check").output
    assert project.cited("prune").code == 0
    assert (project.root / RECORD).is_file()
    project.cited("update")
    assert (project.root / "answers/faq/key.md").is_file()


def test_pages_that_a_dirty_build_leaves_out_make_no_orphans(project: Project) -> None:
    """`--dirty` reads what changed only."""
    assert "orphan-record" not in project.build("--dirty").output


def test_a_page_that_is_not_utf8_is_a_finding(project: Project) -> None:
    """MkDocs alone ends in a traceback; here the build ends with the place of the byte, and no record is touched."""
    project.page("faq.md", b"---\nanswers:\n  - question: How do I rotate an API key\xff?\n---\n# Questions\n")
    result = project.build()
    assert result.code == 1
    assert "docs/faq.md:3:41" in result.output
    assert "byte 0xff" in result.output
    assert "orphan-record" not in result.output


def test_prune_leaves_the_record_of_an_id_in_another_case(project: Project) -> None:
    """Also when the id in its new case has a record of its own already: decisions are in the old one."""
    project.page("faq.md", ASKED.replace("question: How do I", "id: Rotate\n        question: How do I"))
    old = project.root / "answers/faq/rotate.md"
    (project.root / RECORD).rename(old)
    project.build()
    assert "left faq.md#rotate" in project.cited("prune").output
    assert old.is_file()


@pytest.mark.parametrize("text", ["# My own notes\n", "---\ntitle: My post\n---\n\nText.\n", "\x00"])
def test_what_is_no_record_is_nobodys_to_delete(project: Project, text: str) -> None:
    """Somebody may keep notes next to the records."""
    project.page("faq.md", ASKED)
    notes = project.write("answers/quiz/solution.md", text)
    assert "solution" not in project.cited("check").output
    assert project.cited("prune").code == 0
    assert notes.read_text(encoding="utf-8") == text
