"""The site that a command works on: its pages as the last command stored them, rendered anew, or read from a folder.

Stored pages are believed as long as everything that pages are made from is as it was. Their HTML is searched and never
shown. MkDocs is imported only where it renders.
"""

from __future__ import annotations

import os
import sysconfig
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.files import Refusal, listed, repository_of
from mkdocs_cited.base.text import digest, encodable
from mkdocs_cited.mkdocs_host import configuration, log
from mkdocs_cited.mkdocs_host.built import from_folder
from mkdocs_cited.mkdocs_host.configuration import Configuration
from mkdocs_cited.mkdocs_host.project import CACHE, Project, settings_of
from mkdocs_cited.mkdocs_host.reading import Contents
from mkdocs_cited.mkdocs_host.site import RENDERED, Progress, Site
from mkdocs_cited.model.options import Settings
from mkdocs_cited.search.index import Index

_GRAIN = 20_000_000
"""Nanoseconds within which two changes of a file may have the same time."""

_OF_SHELLS = ("_", "OLDPWD", "PWD", "SHLVL")
"""Variables in which a shell keeps where it is, and that differ from command to command."""


class _Stored(Struct, frozen=True):
    """Pages as they were rendered; they are stored under the fingerprint of what they were made from."""

    opened: dict[bytes, int]
    """Path of each file of the repository that was opened meanwhile → when it had changed, in nanoseconds."""
    contents: Contents


def load(
    config_file: Path | None,
    *,
    site: Path | None = None,
    progress: Progress | None = None,
    anew: bool = False,
) -> Site:
    """The site, with its declarations read and no answer resolved yet.

    Args:
        config_file: as MkDocs' own `--config-file`.
        site: a folder with the built site, whose pages are read instead of rendering them; by default, where there is a
            `zensical.toml` alone, the one that Zensical builds into.
        progress: called with how many pages are rendered, and of how many.
        anew: whether they are rendered though they are stored.

    Raises:
        UsageError: the configuration is wrong, the plugin is not in it, or `site` does not hold this site.
        CitedError: another part of MkDocs could not build the site.
    """
    if site is not None:
        return from_folder(config_file, site)
    file = configuration.configured(config_file)
    if file.suffix == ".toml":
        return from_folder(file, None)
    written = configuration.read(file, Path.cwd())
    settings = settings_of(written.options, written.file)
    known = fingerprint(written, settings)
    contents = None if anew else _restored(written, known)
    if contents is not None:
        log.debug("nothing is rendered: all that pages are made from is as it was")
        return Site(contents, settings)
    try:
        from mkdocs_cited.mkdocs_host.rendering import OPENED, rendered_by_mkdocs
    except ModuleNotFoundError as error:
        tip = "name the folder of the built site, `--site DIR`, or run `pip install mkdocs`"
        message = f"`{error.name}`, which renders the pages, is not installed here"
        raise UsageError(message, tip=tip) from error
    begun = time.time_ns() - _GRAIN
    contents, used = rendered_by_mkdocs(file, progress)
    rendered = {}
    # not where a hook has changed them, or what is held back from readers would be stored
    if known and used == settings and not _tells_of_held(contents):
        opened = _changes(OPENED, written.root)
        # one that was written meanwhile may have been read before or after that
        if max(opened.values(), default=0) <= begun:
            rendered = _rendered(contents, known, opened)
    return Site(contents, used, rendered=rendered)


def fingerprint(written: Configuration, settings: Settings) -> str:
    """A digest of all that pages are made from: options, names and times of files, the environment. Empty where it
    cannot be told: git does not know what pages may include, or a file has just changed, and may change again and have
    the same time. Git lists nothing that it ignores, and nothing in submodules: see `_Stored.opened`."""
    included = listed(written.root, "--cached", "--others", "--exclude-standard", ":/")
    if isinstance(included, Refusal):
        return ""
    parts = []
    newest = 0
    for path in _files(written, settings, included):
        changed = _changed(path)
        newest = max(newest, changed)
        parts.append(f"{path} {changed}")
    if newest > time.time_ns() - _GRAIN:
        return ""
    for name, value in os.environ.items():
        if name not in _OF_SHELLS:
            parts.append(f"{name}={value}")
    options = str(written.file), repr(written.keys), repr(settings)
    return digest(*options, *sorted(parts))


def _changed(path: Path) -> int:
    """When a file has changed, in nanoseconds; 0 where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _changes(paths: Iterable[str], root: Path) -> dict[bytes, int]:
    """When each file has changed that is in the repository, for `_Stored.opened`."""
    top = repository_of(root) or root
    changes = {}
    for path in map(Path, map(os.path.realpath, paths)):
        # what Python compiles it writes again by itself
        is_read = not path.is_dir() and path.suffix != ".pyc"
        if is_read and path.is_relative_to(top):
            changes[os.fsencode(path)] = _changed(path)
    return changes


def _tells_of_held(contents: Contents) -> bool:
    """True if a page that readers do not see asks a question, or has marks, or has them wrong."""
    held = {page.file for page in contents.pages if page.held}
    places = [item.place for item in contents.declarations]
    places += [finding.place for finding in contents.findings]
    return any(place.file in held for place in places)


def _rendered(
    contents: Contents, known: str, opened: dict[bytes, int]
) -> dict[str, bytes]:
    """Rendered pages, to be stored; none of what readers do not see."""
    pages = []
    for page in contents.rendered:
        html = "" if page.held else encodable(page.shown)
        pages.append(replace(page, html=html))
    stored = _Stored(opened, replace(contents, pages=tuple(pages)))
    return {known: msgspec.msgpack.encode(stored)}


def _restored(written: Configuration, known: str) -> Contents | None:
    """The pages that a command has stored, if they were made from what there is now."""
    name = Project(str(written.file), "").name
    index = Index.open(written.root / CACHE, name=name)
    data = index.stored(RENDERED).get(known)
    if data is None:
        return None
    try:
        stored = msgspec.msgpack.decode(data, type=_Stored)
    except (msgspec.MsgspecError, RecursionError):  # of another version
        return None
    for path, changed in stored.opened.items():
        if _changed(Path(os.fsdecode(path))) != changed:
            return None
    return stored.contents


def made_from(written: Configuration) -> tuple[Path, ...]:
    """Files and folders that the pages of a site are made from: the configuration, the docs, hooks, the theme's own
    folder, and what `watch` names."""
    names = [*written.listed("hooks"), *written.listed("watch")]
    names += filter(None, [written.text("theme", "custom_dir")])
    files = (written.file, *written.files, written.docs_dir)
    paths = (*files, *(written.root / name for name in names))
    return tuple(path for path in paths if path.exists())


def _files(
    written: Configuration, settings: Settings, included: Collection[str]
) -> Iterator[Path]:
    """Every file and folder that pages are made from; what they may include, which is any file of the repository; and
    where packages are installed."""
    records = written.root / settings.records_dir
    yield Path(sysconfig.get_path("purelib"))
    for name in included:
        path = written.root / name
        if not path.is_relative_to(records) and not path.is_relative_to(
            written.site_dir
        ):
            yield path
    for path in made_from(written):
        yield path
        for folder, folders, files in os.walk(path):
            if Path(folder) == records:
                folders.clear()
                continue
            for name in (*folders, *files):
                yield Path(folder, name)
