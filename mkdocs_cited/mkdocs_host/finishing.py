"""The end of a build, once every language is written: their files as one, reports, the log, and why the build fails.

How a finished report is written down is the reporters' business.
"""

from __future__ import annotations

import logging
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from pathlib import Path

import msgspec

from mkdocs_cited import reporters
from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import inside, write_atomically
from mkdocs_cited.mkdocs_host.build import Build
from mkdocs_cited.mkdocs_host.logger import log
from mkdocs_cited.model.finding import Severity
from mkdocs_cited.model.report import Report
from mkdocs_cited.render.answer import Host
from mkdocs_cited.render.cited_json import CitedJson, encoded, joined
from mkdocs_cited.render.publish import report_page
from mkdocs_cited.reporters.console import Console, Layout

LEVELS = {Severity.ERROR: logging.ERROR, Severity.WARNING: logging.WARNING}
"""MkDocs counts what is logged as a warning or above, and fails under `--strict`; `-q` shows errors only."""
_DATA = "cited.json"
MARGIN = 14
"""Cells that MkDocs puts before each line of a log."""


def finish(build: Build) -> str:
    """Write what machines read, and log what was found; why the build fails, or nothing.

    Nothing is done before the last language: until then, some answers are missing.
    """
    build.running -= 1
    if build.running:
        return ""
    outcomes, build.outcomes = build.outcomes, []
    reports = [outcome.report for outcome in outcomes]
    files, path = (
        _merged(outcome.files for outcome in outcomes),
        build.settings.render.report,
    )
    if len(outcomes) > 1 and path in files:
        data = msgspec.json.decode(files["cited.json"], type=CitedJson)
        host = Host(build.config.site_name, loader=build.loader)
        files[path] = report_page(data, host, base=path)
    site = Path(build.config.site_dir)
    faults = [*write_all(site, files, what="a file of the site", where="the site")]
    faults += write_all(
        build.root,
        _written(reports, build.settings.reports),
        what="reports",
        where="the project",
    )
    most = logging.WARNING if build.serving else logging.CRITICAL  # a preview goes on
    for level, text in chain.from_iterable(map(entries, reports)):
        log.log(min(level, most), "%s", text)
    for fault in faults:
        log.log(min(logging.ERROR, most), "%s", fault)
    unwritten = ""
    if faults:
        unwritten = "cited: not everything could be written (see above)"
    return "; ".join(filter(None, (*map(_failure, reports), unwritten)))


def entries(report: Report) -> tuple[tuple[int, str], ...]:
    """The lines of the build's log, each after its level: findings, then the notices and the totals.

    What is for information only says the same on every build: it is counted in one line, and shown in full with `-v`.
    """
    width = shutil.get_terminal_size((100 + MARGIN, 24)).columns - MARGIN
    console = Console(Layout(width=max(40, min(width, 100))))
    lines = [
        (LEVELS.get(finding.severity, logging.DEBUG), console.entry(finding))
        for finding in report.shown
    ]
    lines += [(logging.INFO, note) for note in _counted(report)]
    lines += [(logging.WARNING, notice) for notice in report.notices]
    if report.answers or report.shown:
        lines.append((logging.INFO, console.closing(report)))
    return tuple(lines)


def write_all(
    folder: Path, files: Mapping[str, str], *, what: str, where: str
) -> Iterator[CitedError]:
    """Write files into a folder, unless they are there already, so that watched folders stay quiet; what is wrong with
    those that cannot be written."""
    for name, text in files.items():
        try:
            write_atomically(
                inside(folder, name, what=what, where=where),
                text.encode("utf-8", "replace"),
            )
        except CitedError as error:
            yield error


def _failure(report: Report) -> str:
    """Why a build fails: errors, and under `--strict` warnings too. MkDocs counts what its log shows, and with `-q` it
    shows no warning."""
    errors = report.count(Severity.ERROR)
    warnings = 0
    if report.strict:
        warnings = report.count(Severity.WARNING) + len(report.notices)
    counts = [(errors, "error"), (warnings, "warning")]
    said = " and ".join(
        f"{count} {name}{'s' * (count != 1)}" for count, name in counts if count
    )
    if said:
        return f"cited: {said} in the answers of this site (listed above)"
    return ""


def _written(reports: Sequence[Report], formats: Mapping[str, str]) -> dict[str, str]:
    """Path → text of each report that the option `reports` asks for (format → path), over all languages of a site."""
    if not reports:  # of a preview in which nothing could be answered
        return {}
    report = reduce(Report.joined, reports)
    return {
        path: reporters.get(name).render(report)
        for name, path in sorted(formats.items())
    }


def _counted(report: Report) -> Iterator[str]:
    """The line that counts what is for information only; none where there is nothing."""
    counts = Counter(
        finding.slug for finding in report.shown if finding.severity is Severity.INFO
    )
    if counts:
        notes = ", ".join(f"{count} × {slug}" for slug, count in sorted(counts.items()))
        yield f"for your information: {notes} (in full: `mkdocs-cited check`, or `mkdocs build -v`)"


def _merged(all_files: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Path → text. What one language has alone stays as it is; `cited.json` holds the answers of all."""
    together: dict[str, str] = {}
    for files in all_files:
        before = together.get(_DATA)
        together |= files
        if before and _DATA in files:
            first, second = (
                msgspec.json.decode(text, type=CitedJson)
                for text in (before, files[_DATA])
            )
            together[_DATA] = encoded(joined(first, second))
    return together
