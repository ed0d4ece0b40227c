"""`snapshot` fetches external pages. How they are fetched and stored is decided in `sources.fetching`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import click

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.cli.group import FAILED, FOUND, config_option, main
from mkdocs_cited.cli.output import progress, say, table
from mkdocs_cited.mkdocs_host import configuration
from mkdocs_cited.model.options import OFFLINE, ExtraSource, Settings, offline
from mkdocs_cited.sources.snapshots import Store

NEEDED = "httpx2"
"""Module of the extra `web`, which reading snapshots does without."""


@main.command()
@click.argument("names", nargs=-1)
@config_option
def snapshot(names: tuple[str, ...], config_file: Path | None) -> None:
    """Fetch the external pages of `extra_sources`, or those of NAMES alone.

    `git diff` shows what has changed in them. A page without a reply keeps its old snapshot.

    The exit code is 1 if a page has gone, and 3 if one cannot be fetched.
    """
    # `--help` need not wait for it
    from mkdocs_cited.mkdocs_host.project import settings_of

    written = configuration.read(config_file, Path.cwd())
    settings = settings_of(written.options, written.file)
    entries = _entries(settings, names)
    if find_spec(NEEDED) is None:
        raise CitedError(
            f"`snapshot` needs a package that is not installed: {NEEDED}",
            tip="run `pip install 'mkdocs-cited[web]'`; builds do not need it",
        )
    if offline():
        raise CitedError(f"{OFFLINE} is set, so no request is made", tip="unset it")
    # it imports the package of the extra
    from mkdocs_cited.sources.fetching import Client, State, fetch

    store = Store(written.root, settings.web_dir)
    counts: Counter[str] = Counter()
    rows = []
    client = Client(settings.web, written.text("site_url") or written.text("repo_url"))
    with closing(client), progress("pages", len(entries)) as bar:
        for entry in entries:
            outcome = fetch(client, store, entry)
            counts[outcome.state] += 1
            rows.append((outcome.state.value, entry.url, outcome.detail))
            bar()
    table(("state", "address", "detail"), rows)
    fetched = ", ".join(f"{count} {state}" for state, count in counts.items())
    following = ""
    if counts[State.CHANGED]:
        following = configuration.step_to_check(written.file)
    say(fetched, following=following)
    if counts[State.GONE]:
        sys.exit(FOUND)
    if counts[State.FAILED]:
        sys.exit(FAILED)


def _entries(settings: Settings, names: Sequence[str]) -> list[ExtraSource]:
    """The entries with these names, or all of type `web`; an error where there are none."""
    known = {}
    for entry in settings.extra_sources:
        if entry.type == "web":
            known[entry.name] = entry
    if not known:
        tip = "add `- {type: web, name: limits, url: https://…}` to `extra_sources`"
        raise UsageError("`extra_sources` names no external page", tip=tip)
    for name in names:
        if name not in known:
            tip = did_you_mean(name, known)
            raise UsageError(f"there is no `web` source `{name}`", tip=tip)
    return [known[name] for name in names or known]
