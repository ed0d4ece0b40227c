"""`diff` and `prune`: the records beside their declarations. What people decide about them stands in `deciding`."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
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
@click.option("--moved", is_flag=True, help="Delete those, too, whose question another page declares today.")
@json_option
def prune(
    config_file: Path | None, folder: Path | None, cache: bool, dry_run: bool, moved: bool, as_json: bool
) -> None:
    """Delete records and proposals whose declaration is gone.

    Those that belong to a page which seems to have moved stay, and the command that keeps them is named.
    """
    if cache:
        _empty_cache(config_file, dry_run=dry_run, as_json=as_json)
        return
    site = opened(config_file, folder=folder)
    standing = site.standing_keys()
    orphans, moved_to = site.store.orphan_keys(standing), site.store.moved_pages(standing)
    keys = [key for key in orphans if moved or key not in moved_to]
    for key in () if dry_run else keys:
        site.store.remove(key)
    if as_json:
        deleted = () if dry_run else keys
        emit_json([Orphan(key=key, deleted=key in deleted, moved_to=moved_to.get(key, "")) for key in orphans])
        return
    for key in keys:
        echo(key)
    counted = summary((f"{'would delete' if dry_run else 'deleted'} {{}}", len(keys)))
    following = f"commit {site.settings.records_dir}/" if keys and not dry_run else ""
    if keys or not orphans:
        say(counted or "no record is without its question", following=following)
    kept = Counter((key.rpartition("#")[0], moved_to[key]) for key in orphans if key not in keys)
    for (old, new), number in sorted(kept.items()):
        command = shlex.join(("mkdocs-cited", "rename", old, new))
        say(
            f"kept {number} of {old}: {new} declares the same today",
            following=f"{command}; to delete them all the same: prune --moved",
        )


def _empty_cache(config_file: Path | None, *, dry_run: bool, as_json: bool) -> None:
    """Delete what builds and commands keep; batches stay, since they are paid for."""
    from mkdocs_cited.mkdocs_host.stored import emptied

    deleted = emptied((config_file or Path("mkdocs.yml")).resolve().parent, dry_run=dry_run)
    if as_json:
        emit_json([Forgotten(file=name, bytes=size, deleted=not dry_run) for name, size in deleted])
        return
    for name, size in deleted:
        echo(f"{name}  {size / 1e6:.1f} MB")
    words = "would delete" if dry_run else "deleted"
    say(f"{words} {sum(size for _, size in deleted) / 1e6:.1f} MB" if deleted else "the cache is empty")
