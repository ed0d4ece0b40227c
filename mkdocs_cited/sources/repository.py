"""The files of a project's git repository, which a mark may cite without `extra_sources`: those that git tracks.

Answers are no sources, and neither is what lies among the pages but is none; nothing outside the repository is read.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from urllib.parse import quote

from mkdocs_cited.base.git import Refusal, git, repository_of
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.model.source import Page, Refused, SourceType

PAGES = frozenset((".md", ".markdown", ".mdown", ".mkdn", ".mkd"))
"""Endings of what MkDocs makes pages of."""


class Repository:
    """What may be cited of a repository. Paths are relative to the project; those beside it begin with `../`."""

    def __init__(
        self,
        root: Path,
        *,
        docs_dir: str = "docs",
        link: str = "",
        ours: Collection[str] = (),
        held: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Nothing is asked of git before a file is.

        Args:
            root: the folder of `mkdocs.yml`.
            docs_dir: the folder of the pages, relative to it or absolute.
            link: address of a file on the repository's host, with `{path}` for its path in the project.
            ours: files and folders that hold what the plugin wrote.
            held: path below `docs_dir` of each page that readers do not see → why.
        """
        self.root = root.resolve()
        self.docs_dir = posixpath.normpath(os.path.relpath(self.root / docs_dir, self.root).replace(os.sep, "/"))
        self._link, self._held = link, held
        self._ours = tuple(posixpath.normpath(path) for path in ours)

    @cached_property
    def top(self) -> Path | None:
        """The root of the repository; nothing outside of one."""
        return repository_of(self.root)

    @cached_property
    def tracked(self) -> frozenset[str] | Refusal:
        """Paths from the root of the repository of what git tracks."""
        listed = git(self.top, "ls-files", "-z") if self.top else ""
        return listed if isinstance(listed, Refusal) else frozenset(listed.split("\0")) - {""}

    def page(self, path: str) -> Page | Refused:
        """A tracked file as a document without text.

        Args:
            path: normalised, relative to the project.
        """
        refused = self._refused(path)
        if refused is not None:
            return refused
        return Page(path, link_to(self._link, path), path, locale="", type=SourceType.FILE, file=path)

    def is_held(self, path: str) -> bool:
        """Whether a path relative to the project is that of a page that readers do not see."""
        return posixpath.relpath(path, self.docs_dir) in self._held

    def known(self) -> Iterator[str]:
        """The tracked files, relative to the project."""
        if self.top is None or isinstance(self.tracked, Refusal):
            return
        inside = self.root.relative_to(self.top).as_posix()
        for path in sorted(self.tracked):
            yield posixpath.relpath(path, inside)

    def _refused(self, path: str) -> Refused | None:
        """Why a file may not be cited."""
        by_name = f"name it in the option `extra_sources`: `- glob: {path}`"
        if self.is_held(path):
            why = self._held[posixpath.relpath(path, self.docs_dir)]
            return Refused(f"`{path}` {why}", "cite a page that every reader of the site can see")
        if self.top is None:
            return Refused(f"`{path}` is no file that may be cited: there is no git repository here", by_name)
        real = (self.root / path).resolve()
        if not real.is_relative_to(self.top):
            return Refused(f"`{path}` is outside of the repository", "copy the file into the repository")
        if self._is_ours(path) or self._is_ours(os.path.relpath(real, self.root).replace(os.sep, "/")):
            return Refused(f"`{path}` is written by this plugin, and proves nothing", "cite what it was written from")
        if isinstance(self.tracked, Refusal):
            message = f"git does not say whether it tracks `{path}`, which may not be cited then: {self.tracked.reason}"
            return Refused(message, f"see `git status`, or {by_name}")
        if not real.is_file():
            known = [name for name in self.known() if name.split("/")[0] == path.split("/")[0]]
            return Refused(f"`{path}` is no file that may be cited", did_you_mean(path, known))
        if real.relative_to(self.top).as_posix() not in self.tracked:
            return Refused(f"`{path}` is a file that git does not track", f"`git add {path}`, or {by_name}")
        if PurePosixPath(path).suffix.lower() in PAGES and is_below(path, self.docs_dir):
            return Refused(f"`{path}` is no page that may be cited", "cite a page that readers of the site can see")
        return None

    def _is_ours(self, path: str) -> bool:
        return any(path == own or is_below(path, own) for own in self._ours)


def is_below(path: str, folder: str) -> bool:
    """Whether a normalised path leads into a folder."""
    if folder == ".":
        return not path.startswith("../")
    return path.startswith(f"{folder}/")


def link_to(link: str, path: str) -> str:
    """The address of a file on its host; a path beside the project leaves the project's folder in it."""
    head, named, tail = link.partition("{path}")
    if not named:
        return ""
    while path.startswith("../"):
        path = path.removeprefix("../")
        head = head.rstrip("/").rpartition("/")[0] + "/"
    return f"{head}{quote(path)}{tail}"
