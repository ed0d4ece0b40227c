"""What stands over a claim itself counts: a decided sentence asks again when its own heading says something else."""

from __future__ import annotations

import re

import pytest

from tests.projects import Project

CLAIM = "It keeps keys for a whole day (24 hours)"
PLACED = (
    f"---\nanswers:\n  - id: k\n    question: How long do keys last?\n    text: {CLAIM} [@keys.md].\n---\n"
    "# FAQ\n\n## Facts\n\n<!-- answer: k -->\n"
)
MARKED = f"# FAQ\n\n## Facts\n\n{CLAIM} [@keys.md].\n"
BOXED = f'# FAQ\n\n!!! note "Keys"\n\n    {CLAIM} [@keys.md].\n'
RECORDS = {PLACED: "k.md", MARKED: "claims.md", BOXED: "claims.md"}


@pytest.fixture(params=[PLACED, MARKED], ids=["an answer at its marker", "a marked sentence"])
def page(request: pytest.FixtureRequest, project: Project) -> str:
    """A page with a confirmed claim under “Facts”."""
    text = str(request.param)
    confirmed(project, text)
    return text


def confirmed(project: Project, text: str) -> None:
    project.page("keys.md", "# Keys\n\nKeys last 24 hours.\n")
    project.page("faq.md", text)
    assert project.cited("accept", "faq.md", "--all", "--by", "Ann").code == 0
    assert project.build("--strict").code == 0


def test_another_heading_asks_again_and_names_both(project: Project, page: str) -> None:
    """A person decides again, and then it holds under the new heading, and not under the old one."""
    project.page("faq.md", page.replace("## Facts", "## Myths"))
    result = project.cited("check", "--strict")
    words = " ".join(result.output.split())
    assert result.code == 1
    assert "changed-evidence" in words
    assert "since Ann confirmed it on" in words
    assert "it was under “Facts”, and is under “Myths”" in words
    assert project.build().code == 0
    assert project.cited("accept", "faq.md", "--all", "--by", "Ann").code == 0
    assert project.build("--strict").code == 0
    project.page("faq.md", page)
    assert project.cited("check", "--strict").code == 1


@pytest.mark.parametrize("heading", ["## FACTS", "## **Facts**:", "## Facts { #other-id }", "### Facts"])
def test_a_heading_in_other_letters_is_the_same(project: Project, page: str, heading: str) -> None:
    project.page("faq.md", page.replace("## Facts", heading))
    result = project.build("--strict")
    assert result.code == 0, result.output


STEPS = "# Setup\n\n## Step {}\n\nA new server keeps keys for a whole day, i.e. 24 hours [@keys.md]. {}\n"


@pytest.mark.parametrize(("more", "code"), [("", 0), ("Step 3 takes 24 hours, as keys live so long [@keys.md].", 1)])
def test_a_step_with_another_number_is_the_same(project: Project, more: str, code: int) -> None:
    """Steps are numbered again when one is taken out; where the claim has the number, somebody looks."""
    confirmed(project, STEPS.format(3, more))
    project.page("faq.md", STEPS.format(4, more))
    result = project.build("--strict")
    assert result.code == code, result.output


def test_the_record_has_it_as_text(project: Project, page: str) -> None:
    record = project.root / "answers/faq" / RECORDS[page]
    assert "  under: Facts\n" in record.read_text(encoding="utf-8")


def test_a_record_without_it_holds(project: Project, page: str) -> None:
    """One that was written before this was stored."""
    record = project.root / "answers/faq" / RECORDS[page]
    text = record.read_text(encoding="utf-8")
    record.write_text(re.sub(r"^ {2,4}under: Facts\n", "", text, flags=re.MULTILINE), encoding="utf-8")
    project.page("faq.md", page.replace("## Facts", "## Myths"))
    result = project.build("--strict")
    assert result.code == 0, result.output


def test_the_kind_of_a_box_counts(project: Project) -> None:
    confirmed(project, BOXED)
    project.page("faq.md", BOXED.replace("!!! note", "!!! failure"))
    result = project.cited("check", "--strict")
    assert result.code == 1
    assert "it was under “note”, and is under “failure”" in " ".join(result.output.split())


@pytest.mark.parametrize("page", ["keys.md", "faq.md"])
def test_the_kind_of_a_box_without_a_title_counts(project: Project, page: str) -> None:
    """Over the claim, and over what it cites."""
    project.page("faq.md", BOXED.replace(' "Keys"', ""))
    project.page("keys.md", "# Keys\n\n!!! tip\n\n    Keys last 24 hours.\n")
    assert project.cited("accept", "faq.md", "--all", "--by", "Ann").code == 0
    assert project.build("--strict").code == 0
    text = (project.root / "docs" / page).read_text(encoding="utf-8")
    project.page(page, re.sub("!!! [a-z]+", "!!! danger", text))
    result = project.cited("check", "--strict")
    assert result.code == 1
    assert "and is under “danger”" in " ".join(result.output.split())


def test_nothing_is_guessed_about_a_sentence_that_is_word_for_word(project: Project) -> None:
    """Whether a heading limits it is a question of meaning."""
    text = MARKED.replace(CLAIM, "Keys last 24 hours")
    confirmed(project, text)
    project.page("faq.md", text.replace("## Facts", "## Myths"))
    assert project.build("--strict").code == 0


def test_the_same_sentence_under_two_headings_is_decided_for_each(project: Project) -> None:
    """What was decided of one stays when the other is decided."""
    confirmed(project, MARKED)
    twice = f"{MARKED}\n## Myths\n\n{CLAIM} [@keys.md].\n"
    project.page("faq.md", twice)
    assert project.cited("check", "--strict").code == 1
    assert project.cited("accept", "faq.md", "--claims", "2", "--by", "Ann").code == 0
    result = project.build("--strict")
    assert result.code == 0, result.output


@pytest.mark.parametrize(("question", "code"), [("How long do **keys** last", 0), ("How long do passwords last?", 1)])
def test_a_question_in_other_words_is_another_heading(project: Project, question: str, code: int) -> None:
    """An answer without a marker is under its own question."""
    text = PLACED.replace("\n## Facts\n\n<!-- answer: k -->\n", "")
    confirmed(project, text)
    project.page("faq.md", text.replace("How long do keys last?", question))
    result = project.build("--strict")
    assert result.code == code, result.output
