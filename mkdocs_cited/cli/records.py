"""`diff` and `prune`: the records beside their declarations. What people decide about them stands in `deciding`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mkdocs_cited.cli.group import FOUND, config_option, json_option, main, site_option
from mkdocs_cited.cli.naming import chosen, names_argument
from mkdocs_cited.cli.objects import Forgotten, Orphan, Proposed
from mkdocs_cited.cli.output import echo, emit_json, prose_diff, say, summary
from mkdocs_cited.cli.sites import opened


@main.command()
@names_argument()
@config_option
@site_option
@json_option
def diff(names: tuple[str, ...], config_file: Path | None, folder: Path | None, as_json: bool) -> None:
    """Show how waiting proposals differ from what stands, as prose."""
    from mkdocs_cited.cli.waiting import proposal_of

    site = opened(config_file, folder=folder)
    waiting = [item for item in (proposal_of(site, key) for key in chosen(site, names)) if item]
    if as_json:
        emit_json([Proposed(key=item.key, stands=item.stands, proposed=item.proposal.content) for item in waiting])
        sys.exit(FOUND if waiting else 0)
    for item in waiting:
        echo(item.key)
        echo(prose_diff(item.stands, item.proposal.content))
    counted = summary(("{} proposal{s} wait{verb}", len(waiting)))
    say(counted or "no proposal waits", following="mkdocs-cited review" if waiting else "")
    sys.exit(FOUND if waiting else 0)


@main.command()
@config_option
@site_option
@click.option("--cache", is_flag=True, help="Empty the cache instead: the next build makes it anew.")
@click.option("--dry-run", is_flag=True, help="Name them, delete nothing.")
@json_option
def prune(config_file: Path | None, folder: Path | None, cache: bool, dry_run: bool, as_json: bool) -> None:
    """Delete records and proposals whose declaration is gone."""
    if cache:
        _empty_cache(config_file, dry_run=dry_run, as_json=as_json)
        return
    site = opened(config_file, folder=folder)
    keys = site.store.orphan_keys(site.standing_keys())
    for key in () if dry_run else keys:
        site.store.remove(key)
    if as_json:
        emit_json([Orphan(key=key, deleted=not dry_run) for key in keys])
        return
    for key in keys:
        echo(key)
    counted = summary((f"{'would delete' if dry_run else 'deleted'} {{}}", len(keys)))
    following = f"commit {site.settings.records_dir}/" if keys and not dry_run else ""
    say(counted or "no record is without its question", following=following)


def _empty_cache(config_file: Path | None, *, dry_run: bool, as_json: bool) -> None:
    """Delete what builds and commands keep; batches stay, since they are paid for."""
    from mkdocs_cited.mkdocs_host.cache_folder import emptied

    deleted = emptied((config_file or Path("mkdocs.yml")).resolve().parent, dry_run=dry_run)
    if as_json:
        emit_json([Forgotten(file=name, bytes=size, deleted=not dry_run) for name, size in deleted])
        return
    for name, size in deleted:
        echo(f"{name}  {size / 1e6:.1f} MB")
    words = "would delete" if dry_run else "deleted"
    say(f"{words} {sum(size for _, size in deleted) / 1e6:.1f} MB" if deleted else "the cache is empty")
