"""Splitting holds on any text: it never raises, its ranges are in order, and hostile input costs it no more."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.answer_text.markdown import MARKER, BlockKind, RunKind, blocks, markers
from tests.hangs import guarded

PIECES = [
    "The limit is 5.", "Run `x. y`", "**Bold.**", "Here is how:", "e.g. v1.2", "「はい。」", "Am 3. Mai", "٣؟", "\t",
    "[^1]", "[^22]", "[^x]", "[^1]: ", '[a](b.md "t")', "![i](u)", "<b>", "</b>", "<http://a.b>", "&amp;", "\\*", "\\|",
    "\n", "\n\n", "\r\n", "\r", "- ", "1. ", "> ", "```\n", "~~~\n", "    ", "# ", "| a | b |\n|---|---|\n", "|",
    "*", "_", "[", "]", "(", ")", "\0", "·", "\u2028", "\ufeff", "é", "😀", "; and it is so", ", but z is w", "<!--",
    "-->", ":", " ", "`",
]  # fmt: skip
MARKDOWN = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=30).map("".join)


@example("The limit is 5.`\n`", "en")
@example("[^1]\n```\nThe limit is 5.", "en")
@example("- The limit is 5.\n\tRun `x. y`", "en")
@given(MARKDOWN, st.sampled_from(["en", "de", "ja", "ar", "", "xx-YY"]))
def test_claims_stand_in_order_within_the_answer(content: str, locale: str) -> None:
    """Ranges are inside the content, in order and apart; no claim is empty or keeps a marker of prose."""
    behind = 0
    for claim in split(content, locale):
        assert behind <= claim.start < claim.end <= len(content)
        assert claim.text
        assert list(dict.fromkeys(claim.sids)) == list(claim.sids)
        behind = claim.end


@example("\x1f")
@given(MARKDOWN)
def test_what_is_shown_is_found_in_the_content(content: str) -> None:
    """Each character of a run stands where its origin says, escapes and entities aside."""
    for block in blocks(content):
        assert 0 <= block.start <= block.end <= len(content)
        for run in block.runs:
            assert len(run.origins) == len(run.text) or block.kind is BlockKind.CODE
            assert 0 <= run.start <= run.end <= len(content)
            if run.kind is RunKind.TEXT and len(run.text) == run.end - run.start:
                shown = "".join(content[origin] for origin in run.origins)
                assert shown.replace("\0", "\ufffd") == run.text


@given(MARKDOWN)
def test_every_marker_outside_code_is_one_of_the_content(content: str) -> None:
    """Markers are found where they stand, and no number is made up."""
    for sid, start, end in markers(content):
        match = MARKER.fullmatch(content, start, end)
        assert match
        assert int(match[1]) == sid


@pytest.mark.parametrize(
    "unit",
    ["[", "[a](", "![", "*a ", "**a*", "`a``", "<a ", "<!--", "&", "> ", "- ", "a. ", "“a. ", "(a. ", "[^1]", "a.[^1] ",
     "a is b[^1]; ", "_a", "|a", "a:\n", "「", "é́", "1. ", "\n\n", "- a\n", "- a\n  ", "|-\n", "```\n"],
)  # fmt: skip
def test_no_answer_hangs(unit: str) -> None:
    """Twenty thousand characters of anything are split."""
    with guarded():
        split(unit * (20_000 // len(unit)))
