"""`check` and `explain`: what CI runs, and what its findings mean."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mkdocs_cited import reporters
from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.values import replace
from mkdocs_cited.cli.changes import Changes, narrowed
from mkdocs_cited.cli.group import (
    FOUND,
    Where,
    checked,
    chosen,
    main,
    report_options,
    site_options,
    unread_pages,
)
from mkdocs_cited.cli.output import echo, emit_report, is_quiet, say, summary
from mkdocs_cited.findings import suppressions
from mkdocs_cited.model import finding
from mkdocs_cited.model.options import BASELINE
from mkdocs_cited.model.report import Report
from mkdocs_cited.reporters.console import Console, for_stream

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site


@main.command()
@click.argument("names", nargs=-1)
@site_options
@report_options
@click.option("--strict", "-s", is_flag=True, help="Fail on warnings, too.")
@click.option(
    "--since",
    metavar="REV",
    help="Only answers that depend on a file that has changed since this commit.",
)
@click.option(
    "--write-baseline",
    is_flag=True,
    help=f"Write today's findings into {BASELINE}, which silences them.",
)
def check(
    names: tuple[str, ...],
    where: Where,
    formats: tuple[str, ...],
    outputs: tuple[str, ...],
    as_json: bool,
    strict: bool,
    since: str | None,
    write_baseline: bool,
) -> None:
    """Check all answers and marks, offline.

    Run this in CI. It writes nothing but the reports that you ask for.

    NAMES are pages, keys, ids or globs. With names, only findings of these answers and pages are reported.
    """
    targets = report_targets((*formats, "json") if as_json else formats, outputs)
    if write_baseline and (names or since):  # the other findings would not be in it
        raise UsageError(
            "a baseline needs the findings of all answers",
            tip="run `mkdocs-cited check --write-baseline` without names and `--since`",
        )
    site = where()
    report = replace(report_on(site, names, since or ""), strict=strict)
    if write_baseline:
        suppressions.write_baseline(
            site.root / BASELINE, report.shown, report.suppressed
        )
        written = suppressions.read_baseline(site.root / BASELINE, BASELINE)
        counted = summary(("{} finding{s} in it", len(written))) or "no finding in it"
        say(f"wrote {BASELINE}, {counted}", following=f"commit {BASELINE}")
        return
    deliver(report, targets)
    if report.failed():
        sys.exit(FOUND)


def report_on(site: Site, names: Sequence[str], since: str) -> Report:
    """What is wrong with the answers and pages of these names, by default with all; with a commit, only with what
    depends on a file that has changed since."""
    everything = site.declarations
    keys = set(chosen(site, names, with_faults=True))
    if names:
        site.keep_only(keys)
    report = checked(site)
    if names:
        files = {item.place.file for item in everything if item.key in keys}
        files.update(item.place.file for item in unread_pages(site, names))
        report = _only(report, keys, files)
    if since:
        return narrowed(report, site, Changes.since(since, site.root))
    return report


def _only(report: Report, keys: Collection[str], files: Collection[str]) -> Report:
    """What a report says of these answers, and of these files where it speaks of no answer."""
    return replace(
        report,
        shown=tuple(
            item
            for item in report.shown
            if (item.answer or "") in keys or item.place.file in files
        ),
        answers=tuple(item for item in report.answers if item.key in keys),
    )


def deliver(report: Report, targets: list[tuple[str, str]]) -> None:
    """Write each report where it belongs; on GitHub, the summary of the step too."""
    from mkdocs_cited.reporters.forges import GitHub
    from mkdocs_cited.reporters.markdown import write_summary

    for name, path in targets:
        if path == "-":
            console = name == Console.id
            reporter = for_stream(sys.stdout) if console else reporters.get(name)
            if report.shown or not (console and is_quiet()):
                emit_report(reporter.render(report))
        else:
            try:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                Path(path).write_text(
                    reporters.get(name).render(report), encoding="utf-8", newline="\n"
                )
            except OSError as error:
                message = f"{path}: the report cannot be written: {error.strerror}"
                raise CitedError(
                    message, tip="name a file: `--output report.json`"
                ) from error
        if name == GitHub.id:
            write_summary(report, os.environ)


def report_targets(
    formats: tuple[str, ...], outputs: tuple[str, ...]
) -> list[tuple[str, str]]:
    """(format, file) pairs; one format may go to standard output."""
    names = formats or ("console",)
    for name in names:
        reporters.get(name)
    if len(outputs) > len(names):
        raise UsageError(
            "there are more --output than --format",
            tip="give each --output a --format before it",
        )
    files = [*outputs, *["-"] * (len(names) - len(outputs))]
    if files.count("-") > 1:
        raise UsageError(
            "two formats cannot share standard output",
            tip="give each --format an --output FILE",
        )
    return list(zip(names, files, strict=True))


@main.command()
@click.argument("slug")
def explain(slug: str) -> None:
    """Explain a finding, and how to fix or silence it."""
    echo(finding.explain(slug).rstrip("\n"))
