"""`snapshot`: external pages are fetched. How is in `sources.web`."""

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
from mkdocs_cited.cli.output import command, progress, say, table
from mkdocs_cited.model.options import ExtraSource, Settings
from mkdocs_cited.settings import OFFLINE, offline
from mkdocs_cited.site_host import configuration
from mkdocs_cited.sources.web.addresses import name_of

NEEDED = "httpx2"
"""Module of the extra `web`, which reading snapshots does without."""


@main.command()
@click.argument("names", nargs=-1)
@config_option
@click.option("--all", "everything", is_flag=True, help="Fetch all pages again.")
@click.option(
    "--check",
    is_flag=True,
    help="List the pages that have changed, moved or gone, and write nothing.",
)
def snapshot(
    names: tuple[str, ...], config_file: Path | None, everything: bool, check: bool
) -> None:
    """Fetch external pages that have no snapshot yet.

    They are those of `extra_sources`. Those of NAMES are fetched again.

    A page without a reply has its old snapshot still. Exits with 1 when a page has gone or, with `--check`, has
    changed; with 3 when one cannot be fetched.
    """
    # which knows every option
    from mkdocs_cited.mkdocs_host.project import settings_of

    written = configuration.read(config_file, Path.cwd())
    settings = settings_of(written.options, written.file)
    entries = _entries(settings, names)
    if find_spec(NEEDED) is None:
        raise UsageError(
            f"`snapshot` needs a package that is not installed: {NEEDED}",
            tip="run `pip install 'mkdocs-cited[web]'`; builds do not need it",
        )
    if offline():
        raise UsageError(f"{OFFLINE} is set, so no request is made", tip="unset it")
    from mkdocs_cited.sources.web.client import Client  # which needs them
    from mkdocs_cited.sources.web.fetching import fetch, wanted
    from mkdocs_cited.sources.web.snapshot import Store

    store = Store(written.root, settings.web_dir)
    again = everything or check or names
    pages = [page for page in wanted(store, entries) if again or not page.stored]
    outcomes = []
    client = Client(settings.web, written.text("site_url") or written.text("repo_url"))
    with closing(client), progress("pages", len(pages)) as bar:
        for page in pages:
            outcomes.append(fetch(client, store, page, check=check))
            bar()
    states: Counter[str] = Counter(item.state.value for item in outcomes)
    rows = [(item.state.value, item.url, item.detail) for item in outcomes]
    table(("state", "address", "detail"), rows)
    fetched = ", ".join(f"{count} {state}" for state, count in states.items())
    following = command("check") if states["changed"] else ""
    say(fetched or "Nothing to fetch.", following=following)
    if states["gone"] or (check and (states["new"] or states["changed"])):
        sys.exit(FOUND)
    if states["failed"]:
        sys.exit(FAILED)


def _entries(settings: Settings, names: Sequence[str]) -> list[ExtraSource]:
    """The entries with these names, or all of type `web`; an error where there are none."""
    known = [entry for entry in settings.extra_sources if entry.type == "web"]
    if not known:
        tip = "add `- {type: web, name: limits, url: https://…}` to `extra_sources`"
        raise UsageError("`extra_sources` names no external page", tip=tip)
    entries = known if not names else []
    for name in names:
        named = [entry for entry in known if name_of(entry) == name]
        if not named:
            tip = did_you_mean(name, map(name_of, known))
            raise UsageError(f"there is no `web` source `{name}`", tip=tip)
        entries += named
    return entries
