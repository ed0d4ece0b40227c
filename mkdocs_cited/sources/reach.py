"""Which page or file a path in a mark leads to, from the page that it stands on: as the links of Markdown do.

Relative to the page first, then to the folder of the docs; `/` is the folder of the docs. What a path names *in* a
file is found in `addressed`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote

from mkdocs_cited.base.language_tags import tag_of
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.model.address import WEB
from mkdocs_cited.model.source import Page, Refused, Section, SourceType
from mkdocs_cited.sources.repository import Repository, is_below


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
                self._pages[page.src] = page

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
            return Refused(f"`{path}` means several documents here: {named}", "write which, from the docs folder on")
        if found:
            return next(iter(found.values()))
        page = self._at(posixpath.normpath(path), on, locale)  # as sites before 0.3 wrote it
        return page if isinstance(page, Page) else self._unknown(near[0], on, locale)

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
                yield posixpath.relpath(posixpath.normpath(beside), self._repository.docs_dir)

    def _at(self, place: str, on: str, locale: str) -> Page | Refused:
        """The document at a path that is relative to the folder of the docs."""
        page = self._pages.get(_translated(place, on, locale)) or self._pages.get(place)
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
        return Refused(f"`{place}` is no page that may be cited", did_you_mean(place, tuple(self._pages)[:5000]))

    def _external(self, path: str) -> Page | Refused:
        """The one page of the web that has a name."""
        named = [page for src, page in self._pages.items() if src == path or is_below(src, path)]
        if len(named) == 1:
            return named[0]
        if named:
            several = ", ".join(f"`{page.src}`" for page in named[:5])
            return Refused(f"`{path}` names {len(named)} pages of the web", f"name one of them: {several}")
        return Refused(f"`{path}` is no external page that may be cited", did_you_mean(path, tuple(self._pages)))


def _translated(place: str, on: str, locale: str) -> str:
    """A page in the language of the one that names it, where both say theirs in their names: in `index.de.md`,
    `keys.md` is `keys.de.md`, as links are to mkdocs-static-i18n."""
    stem, _, suffix = on.removesuffix(".md").rpartition(".")
    if not stem or tag_of(suffix) != locale or not place.endswith(".md"):
        return place
    return f"{place.removesuffix('.md')}.{suffix}.md"


def lead(sections: Sequence[Section]) -> tuple[int, ...]:
    """Positions of the sections of a page that are before its first sub-heading. Its title is no sub-heading."""
    positions: list[int] = []
    for section in sections:
        is_title = section.level == 1 and len(positions) <= 1
        if section.level and not is_title:
            break
        positions.append(section.position)
    return tuple(positions)


def several(sections: Sequence[Section], anchor: str) -> tuple[str, ...]:
    """The ids of a heading's namesakes on its page, itself included; none where it has no namesake, where its id says
    which it is (`limits_1`), or where it is the page's title."""
    named = [section for section in sections if section.anchor == anchor and section.level]
    if not named or named[0].level == 1:  # a page's title, with all that is below it, its namesake as well
        return ()
    title = named[0].title.casefold()
    numbered: list[str] = []
    for section in sections:
        number = section.anchor.removeprefix(anchor)
        if section.title.casefold() == title and number != section.anchor and number.strip("_-").isdigit():
            numbered.append(section.anchor)
    return (anchor, *numbered) if numbered else ()
