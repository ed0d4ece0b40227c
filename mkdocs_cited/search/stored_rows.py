"""From a document to the rows that hold it in the index, and back: what is stored, encoded, and under which key.

The database itself, its transactions and queries, are `store`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, get_type_hints

import msgspec
from msgspec import Struct

from mkdocs_cited import __version__
from mkdocs_cited.base.text import digest
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import Page, Passage, Section
from mkdocs_cited.search.terms import joined_terms
from mkdocs_cited.sources import from_html
from mkdocs_cited.sources.passages import Document, Unread

Content = str | Sequence[Passage] | Unread
"""A page's HTML, or the passages of a file or note, or what gives the passages of a snapshot."""

_CHUNK = 1500
"""Characters of text after which a section goes on in another chunk, so that length does not drown what is short."""

OPENING = (":", "：")
"""How a passage ends that introduces the next one."""


class Stored(Struct, frozen=True):
    """A document as the database knows it, without its passages."""

    id: int
    page: Page
    sections: tuple[Section, ...]


class Rows(Struct, frozen=True):
    """A document as it is written: rows that only lack their numbers."""

    document: tuple[str, str, str, bytes, bytes]
    """src, url, key, page, sections."""
    links: tuple[tuple[str, str], ...]
    """(url it leads to, terms of its text) each."""
    chunks: tuple[ChunkRow, ...]


ChunkRow = tuple[int, tuple[tuple[str, str, bytes], ...], tuple[str, str, str]]
"""Section; id, hash and data of its passages; terms of title, heading and body."""


def key_of(page: Page, content: Content | None) -> str:
    """The hash of everything that the rows of a document depend on."""
    match content:
        case None:
            return ""
        case str():
            parts = ["html", content]
        case Unread():
            parts = ["unread", content.key]
        case _:
            parts = [part for passage in content for part in (passage.id, passage.text, str(passage.lines))]
    return digest(__version__, from_html.VERSION, repr(page), *parts, length=24)


def document_of(page: Page, content: Content) -> Document:
    """A document with its sections and passages, read from its content."""
    match content:
        case str():
            return from_html.read(page, content)
        case Unread():
            return _document(page, content.passages())
        case _:
            return _document(page, content)


def rows_of(page: Page, content: Content, key: str) -> Rows:
    """Everything that is stored of a document."""
    document = document_of(page, content)
    sections = tuple((item.anchor, item.title, item.level, item.breadcrumb) for item in document.sections)
    linked = {(url, joined_terms(text, page.locale)) for url, text in document.links}
    return Rows(
        (page.src, page.url, key, _encode(page), _encode(sections)),
        tuple(sorted(link for link in linked if link[1])),
        tuple(_chunks(document)),
    )


def load_page(data: bytes) -> Page:
    """A document's page as it was given."""
    return _PAGE.decode(data)


def load_document(number: int, page_data: bytes, sections_data: bytes) -> Stored:
    """A document as it was given, without its passages."""
    page = _PAGE.decode(page_data)
    sections = tuple(
        Section(page, anchor, title, level, crumbs, position)
        for position, (anchor, title, level, crumbs) in enumerate(_SECTIONS.decode(sections_data))
    )
    return Stored(number, page, sections)


def load_passage(sections: Sequence[Section], data: bytes) -> Passage:
    """A passage as it was extracted, in one of the sections of its document."""
    number, fields = _DATA.decode(data)
    return Passage(section=sections[number], **msgspec.structs.asdict(fields))


def _document(page: Page, passages: Sequence[Passage]) -> Document:
    """Passages as a document whose sections are numbered on, those without a passage left out."""
    sections = {passage.section.position: passage.section for passage in passages}
    numbered = {old: replace(sections[old], position=new) for new, old in enumerate(sorted(sections))}
    held = tuple(replace(passage, section=numbered[passage.section.position]) for passage in passages)
    return Document(page, tuple(numbered.values()), held)


def _chunks(document: Document) -> Iterator[ChunkRow]:
    page = document.page
    place = page.src.rpartition(".")[0].removesuffix("index").replace("/", " ")
    title = joined_terms(f"{page.title} {place}", page.locale)
    number_of = {section.position: number for number, section in enumerate(document.sections)}
    for section, passages in _pieces(document.passages):
        number = number_of[section.position]
        crumbs = section.breadcrumb[1:] if section.level else section.breadcrumb
        body = " ".join(filter(None, (joined_terms(own_text(passage), page.locale) for passage in passages)))
        rows = tuple((passage.id, passage.hash, _stored(passage, number)) for passage in passages)
        yield number, rows, (title, joined_terms(" ".join(crumbs), page.locale), body)


def own_text(passage: Passage) -> str:
    """What of a passage is searched: its text and its lead."""
    return f"{passage.text}\n{passage.lead}"


def _pieces(passages: Sequence[Passage]) -> Iterator[tuple[Section, list[Passage]]]:
    """Consecutive passages of one section, cut where they get long."""
    piece: list[Passage] = []
    for passage in passages:
        long = sum(len(item.text) for item in piece) > _CHUNK
        if piece and (long or piece[-1].section.position != passage.section.position):
            yield piece[0].section, piece
            piece = []
        piece.append(passage)
    if piece:
        yield piece[0].section, piece


_FIELDS = {name: kind for name, kind in get_type_hints(Passage).items() if name != "section"}
_Fields: Any = msgspec.defstruct("_Fields", list(_FIELDS.items()), array_like=True)
"""A passage without its section, of which the number is stored."""
_DATA = msgspec.msgpack.Decoder(tuple[int, _Fields])
_PAGE = msgspec.msgpack.Decoder(Page)
_SECTIONS = msgspec.msgpack.Decoder(tuple[tuple[str, str, int, tuple[str, ...]], ...])
_encode = msgspec.msgpack.Encoder().encode


def _stored(passage: Passage, section: int) -> bytes:
    return _encode((section, _Fields(**{name: getattr(passage, name) for name in _FIELDS})))
