"""The end of a build, once every language is written: files for machines, reports, the log, and why the build fails.

How a finished report is written down is the reporters' business.
"""

from __future__ import annotations

import logging
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path

from mkdocs_cited import reporters as formats
from mkdocs_cited.base.errors import CitedError, command
from mkdocs_cited.base.files import inside, write_atomically
from mkdocs_cited.mkdocs_host import log
from mkdocs_cited.mkdocs_host.reading import as_one
from mkdocs_cited.mkdocs_host.site import Answered, Site
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.finding import Severity
from mkdocs_cited.model.report import Report
from mkdocs_cited.reporters.console import Console, Layout
from mkdocs_cited.reporters.interface import summary

LEVELS = {Severity.ERROR: logging.ERROR, Severity.WARNING: logging.WARNING}
"""MkDocs counts what is logged as a warning or above, and fails under `--strict`; `-q` shows errors only."""
MARGIN = 14
"""Cells that MkDocs puts before each line of a log."""


def finish(answered: Sequence[Answered], folder: Path, *, serving: bool) -> str:
    """Write what machines read, and log what was found; why the build fails, or nothing.

    Args:
        answered: the site, in each language whose answers could be made.
        folder: of the site.
        serving: whether it is a preview, which goes on.
    """
    if not answered:
        return ""
    site = answered[0].site
    report = reduce(Report.joined, [item.report for item in answered])
    files = _files(answered)
    reports = {}
    for name, path in sorted(site.settings.reports.items()):
        reports[path] = formats.get(name).render(report)
    faults = [
        *write_all(folder, files, what="a file of the site", where="the site"),
        *write_all(site.root, reports, what="reports", where="the project"),
    ]
    lines = [*entries(report), *((logging.ERROR, str(fault)) for fault in faults)]
    most = logging.WARNING if serving else logging.CRITICAL
    for level, text in lines:
        log.log(min(level, most), "%s", text)
    failures = [_failure(report)]
    if faults:
        failures.append("cited: not everything could be written (see above)")
    return "; ".join(filter(None, failures))


def _files(answered: Sequence[Answered]) -> Mapping[str, str]:
    """Path in the site → text of the files beside the pages: with the answers of every language, each once."""
    first = answered[0]
    if len(answered) == 1:
        return first.published.files
    answers: dict[str, Answer] = {}
    for item in answered:
        for answer in item.report.answers:
            answers.setdefault(answer.key, answer)
    contents = as_one([item.site.contents for item in answered])
    site = first.site
    whole = Site(contents, site.settings, loader=site.loader, serving=site.serving)
    return whole.publish(Report(answers=tuple(answers.values()))).files


def entries(report: Report) -> tuple[tuple[int, str], ...]:
    """The lines of the build's log, each after its level: findings, then the notices and the totals.

    What is for information only says the same on every build: it is counted in one line, and shown in full with `-v`.
    """
    width = shutil.get_terminal_size((100 + MARGIN, 24)).columns - MARGIN
    console = Console(Layout(width=max(40, min(width, 100))))
    lines = []
    counts = Counter[str]()
    for finding in report.shown:
        level = LEVELS.get(finding.severity, logging.DEBUG)
        lines.append((level, console.entry(finding)))
        if finding.severity is Severity.INFO:
            counts[finding.slug] += 1
    if counts:
        notes = ", ".join(f"{count} × {slug}" for slug, count in sorted(counts.items()))
        text = f"for your information: {notes} (in full: `{command('check')}`, or `mkdocs build -v`)"
        lines.append((logging.INFO, text))
    for notice in report.notices:
        lines.append((logging.WARNING, notice))
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
    warnings = 0
    if report.strict:
        warnings = report.count(Severity.WARNING) + len(report.notices)
    said = summary(
        ("{} error{s}", report.count(Severity.ERROR)), ("{} warning{s}", warnings)
    )
    if said:
        return f"cited: {said} in the answers of this site (listed above)"
    return ""
