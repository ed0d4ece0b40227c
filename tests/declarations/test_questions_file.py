"""Any bytes can be a file of questions: nothing raises, and every finding has its place."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mkdocs_cited.declarations import read_questions
from mkdocs_cited.model.finding import Place


def test_entries_are_those_of_a_page() -> None:
    """Keys and places are the file's."""
    text = "- question: How long?\n- question: How much?\n  id: price\n"
    first, second = read_questions("questions.yml", text.encode()).declarations
    assert (first.key, first.place) == ("questions.yml#how-long", Place("questions.yml", 1, 3))
    assert second.key == "questions.yml#price"


@given(st.binary(max_size=200))
@example(b"")
@example(b"- &a [*a]\n")
@example(b"{question: Why?}: x\n")
def test_any_bytes(data: bytes) -> None:
    """Whatever stands in the file, it is read or named."""
    for finding in read_questions("questions.yml", data).findings:
        assert finding.place.file == "questions.yml"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("- question: [\n", 2, "not valid YAML"),
        ("questions: 3\n", 1, "this is not a list"),
        ("- question: Why?\n  expect: 90 days\n", 2, "`expect` is not a key of an answer"),
        ("- question: Why?\n- question: Why?\n", 2, "the id `why` is already used"),
        ("- ''\n", 1, "is not a mapping"),
        (b"- caf\xe9?\n", 1, "not UTF-8"),
        ("- " * 300 + "Why?\n", 1, "nested more than 100 levels deep"),
    ],
)
def test_a_fault_names_file_and_line(text: str | bytes, line: int, said: str) -> None:
    """The same bounds and messages as in front matter."""
    data = text if isinstance(text, bytes) else text.encode()
    (finding,) = read_questions("questions.yml", data).findings
    assert finding.place.line == line
    assert said in finding.message
