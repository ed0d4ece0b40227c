"""A person takes passages as the answer to a question: several of one section, in their own words, approved or not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mkdocs_cited.cli import main
from tests.projects import Project

ROTATE = "## Rotate\n\nRotate a key on the settings page.\n\nEvery key expires after 90 days."
KEYS = f"# Keys\n\n{ROTATE}\n\n## Delete\n\nA deleted key is gone.\n"
ASKS = "---\nanswers:\n  - {id: q, question: How do I rotate a key?}\n---\n# FAQ\n"
EDITOR = """import sys
from pathlib import Path
path = Path(sys.argv[-1])
text = path.read_text()
Path("seen").write_text(text)
"""


@pytest.fixture
def asked(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    project.page("keys.md", KEYS)
    project.page("faq.md", ASKS)
    project.belongs_to_ann()
    monkeypatch.chdir(project.root)
    monkeypatch.delenv("VISUAL", raising=False)
    return project


def session(project: Project, *lines: str) -> str:
    """What a review session prints to somebody who presses these keys."""
    arguments = ["review", "-f", str(project.root / "mkdocs.yml")]
    result = CliRunner().invoke(main, arguments, input="".join(f"{line}\n" for line in lines))
    assert result.exit_code == 0, result.output
    return result.output


def edits(project: Project, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    """Make an editor of a Python expression of `text`."""
    script = project.write("editor.py", f"{EDITOR}path.write_text({change})\n")
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")


def record(project: Project) -> str:
    return Path(project.root / "answers/faq/q.md").read_text(encoding="utf-8")


def test_the_editor_has_the_answer_and_nothing_else(asked: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the person makes of it is stored with their approval."""
    edits(asked, monkeypatch, "text.replace('Rotate a key', 'Rotate every key')")
    output = session(asked, "1", "e")
    assert (asked.root / "seen").read_text() == "Rotate a key on the settings page.[^1]"
    assert "Rotate every key on the settings page.[^1]" in record(asked)
    assert "approval:" in record(asked)
    assert "edited 1" in output


def test_what_cites_nothing_that_was_taken_is_edited_again(asked: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words of the person are still there."""
    edits(asked, monkeypatch, "text.replace('1', '2') if '2' not in text else text.replace('2', '1')")
    output = session(asked, "1", "e", "e")
    assert "`[^2]` is not one of the passages taken" in output
    assert (asked.root / "seen").read_text() == "Rotate a key on the settings page.[^2]"
    assert "settings page.[^1]" in record(asked)


def test_a_search_offers_several_passages_of_one_section(asked: Project) -> None:
    """Both may be wanted: they are taken together, and the words are kept."""
    output = session(asked, "/", "rotate key days", "1", "2", "y")
    assert "selected: 1, 2" in output
    text = record(asked)
    assert text.count("at: keys.md#rotate") == 2
    assert "rotate key days" in text


@pytest.mark.parametrize("approval", ["auto", "required"])
def test_the_first_quotation_is_the_one_that_the_page_shows(asked: Project, approval: str) -> None:
    """All steps of its list, and what leads into it, also where the page is to show nothing before: `y` takes it."""
    asked.configure({"approval": approval})
    asked.page("faq.md", ASKS.replace("a key?", "an API key?"))
    steps = ["To rotate an API key:", "Open the settings page.", "Choose Rotate key and confirm."]
    shown = session(asked, "y").partition("\n1  ")[2]
    assert shown.splitlines()[:3] == [steps[0], f"   {steps[1]}", f"   {steps[2]}"]
    for step in steps:
        assert step in record(asked)


def test_another_quotation_is_whole_too(asked: Project) -> None:
    """A search that finds a step offers its list, once."""
    asked.page("gone.md", "# Gone\n\n## Delete\n\n1. Open Settings.\n2. Press Delete.\n3. Confirm it.\n")
    session(asked, "/", "press delete settings", "1", "y")
    assert "1. Open Settings.[^1]\n2. Press Delete.[^2]\n3. Confirm it.[^3]" in record(asked)


def test_a_text_in_the_page_is_left_to_the_page(asked: Project) -> None:
    """What is taken would not be shown: the page has its own text."""
    asked.page("faq.md", ASKS.replace("key?}", "key?, text: On the settings page.}"))
    result = asked.cited("answer", "faq.md#q", "--take", "keys.md#rotate")
    assert (result.code, "docs/faq.md:3: the page itself holds the text" in result.output) == (2, True)


def test_nothing_is_approved_that_nobody_has_seen(asked: Project) -> None:
    """Where approval is required, a quotation is not published: what shows it is named, and nothing is accepted."""
    asked.configure({"approval": "required"})
    result = asked.cited("accept", "q")
    assert result.code == 1
    assert "faq.md#q: without a text, and no proposal waits\n  → mkdocs-cited review faq.md#q\n" in result.output
    assert asked.cited("accept", "q", "--all").code == 1
    assert asked.cited("answer", "faq.md#q", "--take", "keys.md#rotate").code == 0
    assert asked.build("--strict").code == 0


@pytest.mark.parametrize(
    "now",
    [
        "Stored keys are rotated.\n\nThey stay valid for 24 hours.",
        "They stay valid for 24 hours. Stored keys are rotated.",
        "They stay valid for *24 hours*.\n\nThis is in between.\n\n- Stored keys are rotated!",
        "Stored keys are rottated. They stay valid for 24 hours.",
    ],
    ids=["a paragraph break", "another order", "a list and emphasis", "a typo"],
)
def test_a_taken_quotation_holds_while_its_words_are_there(asked: Project, now: str) -> None:
    """As a decision on a claim does; and once a figure is gone, it is the same error."""
    page = "# Keys\n\n## Rotate\n\n{}\n"
    asked.page("keys.md", page.format("Stored keys are rotated. They stay valid for 24 hours."))
    assert asked.cited("answer", "faq.md#q", "--take", "keys.md#rotate").code == 0
    before = record(asked)
    asked.page("keys.md", page.format(now))
    assert asked.cited("check", "--strict").code == 0
    assert asked.cited("update").code == 0
    assert record(asked) == before
    asked.page("keys.md", page.format(now.replace("24", "48")))
    result = asked.cited("check")
    assert (result.code, "outdated-claim" in result.output) == (1, True)


def test_a_text_under_another_question_is_asked_again(asked: Project) -> None:
    """Its words are the same, and answer something else."""
    asked.page("keys.md", "# Keys\n\n## Expiry\n\nEvery key expires after 90 days.\n")
    text = "They end after 90 days [@keys.md#expiry]."
    page = "---\nanswers:\n  - {{id: q, question: {}, text: '{}'}}\n---\n# FAQ\n"
    asked.page("faq.md", page.format("How long are the keys of users valid?", text))
    assert asked.cited("accept", "faq.md#q", "--all").code == 0
    assert asked.cited("check", "--strict").code == 0
    asked.page("faq.md", page.format("How long are the keys of machines valid?", text))
    told = asked.cited("check", "--strict").output
    assert "changed-evidence" in told
    assert "machines" in told


def test_a_refusal_of_a_sentence_outlives_the_approval_of_its_quotation(asked: Project) -> None:
    """Whoever takes a quotation decides what nobody has decided."""
    assert asked.cited("answer", "faq.md#q", "--take", "keys.md#rotate").code == 0
    assert asked.cited("reject", "faq.md#q", "--claims", "1", "--reason", "old").code == 0
    assert asked.cited("answer", "faq.md#q", "--take", "keys.md#rotate").code == 0
    result = asked.cited("check")
    assert (result.code, "unsupported-claim" in result.output) == (1, True)
