"""Arbitrary records, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from mkdocs_cited.model.answer import Decision, Excerpt, Spend, Verdict
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.source import Via
from mkdocs_cited.records import Approval, Record, RecordedCitation

AWKWARD = [
    "---", "---\n", "\n---\n", "...", "\r\n", "\r", "\t", " ", "\n", "\x85", "\u2028", "\u2029", "\ufeff", "\0", "\x07",
    "\ud800", "\udfff", "🙂", "日", ": ", " #", "- ", "[^1]", "'", '"', "\\", "{{ x }}", "!x", "&a *a", "| ", "> ",
    "null", "yes", "2026-11-21", "1e3", "0x1F", "%YAML", "<<<<<<< HEAD", "=======", ">>>>>>> main", "\U0010ffff",
]  # fmt: skip
text = st.lists(st.sampled_from(AWKWARD) | st.text(st.characters(), max_size=6), max_size=8).map("".join)
"""Any text at all, control characters and half characters included."""

number = st.integers(0, 9999)
citation = st.builds(RecordedCitation, st.integers(1, 9999), text, text, st.sampled_from(Via))
excerpt = st.builds(Excerpt, at=text, under=text, text=text)
decision = st.builds(
    Decision,
    claim=text,
    verdict=st.sampled_from(Verdict),
    by=text,
    reviewer=text,
    date=text,
    reason=text,
    suggested=text,
    evidence=st.lists(excerpt, max_size=2).map(tuple),
)
spend = st.builds(Spend, number, number, number, number, st.integers(0, 10**7).map(lambda millionths: millionths / 1e6))

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
    abstained=st.booleans(),
    reason=text,
    retries=number,
    citations=st.lists(citation, max_size=3).map(tuple),
    claims=st.lists(decision, max_size=3).map(tuple),
    approval=st.none() | st.builds(Approval, text, text, text),
    spend=spend,
)


def unplaced(read: object) -> object:
    """What was read, without the place that it was read from."""
    return replace(read, place=Place("")) if isinstance(read, Record) else read
