"""Whatever is wrong is said with a step that helps: none that leads nowhere."""

from __future__ import annotations

import json

import pytest

from tests.projects import Project


@pytest.mark.parametrize(
    ("question", "slug"),
    [("Where is the settings page for the days of a key?", "off-question"), ("Who rotates the key?", "partly-answered")],
)
def test_an_author_is_not_sent_to_what_only_a_search_reads(project: Project, question: str, slug: str) -> None:
    """Other phrasings and sources steer what is found; of a text that stands in the page, the text is what can help."""
    text = "The client retries a failed request 5 times [@guide/install.md#with-pip]."
    project.page("faq.md", f"---\nanswers:\n  - question: {question}\n    text: {text}\n---\n# FAQ\n")
    (tip,) = [item["tip"] for item in json.loads(project.cited("check", "--json").output)["findings"]
              if item["slug"] == slug]  # fmt: skip
    assert "`text:`" in tip
    assert "`queries:`" not in tip
    assert "passage" not in tip
