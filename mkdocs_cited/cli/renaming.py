"""`rename`: another id for an answer, everywhere at once: front matter, marker, record with its decisions."""

from __future__ import annotations

from pathlib import Path

import click

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.cli.completion import answer_names
from mkdocs_cited.cli.group import config_option, json_option, main
from mkdocs_cited.cli.naming import chosen
from mkdocs_cited.cli.objects import Renamed
from mkdocs_cited.cli.output import emit_json, say
from mkdocs_cited.cli.sites import opened
from mkdocs_cited.declarations import renamed
from mkdocs_cited.settings import BASELINE


@main.command()
@click.argument("old", shell_complete=answer_names)
@click.argument("new")
@config_option
@json_option
def rename(old: str, new: str, config_file: Path | None, as_json: bool) -> None:
    """Give an answer another id, in its page and in its record, which keeps every decision.

    Front matter and marker are edited. OLD is a key or id, NEW an id.
    """
    site = opened(config_file)
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
    settings = Path(site.config.config_file_path)
    others = (settings, site.root / BASELINE)
    left = [
        file.name for file in others if file.is_file() and keys[0] in file.read_text(encoding="utf-8", errors="replace")
    ]
    if as_json:
        emit_json([Renamed(old=keys[0], new=f"{page}#{new}", record=moved, still_named_in=left)])
        return
    say(f"{keys[0]} is {page}#{new} now" + ("; its record has moved with it" if moved else ""))
    for file in left:
        say(f"{file} still names {keys[0]}", following="change it there, too")
