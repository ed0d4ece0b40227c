"""The end of a build, once every language is written: their files as one, reports, the log, and why the build fails.

How a finished report is written down is the reporters' business.
"""

from __future__ import annotations

import json
import logging
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from pathlib import Path
from typing import Any

from mkdocs_cited import reporters
from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import inside, write_atomically
from mkdocs_cited.mkdocs_host.answering import Answering
from mkdocs_cited.mkdocs_host.build import Build, as_one
from mkdocs_cited.mkdocs_host.logger import log
from mkdocs_cited.model.finding import Severity
from mkdocs_cited.model.report import Report
from mkdocs_cited.render.labels import Context
from mkdocs_cited.render.links import rooted
from mkdocs_cited.render.plain import ANSWERS, in_llms
from mkdocs_cited.render.report import report_page
from mkdocs_cited.reporters.console import Console, Layout

LEVELS = {Severity.ERROR: logging.ERROR, Severity.WARNING: logging.WARNING}
"""MkDocs counts what is logged as a warning or above, and fails under `--strict`; `-q` shows errors only."""
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
        files[path] = _report_of_all(build, reports)
    site = Path(build.config.site_dir)
    files |= _llms(build, site, files)
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


def _llms(build: Build, site: Path, files: Mapping[str, str]) -> dict[str, str]:
    """The answers added to what a plugin for language models wrote: it saw the pages before they had any."""
    if ANSWERS not in files:
        return {}
    site_url, entries_ = (
        rooted(build.config.site_url),
        json.loads(files["cited.json"])["answers"],
    )
    listings = (
        path
        for name in ("llms.txt", "llms-full.txt")
        if (path := site / name).is_file()
    )
    return {
        path.name: in_llms(
            path.name,
            path.read_text(encoding="utf-8"),
            files[ANSWERS],
            entries_,
            site_url=site_url,
        )
        for path in listings
    }


def _report_of_all(build: Build, reports: Sequence[Report]) -> str:
    """The report page over every language of a build, each of which has a report."""
    whole = as_one(build.languages)
    answers = {
        answer.key: answer for report in reversed(reports) for answer in report.answers
    }
    answering = Answering(whole)
    addresses = {page.src: page.url for page, _ in whole.shown_pages}
    return report_page(
        [answer for key, answer in answers.items() if key in whole.urls],
        Context(answering.links(), addresses, loader=build.loader),
        base=build.settings.render.report,
        site_name=build.config.site_name,
    )


def _merged(all_files: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Path → text. What one language has alone stays as it is; what all have holds the answers of all."""
    together: dict[str, str] = {}
    for files in all_files:
        for path, text in files.items():
            combine = _COMBINED.get(path)
            together[path] = (
                combine(together[path], text) if combine and path in together else text
            )
    return together


def _as_json(combine: Callable[[Any, Any], Any]) -> Callable[[str, str], str]:
    def combined(first: str, second: str) -> str:
        data = combine(json.loads(first), json.loads(second))
        concise = "\n" not in first.rstrip()
        layout: dict[str, Any] = (
            {"separators": (",", ":")} if concise else {"indent": 1}
        )
        return json.dumps(data, ensure_ascii=False, **layout) + "\n"

    return combined


def _with_answers(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """The data of one language with what another has besides."""
    usage = dict(first["usage"])
    for passage, uses in second["usage"].items():
        usage[passage] = [*usage.get(passage, ()), *uses]
    return {**first, "answers": [*first["answers"], *second["answers"]], "usage": usage}


_COMBINED: dict[str, Callable[[str, str], str]] = {
    "cited.json": _as_json(_with_answers),
    "cited.md": lambda first, second: "\n".join(filter(None, (first, second))),
}
"""Files with the answers of a whole site, and how two languages' become one."""
