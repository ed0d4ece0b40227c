"""A place in an answer's text is a place in the file that holds it."""

from __future__ import annotations

from msgspec.structs import replace

from mkdocs_cited.model.declaration import AUTHORED
from mkdocs_cited.model.finding import Place
from mkdocs_cited.review.interface import Audit
from tests.review.site import audit_of

CONTENT = "It is 60[^1]. It is blue.\nAnd `x`[^1] is y."


def audit(**changes: object) -> Audit:
    return replace(audit_of({"answer": CONTENT}), start=Place("faq.md", 5, 7), **changes)


def test_a_place_in_a_record_needs_no_counting() -> None:
    """The text of a record is the text of its file."""
    assert audit().place(CONTENT.index("is y")) == Place("faq.md", 6, 13)


def test_a_place_in_an_authors_text_is_its_line() -> None:
    """What the author wrote is longer than the numbers that stand for it."""
    whole = audit()
    whole = replace(whole, draft=replace(whole.draft, provider=AUTHORED))
    assert whole.place(CONTENT.index("is y")) == Place("faq.md", 6)


def test_where_lines_do_not_count_the_place_is_the_first_line() -> None:
    """A text that is folded in YAML has other lines than its file."""
    assert audit(lines_count=False).place(CONTENT.index("is y")) == Place("faq.md", 5)
