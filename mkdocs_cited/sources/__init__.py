"""From rendered pages, repository files and snapshots to passages: here the sections and passages of one document are
built, with their ids, hashes and order, wherever their text came from. The index over them lives in `search`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from urllib.parse import urljoin, urlsplit

from msgspec import Struct

from mkdocs_cited.base.text import Spans, digest
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.model.source import Page, Passage, PassageKind, Section, SourceType


class Document(Struct, frozen=True):
    """A page or a document of `extra_sources` with its text, in page order."""

    page: Page
    sections: tuple[Section, ...]
    """Those without passages included."""
    passages: tuple[Passage, ...]

    def at(self, positions: Collection[int]) -> tuple[Passage, ...]:
        """The passages of the sections at these positions."""
        return tuple(
            item for item in self.passages if item.section.position in positions
        )


class Builder:
    """Collects the text of one document. Ids depend on a section's anchor and a passage's words alone, so that
    an edit or a move elsewhere on the page leaves them as they are.
    """

    def __init__(self, page: Page) -> None:
        """Begin with what is before the first heading."""
        self.page = page
        self.section = Section(page, "", page.title, 0, (page.title,))
        self.sections = [self.section]
        """Those without passages included."""
        self.passages: list[Passage] = []
        self._trail: list[Section] = []
        self._seen: dict[str, int] = {}

    def open_section(self, title: str, level: int, anchor: str) -> None:
        """Begin the part under a heading. A heading without an id is reached by the anchor before it."""
        while self._trail and self._trail[-1].level >= level:
            self._trail.pop()
        crumbs = self._trail[-1].breadcrumb if self._trail else (self.page.title,)
        if title and title.casefold() != crumbs[-1].casefold():
            crumbs = (*crumbs, title)
        self.section = Section(
            self.page,
            anchor or self.section.anchor,
            title or self.page.title,
            level,
            crumbs,
            len(self.sections),
            has_id=bool(anchor),
        )
        self.sections.append(self.section)
        self._trail.append(self.section)

    def add(
        self,
        kind: PassageKind,
        text: str,
        *,
        section: Section | None = None,
        **details: Any,
    ) -> None:
        """Append a passage; `details` are other fields of `Passage`."""
        section = section or self.section
        hashed = digest("passage-1", kind, text)
        base = f"{self.page.src}#{section.anchor}~{hashed[:6]}"
        count = self._seen[base] = self._seen.get(base, 0) + 1
        source_type = self.page.type
        if kind is PassageKind.DEFINITION and source_type is SourceType.PAGE:
            source_type = SourceType.DEFINITION
        name = base if count == 1 else f"{base}.{count}"
        sentences = cut(kind, text, details.get("lead", ""), self.page.language)
        self.passages.append(
            Passage(
                id=name,
                section=section,
                kind=kind,
                text=text,
                type=source_type,
                hash=hashed,
                sentences=sentences,
                position=len(self.passages),
                **details,
            )
        )

    def document(self) -> Document:
        """The document with every section and passage that was added, in page order."""
        return Document(self.page, tuple(self.sections), tuple(self.passages))


def in_site(href: str, base: str) -> str:
    """Where a link of the page at `base` leads, relative to the site's root, or whole; empty where none may."""
    try:
        parts = urlsplit(href)
        if parts.scheme or parts.netloc:
            if parts.scheme in ("http", "https", "mailto"):
                return href
            return ""
        if href.startswith("/"):
            return href
        return urljoin(f"/{base}", href).lstrip("/")
    except ValueError:  # a malformed address leads nowhere
        return ""


def cut(kind: PassageKind, text: str, lead: str, language: str) -> Spans:
    """The offsets of a passage's sentences. Code and rows are one; a term belongs to the first."""
    if kind in (PassageKind.CODE, PassageKind.ROW):
        return ((0, len(text)),)
    start = 0
    if kind is PassageKind.DEFINITION and lead and text.startswith(lead):
        start = len(lead)
    first, *others = sentences(text, language, start) or [(0, len(text))]
    return ((0, first[1]), *others)
