"""A finished report as the build's log tells it, and as files. How it is written down is the reporters' business."""

from __future__ import annotations

import logging
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from msgspec import Struct, field

from mkdocs_cited import reporters
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.model.report import Report
from mkdocs_cited.reporters.console import Console, Layout

LEVELS = {Severity.ERROR: logging.ERROR, Severity.WARNING: logging.WARNING}
"""MkDocs counts what is logged as a warning or above, and fails under `--strict`; `-q` shows errors only."""
MARGIN = 14
"""Cells that MkDocs puts before each line of a log."""


class Entry(Struct, frozen=True):
    """A line of the build's log."""

    level: int
    """As `logging` counts them."""
    text: str
    fields: dict[str, str | int] = field(default_factory=dict)
    """For handlers that write structured logs (`record.cited`)."""


def entries(report: Report) -> tuple[Entry, ...]:
    """What the build's log says: each finding at the level of its severity, then the notices and the totals.

    What is for information only says the same on every build: it is counted in one line, and shown in full with `-v`.
    """
    width = shutil.get_terminal_size((100 + MARGIN, 24)).columns - MARGIN
    console = Console(Layout(width=max(40, min(width, 100))))
    lines = [Entry(LEVELS.get(f.severity, logging.DEBUG), console.entry(f), _fields(f)) for f in report.shown]
    lines += [Entry(logging.INFO, note) for note in _counted(report)]
    lines += [Entry(logging.WARNING, notice) for notice in report.notices]
    if report.answers or report.shown:
        lines.append(Entry(logging.INFO, console.closing(report)))
    return tuple(lines)


def failure(report: Report) -> str:
    """Why a build fails: errors, and under `--strict` warnings too. MkDocs counts what its log shows, and with `-q` it
    shows no warning."""
    errors = report.count(Severity.ERROR)
    warnings = report.count(Severity.WARNING) + len(report.notices) if report.strict else 0
    counts = [(errors, "error"), (warnings, "warning")]
    said = " and ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in counts if count)
    return f"cited: {said} in the answers of this site (listed above)" if said else ""


def written(reports: Sequence[Report], formats: Mapping[str, str]) -> dict[str, str]:
    """Path → text of each report that the option `reports` asks for (format → path), over all languages of a site."""
    if not reports:  # of a preview in which nothing could be answered
        return {}
    report = reduce(Report.joined, reports)
    return {path: reporters.get(name).render(report) for name, path in sorted(formats.items())}


def _counted(report: Report) -> Iterator[str]:
    """The line that counts what is for information only; none where there is nothing."""
    counts = Counter(finding.slug for finding in report.shown if finding.severity is Severity.INFO)
    if counts:
        notes = ", ".join(f"{count} × {slug}" for slug, count in sorted(counts.items()))
        yield f"for your information: {notes} (in full: `mkdocs-cited check`, or `mkdocs build -v`)"


def _fields(finding: Finding) -> dict[str, str | int]:
    place = finding.place
    return {
        "slug": finding.slug,
        "severity": str(finding.severity),
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "answer": finding.answer,
        "fingerprint": finding.fingerprint,
    }
