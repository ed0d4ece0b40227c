"""`prune` and `rename`: records follow their questions, or go with them. What people decide is in `review`."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.cli.group import (
    FOUND,
    Where,
    config_option,
    docs_of,
    main,
    opened,
    plain_name,
    site_options,
    unread_pages,
)
from mkdocs_cited.cli.output import command, echo, say, summary
from mkdocs_cited.settings import BASELINE

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site


@main.command()
@site_options
@click.option("--dry-run", is_flag=True, help="Name them, delete nothing.")
@click.option("--moved", is_flag=True, help="Delete those, too, whose question another page declares today.")
def prune(where: Where, dry_run: bool, moved: bool) -> None:
    """Delete records and proposals whose declaration is gone.

    Those whose page seems to have moved, or whose id is written in another case now, stay, and the command that lets
    them follow is named.
    """
    site = where()
    declared = site.standing_keys()
    orphans, moved_to = site.store.orphan_keys(declared), site.store.moved(declared)
    keys = [key for key in orphans if moved or key not in moved_to]
    for key in keys:
        echo(key)
        if not dry_run:
            site.store.remove(key)
    counted = summary((f"{'would delete' if dry_run else 'deleted'} {{}}", len(keys)))
    following = f"commit {site.settings.records_dir}/" if keys and not dry_run else ""
    if keys or not orphans:
        say(counted or "no record is without its question", following=following)
    moves = Counter(moved_to[key] for key in orphans if key not in keys)
    for (old, new), number in sorted(moves.items()):
        say(
            f"left {number} of {old}: {new} declares the same today",
            following=f"{command('rename', old, new)}; to delete them all the same: prune --moved",
        )


@main.command()
@click.argument("old")
@click.argument("new")
@config_option
def rename(old: str, new: str, config_file: Path | None) -> None:
    """Let records follow an answer or a page that has another name now, with every decision.

    OLD and NEW are keys of an answer whose id was changed in its page (`faq.md#limits faq.md#quotas`), or two pages of
    which one has become the other, as by `git mv`: records and proposals follow, and none is written over another.
    """
    site = opened(config_file)
    page, _, name = new.rpartition("#")
    if page:
        _rename_declared(site, plain_name(site, old), f"{plain_name(site, page)}#{name}")
    else:
        _rename_page(site, plain_name(site, old), plain_name(site, new))


def _rename_declared(site: Site, old: str, new: str) -> None:
    """Let the record of a question that has been moved by hand follow it.

    Raises:
        UsageError: the new key is not declared, or there is no record without its question under the old one.
    """
    if new not in site.keys:
        raise UsageError(f"no answer {new} is declared", tip="write the new id into its page and its marker first")
    if old not in site.store.orphan_keys(site.standing_keys()):
        raise UsageError(f"no record of {old} is without its question", tip=f"{new} is declared: nothing is to be done")
    site.store.move(old, new)
    say(f"{old} is {new} now", following=f"commit {site.settings.records_dir}/")
    _say_where_named(site, old)


def _rename_page(site: Site, old: str, new: str) -> None:
    """Let the records of one page follow it to another, those that the other declares."""
    if unread := unread_pages(site, [new]):
        raise UsageError(f"{unread[0].place}: {unread[0].message}", tip=unread[0].tip)
    declared = {key for key in site.keys if key.rpartition("#")[0] == new}
    if not declared:
        raise UsageError(f"no answer is declared on {new}", tip=_undeclared_tip(site, old, new))
    orphans = site.store.orphan_keys(site.standing_keys())
    names = {key: f"{new}#{key.rpartition('#')[2]}" for key in orphans if key.rpartition("#")[0] == old}
    moving = {key: name for key, name in names.items() if name in declared}
    if not names:
        pages = {key.rpartition("#")[0] for key in orphans}
        tip = did_you_mean(old, pages) if pages else "every record belongs to a question that its page declares"
        raise UsageError(f"no record of {old} is without its question", tip=tip)
    if not moving:
        tip = "declare them there by their ids, or delete them: `mkdocs-cited prune`"
        raise UsageError(f"{new} declares none of the {len(names)} that {old} had", tip=tip)
    done, faults = 0, []
    for key, name in moving.items():
        try:
            site.store.move(key, name)
        except CitedError as error:
            faults.append(error)
        else:
            done += 1
            echo(f"{key} is {name} now")
    for fault in faults:
        say(fault.message, following=fault.tip)
    gone = len(names) - len(moving)
    counted = summary(("moved {} record{s}", done), ("left {} that the page does not declare", gone))
    say(counted, following=f"commit {site.settings.records_dir}/" if done else "")
    for key in moving:
        _say_where_named(site, key)
    sys.exit(FOUND if faults else 0)


def _undeclared_tip(site: Site, old: str, new: str) -> str:
    """What to do about a page that declares nothing."""
    docs = Path(site.config.docs_dir)
    if (docs / old).is_file() and not (docs / new).exists():
        return f"move the page first: `{shlex.join(('git', 'mv', docs_of(site) + old, docs_of(site) + new))}`"
    pages = {key.rpartition("#")[0] for key in site.keys}
    return did_you_mean(new, pages) if pages else "no page declares any"


def _say_where_named(site: Site, key: str) -> None:
    """Name the files other than pages that name an answer by its old key."""
    for file in (Path(site.config.config_file_path), site.root / BASELINE):
        if file.is_file() and key in file.read_text(encoding="utf-8", errors="replace"):
            say(f"{file.name} still names {key}", following="change it there, too")
