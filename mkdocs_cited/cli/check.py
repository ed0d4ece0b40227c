"""`check`, `publish` and `explain`: what CI runs, and what its findings mean."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from mkdocs_cited import findings, reporters
from mkdocs_cited.base.errors import CitedError, UsageError, command
from mkdocs_cited.cli.changes import Changes, narrowed
from mkdocs_cited.cli.group import (
    FOUND,
    Where,
    checked,
    chosen,
    config_option,
    files_named,
    main,
    report_options,
    site_option,
    site_options,
    unread_pages,
)
from mkdocs_cited.cli.output import echo, emit_report, progress, say
from mkdocs_cited.model import finding
from mkdocs_cited.model.options import BASELINE
from mkdocs_cited.model.report import Report
from mkdocs_cited.reporters.console import for_stream
from mkdocs_cited.reporters.interface import summary

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site

Targets = Sequence[tuple[str, str]]
"""Formats of reports, each with its file; `-` is standard output."""


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

    Run this in CI. It writes the reports that you ask for, its cache, and nothing else.

    NAMES are pages or other files, keys, ids or globs. With names, only their findings are reported.
    """
    targets = report_targets(formats, outputs, as_json)
    if write_baseline and (names or since):  # the other findings would not be in it
        raise UsageError(
            "a baseline needs the findings of all answers",
            tip=f"run `{command('check', '--write-baseline')}` without names and `--since`",
        )
    site = where()
    report = replace(report_on(site, names, since or ""), strict=strict)
    if write_baseline:
        path = site.root / BASELINE
        findings.write_baseline(path, report.shown, report.suppressed)
        written = len(findings.read_baseline(path, BASELINE))
        counted = summary(("{} finding{s} in it", written)) or "no finding in it"
        say(f"wrote {BASELINE}, {counted}", following=f"commit {BASELINE}")
        return
    deliver(report, targets)
    if report.failed():
        sys.exit(FOUND)


def report_on(site: Site, names: Sequence[str], since: str) -> Report:
    """What is wrong with the answers and pages of these names, by default with all; with a commit, only with what
    depends on a file that has changed since."""
    keys = set(chosen(site, names, with_files=True))
    unread = unread_pages(site, names)
    if names:
        site.keep_only(keys)
    report = checked(site)
    if names:
        files = {item.place.file for item in site.declarations}
        files.update(item.place.file for item in unread)
        for name in names:
            files |= files_named(site, name)
        shown = [
            item
            for item in report.shown
            if item.answer in keys or item.place.file in files
        ]
        report = replace(report, shown=tuple(shown))
    if since:
        return narrowed(report, site, Changes.since(since, site.root))
    return report


def deliver(report: Report, targets: Targets = (("console", "-"),)) -> None:
    """Write each report where it belongs; on GitHub, the summary of the step too."""
    from mkdocs_cited.reporters.forges import write_summary

    for name, path in targets:
        reporter = reporters.get(name)
        if name == "console" and path == "-":
            reporter = for_stream(sys.stdout)
        text = reporter.render(report)
        if path == "-":
            emit_report(text)
        else:
            file = Path(path)
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8", newline="\n")
            except OSError as error:
                message = f"{file}: the report cannot be written: {error.strerror}"
                tip = "name a place that can be written: `--output FILE`"
                raise CitedError(message, tip=tip) from error
        if name == "github":
            write_summary(report, os.environ)


def report_targets(
    formats: tuple[str, ...], outputs: tuple[str, ...], as_json: bool
) -> Targets:
    """(format, file) pairs; one format may go to standard output."""
    names = [*formats]
    if as_json:
        names.append("json")
    names = names or ["console"]
    for name in names:
        reporters.get(name)
    if len(outputs) > len(names):
        raise UsageError(
            "there are more --output than --format",
            tip="give each --output a --format before it",
        )
    pairs = list(zip_longest(names, outputs, fillvalue="-"))
    if [file for _, file in pairs].count("-") > 1:
        raise UsageError(
            "two formats cannot share standard output",
            tip="give each --format an --output FILE",
        )
    return pairs


@main.command()
@config_option
@site_option
@click.option("--strict", "-s", is_flag=True, help="Fail on warnings, too.")
def publish(config_file: Path | None, folder: Path | None, strict: bool) -> None:
    """Write the answers into the pages of a built site.

    Run it after each build. You can run it again. Nothing else in the pages changes. No model is asked, and no
    record is written.
    """
    from mkdocs_cited.mkdocs_host import built

    with progress("reading the pages"):
        report, changed = built.publish(built.from_folder(config_file, folder))
    report = replace(report, strict=strict)
    deliver(report)
    counted = summary(("{} file{s} of the site changed", changed))
    say(counted or "nothing in the site changed")
    if report.failed():
        sys.exit(FOUND)


@main.command()
@click.argument("slug")
def explain(slug: str) -> None:
    """Explain a finding, and how to fix or silence it."""
    echo(finding.explain(slug).rstrip("\n"))
