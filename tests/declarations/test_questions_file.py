"""Any bytes can be a file of questions: nothing raises, and every finding has its place."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from mkdocs_cited.base.bounded_yaml import dump
from mkdocs_cited.base.text import pattern_matches, pattern_problem
from mkdocs_cited.declarations.page import read_questions
from mkdocs_cited.model.declaration import Expected
from mkdocs_cited.model.finding import Place


def test_entries_are_questions_or_declarations() -> None:
    """Keys and places are the file's; what expects nothing else expects an answer, and nothing is published."""
    text = "questions:\n  - How long?\n  - question: How much?\n    id: price\n    expect: [1.10, 're:\\d+']\n"
    first, second = read_questions("q/questions.yml", text.encode()).declarations
    assert (first.key, first.place, first.published) == (
        "q/questions.yml#how-long",
        Place("q/questions.yml", 2, 5, 2, 14),
        False,
    )
    assert [item.kind for item in first.expect] == [Expected.ANSWER]
    assert (second.key, [(item.kind, item.value) for item in second.expect]) == (
        "q/questions.yml#price",
        [(Expected.TEXT, "1.10"), (Expected.PATTERN, r"\d+")],
    )


@given(st.binary(max_size=200))
@example(b"")
@example(b"- &a [*a]\n")
@example(b"{question: Why?}: x\n")
def test_any_bytes(data: bytes) -> None:
    """Whatever stands in the file, it is read or named."""
    for finding in read_questions("questions.yml", data).findings:
        assert finding.place.file == "questions.yml"


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("re:(")
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["page", "x"]), inner),
    max_leaves=5,
)


@given(values)
def test_any_expectation(value: Any) -> None:
    """An entry is usable and expects something, or there is a finding."""
    read = read_questions("questions.yml", dump([{"question": "Why?", "expect": value}]).encode())
    assert read.findings or all(item.expect for item in read.declarations)


@given(st.text(max_size=30), st.text(max_size=60))
@example("\ud800", "x")
@example("[[:alpha:]]{1000}", "x")
def test_any_pattern(pattern: str, text: str) -> None:
    """A pattern is refused when it is read, or can be looked for in any text."""
    if not pattern_problem(pattern):
        assert pattern_matches(pattern, text) in (True, False)
