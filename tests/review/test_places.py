"""A place in an answer's text is a place in the file that holds it."""

from __future__ import annotations

import pytest

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.finding import Place
from mkdocs_cited.review.interface import Audit
from tests.review.site import audit_of

WRITTEN = "It is 60 [@a.md#b]. It is blue.\nAnd `x` [@a.md#b] is y."
CONTENT = "It is 60[^1]. It is blue.\nAnd `x`[^1] is y."


def audit(*, column: int = 1, written: str = "") -> Audit:
    case = audit_of({"answer": CONTENT})
    return replace(case, file="faq.md", line=5, lines_count=True, column=column, written=written)


@pytest.mark.parametrize(
    ("words", "line", "column"), [("It is 60", 5, 7), ("It is blue", 5, 27), ("`x`", 6, 11), ("is y", 6, 25)]
)
def test_columns_are_those_of_the_authors_lines(words: str, line: int, column: int) -> None:
    """A text in YAML is indented, and its citations are longer than the numbers that stand for them."""
    place = audit(column=7, written=WRITTEN).place(CONTENT.index(words))
    assert place == Place("faq.md", line, column)
    assert ("      " + WRITTEN.split("\n")[line - 5]).find(words) == column - 1


def test_a_place_in_a_record_needs_no_counting() -> None:
    """The text of a record is the text of its file."""
    assert audit().place(CONTENT.index("is y")) == Place("faq.md", 6, 13)


def test_where_only_the_line_is_known_the_column_is_the_first() -> None:
    """A place inside of a number, which the author has not written, is that of its line."""
    assert audit(column=7, written=WRITTEN).place(CONTENT.index("^1] is")) == Place("faq.md", 6, 1)
