"""Texts that break formats: what documentation, models and mischief can put into a finding."""

from __future__ import annotations

from hypothesis import strategies as st

from mkdocs_cited.model.finding import CATALOGUE, Finding, Place, Related, Severity
from mkdocs_cited.reporters.interface import Report

NASTY = (
    "%", "%0A", "%25", "::error::", "\n", "\r\n", "\r", "\t", "\x00", "\x1b[31m", "\x85", "\u2028", "'", '"', "`", "``",
    "|", "<b>", "</testcase>", "]]>", "<!--", "-->", "&amp;", "&#8203;", "@everyone", "#1", "!1", "[a](javascript:x)",
    "\\", "*", "_", "# ", "- ", "> ", "```\n", "عربي", "עברית", "\u202e", "\u2066", "\u200f", "漢字", "한국", "e\u0301",
    "👩‍👩‍👧", "🏳️‍🌈", "\ud800", "\udfff", "\ufffe", "\uffff", "\U0001fffe", "\ufeff", "$(rm -rf)", "{{ x }}", "{% x %}",
)  # fmt: skip


def hostile_text(*, max_parts: int = 8) -> st.SearchStrategy[str]:
    """Any text, mixed with what formats stumble over."""
    part = st.one_of(st.sampled_from(NASTY), st.text(max_size=8), st.text(st.characters(), max_size=4))
    return st.lists(part, max_size=max_parts).map("".join)


def places() -> st.SearchStrategy[Place]:
    """Places in files with any name: a point, or a range that starts before it ends."""
    return st.builds(
        lambda file, line, column, span, width: Place(
            file or "docs/a.md", line, column, line + span if width else 0, column + width if width else 0
        ),
        hostile_text(max_parts=3),
        st.integers(1, 10_000),
        st.integers(1, 500),
        st.integers(0, 3),
        st.integers(0, 50),
    )


def findings() -> st.SearchStrategy[Finding]:
    """Findings with every field filled with anything."""
    ranges = st.tuples(st.integers(0, 90), st.integers(0, 90))
    return st.builds(
        Finding,
        slug=st.sampled_from(sorted(CATALOGUE)),
        severity=st.sampled_from([Severity.ERROR, Severity.WARNING, Severity.INFO]),
        place=places(),
        message=hostile_text(),
        tip=hostile_text(),
        answer=st.one_of(st.just(""), hostile_text(max_parts=2).map(lambda text: f"{text}#x")),
        claim=hostile_text(),
        marks=st.lists(ranges, max_size=3).map(tuple),
        related=st.lists(
            st.builds(
                Related,
                message=hostile_text(max_parts=2),
                place=st.none() | places(),
                passage=hostile_text(max_parts=2),
                text=hostile_text(),
            ),
            max_size=2,
        ).map(tuple),
    )


def reports() -> st.SearchStrategy[Report]:
    """Reports of such findings."""
    return st.builds(
        Report,
        shown=st.lists(findings(), max_size=4).map(tuple),
        notices=st.lists(hostile_text(), max_size=2).map(tuple),
    )
