"""`models`: the optional models on this machine. `get` is the one command that fetches something."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.cli.completion import model_names
from mkdocs_cited.cli.group import FOUND, json_option, main
from mkdocs_cited.cli.objects import Fetched, Removed, Whole
from mkdocs_cited.cli.output import echo, emit_json, table
from mkdocs_cited.local_models import store
from mkdocs_cited.local_models.layout import read_layout
from mkdocs_cited.local_models.recommended import recommended


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
        ("name", "kind", "here", "MB", "licence", "languages"),
        [
            (row["name"], row["kind"], "yes" if row["here"] else "", str(row["megabytes"] or ""), row["licence"],
             row["languages"])
            for row in rows
        ],
    )  # fmt: skip
    echo(f"\nThey are kept in {store.home()}. `mkdocs-cited models get NAME` fetches one.")


def _known() -> Iterator[dict[str, Any]]:
    """Every model, those on this machine first."""
    here = dict(store.installed())
    for name in (*here, *(name for name in recommended() if name not in here)):
        entry, folder = recommended().get(name), here.get(name)
        kind: str = entry.kind if entry else ""
        if folder:
            try:
                kind = read_layout(folder).kind
            except CitedError as error:
                kind = f"damaged: {error.message}"
        yield {
            "name": name, "kind": kind, "here": folder is not None, "folder": str(folder or ""),
            "megabytes": entry.megabytes if entry else 0, "licence": entry.licence if entry else "",
            "languages": entry.languages if entry else "", "repository": entry.repository if entry else "",
            "revision": entry.revision if entry else "", "published": entry.published if entry else "",
            "measured": entry.measured if entry else "",
        }  # fmt: skip


@models.command()
@click.argument("name", shell_complete=model_names)
@click.option(
    "--from", "source", type=click.Path(file_okay=False, exists=True, path_type=Path), metavar="FOLDER",
    help="Copy it from a folder in place of the model hub.",
)  # fmt: skip
@json_option
def get(name: str, source: Path | None, as_json: bool) -> None:
    """Fetch a model: a recommended one by NAME, or ORGANISATION/NAME@REVISION of the hub.

    Every file is held to the hash that the hub lists for that revision, and the recommended models' networks to the
    hash that this project pins. HF_ENDPOINT names a mirror.
    """
    from mkdocs_cited.local_models import fetch

    manifest = fetch.fetch(name, lambda line: echo(line, err=True), source=source)
    folder, size = store.home() / manifest.name, sum(size for _, _, size in manifest.files)
    kind = read_layout(folder).kind
    if as_json:
        files = [path for path, _, _ in manifest.files]
        emit_json(
            Fetched(
                name=manifest.name, kind=kind, folder=str(folder), repository=manifest.repository,
                revision=manifest.revision, files=files, bytes=size,
            )
        )  # fmt: skip
        return
    echo(f"{manifest.name}: {len(manifest.files)} files, {size / 1e6:.0f} MB, in {folder}")
    echo(f"  → write `local: {{encoder: {manifest.name}}}` into the options", err=True)


@models.command()
@click.argument("names", nargs=-1, shell_complete=model_names)
@json_option
def verify(names: tuple[str, ...], as_json: bool) -> None:
    """Hold the files of models to the hashes that they came with; of all models by default."""
    found = [(name, store.faults(store.find(name))) for name in names or [name for name, _ in store.installed()]]
    if as_json:
        emit_json([Whole(name=name, whole=not faults, faults=list(faults)) for name, faults in found])
    else:
        for name, faults in found:
            echo(f"{name}: {'; '.join(faults) if faults else 'whole'}")
    if any(faults for _, faults in found):
        echo("  → remove what is damaged, and fetch it again", err=True)
        sys.exit(FOUND)


@models.command()
@click.argument("names", nargs=-1, required=True, shell_complete=model_names)
@json_option
def remove(names: tuple[str, ...], as_json: bool) -> None:
    """Delete models from this machine."""
    removed: list[Removed] = []
    for name in names:
        removed.append(Removed(name=name, folder=str(store.remove(name))))
        if not as_json:
            echo(f"removed {removed[-1]['folder']}")
    if as_json:
        emit_json(removed)
