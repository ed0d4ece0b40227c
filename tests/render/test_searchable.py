"""Search indexes hold answers, and not their footnotes."""

from __future__ import annotations

import json

import pytest

from mkdocs_cited.render.plain import searchable
from tests.projects import Project


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ("<p>a</p>", "<p>a</p>"),
        ("<p>a</p><section data-search-exclude><p>b</p></section>c", "<p>a</p>c"),
        ("<div class='x' data-search-exclude><div>b</div><div>c</div></div>d", "d"),
        ("<ul data-search-exclude=''><li>b<sup data-search-exclude>1</sup></ul><div data-search-exclude>c</div>d", "d"),
        ("<div data-search-excluded>b</div>", '<div data-search-excluded="">b</div>'),
    ],
)
def test_what_asks_to_be_left_out_is_left_out(html: str, kept: str) -> None:
    assert searchable(html) == kept


@pytest.mark.parametrize("theme", ["mkdocs", "material"])
def test_the_index_of_a_real_build_has_the_answer_and_not_its_footnotes(project: Project, theme: str) -> None:
    project.configure({"render": {"fact_check": True}}, theme={"name": theme})
    project.page("other.md", "# Other\n\n## Limits\n\nThe server retries five times. Then it stops and tells why.\n")
    text = "It tries five times, no more [@other.md#limits]."
    project.page("faq.md", f"---\nanswers:\n  - id: q\n    question: How often?\n    text: {text!r}\n---\n# FAQ\n")
    project.build()
    index = json.loads(project.html("search/search_index.json"))
    indexed = " ".join(item["text"] for item in index["docs"] if item["location"].startswith("faq/"))
    assert "It tries five times, no more" in indexed
    assert "Other › Limits" not in indexed
    assert "Evidence" not in indexed
    assert "Other › Limits" in project.html("faq/index.html")
