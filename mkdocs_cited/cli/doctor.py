"""`doctor`: what is installed and set up, and what is wrong with it. It tells whether there is a key, never which."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from mkdocs_cited import __version__
from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.cli.group import FOUND, config_option, main
from mkdocs_cited.cli.output import say, summary, table
from mkdocs_cited.cli.sites import git
from mkdocs_cited.local_models import store
from mkdocs_cited.settings import PREFIX, Settings, parse
from mkdocs_cited.site_host.configuration import Configuration, find, read
from mkdocs_cited.site_host.gate import EXTENSION, TIP, gate, runs_zensical

HOSTS = ("mkdocs", "properdocs", "mkdocs-material", "zensical")
EXTRAS = {"anthropic": "anthropic", "local": "onnxruntime", "mcp": "mcp", "web": "httpx2"}
"""Extra → a module that comes with it."""
KEY = "ANTHROPIC_API_KEY"


class Line(Struct, frozen=True):
    """One thing that was looked at."""

    what: str
    found: str
    wrong: str = ""
    """What is wrong with it and what to do; empty when nothing is."""


@main.command()
@config_option
def doctor(config_file: Path | None) -> None:
    """Say what is installed and set up, and what is wrong with it.

    Versions, plugins and their order, cache, models, and whether there is a key, which is never shown.
    """
    lines = [*_installed(), *_site(config_file)]
    wrong = [line for line in lines if line.wrong]
    table(("", "", "wrong"), [(line.what, line.found, line.wrong) for line in lines])
    say(summary(("{} thing{s} wrong", len(wrong))) or "nothing is wrong")
    if wrong:
        sys.exit(FOUND)


def _installed() -> Iterator[Line]:
    yield Line("mkdocs-cited", __version__)
    yield Line("Python", f"{platform.python_version()} on {platform.system()}")
    for name in HOSTS:
        with suppress(metadata.PackageNotFoundError):
            yield Line(name, metadata.version(name))
    for extra, module in EXTRAS.items():
        yield Line(f"extra [{extra}]", "installed" if find_spec(module) else "not installed")


def _site(config_file: Path | None) -> Iterator[Line]:
    """What concerns one site."""
    from mkdocs_cited.mkdocs_host.build import CACHE
    from mkdocs_cited.mkdocs_host.project import folder_of
    from mkdocs_cited.mkdocs_host.rendering import configured

    file = config_file or find(Path.cwd())
    if file and file.suffix == ".toml":
        yield from _zensical(file)
        return
    try:
        config, settings = configured(config_file)
    except CitedError as error:
        for wrong in re.sub(r"\n {2}→ ", ": ", str(error)).splitlines():
            yield Line("configuration", str(config_file or "mkdocs.yml"), wrong)
        return
    root = folder_of(config.config_file_path)
    yield Line("configuration", config.config_file_path)
    names = list(config.plugins)
    yield Line("plugins, in order", ", ".join(names), _missing_search(names))
    yield Line("theme", config.theme.name or "none")
    off = f"`enabled` is false: nothing is answered; `{PREFIX}ENABLED=true` switches it on"
    yield Line(
        "options", f"provider {settings.provider}, reviewer {settings.reviewer}", "" if settings.enabled else off
    )
    yield _cache(root, CACHE)
    if runs_zensical(root):
        yield from _without_plugins(read(Path(config.config_file_path), root))
    yield from _of_any_host(root, settings)


def _zensical(file: Path) -> Iterator[Line]:
    """What concerns a site of `zensical.toml`."""
    try:
        known = read(file, Path.cwd())
        settings = parse(known.options, file=known.file)
    except CitedError as error:
        yield Line("configuration", str(file), f"{error.message}: {error.tip}")
        return
    yield Line("configuration", str(file))
    yield Line("options", f"provider {settings.provider}, reviewer {settings.reviewer}")
    yield from _without_plugins(known)
    yield from _of_any_host(known.root, settings)


def _without_plugins(known: Configuration) -> Iterator[Line]:
    """What Zensical needs, which runs no plugin that it does not know, and says nothing of those."""
    there, checks = EXTENSION in known.extensions, gate(known.root)
    yield Line(
        "extension", EXTENSION if there else "none", "" if there else f"name `{EXTENSION}` in `markdown_extensions`"
    )
    yield Line("check in CI", str(checks) if checks else "none", "" if checks else TIP)


def _of_any_host(root: Path, settings: Settings) -> Iterator[Line]:
    overrides = sorted(name for name in os.environ if name.startswith(PREFIX))
    yield Line("environment", ", ".join(overrides) or f"no {PREFIX}…")
    yield _records(root, settings)
    yield from _models(settings)
    yield _key(settings)


def _missing_search(names: list[str]) -> str:
    lost = "search" not in names and not any(name.endswith("/search") for name in names)
    return "`search` is not among them, so the site has none: add `- search`" if lost else ""


def _records(root: Path, settings: Settings) -> Line:
    from mkdocs_cited.records import Store

    number, folder = len(Store(root, settings.records_dir).keys()), f"{settings.records_dir}/"
    ignored = bool(git(root, "check-ignore", folder + "faq/x.md"))
    wrong = "git ignores it, so that nobody reviews them: take it out of .gitignore" if ignored else ""
    return Line("records", f"{number} in {folder}", wrong)


def _cache(root: Path, name: str) -> Line:
    folder = root / name
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    size = sum(path.stat().st_size for path in files) / 1e6
    parent = next(path for path in (folder, *folder.parents) if path.exists())
    wrong = "" if os.access(parent, os.W_OK) else "it cannot be written, so every build starts from nothing"
    return Line("cache", f"{name}: {size:.1f} MB" if files else f"{name}: none yet", wrong)


def _models(settings: Settings) -> Iterator[Line]:
    yield Line("models here", ", ".join(dict(store.installed())) or "none")
    if name := settings.local.encoder:
        try:
            store.find(name)
        except CitedError as error:
            yield Line("local.encoder", name, f"{error.message}: {error.tip}")
        else:
            yield Line("local.encoder", name)


def _key(settings: Settings) -> Line:
    there = bool(os.environ.get(KEY))
    needed = settings.asks("anthropic") and not settings.anthropic.own_server
    wrong = f"`mkdocs-cited update` asks Claude, and {KEY} is not set" if needed and not there else ""
    return Line(KEY, "set" if there else "not set", wrong)
