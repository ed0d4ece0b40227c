"""`rename`: another id for an answer, everywhere at once: front matter, marker, record with its decisions. Or another
page: its records follow it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.cli.completion import declaring_pages, recorded_names
from mkdocs_cited.cli.group import FOUND, config_option, json_option, main
from mkdocs_cited.cli.naming import chosen, docs_of, plain_name, unread_pages
from mkdocs_cited.cli.objects import Renamed
from mkdocs_cited.cli.output import echo, emit_json, say, summary
from mkdocs_cited.cli.sites import opened
from mkdocs_cited.declarations.editing import renamed
from mkdocs_cited.settings import BASELINE

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site


@main.command()
@click.argument("old", shell_complete=recorded_names)
@click.argument("new", shell_complete=declaring_pages)
@config_option
@json_option
def rename(old: str, new: str, config_file: Path | None, as_json: bool) -> None:
    """Give an answer another id, or tell of a page that has moved: records keep every decision.

    Where OLD is a key or id and NEW an id, front matter and marker are edited, too. Where both are pages, the page has
    been moved already, as by `git mv`: its records and proposals follow it, and none is written over another.
    """
    site = opened(config_file)
    if "." in new:  # which no id has, and every page
        _rename_page(site, plain_name(site, old), plain_name(site, new), as_json=as_json)
        return
    keys = chosen(site, (old,))
    if len(keys) > 1:
        raise UsageError(f"`{old}` names {len(keys)} answers", tip=f"name one by its key: `{keys[0]}`")
    page, _, name = keys[0].rpartition("#")
    if page == site.settings.questions:
        raise UsageError(f"{page} is yours to edit", tip=f"change the id there, and `mkdocs-cited prune` {keys[0]}")
    path = Path(site.config.docs_dir) / page
    data = renamed(page, path.read_bytes(), name, new)
    moved = site.store.move(keys[0], f"{page}#{new}")  # first: it refuses to write over another record
    write_atomically(path, data)
    left = _still_naming(site, keys[0])
    if as_json:
        emit_json([Renamed(old=keys[0], new=f"{page}#{new}", record=moved, still_named_in=left)])
        return
    say(f"{keys[0]} is {page}#{new} now" + ("; its record has moved with it" if moved else ""))
    for file in left:
        say(f"{file} still names {keys[0]}", following="change it there, too")


def _rename_page(site: Site, old: str, new: str, *, as_json: bool) -> None:
    """Let the records of one page follow it to another, those that the other declares."""
    if unread := unread_pages(site, [new]):
        raise UsageError(f"{unread[0].place}: {unread[0].message}", tip=unread[0].tip)
    declared = {key for key in site.keys if key.rpartition("#")[0] == new}
    if not declared:
        raise UsageError(f"no answer is declared on {new}", tip=_undeclared_tip(site, old, new))
    orphans = site.store.orphan_keys(site.standing_keys())
    names = {key: f"{new}#{key.rpartition('#')[2]}" for key in orphans if key.rpartition("#")[0] == old}
    moving = {key: name for key, name in names.items() if name in declared}
    if not moving:
        raise _nothing_to_move(orphans, old, new, left=len(names))
    rows, faults = [], []
    for key, name in moving.items():
        try:
            moved = site.store.move(key, name)
        except CitedError as error:
            moved = False
            faults.append(error)
        rows.append(Renamed(old=key, new=name, record=moved, still_named_in=_still_naming(site, key)))
    if as_json:
        emit_json(rows)
    else:
        done = [row for row in rows if row["record"]]
        for row in done:
            echo(f"{row['old']} is {row['new']} now")
        for fault in faults:
            say(fault.message, following=fault.tip)
        gone = len(names) - len(moving)
        counted = summary(("moved {} record{s}", len(done)), ("left {} that the page does not declare", gone))
        say(counted, following=f"commit {site.settings.records_dir}/" if done else "")
        for row in rows:
            for file in row["still_named_in"]:
                say(f"{file} still names {row['old']}", following="change it there, too")
    sys.exit(FOUND if faults else 0)


def _undeclared_tip(site: Site, old: str, new: str) -> str:
    """What to do about a page that declares nothing."""
    docs = Path(site.config.docs_dir)
    if (docs / old).is_file() and not (docs / new).exists():
        return f"move the page first: `{shlex.join(('git', 'mv', docs_of(site) + old, docs_of(site) + new))}`"
    pages = dict.fromkeys(key.rpartition("#")[0] for key in site.keys)
    return did_you_mean(new, pages) if pages else "no page declares any"


def _nothing_to_move(orphans: list[str], old: str, new: str, *, left: int) -> UsageError:
    """Why no record can follow a page."""
    if left:
        tip = "declare them there by their ids, or delete them: `mkdocs-cited prune`"
        return UsageError(f"{new} declares none of the {left} that {old} had", tip=tip)
    pages = dict.fromkeys(key.rpartition("#")[0] for key in orphans)
    tip = did_you_mean(old, pages) if pages else "every record belongs to a question that its page declares"
    return UsageError(f"no record of {old} is without its question", tip=tip)


def _still_naming(site: Site, key: str) -> list[str]:
    """Files beside the pages that name an answer."""
    files = (Path(site.config.config_file_path), site.root / BASELINE)
    return [file.name for file in files if file.is_file() and key in file.read_text(encoding="utf-8", errors="replace")]
