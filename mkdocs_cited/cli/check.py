"""`check` and `explain`: what CI runs, and what its findings mean."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click
from msgspec import Struct

from mkdocs_cited import reporters
from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.values import replace
from mkdocs_cited.cli.changes import stamps, touched, watched
from mkdocs_cited.cli.completion import format_names, slugs
from mkdocs_cited.cli.group import FOUND, config_option, json_option, main, site_option
from mkdocs_cited.cli.manner import manner
from mkdocs_cited.cli.naming import chosen, names_argument, unread_pages
from mkdocs_cited.cli.objects import Explained
from mkdocs_cited.cli.output import echo, emit_json, emit_markdown, emit_report, say, summary
from mkdocs_cited.cli.sites import checked, opened
from mkdocs_cited.findings import explanations, suppressions
from mkdocs_cited.model.finding import CATALOGUE
from mkdocs_cited.model.report import Report
from mkdocs_cited.settings import BASELINE

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site

PAUSE = 0.5
"""Seconds between two looks at the files."""


@main.command()
@names_argument()
@config_option
@site_option
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="FORMAT",
    shell_complete=format_names,
    help="A report's format; several at once.",
)
@click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Where each `--format` goes, in their order; `-` is standard output.",
)
@json_option
@click.option("--strict", "-s", is_flag=True, help="Warnings fail too.")
@click.option("--since", metavar="REV", help="Only answers that rest on a file which changed since this commit.")
@click.option("--fail-fast", "-x", is_flag=True, help="Stop after the first page with an answer that fails.")
@click.option("--watch", is_flag=True, help="Check again whenever a file of the project changes, until Ctrl-C.")
@click.option("--shard", metavar="I/N", help="Check only the I-th of N parts of the answers, for a CI matrix.")
@click.option("--write-baseline", is_flag=True, help=f"Write today's findings into {BASELINE}, and pass.")
def check(
    names: tuple[str, ...],
    config_file: Path | None,
    folder: Path | None,
    formats: tuple[str, ...],
    outputs: tuple[str, ...],
    as_json: bool,
    strict: bool,
    since: str | None,
    fail_fast: bool,
    watch: bool,
    shard: str | None,
    write_baseline: bool,
) -> None:
    """Check every answer, offline and read-only: what CI runs.

    NAMES are pages, keys, ids or globs: only what is wrong with these answers and on these pages is told, and counts.
    """
    targets = _targets((*formats, "json") if as_json else formats, outputs)
    part = Part(names, since or "", _shard(shard) if shard else None, fail_fast, strict)
    if write_baseline and part != Part(strict=strict):  # the other findings would not be in it
        raise UsageError(
            "a baseline holds the findings of all answers, and a part of them is checked",
            tip="run `mkdocs-cited check --write-baseline` once, by itself",
        )
    if watch:
        _watch(config_file, part, targets)
    site = opened(config_file, folder=folder)
    report = replace(part.of(site), strict=strict)
    if write_baseline:
        suppressions.write_baseline(site.root / BASELINE, report.shown, report.suppressed)
        counted = summary(("{} finding{s} in it", len(report.shown) + len(report.suppressed))) or "no finding in it"
        say(f"wrote {BASELINE}, {counted}", following=f"commit {BASELINE}")
        return
    deliver(report, targets)
    if report.failed():
        sys.exit(FOUND)


class Part(Struct, frozen=True):
    """What of a site is checked."""

    names: tuple[str, ...] = ()
    since: str = ""
    """A commit; empty for whatever changed."""
    shard: tuple[int, int] | None = None
    fail_fast: bool = False
    strict: bool = False

    def of(self, site: Site) -> Report:
        """What is wrong with this part of a site."""
        if self.shard:
            site.keep_shard(*self.shard)
        everything = site.declarations
        keys = set(chosen(site, self.names, with_faults=True))
        if self.names:
            site.keep_only(keys)
        report = self._until_one_fails(site) if self.fail_fast else checked(site)
        if self.names:
            files = {item.place.file for item in everything if item.key in keys}
            files.update(item.place.file for item in unread_pages(site, self.names))
            report = _only(report, keys, files)
        return _only(report, *touched(site, report, self.since)) if self.since else report

    def _until_one_fails(self, site: Site) -> Report:
        pages = dict.fromkeys(item.page for item in site.declarations)
        declared, report = site.declarations, Report()
        for page in pages:
            site.build.declarations = [item for item in declared if item.page == page]
            found = checked(site)
            report = found if report == Report() else report.joined(found)
            if report.failed(strict=self.strict):
                return report
        return report if pages else checked(site)


def _only(report: Report, keys: Collection[str], files: Collection[str]) -> Report:
    """What a report says of these answers, and of these files where it speaks of no answer."""
    return replace(
        report,
        shown=tuple(item for item in report.shown if (item.answer or "") in keys or item.place.file in files),
        answers=tuple(item for item in report.answers if item.key in keys),
    )


def _watch(config_file: Path | None, part: Part, targets: list[tuple[str, str]]) -> NoReturn:
    """Check, and check again whenever a file changes; what is wrong with the options is told, and waited out."""
    known: Sequence[Path] = ()
    while True:
        before = stamps(known)
        try:
            site = opened(config_file, fresh=True)  # with hooks and theme, to know which files to watch
            known = watched(site)
            before = before or stamps(known)
            deliver(replace(part.of(site), strict=part.strict), targets)
        except CitedError as error:
            echo(f"mkdocs-cited: {error}", err=True)
            known = known or [Path(config_file or "mkdocs.yml")]
            before = before or stamps(known)
        say("waiting for changes; Ctrl-C ends")
        sys.stdout.flush()
        while stamps(known) == before:
            time.sleep(PAUSE)


def deliver(report: Report, targets: list[tuple[str, str]]) -> None:
    """Write each report where it belongs; on GitHub, the summary of the step too."""
    from mkdocs_cited.reporters.console import Console, for_stream
    from mkdocs_cited.reporters.github import GitHub
    from mkdocs_cited.reporters.markdown import write_summary

    for name, path in targets:
        if path == "-":
            console = name == Console.id
            reporter = for_stream(sys.stdout, color=manner().color) if console else reporters.get(name)
            if report.shown or not (console and manner().quiet):
                emit_report(reporter.render(report))
        else:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_text(reporters.get(name).render(report), encoding="utf-8", newline="\n")
        if name == GitHub.id:
            write_summary(report, os.environ)


def _targets(formats: tuple[str, ...], outputs: tuple[str, ...]) -> list[tuple[str, str]]:
    """(format, file) pairs; one format may go to standard output."""
    names = formats or ("console",)
    for name in names:
        reporters.get(name)
    if len(outputs) > len(names):
        raise UsageError("there are more --output than --format", tip="give each --output a --format before it")
    files = [*outputs, *["-"] * (len(names) - len(outputs))]
    if files.count("-") > 1:
        raise UsageError("two formats cannot share standard output", tip="give each --format an --output FILE")
    return list(zip(names, files, strict=True))


def _shard(text: str) -> tuple[int, int]:
    part, _, whole = text.partition("/")
    if not (part.isdigit() and whole.isdigit() and 1 <= int(part) <= int(whole)):
        raise UsageError(f"`--shard {text}` is not a part of a whole", tip="write `--shard 1/4` … `--shard 4/4`")
    return int(part), int(whole)


@main.command()
@click.argument("slug", shell_complete=slugs)
@json_option
def explain(slug: str, as_json: bool) -> None:
    """Say what a finding means, with an example, how to mend it and how to silence it."""
    text = explanations.explain(slug)
    if as_json:
        kind = CATALOGUE[slug]
        found = Explained(slug=slug, severity=kind.severity.value, summary=kind.summary, explanation=text)
        emit_json(found)
        return
    emit_markdown(text)
