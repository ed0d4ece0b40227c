"""The report for GitLab's merge-request widget: its code quality format, a subset of Code Climate's.

Format: an array of `{description, check_name, fingerprint, severity, location: {path, lines: {begin}}}`. Of equal
fingerprints GitLab keeps one. It knows no suppressed findings, so they are left out.
"""

from __future__ import annotations

from typing import Any, ClassVar

from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.reporters.interface import Report, Reporter
from mkdocs_cited.reporters.safety import dumps, one_line, shorten
from mkdocs_cited.reporters.selection import described, ordered, unique_fingerprints

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
        return dumps([_entry(finding, fingerprint, report.prefix) for finding, fingerprint in pairs])


def _entry(finding: Finding, fingerprint: str, prefix: str) -> dict[str, Any]:
    lines = {"begin": finding.place.line}
    if finding.place.end_line:
        lines["end"] = finding.place.end_line
    return {
        "description": shorten(one_line(" ".join(described(finding, LONGEST // 4))).strip() or finding.slug, LONGEST),
        "check_name": finding.slug,
        "fingerprint": fingerprint,
        "severity": SEVERITIES[finding.severity],
        "location": {"path": prefix + finding.place.file.removeprefix("./"), "lines": lines},
    }
