"""The report as Markdown: a comment on a pull request, or the summary of a job.

It is cut to the limit of its reader, the least grave findings first, and says what it leaves out. The hidden first line
lets a workflow find its earlier comment and write over it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from mkdocs_cited.base.text import shorten
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.reporters.interface import (
    Report,
    Reporter,
    by_page,
    checked,
    counted,
    described,
    most_severe,
    totals,
)
from mkdocs_cited.reporters.safety import markdown, markdown_code, markdown_message

MARKER = "<!-- mkdocs-cited -->"
COMMENT_BYTES = 60_000
"""A comment on GitHub takes 65,536 characters; on GitLab, a million."""
SUMMARY_BYTES = 1_048_576
"""Most that a step may write into its summary on GitHub: 1 MiB."""
LONGEST = 500
"""Characters of a claim, message or passage."""
ICONS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.INFO: "ℹ️"}


class Markdown(Reporter):
    """A heading with the totals, then the findings page by page."""

    id: ClassVar[str] = "markdown"
    description: ClassVar[str] = "For a comment on a pull request: Markdown."

    def __init__(self, max_bytes: int = COMMENT_BYTES) -> None:
        self.max_bytes = max_bytes

    def render(self, report: Report) -> str:
        """The text, at most `max_bytes` long in UTF-8; empty when not even the totals fit."""
        number = len(report.shown)
        while len((text := _text(report, number)).encode("utf-8")) > self.max_bytes:
            if not number:
                return ""
            number = min(
                number - 1, number * self.max_bytes // len(text.encode("utf-8"))
            )
        return text


def write_summary(report: Report, environ: Mapping[str, str]) -> bool:
    """Append the report to the summary of the running step (`$GITHUB_STEP_SUMMARY`), within its limit.

    Returns whether there is such a summary. Rendering writes nothing: the command line calls this.
    """
    path = environ.get("GITHUB_STEP_SUMMARY", "")
    if not path:
        return False
    file = Path(path)
    used = 0
    if file.exists():
        used = file.stat().st_size
    text = Markdown(SUMMARY_BYTES - used - 1).render(report)
    with file.open("a", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
    return True


def _text(report: Report, number: int) -> str:
    """The report with so many of its findings."""
    lines = [MARKER, f"### Cited answers: {totals(report)}", ""]
    seen = checked(report)
    if seen:
        lines += [f"Checked {seen}.", ""]
    for notice in report.notices:
        lines += [f"> {markdown_message(shorten(notice, LONGEST))}", ""]
    for page, findings in by_page(
        replace(report, shown=tuple(most_severe(report.shown, number)))
    ):
        lines += [f"#### {markdown_code(page)}", "", *map(_finding, findings)]
    left_out = len(report.shown) - number
    if left_out:
        lines += [
            f"… and {counted(left_out, 'more finding')}: run `mkdocs-cited check` to see them.",
            "",
        ]
    if report.shown:
        lines.append(
            "`mkdocs-cited explain SLUG` shows an example of each and how to fix it."
        )
    return "\n".join(lines).rstrip("\n") + "\n"


def _finding(finding: Finding) -> str:
    """An item of a list; claims and passages are plain text, messages of ours may hold code."""
    first, *others = described(finding, LONGEST)
    where = f"**{markdown(finding.slug)}** {markdown_code(str(finding.place))}"
    parts = [f"- {ICONS[finding.severity]} {where}<br>{markdown_message(first)}\n"]
    for line in others:
        if line.startswith("→ "):
            parts.append(f"  {markdown_message(line)}\n")
        else:
            parts.append(f"  {markdown(line)}\n")
    return "\n".join(parts)
