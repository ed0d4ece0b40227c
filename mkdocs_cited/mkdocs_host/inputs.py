"""The rendered pages of a site, in the store for commands: these render nothing as long as no file is newer that pages
are made from. Their HTML is searched and never shown.
"""

from __future__ import annotations

import os
import sysconfig
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from mkdocs_cited.base.git import git_or_nothing
from mkdocs_cited.base.text import digest
from mkdocs_cited.base.values import replace
from mkdocs_cited.mkdocs_host.build import Build
from mkdocs_cited.mkdocs_host.project import Project, SitePage
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.options import Settings
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.rows import Rendered
from mkdocs_cited.site_host.configuration import Configuration
from mkdocs_cited.sources.files import files_named

_GRAIN = 20_000_000
"""Nanoseconds by which a file's time may lag behind the clock."""


class _Head(Struct, frozen=True):
    """What one rendering came to, besides its HTML."""

    began: int
    """When, in ns."""
    known: str
    """Digest of the names of the files that git knows: one that is gone was included, maybe."""
    config: Project
    settings: str
    declarations: list[Declaration]
    urls: dict[str, str]
    findings: list[Finding]
    fully_parsed: list[str]
    pages: list[SitePage]
    """Without their HTML."""
    locale: str
    """The site's own language, where it has several."""
    order: tuple[str, ...]
    """Paths of the pages in the navigation's order."""
    held: Mapping[str, str]
    """Path of each page that is held back from readers → why."""


def rendered(build: Build) -> Rendered:
    """The pages of a build that has rendered all of them, for the store."""
    head = _Head(
        build.began,
        digest(_known_to_git(build.root)),
        build.config,
        repr(build.settings),
        build.declarations,
        build.urls,
        build.findings,
        sorted(build.fully_parsed),
        [replace(page, html=None) for page, _ in build.shown_pages],
        build.locale,
        tuple(build.order),
        build.held,
    )
    public = {page.url: "" if page.held else html for page, html in build.shown_pages}
    return Rendered(msgspec.msgpack.encode(head), public)


def restored(index: Index, written: Configuration, settings: Settings) -> Build | str:
    """The build of a configuration as it was once its pages were rendered; or why they have to be rendered.

    Args:
        index: of the configuration.
        written: the configuration.
        settings: its options.
    """
    stored = index.rendered()
    head = _head(stored)
    if stored is None or head is None:
        return "no command has stored them"
    if Path(head.config.config_file_path).resolve() != written.file:
        return "the project has moved"
    if repr(settings) != head.settings:
        return "the options have changed"
    known = _known_to_git(written.root)
    if digest(known) != head.known:
        return "git knows other files"
    for path in _files(written, settings, known):
        if _changed(path) >= head.began - _GRAIN:
            return f"`{os.path.relpath(path)}` is newer"
    return Build(
        head.config,
        settings,
        declarations=head.declarations,
        urls=head.urls,
        findings=head.findings,
        fully_parsed=set(head.fully_parsed),
        pages=[replace(page, html=stored.pages[page.url]) for page in head.pages],
        locale=head.locale,
        order=head.order,
        held=head.held,
    )


def made_from(written: Configuration) -> tuple[Path, ...]:
    """Files and folders that the pages of a site are made from: the configuration, the docs, hooks, the theme's own
    folder, and what `watch` names."""
    theme = written.keys.get("theme")
    names = [
        written.text("docs_dir") or "docs",
        *_named(written, "hooks"),
        *_named(written, "watch"),
    ]
    if isinstance(theme, Mapping) and theme.get("custom_dir"):
        names.append(str(theme["custom_dir"]))
    paths = (written.file, *written.files, *(written.root / name for name in names))
    return tuple(path for path in paths if path.exists())


def _named(written: Configuration, key: str) -> list[str]:
    named = written.keys.get(key)
    if isinstance(named, list):
        return [str(name) for name in named]
    return []


def _known_to_git(root: Path) -> str:
    """Names of the files that git follows, each with a zero byte behind it."""
    return git_or_nothing(root, "ls-files", "-z")


def _files(written: Configuration, settings: Settings, known: str) -> Iterator[Path]:
    """Every file and folder that pages are made from; what they may include, which is any file that git knows; and
    where packages are installed."""
    records = written.root / settings.records_dir
    yield Path(sysconfig.get_path("purelib"))
    if settings.questions:
        yield written.root / settings.questions
    for glob in settings.files:
        for name in files_named(written.root, glob) or ():
            yield written.root / name
    for name in known.split("\0"):
        if name and not (written.root / name).is_relative_to(records):
            yield written.root / name
    for path in made_from(written):
        yield path
        for folder, folders, files in os.walk(path):
            if Path(folder) == records:
                folders.clear()
                continue
            for name in (*folders, *files):
                yield Path(folder, name)


def _changed(path: Path) -> int:
    """When a file was written, in ns; now, where it is gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return time.time_ns()


def _head(stored: Rendered | None) -> _Head | None:
    try:
        if stored:
            return msgspec.msgpack.decode(stored.head, type=_Head)
        return None
    except (msgspec.MsgspecError, RecursionError):  # of another version
        return None
