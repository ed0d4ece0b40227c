"""Any bytes can be a page: places are right in every encoding of lines, and nothing raises."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mkdocs_cited.base.bounded_yaml import dump
from mkdocs_cited.declarations import read_page
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place
from tests.hangs import guarded

UNREADABLE = "the front matter cannot be read"
PAGE = """---
title: 常见问题
answers:
  - question: 速率限制是多少？
    id: limits
  - question: Wrong?
    formt: list
---
# 页\t面
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["no BOM", "BOM"])
def test_places_do_not_depend_on_line_ends_or_byte_order_marks(newline: str, mark: bytes) -> None:
    """A place counts lines and code points as an editor shows them."""
    read = read_page("faq.md", "docs/faq.md", mark + PAGE.replace("\n", newline).encode())
    assert [item.place for item in read.declarations] == [Place("docs/faq.md", 4, 5), Place("docs/faq.md", 6, 5)]
    assert [finding.place for finding in read.findings] == [Place("docs/faq.md", 7, 5, 7, 10)]


def test_columns_count_code_points() -> None:
    """CJK characters, emoji and tabs before a place count one each."""
    page = '---\nx: {答: "🙂", answers: 1}\nanswers: [{question: "速率🙂?", 格式: x}]\n---\n'
    read = read_page("faq.md", "docs/faq.md", page.encode())
    assert [(f.place.line, f.place.column) for f in read.findings] == [(3, 30)]


@pytest.mark.parametrize(
    ("data", "line", "column", "position"),
    [
        (b"---\nanswers:\n  - question: \xff\n---\n", 3, 15, 27),
        (b"\xef\xbb\xbf\xc3\xa9\r\n\xe5\xb8\xb8\xe5", 2, 2, 10),
        ("é".encode("utf-16"), 1, 1, 0),
    ],
)
def test_bytes_that_are_not_utf8(data: bytes, line: int, column: int, position: int) -> None:
    """The finding names the byte, where it is in the file, and the line."""
    (finding,) = read_page("faq.md", "docs/faq.md", data).findings
    assert (finding.place.line, finding.place.column) == (line, column)
    assert (
        finding.message == f"the file is not UTF-8: byte 0x{data[position]:02x} at position {position} cannot be read"
    )
    assert finding.tip == "save the file as UTF-8"


def test_a_question_of_ten_thousand_characters() -> None:
    """Such a question is refused; its neighbour is not."""
    page = f"---\nanswers:\n  - question: {'why ' * 2_500}\n  - question: Why?\n---\n"
    read = read_page("faq.md", "docs/faq.md", page.encode())
    assert [item.question for item in read.declarations] == ["Why?"]
    assert [(f.place.line, f.message) for f in read.findings] == [(3, "`question`: expected text of length <= 2000")]


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (
            "---\nanswers: " + "[" * 400_000 + "\n---\n",
            f"{UNREADABLE}: 400,010 characters; at most 200,000 are read",
        ),
        (
            "---\nanswers: " + "[" * 100_000 + "\n---\n",
            "the front matter is not valid YAML: exceeded maximum nesting depth",
        ),
        (
            "---\nanswers:\n" + "- " * 90_000 + "x\n---\n",
            f"{UNREADABLE}: the values are nested more than 100 levels deep",
        ),
        ("---\nanswers:\n" + "- x?\n" * 1_500 + "---\n", "an entry of `answers` is not a mapping"),
    ],
    ids=["long", "brackets", "dashes", "entries"],
)
def test_hostile_pages_are_read(page: str, message: str) -> None:
    """Pages of a million characters, built to nest or to backtrack, do not hang."""
    with guarded():
        read = read_page("faq.md", "docs/faq.md", page.encode())
    assert message in {finding.message for finding in read.findings}


@given(st.binary(max_size=300))
@example(b"---\nanswers:\n- question: \x85\n---\n")
def test_no_bytes_raise(data: bytes) -> None:
    """Whatever the bytes are, they are read, or a finding says why not."""
    read_page("faq.md", "docs/faq.md", data)
    read_page("faq.md", "docs/faq.md", b"---\nanswers:\n" + data + b"\n---\n" + data)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.dates() | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from(["question", "id", "queries", "sources", "provider", "text", "format", "expect"])


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), min_size=1))
def test_ids_are_safe_and_stable(question: str) -> None:
    """An id that is made of a question is ASCII, needs no escaping anywhere, and does not depend on white space."""
    first = _declared(question)
    assert first == _declared(f"  {question}\n ")
    for item in first:
        assert item.id.isascii()
        assert item.id.replace("-", "").isalnum()
        assert len(item.id) <= 100


def _declared(question: str) -> tuple[Declaration, ...]:
    page = f"---\n{dump({'answers': [{'question': question}]})}---\n"
    return read_page("a.md", "docs/a.md", page.encode()).declarations
