"""Digests: base 32 of SHA-256. They stand in records, so they never change."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.base.text import digest


def test_digests_stay_what_they_were() -> None:
    """Of these parts, on every machine."""
    assert digest() == "4oymiquy7qobjgx3"
    assert digest("passage-1", "paragraph", "A key is valid for 90 days.") == "3ddwx4ezxuaer5sf"
    assert digest("ü", length=51).startswith(digest("ü"))


@given(one=st.lists(st.text()), other=st.lists(st.text()), length=st.integers(1, 51))
def test_other_parts_have_another_digest(one: list[str], other: list[str], length: int) -> None:
    """Where one part ends and the next begins counts, too."""
    assert len(digest(*one, length=length)) == length
    assert (digest(*one) == digest(*other)) is (one == other)
