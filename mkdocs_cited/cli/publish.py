"""`publish`: answers written into the pages of a built site."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mkdocs_cited.base.values import replace
from mkdocs_cited.cli.check import deliver
from mkdocs_cited.cli.group import FOUND, config_option, main, opened, site_option
from mkdocs_cited.cli.output import say, summary


@main.command()
@config_option
@site_option
@click.option("--strict", "-s", is_flag=True, help="Fail on warnings, too.")
def publish(config_file: Path | None, folder: Path | None, strict: bool) -> None:
    """Write the answers into the pages of a built site.

    Run it after each build. You can run it again. Nothing else in the pages changes. No model is asked, and no
    record is written.
    """
    from mkdocs_cited.mkdocs_host.publishing import publish as write
    from mkdocs_cited.mkdocs_host.site import BuiltSite

    if folder is None:
        raise click.UsageError("name the folder of the built site: `--site DIR`")
    site = opened(config_file, folder=folder)
    assert isinstance(site, BuiltSite)  # noqa: S101 -- a folder was named
    report, changed = write(site)
    report = replace(report, strict=strict)
    deliver(report, [("console", "-")])
    say(
        summary(("{} file{s} of the site changed", changed))
        or "nothing in the site changed"
    )
    if report.failed():
        sys.exit(FOUND)
