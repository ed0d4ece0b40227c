"""`update` says of each answer what became of it, and beforehand what would and why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.projects import INSTALL, Project

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
    """Counts, the changed words, and the next step."""
    result = faq.cited("update")
    assert (result.code, result.output.endswith("wrote 2, 1 not documented\n  → commit answers/\n")) == (0, True)
    result = faq.cited("update")
    assert result.output.endswith("2 unchanged, 1 not documented\n")
    change(faq, "docs/guide/install.md", "5 times", "7 times")
    result = faq.cited("update")
    assert result.code == 0, result.output
    assert "-The client retries a failed request 5 times before it gives up.[^1]" in result.output
    assert "+The client retries a failed request 7 times before it gives up.[^1]" in result.output
    assert "wrote 1, 1 unchanged, 1 not documented" in result.output


def test_a_text_that_a_person_edited_becomes_a_proposal(faq: Project) -> None:
    """Which is counted, and the next step is to review it."""
    faq.cited("update")
    change(faq, "answers/faq/retries.md", "before it gives up", "and then gives up")
    change(faq, "docs/guide/install.md", "5 times", "7 times")
    assert "faq.md#retries\tpropose\t" in faq.cited("update", "--dry-run").output
    result = faq.cited("update")
    assert (faq.root / "answers/faq/retries.new.md").is_file()
    assert result.output.endswith("  → mkdocs-cited review\n")


def test_a_failed_text_of_an_author_is_shown_by_check(faq: Project) -> None:
    """A person may overrule it in a review session."""
    faq.authored("guide/install.md#with-pip", wrong=["The client retries a failed request 9 times before it gives up."])
    result = faq.cited("update")
    assert (result.code, result.output.endswith("1 failed\n  → mkdocs-cited check faq.md#wrong\n")) == (1, True)
    assert "claim    The client retries a failed request 9 times" in faq.cited("review").output


def test_what_is_written_again_in_the_same_words_changes_no_record(faq: Project) -> None:
    """Though its writer is given other passages by now: who reads the change would learn nothing from it."""
    faq.cited("update")
    record = faq.root / "answers/faq/retries.md"
    before = record.read_text(encoding="utf-8")
    faq.page("log.md", "# Log\n\n## Failed requests\n\nThe log holds a line for each failed request of a client.\n")
    assert "1 unchanged" in faq.cited("update", "retries").output
    assert record.read_text(encoding="utf-8") == before
    record.unlink()
    faq.cited("update", "retries")
    after = record.read_text(encoding="utf-8")
    assert "log.md#failed-requests" in after
    assert after.rpartition("---")[2] == before.rpartition("---")[2]


def test_a_named_answer_is_told_alone(faq: Project) -> None:
    """What is wrong with others neither shows nor counts."""
    faq.cited("update")
    change(faq, "answers/faq/valid.md", "90 days", "91 days")
    assert faq.cited("check").code == 1
    result = faq.cited("update", "retries")
    assert (result.code, "valid" in result.output) == (0, False), result.output
    assert "1 answer" in result.output
    result = faq.cited("update", "no-such-one")
    assert (result.code, "no page declares an answer `no-such-one`" in result.output) == (2, True)


def test_a_dry_run_says_why(faq: Project) -> None:
    """For each answer, those that would change first; and nothing is written."""
    rows = faq.cited("update", "--dry-run").output.splitlines()
    assert rows[:2] == ["faq.md#retries\twrite\tit has no answer yet", "faq.md#valid\twrite\tit has no answer yet"]
    assert rows[2].startswith("faq.md#moon\tno answer\t")
    assert rows[-1] == "2 would change, 1 would stay"
    assert not (faq.root / "answers").exists()
    faq.cited("update")
    change(faq, "docs/guide/install.md", "90 days", "60 days")
    ask(faq, **ASKED | {"retries": "How often is a failed request retried by the client?"})
    output = faq.cited("update", "--dry-run").output
    assert "faq.md#valid\twrite\tthe cited passage “A key is valid for 90 days.” of guide/install.md#keys" in output
    assert "faq.md#retries\twrite\tits declaration changed" in output or "renew, in the same words" in output
    ask(faq, **ASKED)
    change(faq, "docs/guide/install.md", "60 days", "90 days")
    assert "faq.md#valid\tleave\tnothing that it depends on changed" in faq.cited("update", "--dry-run").output
    anew = faq.cited("update", "--dry-run", "--all").output
    assert "faq.md#valid\trenew, in the same words\tit is to be written again" in anew


def test_a_dry_run_names_the_model_that_it_would_ask(faq: Project) -> None:
    """And asks nobody."""
    faq.configure({"provider": "anthropic"})
    output = faq.cited("update", "--dry-run", "valid").output
    assert re.match(r"faq\.md#valid\task claude-sonnet-5-5, about \$0\.\d{3}\tit has no answer yet\n", output)


def test_docs_that_answer_no_more(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record stays until a person says that it goes, whoever builds; and it holds again when the docs do."""
    project.page("faq.md", "---\nanswers:\n  - {question: How do I rotate an API key?, id: keys}\n---\n# FAQ\n")
    assert project.cited("update").code == 0
    record = project.root / "answers/faq/keys.md"
    written = record.read_text(encoding="utf-8")
    project.page("guide/install.md", "# Install\n\nThere is nothing to install.\n")
    monkeypatch.setenv("CI", "true")
    assert "stale-answer" in project.build("--strict").output
    monkeypatch.setenv("CI", "")
    for _ in range(2):
        result = project.cited("update", "faq.md#keys")
        assert result.code == 1
        assert "would be left without its answer" in " ".join(result.output.split())
        assert record.read_text(encoding="utf-8") == written
        assert project.build().code == 1
    project.page("guide/install.md", INSTALL)
    assert project.cited("update").code == 0
    assert record.read_text(encoding="utf-8") == written
    assert not record.with_name("keys.new.md").exists()
    project.page("guide/install.md", "# Install\n\nThere is nothing to install.\n")
    assert project.cited("update").code == 1
    assert project.cited("accept", "faq.md#keys", "--by", "Ann").code == 0
    assert "abstained: true" in record.read_text(encoding="utf-8")
    monkeypatch.setenv("CI", "true")
    assert project.build("--strict").code == 0
    project.page("guide/install.md", INSTALL)
    assert project.build("--strict").code == 0
    assert "Rotate key" in project.html("faq/index.html")
    monkeypatch.setenv("CI", "")
    assert project.cited("update").code == 0
    assert "Rotate key" in (project.root / "answers/faq/keys.md").read_text(encoding="utf-8")
