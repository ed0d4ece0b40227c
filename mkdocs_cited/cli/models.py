"""`models`: the optional models on this machine. `get` is the one command that fetches something."""

from __future__ import annotations

from collections.abc import Iterator

import click

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.cli.completion import model_names
from mkdocs_cited.cli.group import json_option, main
from mkdocs_cited.cli.objects import Fetched, Model
from mkdocs_cited.cli.output import echo, emit_json, table
from mkdocs_cited.local_models import store
from mkdocs_cited.local_models.layout import read_layout


@main.group()
def models() -> None:
    """Optional models that run on this machine (`pip install "mkdocs-cited[local]"`)."""


@models.command("list")
@json_option
def list_(as_json: bool) -> None:
    """Show the models that are here and those that are recommended."""
    rows = list(_known())
    if as_json:
        emit_json(rows)
        return
    table(
        ("name", "here", "MB", "licence", "languages", "wrong"),
        [
            (row["name"], "yes" if row["here"] else "", str(row["megabytes"] or ""), row["licence"], row["languages"],
             row["wrong"])
            for row in rows
        ],
    )  # fmt: skip
    echo(f"\nThey are stored in {store.home()}, a folder each. `mkdocs-cited models get NAME` fetches one.")


def _known() -> Iterator[Model]:
    """Every model, those on this machine first."""
    here = dict(store.installed())
    for name in (*here, *(name for name in store.recommended() if name not in here)):
        entry, folder = store.recommended().get(name), here.get(name)
        wrong = ""
        if folder:
            try:
                read_layout(folder)
            except CitedError as error:
                wrong = error.message
        yield Model(
            name=name, here=folder is not None, folder=str(folder or ""), wrong=wrong,
            megabytes=entry.megabytes if entry else 0, licence=entry.licence if entry else "",
            languages=entry.languages if entry else "", repository=entry.repository if entry else "",
            revision=entry.revision if entry else "", published=entry.published if entry else "",
            measured=entry.measured if entry else "",
        )  # fmt: skip


@models.command()
@click.argument("name", shell_complete=model_names)
@json_option
def get(name: str, as_json: bool) -> None:
    """Fetch a model: a recommended one by NAME, or ORGANISATION/NAME@REVISION of the hub.

    Every file is compared with the hash that the hub lists for that revision, and the recommended models' networks with
    the hash that this project pins. HF_ENDPOINT names a mirror.
    """
    from mkdocs_cited.local_models.fetch import fetch

    folder = fetch(name, lambda line: echo(line, err=True))
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    size = sum(path.stat().st_size for path in files)
    if as_json:
        names = [path.relative_to(folder).as_posix() for path in files]
        emit_json(Fetched(name=folder.name, folder=str(folder), files=names, bytes=size))
        return
    echo(f"{folder.name}: {len(files)} files, {size / 1e6:.0f} MB, in {folder}")
    echo(f"  → write `local: {{encoder: {folder.name}}}` into the options", err=True)
