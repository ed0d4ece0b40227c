"""The reports for pull requests on GitHub and GitLab."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from mkdocs_cited.base.terminal import without_commands
from mkdocs_cited.base.text import shorten
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.reporters.interface import (
    Report,
    Reporter,
    counted,
    described,
    ordered,
    totals,
    unique_fingerprints,
)
from mkdocs_cited.reporters.safety import dumps, one_line, printable

KINDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
PER_KIND = 10
"""Annotations of one kind that a step shows."""
LONGEST_MESSAGE = 3_500
"""Characters, before escaping."""


class GitHub(Reporter):
    """GitHub's workflow commands, which put each finding on its line of a pull request; for standard output."""

    id: ClassVar[str] = "github"
    description: ClassVar[str] = (
        "For GitHub Actions: annotations on the lines of a pull request."
    )

    def render(self, report: Report) -> str:
        """One command a line; where there are more of a kind than are shown, the last one says how many."""
        lines: list[str] = []
        for text in report.notices[:PER_KIND]:
            lines.append(_command("notice", {"title": "mkdocs-cited"}, text))
        room = {"error": PER_KIND, "warning": PER_KIND, "notice": PER_KIND - len(lines)}
        for severity, kind in KINDS.items():
            findings = [
                finding
                for finding in ordered(report.shown)
                if finding.severity is severity
            ]
            lines += _annotations(kind, findings, room[kind], report.prefix)
        return "\n".join((*lines, f"mkdocs-cited: {totals(report)}")) + "\n"


def _annotations(
    kind: str, findings: list[Finding], room: int, prefix: str
) -> Iterator[str]:
    shown = findings
    if len(findings) > room:
        shown = findings[: max(room - 1, 0)]
    for finding in shown:
        yield _command(
            kind,
            _properties(finding, prefix),
            shorten("\n".join(described(finding)), LONGEST_MESSAGE),
        )
    rest = len(findings) - len(shown)
    if rest and room:
        text = f"{counted(rest, 'more finding')} of this kind: see the summary of the job, or run `mkdocs-cited check`."
        yield _command(kind, {"title": "mkdocs-cited"}, text)


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
    inside = ",".join(
        f"{name}={_property(value)}" for name, value in properties.items()
    )
    return f"::{kind} {inside}::{_data(message)}"


def _data(text: str) -> str:
    """The escapes of a command's message; `%` comes first. Nothing is left that could start another line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return without_commands(printable(lines)).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}
LONGEST = 1_000
"""Characters of a description."""


class GitLab(Reporter):
    """GitLab's code-quality report: a JSON array with an entry for each finding."""

    id: ClassVar[str] = "gitlab"
    description: ClassVar[str] = "For GitLab: code quality in the merge-request widget."

    def render(self, report: Report) -> str:
        """The array as indented JSON; paths are relative to the repository's root."""
        findings = ordered(report.shown)
        pairs = zip(findings, unique_fingerprints(findings), strict=True)
        return dumps(
            [
                _entry(finding, fingerprint, report.prefix)
                for finding, fingerprint in pairs
            ]
        )


def _entry(finding: Finding, fingerprint: str, prefix: str) -> dict[str, Any]:
    lines = {"begin": finding.place.line}
    if finding.place.end_line:
        lines["end"] = finding.place.end_line
    return {
        "description": shorten(
            one_line(" ".join(described(finding, LONGEST // 4))).strip()
            or finding.slug,
            LONGEST,
        ),
        "check_name": finding.slug,
        "fingerprint": fingerprint,
        "severity": SEVERITIES[finding.severity],
        "location": {
            "path": prefix + finding.place.file.removeprefix("./"),
            "lines": lines,
        },
    }
