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
    project.taken("faq.md")
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
    cold = built.build("--strict")
    first = site(built)
    shutil.rmtree(built.root / ".cache")
    fresh = built.build("--strict")
    assert site(built) == first
    warm = built.build("--strict")
    assert site(built) == first
    found = [re.findall(r"^(?:WARNING|INFO) .*cited.*", said.output, re.MULTILINE) for said in (cold, fresh, warm)]
    assert found[0] == found[1] == found[2]
