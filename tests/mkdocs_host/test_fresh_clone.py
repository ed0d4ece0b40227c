"""A clone without a cache builds the same site as the machine that wrote its records."""

from __future__ import annotations

import re
import shutil

import pytest

from tests.projects import Project

FAQ = """
    ---
    answers:
      - {question: How do I rotate an API key?, id: keys}
      - {question: How often does the client retry a failed request?, id: retries}
    ---
    # FAQ
"""
GAP = """
    ---
    answers:
      - {question: Which planets have rings of ice?, id: planets}
    ---
    # More
"""


@pytest.fixture
def built(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose records are written."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for number in range(6):
        project.page(
            f"more/{number}.md", f"# Page {number}\n\n## Part\n\nA key of page {number} has {number + 3} parts.\n"
        )
    project.page("faq.md", FAQ)
    assert project.build("--strict").code == 0
    return project


def site(project: Project) -> dict[str, bytes]:
    """The built site, without what MkDocs dates to the second."""
    return {
        path: re.sub(rb"Build Date UTC : .*", b"", data)
        for path, data in project.tree().items()
        if path.startswith("site/") and not path.endswith(".gz")
    }


def test_cold_fresh_and_warm_are_one(built: Project) -> None:
    """Byte for byte, and the findings too; with a question that the docs do not answer as well."""
    built.page("more.md", GAP)
    shutil.rmtree(built.root / ".cache")
    shutil.rmtree(built.root / "answers")
    cold = built.build("--strict")
    first = site(built)
    shutil.rmtree(built.root / ".cache")
    fresh = built.build("--strict")
    assert site(built) == first
    warm = built.build("--strict")
    assert site(built) == first
    found = [re.findall(r"^(?:WARNING|INFO) .*cited.*", said.output, re.MULTILINE) for said in (cold, fresh, warm)]
    assert found[0] == found[1] == found[2]


def test_an_answer_that_does_not_hold_is_written_from_the_whole_site(built: Project) -> None:
    """Its passage changed: the answer is made again."""
    shutil.rmtree(built.root / ".cache")
    page = built.root / "docs/guide/install.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("5 times", "7 times"), encoding="utf-8")
    assert page.read_text(encoding="utf-8") != text
    assert built.build().code == 0
    assert "7 times" in built.answers()["retries"]["content"]


def test_an_edited_answer_is_asked_whether_it_answers(built: Project) -> None:
    """A record's word holds for the text that was reviewed, not for another one."""
    record = built.root / "answers/faq/retries.md"
    text = record.read_text(encoding="utf-8")
    body = text.rpartition("---\n")[2]
    marker = re.findall(r"\[\^\d+\]", body)[0]
    record.write_text(text.replace(body, f"\nThis page is a guide.{marker}\n"), encoding="utf-8")
    built.configure({"update": "never"})
    assert "off-question" in built.build().output
