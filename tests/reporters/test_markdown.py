"""The Markdown report: shows texts and never obeys them, and stays within the limit of its reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.reporters import get
from mkdocs_cited.reporters.forges import MARKER, SUMMARY_BYTES, Markdown, write_summary
from mkdocs_cited.reporters.interface import (
    Report,
    one_line,
)
from tests.reporters.texts import findings, hostile_text, reports

GFM = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = {"h3", "h4", "ul", "li", "p", "blockquote", "strong", "code", "b", "br", "html", "head", "body", "-text"}


def html_of(text: str) -> LexborHTMLParser:
    return LexborHTMLParser(GFM.render(text))


def shown(text: str) -> str:
    """A text as a reader sees it: on one line, control characters as pictures."""
    return "".join(one_line(text).split()).replace("\u200b", "")


@given(report=reports())
def test_no_text_becomes_markup(report: Report) -> None:
    """The page that it renders to has our elements and no others; nothing is a link, an image or a comment."""
    text = get("markdown").render(report)
    text.encode("utf-8")
    html = html_of(text)
    assert {node.tag for node in html.css("*")} <= OURS
    assert html.html is not None
    assert html.html.count("<!--") == 1


@given(claim=hostile_text())
def test_a_claim_is_shown_as_it_is(claim: str) -> None:
    """Its characters come out of the renderer."""
    finding = found("altered-number", Place("a.md"), "m", claim=f"x{claim}x")
    html = html_of(get("markdown").render(Report(shown=(finding,))))
    (quoted,) = (item.text() for item in html.css("li p") if item.text().startswith("Claim: "))
    assert shown(quoted) == shown(f"Claim: x{claim}x")


def test_nobody_is_mentioned() -> None:
    """`@name` and `#1` are broken by a space that nobody sees, outside of code."""
    finding = found("partial-claim", Place("a.md"), "said @octocat in #12", claim="cc @octocat #12")
    text = get("markdown").render(Report(shown=(finding,)))
    assert "@octocat" not in text
    assert "#12" not in text


@given(items=st.lists(findings(), min_size=1, max_size=6), limit=st.integers(0, 4_000))
def test_it_never_passes_its_limit(items: list[Finding], limit: int) -> None:
    """In bytes of UTF-8; what is left out is counted."""
    report = Report(shown=tuple(items))
    text = Markdown(limit).render(report)
    assert len(text.encode("utf-8")) <= limit
    if text:
        listed = sum(line.startswith("- ") for line in text.splitlines())
        assert f"and {len(items) - listed:,} more finding" in text or listed == len(items)


def test_a_cut_report_keeps_errors_before_warnings() -> None:
    """A hundred warnings on the first page do not push out the error on the last."""
    warnings = tuple(found("partial-claim", Place("a.md", line), f"warning {line}") for line in range(1, 101))
    text = Markdown(2_000).render(Report(shown=(*warnings, found("unsupported-claim", Place("z.md"), "the error"))))
    assert "the error" in text
    assert "more findings: run `mkdocs-cited check`" in text
    assert text.startswith(MARKER)


def test_the_summary_of_a_step_is_appended_within_a_mebibyte(tmp_path: Path) -> None:
    """What other tools wrote stays; a second report that does not fit any more is cut."""
    file = tmp_path / "summary.md"
    file.write_text("earlier\n", encoding="utf-8")
    line = found("unsupported-claim", Place("a.md"), "x" * 400, claim="y" * 400)
    report = Report(shown=(line,) * 1_500)
    environ = {"GITHUB_STEP_SUMMARY": str(file)}
    for _ in range(3):
        write_summary(report, environ)
    text = file.read_text(encoding="utf-8")
    assert text.startswith("earlier\n" + MARKER)
    assert len(text.encode()) <= SUMMARY_BYTES
    assert "more finding" in text


def test_without_a_summary_nothing_is_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Outside of a step on GitHub there is no file to write."""
    monkeypatch.chdir(tmp_path)
    write_summary(Report(), {})
    assert list(tmp_path.iterdir()) == []
