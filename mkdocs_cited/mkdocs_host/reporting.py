"""What is done with a finished report: its places made whole, its findings logged, its texts delivered.

How it is written down is the reporters' business; where the texts go, the build's and the command line's.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from pathlib import Path

from mkdocs_cited import reporters
from mkdocs_cited.base.values import replace
from mkdocs_cited.mkdocs_host.outcome import Entry
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.reporters.console import Console
from mkdocs_cited.reporters.layout import Layout
from mkdocs_cited.sources.locate import Locator, with_places

Log = logging.Logger | logging.LoggerAdapter[logging.Logger]

LEVELS = {Severity.ERROR: logging.ERROR, Severity.WARNING: logging.WARNING}
"""MkDocs counts what is logged as a warning or above, and fails under `--strict`; `-q` shows errors only."""
MARGIN = 14
"""Cells that MkDocs puts before each line of a log."""


def situated(report: Report, corpus: Corpus, root: Path) -> Report:
    """The report with whole places: of the claims, and of the passages that its findings name.

    Args:
        report: what one run has to say.
        corpus: the passages of the site.
        root: folder of the configuration file, to which places are relative.
    """
    return replace(report, shown=with_places(report.shown, corpus, Locator(root)))


def entries(report: Report) -> tuple[Entry, ...]:
    """What the build's log says: each finding at the level of its severity, then the notices and the totals.

    What is for information only says the same on every build: it is counted in one line, and told in full with `-v`.
    """
    width = shutil.get_terminal_size((100 + MARGIN, 24)).columns - MARGIN
    console = Console(Layout(width=max(40, min(width, 100))))
    lines = [Entry(LEVELS.get(f.severity, logging.DEBUG), console.entry(f), _fields(f)) for f in report.shown]
    lines += [Entry(logging.INFO, note) for note in _counted(report)]
    lines += [Entry(logging.WARNING, notice) for notice in report.notices]
    if report.answers or report.shown:
        lines.append(Entry(logging.INFO, console.closing(report)))
    return tuple(lines)


def written(reports: Iterable[Report], formats: Mapping[str, str]) -> dict[str, str]:
    """Path → text of each report that the option `reports` asks for (format → path), over all languages of a site."""
    report = reduce(Report.joined, reports)
    return {path: reporters.get(name).render(report) for name, path in sorted(formats.items())}


@contextmanager
def timed(log: Log, stage: str) -> Iterator[None]:
    """Log how many seconds a stage took, for those who build with `-v`."""
    start = time.perf_counter()
    yield
    log.debug("%s took %.2f s", stage, time.perf_counter() - start)


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
