"""What messages, tips and states say is true, and a tip that is followed ends the finding."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.projects import Project

KEYS = "# Keys\n\n## Rotate\n\nA key is valid for 90 days.\n"
QUESTION = "---\nanswers:\n  - {{id: q, question: How long is a key valid?{}}}\n---\n# FAQ\n"


def findings(project: Project) -> list[dict[str, Any]]:
    """What `check` reports."""
    found: list[dict[str, Any]] = json.loads(project.cited("check", "--json").output)["findings"]
    return found


@pytest.mark.parametrize("approval", ["auto", "required"])
def test_a_quotation_that_nobody_took_is_not_said_to_be_shown(project: Project, approval: str) -> None:
    """Under `approval: required` it is not."""
    project.page("keys.md", KEYS)
    project.page("faq.md", QUESTION.format(""))
    project.configure({"approval": approval})
    assert [item["message"] for item in findings(project)] == [
        "nobody has reviewed the quotation for “How long is a key valid?”"
    ]


@pytest.mark.parametrize("written", ["[[S:1]]", "[^note]", "[^1]", "[@nowhere]"])
def test_a_text_in_a_page_is_told_to_cite_by_address(project: Project, written: str) -> None:
    """It has no numbers. Whoever does that is done."""
    project.page("keys.md", KEYS)
    text = ", text: 'A key is valid for 90 days {}.'"
    project.page("faq.md", QUESTION.format(text.format(written)))
    tips = [item["tip"] for item in findings(project) if item["slug"] != "missing-citation"]
    assert [tip.startswith("cite with an address, such as `[@page.md#heading]`") for tip in tips] == [True]
    project.page("faq.md", QUESTION.format(text.format("[@keys.md#rotate]")))
    assert findings(project) == []


def test_an_error_is_the_state_failed_everywhere(project: Project) -> None:
    """In `cited.json`, in the report, and in what `status` lists."""
    project.page("keys.md", KEYS)
    project.page("faq.md", QUESTION.format(", text: 'A key is valid for 60 days [@keys.md#rotate].'"))
    project.configure({"severity": {"altered-number": "error"}})
    assert project.build().code == 1
    report = json.loads(project.cited("check", "--json").output)
    told = project.cited("status").output.splitlines()[0].split("\t")[:2]
    assert (project.answers()["q"]["status"], report["answers"][0]["status"], told[1]) == ("failed", "failed", "failed")


def test_pages_with_marks_are_counted_apart(project: Project) -> None:
    """They are no answers."""
    project.page("keys.md", KEYS)
    project.page("use.md", "# Use\n\nA key is valid for 90 days [@keys.md#rotate].\n")
    project.page("faq.md", QUESTION.format(", text: 'A key is valid for 90 days [@keys.md#rotate].'"))
    assert "no findings in 1 answer, 1 page with marks, 2 claims" in project.cited("check").output


def test_a_line_of_code_ends_a_sentence(project: Project) -> None:
    """The full stop behind it is the sentence's; one within the code is its own."""
    project.write("run.sh", "#!/bin/sh\n# --8<-- [start:run]\nrun --port 8080\n# --8<-- [end:run]\n")
    project.belongs_to_ann()
    project.git("add", "-A")
    project.page("use.md", "# Use\n\n`run --port 8080` [@../run.sh#run].\n")
    assert findings(project) == []
    project.page("use.md", "# Use\n\n`run --port 8080.` [@../run.sh#run]\n")
    assert [item["slug"] for item in findings(project)] == ["unconfirmed-claim"]


def test_a_baseline_of_a_changed_passage_is_not_said_to_be_gone(project: Project) -> None:
    """The same claim is told again, next to today's words."""
    project.page("keys.md", KEYS)
    project.page("faq.md", QUESTION.format(", text: 'A key is valid for 60 days [@keys.md#rotate].'"))
    assert project.cited("check", "--write-baseline").code == 0
    project.page("keys.md", KEYS.replace("90", "80"))
    told = {item["slug"]: item["message"] for item in findings(project)}
    assert told.keys() == {"unused-suppression", "altered-number"}
    assert told["unused-suppression"].startswith("findings of the baseline that are gone or have changed: 1")


def test_an_address_is_followed_through_a_new_file_and_a_new_heading(project: Project) -> None:
    """The decision knows the old file; what has changed since is told with the place of today, and no other one."""
    project.page("keys.md", KEYS)
    project.page("use.md", "# Use\n\nYou have 90 days [@keys.md#rotate].\n")
    project.belongs_to_ann()
    project.git("add", "-A")
    project.git("commit", "-qm", "1")
    assert project.cited("accept", "use.md#claims", "--all").code == 0
    project.git("mv", "docs/keys.md", "docs/key.md")
    project.git("commit", "-qm", "2")
    assert project.cited("update").code == 0
    project.page("key.md", KEYS.replace("## Rotate", "## Rotation"))
    assert [item["slug"] for item in findings(project)] == ["moved-source"]
    project.page("key.md", KEYS.replace("90", "80"))
    (told,) = findings(project)
    assert told["message"].endswith("it was “90 days”, it is “80 days” in key.md#rotate")
    assert told["tip"].startswith("correct the sentence, or the passage; or, if it still holds, run")


def test_a_citation_within_code_is_named(project: Project) -> None:
    """It is text there, and the sentence has none."""
    project.page("keys.md", KEYS)
    project.page("faq.md", QUESTION.format(", text: 'A key is valid for `90 days [@keys.md#rotate]`.'"))
    (told,) = findings(project)
    assert (told["slug"], told["tip"]) == (
        "missing-citation",
        "put its citation behind the code: within code it is text",
    )


def test_a_record_that_is_edited_is_told_to_cite_by_number(project: Project) -> None:
    """Its numbers are what it has."""
    project.page("keys.md", KEYS)
    project.page("faq.md", QUESTION.format(""))
    assert project.cited("answer", "q", "--take", "keys.md#rotate").code == 0
    path = project.root / "answers/faq/q.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("days.[^1]", "days [@keys.md#rotate]."), encoding="utf-8")
    tips = {item["slug"]: item["tip"] for item in findings(project)}
    assert tips["leaked-markup"].startswith("cite with the number of a source, such as `[^1]`")
