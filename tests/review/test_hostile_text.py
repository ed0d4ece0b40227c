"""Rules read what models and strangers wrote: no text makes them slow, and none makes them raise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.labelled import judge
from mkdocs_cited.review.rules import RULES
from tests.hangs import guarded
from tests.review.site import audit_of

UNITS = [
    "a",
    "1",
    "-a",
    "a.",
    "[^",
    "[^x",
    "[[S:",
    "[@",
    "<a",
    "<cite",
    "http://a.",
    "](",
    "`",
    "「",
    "a ",
    "1.",
    "--",
    "ab ",
    "retry ",
    "never ",
    "ABC ",
    "5 ",
    "5 s ",
    "2 x ",
    "v1.2 ",
    "10:30 ",
    "2024-03-05 ",
    "at least ",
    "half a ",
    "fünfundzwanzig ",
    "hundert",
    "May 5 ",
]
"""What regular expressions are made to backtrack with, and what is read most closely: figures, names, negations."""


@pytest.mark.parametrize("unit", UNITS)
def test_no_text_makes_a_rule_hang(unit: str) -> None:
    """Ten thousand characters of it, as answer, passage and quote."""
    text = unit * (10_000 // len(unit))
    case = audit_of(
        {"passages": [{"at": "a.md#a", "text": text}], "quotes": {1: text[1 : len(text) // 2]}, "answer": f"{text}[^1]"}
    )
    for rule in RULES.values():
        with guarded():
            list(rule(case))


def test_no_sentence_makes_a_comparison_hang() -> None:
    """The same for a claim beside its passage."""
    for unit in UNITS:
        with guarded():
            judge(f"{unit * 300} is 5.", [f"{unit * 300} is 6."])


@pytest.mark.parametrize("pattern", ["{} ", "{}s ", "{}.{} ", "{}:30 ", "--f{} ", "{}K ", "{} months "])
def test_no_row_of_figures_makes_a_rule_hang(pattern: str) -> None:
    """Thousands of figures that are all different, claimed beside as many others."""
    said = "".join(pattern.replace("{}", str(number)) for number in range(3_000))
    claimed = "".join(pattern.replace("{}", str(number)) for number in range(2_000, 5_000))
    case = audit_of({"passages": [{"at": "a.md#a", "text": said}], "answer": f"{claimed}[^1]"})
    for rule in RULES.values():
        with guarded():
            list(rule(case))


@given(st.text(max_size=120), st.text(max_size=60))
def test_no_text_makes_a_rule_raise(answer: str, passage: str) -> None:
    """Whatever is written, what comes out are findings of the rule's own slug."""
    case = audit_of({"passages": [{"at": "a.md#a", "text": passage}], "answer": f"{answer} 5 [^1] [^2]"})
    for slug, rule in RULES.items():
        assert {finding.slug for finding in rule(case)} <= {slug}
