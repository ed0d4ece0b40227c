"""The rendered pages of a build, in the store for commands: they render nothing where what the pages are made from is
as it was, and render whenever that is in doubt. Their HTML is searched and never shown.
"""

from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.git import git_or_nothing
from mkdocs_cited.base.values import replace
from mkdocs_cited.mkdocs_host.build import Build
from mkdocs_cited.mkdocs_host.opened import Opened
from mkdocs_cited.mkdocs_host.project import Project, SitePage
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.options import Settings
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.rows import Rendered
from mkdocs_cited.site_host import configuration
from mkdocs_cited.site_host.configuration import Configuration

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

_OF_SHELLS = ("_", "SHLVL", "OLDPWD")
"""Variables that shells set anew for each program."""
_GRAIN = 20_000_000
"""Nanoseconds by which a file's time may lag behind the clock."""

Stamp = tuple[int, int, int, int]
"""Size, time of change of content and of inode in ns, and inode."""


class Inputs(Struct, frozen=True):
    """What pages were made from, as it was when they were rendered. Paths are absolute."""

    files: Mapping[str, Stamp | None]
    """Each file that was read, or was to be read and is not there."""
    folders: Mapping[str, tuple[str, ...]]
    """Each folder that was listed, with the paths of what was in it."""
    shared: tuple[str, ...]
    """Files that were read for more than the page that they are: what pages include, the configuration, hooks."""
    outputs: tuple[str, ...]
    """Files and folders that are only written."""
    around: str
    """Checksum of the environment: variables, the folder, what is installed."""
    commit: str
    """The commit of the repository at this folder, where git was asked."""
    repository: str

    def change(self) -> str:
        """What has changed since, in words; empty where nothing has."""
        for path, stamp in self.files.items():
            now = _stamp(path)
            if now != stamp:
                happened = "is new"
                if stamp is not None:
                    happened = "has changed"
                    if now is None:
                        happened = "is gone"
                return f"`{_short(path)}` {happened}"
        for folder, names in self.folders.items():
            other = set(names).symmetric_difference(_names(folder, self.outputs))
            if other:
                return f"`{_short(min(other))}` is new or gone"
        if self.around != _around(os.environ):
            return "a package or a variable of the environment has changed"
        if self.repository and self.commit != _commit(self.repository):
            return "git has checked out another commit"
        return ""


class _Head(Struct, frozen=True):
    """What one rendering came to, besides its HTML."""

    config: Project
    inputs: Inputs
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


def rendered(build: Build, inputs: Inputs) -> Rendered:
    """The pages of a build that has rendered all of them, for the store."""
    head = _Head(
        build.config,
        inputs,
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


def restored(index: Index, written: Configuration, settings: Settings) -> tuple[Build, Inputs] | str:
    """The build of a configuration as it was once its pages were rendered, and what they were made from; or why they
    have to be rendered.

    Args:
        index: of the configuration.
        written: the configuration.
        settings: its options.
    """
    stored = index.rendered()
    head = _head(stored)
    if stored is None or head is None:
        return "no build has stored them"
    if Path(head.config.config_file_path).resolve() != written.file:
        return "the project has moved"
    if repr(settings) != head.settings:
        return "the options have changed"
    change = head.inputs.change()
    if change:
        return change
    build = Build(
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
    return build, head.inputs


def _head(stored: Rendered | None) -> _Head | None:
    try:
        if stored:
            return msgspec.msgpack.decode(stored.head, type=_Head)
        return None
    except (msgspec.MsgspecError, RecursionError):  # of another version
        return None


def inputs_of(config: MkDocsConfig, settings: Settings, opened: Opened) -> Inputs | str:
    """What the pages of a site are made from, as it is now; or why that is not known.

    Args:
        config: by now.
        settings: our options.
        opened: what was read for them.
    """
    file = Path(config.config_file_path).resolve()
    try:
        written = configuration.read(file, file.parent)
    except UsageError as error:  # MkDocs has understood more of it than we do
        return error.message
    if opened.unseen:
        return f"what {opened.unseen} says is not known"
    outputs = (".cache", config.site_dir, str(written.keys.get("site_dir") or "site"), settings.records_dir)
    skipped = {os.path.normpath(file.parent / path) for path in (*outputs, *settings.reports.values())}
    skipped.update(opened.made)
    paths = sysconfig.get_paths()
    skipped.update(paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))  # whose versions are known
    early = [*map(str, written.files), *_imported(file.parent)]  # may have been read before anybody listened
    early += [os.path.normpath(file.parent / hook) for hook in config.hooks]
    read = opened.files | dict.fromkeys(early, True)
    wanted = [path for path in read if not _is_below(path, skipped)]
    stamps = {path: _stamp(path) for path in wanted}
    for path, stamp in stamps.items():
        if stamp is not None and stamp[1] > opened.times.get(path, opened.began) - _GRAIN:
            return f"`{_short(path)}` has just changed"
    folders = [path for path in opened.folders if not _is_below(path, skipped) and Path(path).is_dir()]
    repository = ""
    if opened.asked_git:
        repository = str(file.parent)
    return Inputs(
        stamps,
        {path: _names(path, skipped) for path in folders},
        tuple(path for path in wanted if read[path]),
        tuple(skipped),
        _around(opened.environment),
        _commit(repository) if repository else "",
        repository,
    )


def _imported(root: Path) -> list[str]:
    """Files of a project's own modules."""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return [file for file in files if file and Path(file).is_relative_to(root)]


def _is_below(path: str, folders: Collection[str]) -> bool:
    """Whether a path is one of these, or in one."""
    return path in folders or any(str(parent) in folders for parent in Path(path).parents)


def _stamp(path: str) -> Stamp | None:
    """A file's stat; nothing where there is no file."""
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _names(folder: str, skipped: Collection[str]) -> tuple[str, ...]:
    """Paths of what is in a folder, without what is only written."""
    try:
        found = [entry.path for entry in os.scandir(folder) if entry.name != "__pycache__"]
    except OSError:
        return ()
    return tuple(sorted(set(found).difference(skipped)))


def _around(environment: Mapping[str, str]) -> str:
    """Checksum of the environment: its variables, the folder, what is installed."""
    variables = {name: value for name, value in environment.items() if name not in _OF_SHELLS}
    known = (sys.version, packages(), sorted(variables.items()), str(Path.cwd()))
    return _digest(repr(known).encode("utf-8", "surrogatepass"))


def packages() -> list[str]:
    """Names and versions of what is installed (`requests-2.32.3.dist-info`), in order of their names."""
    found: list[str] = []
    for folder in sys.path:
        try:
            found += (
                entry.name for entry in os.scandir(folder or ".") if entry.name.endswith((".dist-info", ".egg-info"))
            )
        except OSError:  # a zip file, or a folder that is not there
            continue
    return sorted(found)


def _commit(folder: str) -> str:
    return git_or_nothing(Path(folder), "rev-parse", "--verify", "--quiet", "HEAD")


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _short(path: str) -> str:
    """A path as messages show it: relative to the folder of the command, where it is below."""
    relative = os.path.relpath(path)
    if relative.startswith(".."):
        return path
    return relative.replace(os.sep, "/")
