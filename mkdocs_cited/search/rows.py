"""Documents as rows of the index, encoded and decoded. The tables and the queries are in `store`.

A document is known by the hash of what it was made from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_type_hints

import msgspec
from msgspec import Struct

from mkdocs_cited.base.text import digest
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import Page, Passage, Section
from mkdocs_cited.search.terms import joined_terms
from mkdocs_cited.sources import from_html
from mkdocs_cited.sources.passages import Document, Unread

Content = str | Sequence[Passage] | Unread
"""A page's HTML, or the passages of a file or note, or what gives the passages of a snapshot."""

SPAN = 1 << 32
"""Numbers that each document has for its passages, from its own number times this on, in page order."""
_CHUNK = 1500
"""Characters of text after which a section goes on in another chunk, so that length does not drown what is short."""

OPENING = (":", "：")
"""How a passage ends that introduces the next one."""


class Stored(Struct, frozen=True):
    """A document as the database knows it, without its passages."""

    id: int
    page: Page
    sections: tuple[Section, ...]


class Rendered(Struct, frozen=True):
    """The rendered pages of a site, as commands read them in place of rendering them again."""

    head: bytes
    """What the host knows of them; empty where they cannot be stored."""
    pages: Mapping[str, str]
    """Address → HTML."""


class Piece(Struct, frozen=True):
    """A section, or a part of a long one, with its terms joined by spaces."""

    section: int
    passages: Sequence[Passage]
    title: str
    heading: str
    body: str


def passage_numbers(document: int) -> tuple[int, int]:
    """The first and the last number that a document has for its passages."""
    return document * SPAN, (document + 1) * SPAN - 1


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
            parts = [
                part
                for passage in content
                for part in (passage.id, passage.text, str(passage.lines))
            ]
    return digest(from_html.VERSION, repr(page), *parts, length=24)


def document_of(page: Page, content: Content) -> Document:
    """A document with its sections and passages, read from its content."""
    match content:
        case str():
            return from_html.read(page, content)
        case Unread():
            return _document(page, content.passages())
        case _:
            return _document(page, content)


def decode_page(data: bytes) -> Page:
    """A document's page as it was given."""
    return _PAGE.decode(data)


def decode_document(number: int, page_data: bytes, sections_data: bytes) -> Stored:
    """A document as it was given, without its passages."""
    page = _PAGE.decode(page_data)
    sections = tuple(
        Section(page, anchor, title, level, crumbs, position, has_id)
        for position, (anchor, title, level, crumbs, has_id) in enumerate(
            _SECTIONS.decode(sections_data)
        )
    )
    return Stored(number, page, sections)


def decode_passage(sections: Sequence[Section], data: bytes) -> Passage:
    """A passage as it was extracted, in one of the sections of its document."""
    number, fields = _DATA.decode(data)
    return Passage(section=sections[number], **msgspec.structs.asdict(fields))


def _document(page: Page, passages: Sequence[Passage]) -> Document:
    """Passages as a document whose sections are numbered on, those without a passage left out."""
    sections = {passage.section.position: passage.section for passage in passages}
    numbered = {
        old: replace(sections[old], position=new)
        for new, old in enumerate(sorted(sections))
    }
    held = tuple(
        replace(passage, section=numbered[passage.section.position])
        for passage in passages
    )
    return Document(page, tuple(numbered.values()), held)


def chunks_of(document: Document) -> Iterator[Piece]:
    """The sections of a document, long ones in parts."""
    page = document.page
    place = page.src.rpartition(".")[0].removesuffix("index").replace("/", " ")
    title = joined_terms(f"{page.title} {place}", page.language)
    number_of = {
        section.position: number for number, section in enumerate(document.sections)
    }
    for section, passages in _pieces(document.passages):
        crumbs = section.breadcrumb[1:] if section.level else section.breadcrumb
        heading = joined_terms(" ".join(crumbs), page.language)
        body = joined_terms(
            "\n".join(own_text(passage) for passage in passages), page.language
        )
        yield Piece(
            number_of[section.position],
            passages,
            title=title,
            heading=heading,
            body=body,
        )


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


_FIELDS = {
    name: kind for name, kind in get_type_hints(Passage).items() if name != "section"
}
_Fields: Any = msgspec.defstruct("_Fields", list(_FIELDS.items()), array_like=True)
"""A passage without its section, of which the number is stored."""
_DATA = msgspec.msgpack.Decoder(tuple[int, _Fields])
_PAGE = msgspec.msgpack.Decoder(Page)
_SECTIONS = msgspec.msgpack.Decoder(
    tuple[tuple[str, str, int, tuple[str, ...], bool], ...]
)
_encode = msgspec.msgpack.Encoder().encode


def encode_page(page: Page) -> bytes:
    """A document's page, for `decode_page`."""
    return _encode(page)


def encode_sections(sections: Sequence[Section]) -> bytes:
    """A document's sections, for `decode_document`."""
    return _encode(
        tuple(
            (item.anchor, item.title, item.level, item.breadcrumb, item.has_id)
            for item in sections
        )
    )


def encode_passage(passage: Passage, section: int) -> bytes:
    """A passage with the number of its section, for `decode_passage`."""
    return _encode(
        (section, _Fields(**{name: getattr(passage, name) for name in _FIELDS}))
    )
