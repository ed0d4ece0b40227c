"""The reports for pull requests on GitHub and GitLab: annotations, code quality, and Markdown for a comment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from mkdocs_cited.base.errors import command, without_commands
from mkdocs_cited.base.text import shorten, with_plain_ends
from mkdocs_cited.model.finding import Finding, Severity, in_order
from mkdocs_cited.reporters.interface import (
    Report,
    Reporter,
    by_page,
    checked,
    counted,
    described,
    dumps,
    markdown,
    markdown_code,
    markdown_message,
    most_severe,
    one_line,
    printable,
    totals,
    unique_fingerprints,
)

KINDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
PER_KIND = 10
"""Annotations of one kind that a step shows."""
LONGEST_MESSAGE = 3_500
"""Characters, before escaping."""
OURS = {"title": "mkdocs-cited"}


class GitHub(Reporter):
    """GitHub's workflow commands, which put each finding on its line of a pull request; for standard output."""

    def render(self, report: Report) -> str:
        """One command a line; where there are more of a kind than are shown, the last one says how many."""
        notices = report.notices[:PER_KIND]
        lines = [_command("notice", OURS, text) for text in notices]
        for severity, kind in KINDS.items():
            room = PER_KIND
            if severity is Severity.INFO:
                room -= len(notices)
            found = [
                item for item in in_order(report.shown) if item.severity is severity
            ]
            lines += _annotations(kind, found, room, report.prefix)
        return "\n".join((*lines, f"mkdocs-cited: {totals(report)}")) + "\n"


def _annotations(
    kind: str, findings: Sequence[Finding], room: int, prefix: str
) -> Iterator[str]:
    shown = findings
    if len(findings) > room:
        shown = findings[: max(room - 1, 0)]
    for finding in shown:
        text = shorten("\n".join(described(finding)), LONGEST_MESSAGE)
        yield _command(kind, _properties(finding, prefix), text)
    rest = len(findings) - len(shown)
    if rest and room:
        text = f"{counted(rest, 'more finding')} of this kind: see the summary of the job, or run `{command('check')}`."
        yield _command(kind, OURS, text)


def _properties(finding: Finding, prefix: str) -> dict[str, str]:
    place = finding.place
    properties = {"file": f"{prefix}{place.file}", "line": str(place.line)}
    if place.end_line:
        properties["endLine"] = str(place.end_line)
    properties["title"] = finding.slug
    if finding.answer:
        properties["title"] += f": {finding.answer}"
    return properties


def _command(kind: str, properties: Mapping[str, str], message: str) -> str:
    inside = []
    for name, value in properties.items():
        escaped = _data(value).replace(":", "%3A").replace(",", "%2C")
        inside.append(f"{name}={escaped}")
    return f"::{kind} {','.join(inside)}::{_data(message)}"


def _data(text: str) -> str:
    """The escapes of a command's message; `%` comes first. Nothing is left that could start another line."""
    lines = without_commands(printable(with_plain_ends(text)))
    return lines.replace("%", "%25").replace("\n", "%0A")


SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}
LONGEST = 1_000
"""Characters of a description."""


class GitLab(Reporter):
    """GitLab's code-quality report: a JSON array with an entry for each finding."""

    def render(self, report: Report) -> str:
        """The array as indented JSON; paths are relative to the repository's root."""
        findings = in_order(report.shown)
        entries = []
        for finding, name in zip(findings, unique_fingerprints(findings), strict=True):
            entries.append(_entry(finding, name, report.prefix))
        return dumps(entries)


def _entry(finding: Finding, fingerprint: str, prefix: str) -> dict[str, Any]:
    lines = {"begin": finding.place.line}
    if finding.place.end_line:
        lines["end"] = finding.place.end_line
    path = prefix + finding.place.file.removeprefix("./")
    text = one_line(" ".join(described(finding, LONGEST // 4))).strip()
    return {
        "description": shorten(text or finding.slug, LONGEST),
        "check_name": finding.slug,
        "fingerprint": fingerprint,
        "severity": SEVERITIES[finding.severity],
        "location": {"path": path, "lines": lines},
    }


MARKER = "<!-- mkdocs-cited -->"
"""The hidden first line, which lets a workflow find its earlier comment and write over it."""
COMMENT_BYTES = 60_000
"""A comment on GitHub takes 65,536 characters; on GitLab, a million."""
SUMMARY_BYTES = 1_048_576
"""Most that a step may write into its summary on GitHub: 1 MiB."""
LONGEST_TEXT = 500
"""Characters of a claim, message or passage."""
ICONS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.INFO: "ℹ️"}


class Markdown(Reporter):
    """A heading with the totals, then the findings page by page."""

    def __init__(self, max_bytes: int = COMMENT_BYTES) -> None:
        self.max_bytes = max_bytes

    def render(self, report: Report) -> str:
        """The text, at most `max_bytes` long in UTF-8, the least grave findings left out first; empty when not even the
        totals fit."""
        for number in range(len(report.shown), -1, -max(1, len(report.shown) // 50)):
            text = _text(report, number)
            if len(text.encode()) <= self.max_bytes:
                return text
        return ""


def write_summary(report: Report, environ: Mapping[str, str]) -> None:
    """Append the report to the summary of the running step (`$GITHUB_STEP_SUMMARY`), if any, within its limit.

    Rendering writes nothing: the command line calls this.
    """
    path = environ.get("GITHUB_STEP_SUMMARY")
    if path:
        with Path(path).open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(Markdown(SUMMARY_BYTES - stream.tell() - 1).render(report))


def _text(report: Report, number: int) -> str:
    """The report with so many of its findings."""
    lines = [MARKER, f"### Cited answers: {totals(report)}", ""]
    seen = checked(report)
    if seen:
        lines += [f"Checked {seen}.", ""]
    for notice in report.notices:
        lines += [f"> {markdown_message(shorten(notice, LONGEST_TEXT))}", ""]
    shown = most_severe(report.shown, number)
    for page, findings in by_page(replace(report, shown=shown)):
        lines += [f"#### {markdown_code(page)}", "", *map(_item, findings)]
    left_out = len(report.shown) - number
    if left_out:
        more = counted(left_out, "more finding")
        lines += [f"… and {more}: run `{command('check')}` to see them.", ""]
    if report.shown:
        lines.append(
            "`mkdocs-cited explain SLUG` shows an example of each and how to fix it."
        )
    return "\n".join(lines).rstrip("\n") + "\n"


def _item(finding: Finding) -> str:
    """An item of a list; claims and passages are plain text, messages of ours may hold code."""
    first, *others = described(finding, LONGEST_TEXT)
    where = f"**{markdown(finding.slug)}** {markdown_code(str(finding.place))}"
    parts = [f"- {ICONS[finding.severity]} {where}<br>{markdown_message(first)}\n"]
    for line in others:
        written = markdown_message if line.startswith("→ ") else markdown
        parts.append(f"  {written(line)}\n")
    return "\n".join(parts)
