"""Commands that bring things onto this machine: `encoder` and `snapshot`.

How pages are fetched is in `sources.web`; how encoders run, in `search.meaning`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import click

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.cli.group import FAILED, FOUND, config_option, main
from mkdocs_cited.cli.output import command, echo, progress, say, table
from mkdocs_cited.model.options import ExtraSource, Settings
from mkdocs_cited.settings.parsing import OFFLINE, offline, parse
from mkdocs_cited.site_host.configuration import read
from mkdocs_cited.sources.web.addresses import name_of

NEEDED = ("httpx2",)
"""Modules of the extra `web`, which reading snapshots does without."""


@main.command()
@config_option
def encoder(config_file: Path | None) -> None:
    """Download the sentence encoder.

    It is the one that `local.encoder` names. It needs `pip install "mkdocs-cited[local]"`.

    Builds and other commands do not download it. HF_ENDPOINT names a mirror, FASTEMBED_CACHE_PATH another folder.
    """
    from mkdocs_cited.search.meaning import load

    known = read(config_file, Path.cwd())
    settings = parse(known.options, file=known.file)
    if not settings.local.encoder:
        tip = "write `local: {encoder: sentence-transformers/all-MiniLM-L6-v2}` among the options"
        raise UsageError("the option `local.encoder` names no encoder", tip=tip)
    load(settings.local, known.root, fetch=True)
    echo(f"{settings.local.encoder} is downloaded")


@main.command()
@click.argument("names", nargs=-1)
@config_option
@click.option("--all", "everything", is_flag=True, help="Fetch all pages again.")
@click.option(
    "--check",
    is_flag=True,
    help="List the pages that have changed, moved or gone, and write nothing.",
)
@click.option(
    "--dry-run", is_flag=True, help="List what would be fetched, and make no request."
)
def snapshot(
    names: tuple[str, ...],
    config_file: Path | None,
    everything: bool,
    check: bool,
    dry_run: bool,
) -> None:
    """Fetch external pages that have no snapshot yet.

    They are those of `extra_sources`. Those of NAMES are fetched again.

    A page without a reply has its old snapshot still. Exits with 1 when a page has gone or, with `--check`, has
    changed; with 3 when one cannot be fetched.
    """
    from mkdocs_cited.mkdocs_host.project import folder_of
    from mkdocs_cited.mkdocs_host.rendering import configured

    config, settings = configured(config_file)
    entries = _entries(settings, names)
    missing = []
    for name in NEEDED:
        if find_spec(name) is None:
            missing.append(name)
    if missing:
        tip = "run `pip install 'mkdocs-cited[web]'`; builds do not need it"
        raise UsageError(
            f"`snapshot` needs packages that are not installed: {', '.join(missing)}",
            tip=tip,
        )
    if offline() and not dry_run:
        raise UsageError(
            f"{OFFLINE} is set, so no request is made",
            tip="unset it, or use `--dry-run`",
        )
    from mkdocs_cited.sources.web.client import Client  # which needs them
    from mkdocs_cited.sources.web.fetching import Outcome, fetch, wanted
    from mkdocs_cited.sources.web.snapshot import Store

    store = Store(folder_of(config.config_file_path), settings.web_dir)
    pages = wanted(store, entries)
    if not (everything or check or names):
        pages = [page for page in pages if not page.stored]
    if dry_run:
        rows = [
            ("fetch again" if page.stored else "fetch", page.url, store.file(page.path))
            for page in pages
        ]
        table(("would", "address", "snapshot"), rows)
        return
    outcomes: list[Outcome] = []
    client = Client(settings.web, config.site_url or config.repo_url or "")
    with closing(client), progress(len(pages), "pages") as advance:
        for page in pages:
            outcomes.append(fetch(client, store, page, check=check))
            advance(outcomes[-1])
    table(
        ("state", "address", ""),
        [(item.state.value, item.url, item.detail) for item in outcomes],
    )
    states = Counter(item.state.value for item in outcomes)
    fetched = (
        ", ".join(f"{count} {state}" for state, count in states.items())
        or "Nothing to fetch."
    )
    say(fetched, following=command("check") if states["changed"] else "")
    if states["gone"] or (check and (states["new"] or states["changed"])):
        sys.exit(FOUND)
    if states["failed"]:
        sys.exit(FAILED)


def _entries(settings: Settings, names: Sequence[str]) -> tuple[ExtraSource, ...]:
    """The entries with these names, or all of type `web`; an error where there are none."""
    entries = tuple(entry for entry in settings.extra_sources if entry.type == "web")
    if not entries:
        tip = "add `- {type: web, name: limits, url: https://…}` to `extra_sources`"
        raise UsageError("`extra_sources` names no external page", tip=tip)
    known = [name_of(entry) for entry in entries]
    for name in names:
        if name not in known:
            raise UsageError(
                f"there is no `web` source `{name}`", tip=did_you_mean(name, known)
            )
    return tuple(
        entry
        for entry, name in zip(entries, known, strict=True)
        if not names or name in names
    )
