"""Marks in a page's Markdown become claims with places, and slots for their citations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.declarations.front_matter import source_text
from mkdocs_cited.declarations.prose import Marked, read_prose, without_slots

CASES = yaml.safe_load(Path(__file__).with_name("prose.yml").read_text(encoding="utf-8"))


def read(markdown: str, written: str = "") -> Marked:
    return read_prose(source_text("docs/page.md", written or markdown), markdown, page="page.md", locale="en")


def told(marked: Marked) -> list[str]:
    if marked.declaration is None:
        return []
    texts = marked.declaration.text.split("\n\n")
    return [
        f"{claim.place.line}:{claim.place.column} {text}{' (quiet)' * claim.quiet}"
        for text, claim in zip(texts, marked.declaration.prose, strict=True)
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_marks_become_claims(case: dict[str, Any]) -> None:
    """The cases of `prose.yml`."""
    marked = read(case["markdown"])
    assert told(marked) == case["claims"]
    if case["claims"]:
        assert marked.markdown == case["rendered"]
    reported = [f"{item.place.line}:{item.place.column} {item.message}" for item in marked.findings]
    assert reported == case.get("reported", [])


def test_places_are_those_of_the_file() -> None:
    """Behind front matter, and where another plugin has changed the text around the mark."""
    file = "---\ntitle: T\n---\n\n# {{ name }}\n\nIt is so [@a.md#x].\n"
    assert told(read("# {{ name }}\n\nIt is so [@a.md#x].\n", file)) == ["7:1 It is so [@a.md#x]."]
    assert told(read("# Changed\n\nIt is so [@a.md#x].\n", file))[0].startswith("7:")


def test_a_page_without_marks_is_left_alone() -> None:
    text = "# A\n\nIt is so [^1].\n\n[^1]: x [@nobody]\n"
    assert read(text) == Marked(None, text)


PIECES = [*"It is 60. so [@a.md#x] [@!b.md] ` | - > |-|-| <b> *".split(), "\n", "\n\n", "    ", "```\n"]
words = st.lists(st.sampled_from(PIECES), max_size=40)


@given(words)
def test_no_page_stops_it(parts: list[str]) -> None:
    """What is not a mark stays, in order; each claim has a block of its own."""
    markdown = " ".join(parts)
    marked = read(markdown)
    if marked.declaration is None:
        return
    assert len(marked.declaration.text.split("\n\n")) == len(marked.declaration.prose)
    rest = without_slots(marked.markdown).split()
    kept = iter(markdown.split())
    assert all(any(word == other or other.startswith(word) or word in other for other in kept) for word in rest)
