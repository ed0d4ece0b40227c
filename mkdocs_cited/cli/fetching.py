"""The commands that fetch something: `snapshot`, external pages that answers may cite, and `models`, local models.

How pages are asked for is in `sources.web`; how models are stored and checked, in `local_models`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.cli.group import FAILED, FOUND, config_option, main
from mkdocs_cited.cli.output import echo, progress, table
from mkdocs_cited.local_models import store as model_store
from mkdocs_cited.settings import OFFLINE, ExtraSource, Settings, offline
from mkdocs_cited.sources.web.addresses import name_of

if TYPE_CHECKING:
    from mkdocs_cited.sources.web.fetching import Outcome
    from mkdocs_cited.sources.web.snapshot import Store

NEEDED = ("httpx2", "protego")
"""Modules of the extra `web`, which reading snapshots does without."""


@main.command()
@click.argument("names", nargs=-1)
@config_option
@click.option("--all", "everything", is_flag=True, help="Fetch every page again, not only those without a snapshot.")
@click.option("--check", is_flag=True, help="Say what has changed, gone or moved since; write nothing.")
@click.option("--dry-run", is_flag=True, help="Say what would be fetched; make no request.")
def snapshot(names: tuple[str, ...], config_file: Path | None, everything: bool, check: bool, dry_run: bool) -> None:
    """Fetch external pages that have no snapshot yet, and those of NAMES again.

    They are those of `extra_sources` of type `web`.

    A page without a reply keeps the snapshot that it has. Exits with 1 when a page has gone or is refused, or,
    with `--check`, when any has changed; with 3 when some only gave no reply this time.
    """
    from mkdocs_cited.mkdocs_host.project import folder_of
    from mkdocs_cited.mkdocs_host.rendering import configured

    config, settings = configured(config_file)
    entries = _entries(settings, names)
    if not dry_run:
        _may_ask()
    from mkdocs_cited.sources.web.snapshot import Store

    store = Store(folder_of(config.config_file_path), settings.web_dir)
    if dry_run:
        from mkdocs_cited.sources.web.fetching import wanted

        pages = wanted(store, entries, again=everything or bool(names))
        rows = [("fetch again" if page.stored else "fetch", page.url, store.file(page.path)) for page in pages]
        table(("would", "address", "snapshot"), rows)
        return
    address = config.site_url or config.repo_url or ""
    outcomes = _run(address, settings, store, entries, check=check, again=check or everything or bool(names))
    _show(outcomes, _depending(store, settings, outcomes))
    sys.exit(_code(outcomes, check))


def _entries(settings: Settings, names: Sequence[str]) -> tuple[ExtraSource, ...]:
    """The entries with these names, or all of type `web`.

    Raises:
        UsageError: there are none.
    """
    entries = tuple(entry for entry in settings.extra_sources if entry.type == "web")
    if not entries:
        tip = "add `- {type: web, name: limits, url: https://…}` to `extra_sources`"
        raise UsageError("no external page is named in the options", tip=tip)
    known = [name_of(entry) for entry in entries]
    for name in names:
        if name not in known:
            raise UsageError(f"there is no `web` source `{name}`", tip=did_you_mean(name, known))
    return tuple(entry for entry, name in zip(entries, known, strict=True) if not names or name in names)


def _may_ask() -> None:
    """Refuse to go on where no request may be made, or the libraries for it are missing.

    Raises:
        UsageError: either is so.
    """
    if offline():
        raise UsageError(f"no request is made: {OFFLINE} is set", tip="unset it, or use `--dry-run`")
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        tip = "run `pip install 'mkdocs-cited[web]'`; builds do without"
        raise UsageError(f"`snapshot` needs what is not installed: {', '.join(missing)}", tip=tip)


def _run(
    address: str,
    settings: Settings,
    store: Store,
    entries: tuple[ExtraSource, ...],
    *,
    check: bool,
    again: bool,
) -> list[Outcome]:
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from mkdocs_cited.sources.web.client import Client
    from mkdocs_cited.sources.web.fetching import fetch, wanted

    pages = wanted(store, entries, again=again)

    async def run() -> list[Outcome]:
        async with Client(settings.web, address) as client:
            return await fetch(client, store, pages, check=check, progress=advance)

    # In a thread of its own: where another loop runs already, as in a notebook, it is not disturbed.
    with progress(len(pages), "pages") as advance, ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, run()).result()


def _depending(store: Store, settings: Settings, outcomes: Iterable[Outcome]) -> dict[str, list[str]]:
    """Address of a page → keys of the answers that cite what it says no more."""
    from mkdocs_cited.records import Record
    from mkdocs_cited.records import Store as Records

    dropped = {outcome.page.url: outcome.dropped for outcome in outcomes if outcome.dropped}
    if not dropped:
        return {}
    records = [record for _, record in Records(store.root, settings.records_dir).all() if isinstance(record, Record)]
    return {
        url: [record.key for record in records if any(cited.hash in hashes for cited in record.citations)]
        for url, hashes in dropped.items()
    }


def _show(outcomes: Sequence[Outcome], depending: dict[str, list[str]]) -> None:
    from mkdocs_cited.sources.web.blocks import visible

    rows = []
    for item in outcomes:
        cited = f"; cited by {', '.join(depending[item.page.url])}" if depending.get(item.page.url) else ""
        rows.append((item.state.value, item.page.url, visible(item.detail) + cited))
    table(("state", "address", ""), rows)
    counts = Counter(item.state.value for item in outcomes)
    echo(", ".join(f"{count} {state}" for state, count in counts.items()) or "Nothing to fetch.")


def _code(outcomes: Iterable[Outcome], check: bool) -> int:
    states = {item.state.value for item in outcomes}
    if states & ({"gone", "refused", "new", "changed"} if check else {"gone", "refused"}):
        return FOUND
    return FAILED if "failed" in states else 0


@main.group()
def models() -> None:
    """Optional models that run on this machine (`pip install "mkdocs-cited[local]"`)."""


@models.command("list")
def list_() -> None:
    """Show the models that are here and those that are recommended."""
    here, known = dict(model_store.installed()), model_store.recommended()
    rows = []
    for name in dict.fromkeys((*here, *known)):
        entry = known.get(name)
        about = (str(entry.megabytes), entry.licence, entry.languages) if entry else ("", "", "")
        rows.append((name, _state(here[name]) if name in here else "", *about))
    table(("name", "here", "MB", "licence", "languages"), rows)
    echo(f"\nThey are stored in {model_store.home()}, a folder each. `mkdocs-cited models get NAME` fetches one.")


def _state(folder: Path) -> str:
    """`yes` for a model that can be read, else what is wrong with it."""
    from mkdocs_cited.local_models.layout import read_layout

    try:
        read_layout(folder)
    except CitedError as error:
        return error.message
    return "yes"


@models.command()
@click.argument("name")
def get(name: str) -> None:
    """Fetch a model: a recommended one by NAME, or ORGANISATION/NAME@REVISION of the hub.

    Every file is compared with the hash that the hub lists for that revision, and the recommended models' networks with
    the hash that this project pins. HF_ENDPOINT names a mirror.
    """
    from mkdocs_cited.local_models.fetch import fetch

    folder = fetch(name, lambda line: echo(line, err=True))
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    echo(f"{folder.name}: {len(files)} files, {size / 1e6:.0f} MB, in {folder}")
    echo(f"  → write `local: {{encoder: {folder.name}}}` into the options", err=True)
