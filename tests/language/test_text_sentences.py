"""Sentences end where `sentences.yml` says, in time that grows with the text and no faster."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.language.sentences import sentences
from tests.hangs import guarded

GOLDEN = yaml.safe_load((Path(__file__).parent / "sentences.yml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("locale", "marked"),
    [(locale, text) for locale, groups in GOLDEN.items() for texts in groups.values() for text in texts],
)
def test_sentences_end_at_the_bars(locale: str, marked: str) -> None:
    """The text without its bars is cut where they stood."""
    text = marked.replace("|", "") if locale in ("ja", "zh") else marked.replace("| ", "")
    assert [text[start:end] for start, end in sentences(text, locale)] == [part.strip() for part in marked.split("|")]


@given(
    st.text(st.sampled_from(list("aBx1.!? \n\"“”「」（）。！：-–'é😀№؟\u00a0\u200b\u2028")), max_size=80),
    st.text(max_size=5),
)
def test_all_of_a_text_is_in_its_sentences(text: str, locale: str) -> None:
    """Sentences are in order and trimmed; what is left out is white space."""
    spans = sentences(text, locale)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
    assert "".join(text[start:end] for start, end in spans).split() == text.split() or (
        "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())
    )


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u2009", "\u2028", "\u3000", "\x85", "\t"])
def test_any_white_space_may_stand_before_a_full_stop(space: str) -> None:
    """French sets a narrow space there."""
    text = f"Version 5{space}! Et puis 6{space}. Fin."
    assert [text[start:end] for start, end in sentences(text, "fr")][-1] == "Fin."


@pytest.mark.parametrize("unit", ["“a. ", '"a. ', "「a。", "a. ", "1. ", "(a. ", ". ", '1" ', "e.g. ", "x", "\n", "。"])
def test_no_text_hangs(unit: str) -> None:
    """Fifty thousand characters of anything."""
    text = unit * (50_000 // len(unit))
    with guarded():
        sentences(text)
        sentences(text, "ja")
