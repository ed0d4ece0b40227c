"""YAML of any author is read within bounds, and any text that is written comes back."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.base.bounded_yaml import Flow, TooMuchError, compose, dump, value_of, where


def read(text: str) -> Any:
    """The value of a text."""
    root = compose(text)
    return None if root is None else value_of(root)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "a: '" + "]" * 90_000 + "'\nb: " + "[" * 90_000,
        "- " * 90_000,
        "? " * 90_000,
        "{a: " * 40_000,
        "".join(" " * depth + "a:\n" for depth in range(300)),
        "- [\n" + "[\n" * 50_000,
    ],
    ids=["brackets", "balanced brackets", "dashes", "keys", "mappings", "lines", "brackets on lines"],
)
def test_what_nests_too_deeply_is_refused(text: str) -> None:
    """By libyaml, which reads ahead, or before Python's stack ends."""
    with pytest.raises((TooMuchError, yaml.YAMLError), match=r"nested more than 100 levels deep|maximum nesting depth"):
        compose(text)


def test_text_full_of_brackets_is_not_nested() -> None:
    """Quoted code and prose may hold as many as they like."""
    value = {"quote": "[1, 5) and {" * 500, "more": ["[" * 300]}
    assert read(dump(value)) == value


def test_aliases_that_expand_are_refused() -> None:
    """Counted as often as they are used; one that holds itself never ends."""
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 30))
    for text in (bomb, "&a [*a]", "&a {b: *a}"):
        with pytest.raises(TooMuchError, match="more than 100,000 values, aliases written out"):
            compose(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}", {"x": 1, "y": 3}),
        ("a: [&a {x: 1}, &b {x: 2, y: 2}]\nb: {y: 3, <<: [*a, *b]}", {"x": 1, "y": 3}),
        ("b: {'<<': 1}", {"<<": 1}),
    ],
)
def test_merged_keys_are_those_of_the_mapping(text: str, expected: dict[str, int]) -> None:
    """Its own win, then those of the first mapping that is merged."""
    assert read(text)["b"] == expected


@pytest.mark.parametrize("text", ["a: 1\nb: {c: 1, c: 2}", "a: {<<: [x]}"])
def test_keys_that_say_nothing_clear_are_refused(text: str) -> None:
    """A key that is there twice, where the caller asks for that; and a merge of what has no keys."""
    with pytest.raises(yaml.YAMLError, match=r"twice|for merging"):
        compose(text, unique_keys=True)


def test_what_is_too_long_is_refused() -> None:
    """Without being parsed."""
    with pytest.raises(TooMuchError, match="201,000 characters; at most 200,000 are read"):
        compose("a" * 201_000)


@pytest.mark.parametrize(
    ("text", "offset", "problem"),
    [
        ("é: 🙂\nb: @x", 8, "cannot start any token"),
        ("é: 🙂\x07", 4, "the character U\\+0007 is not allowed"),
        ('a: "b', 3, "the quotes are never closed"),
        ("a: [", 4, ""),
    ],
)
def test_problems_have_a_place(text: str, offset: int, problem: str) -> None:
    """As an offset in code points."""
    with pytest.raises(yaml.YAMLError) as caught:
        compose(text)
    assert where(text, caught.value)[0] == offset
    assert re.search(problem, where(text, caught.value)[1])


@pytest.mark.parametrize("text", ["a: !x y", "2024-13-45", "{{a: b}: c}", "!!python/object:os.system x"])
def test_values_that_cannot_be_made(text: str) -> None:
    """Are a ValueError, whatever went wrong."""
    with pytest.raises(ValueError, match=r".+"):
        read(text)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(plain)
def test_what_is_written_is_read(value: Any) -> None:
    """Control characters, line ends of every kind and what looks like YAML included."""
    assert read(dump(value)) == value


def test_texts_are_written_for_people() -> None:
    """On one line each, however long; code on its own lines; short lists on one."""
    code = "if x:\n    y()"
    assert dump({"text": "word " * 60 + "end", "code": code, "ranges": Flow([Flow([0, 5])])}) == (
        f"text: {'word ' * 60}end\ncode: |-\n  if x:\n      y()\nranges: [[0, 5]]\n"
    )
