"""`check` and `explain`: what CI runs, and what its findings mean."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from mkdocs_cited import reporters
from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.cli.group import FOUND, loaded, main, site_options
from mkdocs_cited.cli.output import echo, emit_markdown, emit_report
from mkdocs_cited.findings import explanations, suppressions
from mkdocs_cited.reporters.console import Console, for_stream
from mkdocs_cited.reporters.github import GitHub
from mkdocs_cited.reporters.interface import Report
from mkdocs_cited.reporters.markdown import write_summary


@main.command()
@site_options
@click.option("--format", "formats", multiple=True, metavar="FORMAT", help="A report's format; several at once.")
@click.option(
    "--output", "outputs", multiple=True, metavar="FILE",
    help="Where each `--format` goes, in their order; `-` is standard output.",
)  # fmt: skip
@click.option("--strict", "-s", is_flag=True, help="Warnings fail too.")
@click.option("--shard", metavar="I/N", help="Check only the I-th of N parts of the answers, for a CI matrix.")
@click.option("--write-baseline", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write today's findings into FILE, for the option `baseline`, and pass.")  # fmt: skip
def check(
    config_file: Path | None,
    formats: tuple[str, ...],
    outputs: tuple[str, ...],
    strict: bool,
    shard: str | None,
    write_baseline: Path | None,
) -> None:
    """Check every answer, offline and read-only: what CI runs."""
    targets = _targets(formats, outputs)
    if shard and write_baseline:  # the other shards' findings would not be in it
        raise UsageError(
            f"a baseline holds the findings of all answers, and `--shard {shard}` checks a part of them",
            tip=f"run `mkdocs-cited check --write-baseline {write_baseline}` once, without `--shard`",
        )
    site = loaded(config_file)
    if shard:
        site.keep_shard(*_shard(shard))
    report = site.check()
    if write_baseline:
        suppressions.write_baseline(write_baseline, report.shown, report.suppressed)
        echo(f"{len(report.shown)} findings written; name {write_baseline} under the option `baseline`.")
        return
    deliver(report, targets)
    if report.failed(strict=strict):
        sys.exit(FOUND)


def deliver(report: Report, targets: list[tuple[str, str]]) -> None:
    """Write each report where it belongs; on GitHub, the summary of the step too."""
    for name, path in targets:
        if path == "-":
            reporter = for_stream(sys.stdout) if name == Console.id else reporters.get(name)
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
@click.argument("slug")
def explain(slug: str) -> None:
    """Say what a finding means, with an example, how to mend it and how to silence it."""
    emit_markdown(explanations.explain(slug))
