"""Code in an answer is found where the reader sees it: fences, indented blocks and backticks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.answer_text.markdown import code_in


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("Run `a` or ``b ` c``.", ["`a`", "``b ` c``"]),
        ("`` `a` ``", ["`` `a` ``"]),
        ("- x\n\n  ```sh\n  a\n  ```\n\nb", ["```sh\n  a\n  ```"]),
        ("> ~~~\n> a\n> ~~~\n", ["~~~\n> a\n> ~~~"]),
        ("x\n\n    indented\n", ["    indented"]),
        ("```\nopen", ["```\nopen"]),
        ("\\`a b", []),
        ("| a |\n|---|\n| `x \\| y` |", ["`x \\| y`"]),
    ],
)
def test_code_is_found_with_what_encloses_it(content: str, code: list[str]) -> None:
    assert [content[piece.start : piece.end] for piece in code_in(content)] == code


@given(st.text(alphabet="ab \n`~*_[]()<>!|-\\>\t", max_size=50))
def test_pieces_are_in_order_and_apart(content: str) -> None:
    end = 0
    for piece in code_in(content):
        assert end <= piece.start < piece.end <= len(content)
        end = piece.end
