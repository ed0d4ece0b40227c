"""Arbitrary records, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Spend, Verdict
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.source import Via
from mkdocs_cited.records import Approval, Record, RecordedCitation, RecordedVerdict

AWKWARD = [
    "---", "---\n", "\n---\n", "...", "\r\n", "\r", "\t", " ", "\n", "\x85", "\u2028", "\u2029", "\ufeff", "\0", "\x07",
    "\ud800", "\udfff", "🙂", "日", ": ", " #", "- ", "[^1]", "'", '"', "\\", "{{ x }}", "!x", "&a *a", "| ", "> ",
    "null", "yes", "2026-11-21", "1e3", "0x1F", "%YAML", "<<<<<<< HEAD", "=======", ">>>>>>> main", "\U0010ffff",
]  # fmt: skip
text = st.lists(st.sampled_from(AWKWARD) | st.text(st.characters(), max_size=6), max_size=8).map("".join)
"""Any text at all, control characters and half characters included."""

number = st.integers(0, 9999)
ranges = st.lists(st.tuples(number, number), max_size=3).map(tuple)
score = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)
citation = st.builds(RecordedCitation, st.integers(1, 9999), text, text, text, st.sampled_from(Via))
verdict = st.builds(
    RecordedVerdict, text, text, st.sampled_from(Verdict), score, text, text, text, text, ranges, ranges, text
)
spend = st.builds(Spend, number, number, number, number, st.integers(0, 10**7).map(lambda millionths: millionths / 1e6))
pointer = st.tuples(text, st.lists(number, max_size=3).map(tuple))

record = st.builds(
    Record,
    st.just("faq.md#limits"),
    text,
    text,
    provider=text,
    model=text,
    prompt_version=text,
    written_on=text,
    declaration=text,
    generated=text,
    reviewed=text,
    reviewer=text,
    abstained=st.booleans(),
    reason=text,
    retries=number,
    citations=st.lists(citation, max_size=3).map(tuple),
    pointers=st.lists(pointer, max_size=2).map(tuple),
    verdicts=st.lists(verdict, max_size=3).map(tuple),
    approval=st.none() | st.builds(Approval, text, text, text),
    rejected=st.lists(text, max_size=3).map(tuple),
    consulted=st.lists(text, max_size=3).map(tuple),
    spend=spend,
)


def unplaced(read: object) -> object:
    """What was read, without the place that it was read from."""
    return replace(read, place=Place("")) if isinstance(read, Record) else read
