"""Which page or file a path in a mark leads to, from the page that it stands on: as the links of Markdown do.

Relative to the page first, then to the folder of the docs; `/` is the folder of the docs. A file of the repository may
be cited without `extra_sources` when git tracks it; answers are no sources, and nothing outside of it is read. What a
path names *in* a file is found in `addressed`.
"""

from __future__ import annotations

import os
import posixpath
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from urllib.parse import quote, unquote

from mkdocs_cited.base.git import Refusal, listed, repository_of
from mkdocs_cited.base.text import did_you_mean, tag_of
from mkdocs_cited.model.address import WEB
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
        self.docs_dir = posixpath.normpath(
            os.path.relpath(self.root / docs_dir, self.root).replace(os.sep, "/")
        )
        self._link, self._held = link, held
        self._ours = tuple(posixpath.normpath(path) for path in ours)

    @cached_property
    def top(self) -> Path | None:
        """The root of the repository; nothing outside of one."""
        return repository_of(self.root)

    @cached_property
    def tracked(self) -> frozenset[str] | Refusal:
        """Paths from the root of the repository of what git tracks."""
        if self.top is None:
            return frozenset()
        return listed(self.top)

    def page(self, path: str) -> Page | Refused:
        """A tracked file as a document without text.

        Args:
            path: normalised, relative to the project.
        """
        refused = self._refused(path)
        if refused is not None:
            return refused
        return Page(
            path,
            link_to(self._link, path),
            path,
            locale="",
            type=SourceType.FILE,
            file=path,
        )

    def is_held(self, path: str) -> bool:
        """True if a path relative to the project is that of a page that readers do not see."""
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
            return Refused(
                f"`{path}` {why}", "cite a page that every reader of the site can see"
            )
        if self.top is None:
            return Refused(
                f"`{path}` is no file that may be cited: there is no git repository here",
                by_name,
            )
        real = (self.root / path).resolve()
        if not real.is_relative_to(self.top):
            return Refused(
                f"`{path}` is outside of the repository",
                "copy the file into the repository",
            )
        if self._is_ours(path) or self._is_ours(
            os.path.relpath(real, self.root).replace(os.sep, "/")
        ):
            return Refused(
                f"`{path}` is written by this plugin, and proves nothing",
                "cite what it was written from",
            )
        if isinstance(self.tracked, Refusal):
            message = f"git does not say whether it tracks `{path}`, which may not be cited then: {self.tracked.reason}"
            return Refused(message, f"see `git status`, or {by_name}")
        if not real.is_file():
            known = []
            for name in self.known():
                if name.split("/")[0] == path.split("/")[0]:
                    known.append(name)
            return Refused(
                f"`{path}` is no file that may be cited", did_you_mean(path, known)
            )
        if real.relative_to(self.top).as_posix() not in self.tracked:
            return Refused(
                f"`{path}` is a file that git does not track",
                f"`git add {path}`, or {by_name}",
            )
        if PurePosixPath(path).suffix.lower() in PAGES and is_below(
            path, self.docs_dir
        ):
            return Refused(
                f"`{path}` is no page that may be cited",
                "cite a page that readers of the site can see",
            )
        return None

    def _is_ours(self, path: str) -> bool:
        return any(path == own or is_below(path, own) for own in self._ours)


def is_below(path: str, folder: str) -> bool:
    """True if a normalised path leads into a folder."""
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


