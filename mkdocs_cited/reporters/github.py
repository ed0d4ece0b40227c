"""The report for GitHub Actions: annotations on the lines of a pull request.

Format: workflow commands (`::error file=…::…`). The runner shows ten of each kind a step, and cuts a message at 4,096
characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from mkdocs_cited.base.terminal import without_commands
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.reporters.interface import Report, Reporter
from mkdocs_cited.reporters.safety import printable, shorten
from mkdocs_cited.reporters.selection import counted, described, ordered, totals

KINDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
PER_KIND = 10
"""Annotations of one kind that a step shows."""
LONGEST_MESSAGE = 3_500
"""Characters, before escaping."""


class GitHub(Reporter):
    """GitHub's workflow commands, which put each finding on its line of a pull request; for standard output."""

    id: ClassVar[str] = "github"
    description: ClassVar[str] = "For GitHub Actions: annotations on the lines of a pull request."

    def render(self, report: Report) -> str:
        """One command a line; where there are more of a kind than are shown, the last one says how many."""
        notices = [_command("notice", {"title": "mkdocs-cited"}, text) for text in report.notices[:PER_KIND]]
        lines = [*notices]
        for severity, kind in KINDS.items():
            findings = [finding for finding in ordered(report.shown) if finding.severity is severity]
            room = PER_KIND - (len(notices) if kind == "notice" else 0)
            lines += _annotations(kind, findings, max(room, 0), report.prefix)
        return "\n".join((*lines, f"mkdocs-cited: {totals(report)}")) + "\n"


def _annotations(kind: str, findings: list[Finding], room: int, prefix: str) -> Iterator[str]:
    shown = findings if len(findings) <= room else findings[: max(room - 1, 0)]
    for finding in shown:
        yield _command(kind, _properties(finding, prefix), shorten("\n".join(described(finding)), LONGEST_MESSAGE))
    rest = len(findings) - len(shown)
    if rest and room:
        text = f"{counted(rest, 'more finding')} of this kind: see the summary of the job, or run `mkdocs-cited check`."
        yield _command(kind, {"title": "mkdocs-cited"}, text)


def _properties(finding: Finding, prefix: str) -> dict[str, str]:
    place = finding.place
    properties = {"file": f"{prefix}{place.file}", "line": str(place.line)}
    if place.end_line:
        properties["endLine"] = str(place.end_line)
    if place.column > 1 or place.end_column:
        properties["col"] = str(place.column)
    if place.end_column and place.end_line == place.line:  # across lines, GitHub refuses columns
        properties["endColumn"] = str(place.end_column)
    return properties | {"title": f"{finding.slug}: {finding.answer}" if finding.answer else finding.slug}


def _command(kind: str, properties: Mapping[str, str], message: str) -> str:
    inside = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {inside}::{_data(message)}"


def _data(text: str) -> str:
    """The escapes of a command's message; `%` comes first. Nothing is left that could start another line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return without_commands(printable(lines)).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
