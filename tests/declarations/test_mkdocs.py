"""What MkDocs reads of a page's front matter and what we read are the same, or there is a finding."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from mkdocs.utils.meta import get_data

from mkdocs_cited.declarations import read_page

LINES = [
    "---", "--- ", "----", "...", "", " ", "# Title", "title: Page", "title: a: b", "answers:", "  - question: Why?",
    "- question: Why?", "  - question: @x", "    text: [@a.md#b] is.", "    text: >", "      Folded.", "\t- tab",
    "  - {question: How?, id: how}", "    id: x", "answers: none", "other: [a, b", "date: 2026-11-21", "<!-- c -->",
]  # fmt: skip
inside = st.lists(st.sampled_from([line for line in LINES if line.rstrip() not in ("---", "...")]), max_size=7)


@settings(max_examples=300)
@given(inside, inside, st.sampled_from(["---\n", "---", "--- \nText.", "...\n", "", "----\n"]))
def test_no_answer_is_lost_without_a_word(before: list[str], behind: list[str], end: str) -> None:
    """Where MkDocs has an answer, so have we; where it drops one, we say so."""
    page = "\n".join(["---", *before, "answers:", "  - question: Why?", *behind, end])
    _, meta = get_data(page)
    read = read_page("faq.md", "docs/faq.md", page.encode())
    entries = meta.get("answers")
    asked = [entry.get("question") for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    questions = {" ".join(question.split()) for question in asked if isinstance(question, str)}
    assert read.findings or (questions and questions == {item.question for item in read.declarations})