class Reach:
    """The pages, and the files that marks may name."""

    def __init__(self, pages: Iterable[Page], repository: Repository) -> None:
        self._repository = repository
        self._pages: dict[str, Page] = {}
        """Those of the site and of the web, by their paths below the folder of the docs."""
        self._files: dict[str, Page] = {}
        """Those that `extra_sources` names, by their paths in the project."""
        for page in pages:
            if page.type in (SourceType.FILE, SourceType.NOTE):
                self._files[page.file] = page
            else:
                self._pages[_composed(page.src)] = page

    def page(self, path: str, *, on: str, file: str, locale: str) -> Page | Refused:
        """The document that a path means.

        Args:
            path: as the author wrote it; empty for the page itself.
            on: path of the page that it is written on, below the folder of the docs.
            file: path of that page's file in the project.
            locale: its language, of which a translation is meant.
        """
        if path.startswith(WEB):
            return self._external(path)
        path = unquote(path)
        near = list(self._near(path, on, file))
        found: dict[str, Page] = {}
        for place in near:
            page = self._at(place, on, locale)
            if isinstance(page, Page):
                found[page.src] = page
        if len(found) > 1:
            named = " or ".join(f"`/{src}`" for src in found)
            return Refused(
                f"`{path}` means several documents here: {named}",
                "write which, from the docs folder on",
            )
        if found:
            return next(iter(found.values()))
        # as sites before 0.3 wrote it
        page = self._at(posixpath.normpath(path), on, locale)
        if isinstance(page, Page):
            return page
        return self._unknown(near[0], on, locale)

    def _near(self, path: str, on: str, file: str) -> Iterator[str]:
        """Where a path leads from its page, in the site and on the disk, relative to the folder of the docs."""
        if not path:
            yield on
        elif path.startswith("/"):
            yield posixpath.normpath(path.lstrip("/"))
        else:
            yield posixpath.normpath(posixpath.join(posixpath.dirname(on), path))
            if not posixpath.isabs(file):
                beside = posixpath.join(posixpath.dirname(file), path)
                yield posixpath.relpath(
                    posixpath.normpath(beside), self._repository.docs_dir
                )

    def _at(self, place: str, on: str, locale: str) -> Page | Refused:
        """The document at a path that is relative to the folder of the docs."""
        page = self._pages.get(
            _composed(_translated(place, on, locale))
        ) or self._pages.get(_composed(place))
        if page is not None:
            return page
        file = posixpath.normpath(posixpath.join(self._repository.docs_dir, place))
        return self._files.get(file) or self._repository.page(file)

    def _unknown(self, place: str, on: str, locale: str) -> Refused:
        """Why there is nothing at a path."""
        refused = self._at(place, on, locale)
        assert isinstance(refused, Refused)  # noqa: S101 -- or it would have been found
        if place.startswith("../"):
            return refused
        file = posixpath.normpath(posixpath.join(self._repository.docs_dir, place))
        is_file = (self._repository.root / file).is_file()
        if self._repository.is_held(file) or (is_file and not place.endswith(".md")):
            return refused
        return Refused(
            f"`{place}` is no page that may be cited",
            did_you_mean(place, tuple(self._pages)[:5000]),
        )

    def _external(self, path: str) -> Page | Refused:
        """The one page of the web that has a name."""
        named = []
        for src, page in self._pages.items():
            if src == path or is_below(src, path):
                named.append(page)
        if len(named) == 1:
            return named[0]
        if named:
            several = ", ".join(f"`{page.src}`" for page in named[:5])
            return Refused(
                f"`{path}` names {len(named)} pages of the web",
                f"name one of them: {several}",
            )
        return Refused(
            f"`{path}` is no external page that may be cited",
            did_you_mean(path, tuple(self._pages)),
        )


def _composed(path: str) -> str:
    """A path with its accents in their letters (NFC), as most keyboards write it and some disks do not."""
    return unicodedata.normalize("NFC", path)


def _translated(place: str, on: str, locale: str) -> str:
    """A page in the language of the one that names it, where both say theirs in their names: in `index.de.md`,
    `keys.md` is `keys.de.md`, as links are to mkdocs-static-i18n."""
    stem, _, suffix = on.removesuffix(".md").rpartition(".")
    if not stem or tag_of(suffix) != locale or not place.endswith(".md"):
        return place
    return f"{place.removesuffix('.md')}.{suffix}.md"
