"""`diff` and `prune`: the records beside their declarations. What people decide about them stands in `deciding`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mkdocs_cited.cli.group import FOUND, loaded, main, site_options
from mkdocs_cited.cli.naming import chosen
from mkdocs_cited.cli.output import echo, prose_diff, say
from mkdocs_cited.cli.waiting import proposal_of


@main.command()
@click.argument("names", nargs=-1)
@site_options
def diff(names: tuple[str, ...], config_file: Path | None) -> None:
    """Show how waiting proposals differ from what stands, as prose."""
    site = loaded(config_file)
    waiting = [item for item in (proposal_of(site, key) for key in chosen(site, names)) if item]
    for item in waiting:
        say(item.key)
        echo(prose_diff(item.stands, item.proposal.content))
    if not waiting:
        say("No proposal waits.")
    sys.exit(FOUND if waiting else 0)


@main.command()
@site_options
@click.option("--dry-run", is_flag=True, help="Name them, delete nothing.")
def prune(config_file: Path | None, dry_run: bool) -> None:
    """Delete records and proposals whose declaration is gone."""
    site = loaded(config_file)
    for key in site.store.orphan_keys(site.standing_keys()):
        if not dry_run:
            site.store.remove(key)
        say(f"{key}: {'would be deleted' if dry_run else 'deleted'}")
