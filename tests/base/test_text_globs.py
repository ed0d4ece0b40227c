"""Globs of options name what they say, in time that no glob can make long."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.base.text import glob_matches
from tests.hangs import guarded

AS_REGEX = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@pytest.mark.parametrize(
    ("path", "patterns", "named"),
    [
        ("guide/install.md", ["guide/"], True),
        ("guide/install.md", ["*.md"], False),
        ("guide/install.md", ["**/*.md"], True),
        ("index.md", ["**/*.md"], True),
        ("a/b/c/d.md", ["a/**/c/**/*.md"], True),
        ("a/c/d.md", ["a/**/c/**/*.md"], True),
        ("a/b/d.md", ["a/**/c/**/*.md"], False),
        ("a/b-c-d.md", ["a/*-*-*.md"], True),
        ("a/b-c/d.md", ["a/*-*-*.md"], False),
        ("guide/old/x.md", ["guide/", "!guide/old/"], False),
        ("guide/x.md", ["!guide/old/"], True),
    ],
)
def test_what_globs_name(path: str, patterns: list[str], named: bool) -> None:
    """Folders, wildcards within and across them, and exceptions."""
    assert glob_matches(path, patterns) is named


@given(
    st.text("ab/\n", max_size=12),
    st.lists(st.sampled_from(["a", "b", "/", "?", "*", "**", "**/"]), min_size=1, max_size=8),
)
def test_many_wildcards_mean_what_few_mean(path: str, parts: list[str]) -> None:
    """However many there are, the glob is the regular expression that it stands for."""
    glob = "".join(parts).removeprefix("./").removeprefix("/")
    whole = glob + "**" if glob.endswith("/") else glob
    found = re.findall(r"\*\*/|\*\*|.", whole)
    expression = "".join(AS_REGEX.get(part) or re.escape(part) for part in found)
    assert glob_matches(path, ["".join(parts)]) is bool(re.fullmatch(expression, path, re.DOTALL))


@pytest.mark.parametrize("wild", ["*a", "**a", "**/a/", "*", "**", "**/"])
def test_a_hostile_glob_does_not_hang(wild: str) -> None:
    """Twenty wildcards that nearly match: a backtracking matcher would not come back this year."""
    with guarded():
        assert not glob_matches("a/" * 300 + "a" * 300, [wild * 20 + "b"])
