"""From a document to the rows that hold it in the index, and back: what is stored, encoded, and under which key.

The database itself, its transactions and queries, are `store`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from mkdocs_cited import __version__
from mkdocs_cited.base.text import digest
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import Page, Passage, PassageKind, Section, SourceType
from mkdocs_cited.search.terms import joined_terms
from mkdocs_cited.sources import from_html
from mkdocs_cited.sources.passages import Collected, Document, PlacedDetails, Unread, collected_of, cut, made

Content = str | Sequence[Passage] | Unread
"""A page's HTML, or the passages of a file or note, or what gives the passages of a snapshot."""

_CHUNK = 1500
"""Characters of text after which a section goes on in another chunk, so that length does not drown what is short."""
_OPENING = (":", "：")


class Stored(Struct, frozen=True):
    """A document as the database knows it, without its passages."""

    id: int
    page: Page
    sections: tuple[Section, ...]


class Part(NamedTuple):
    """What ranking needs to know of a passage, without loading it."""

    name: str
    """Its id."""
    kind: PassageKind
    characters: int
    opens: bool
    """Whether it only leads to what follows: it ends in a colon."""
    terms: int
    """How many of the chunk's terms are its own, those of its lead included; they follow each other in order."""


class Rows(Struct, frozen=True):
    """A document as it is written: rows that only lack their numbers."""

    document: tuple[str, str, str, bytes, bytes]
    """src, url, key, page, sections."""
    links: tuple[tuple[str, str], ...]
    """(url it leads to, terms of its text) each."""
    chunks: tuple[ChunkRow, ...]


ChunkRow = tuple[int, tuple[tuple[str, str, bytes], ...], bytes, tuple[str, str, str], tuple[int, int, int]]
"""Section; id, hash and data of its passages; its parts; terms of title, heading and body; how many they are."""


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
    sections: Sequence[Section]
    collected: Iterable[Collected]
    if isinstance(content, str):
        builder = from_html.collect(page, content)
        sections, collected, links = builder.sections, builder.collected, builder.links
    else:
        document = document_of(page, content)
        sections, collected, links = document.sections, map(collected_of, document.passages), []
    held = tuple((item.anchor, item.title, item.level, item.breadcrumb) for item in sections)
    linked = {(url, joined_terms(text, page.locale)) for url, text in links}
    return Rows(
        (page.src, page.url, key, _encode(page), _encode(held)),
        tuple(sorted(link for link in linked if link[1])),
        tuple(_chunks(page, sections, collected)),
    )


def load_page(data: bytes) -> Page:
    """A document's page as it was given."""
    return _PAGE.decode(data)


def load_parts(data: bytes) -> tuple[Part, ...]:
    """The passages of a chunk, as far as ranking needs them."""
    return _PARTS.decode(data)


def load_document(number: int, page_data: bytes, sections_data: bytes) -> Stored:
    """A document as it was given, without its passages."""
    page = _PAGE.decode(page_data)
    sections = tuple(
        Section(page, anchor, title, level, crumbs, position)
        for position, (anchor, title, level, crumbs) in enumerate(_SECTIONS.decode(sections_data))
    )
    return Stored(number, page, sections)


def load_passage(sections: Sequence[Section], name: str, hashed: str, data: bytes, *, with_sentences: bool) -> Passage:
    """A passage as it was extracted; it stands in one of the sections of its document."""
    number, kind, text, source_type, position, details = _DATA.decode(data)
    section = sections[number]
    sentences = cut(kind, text, details.get("lead", ""), section.page.locale) if with_sentences else ()
    return made((name, hashed, section, kind, text, source_type, position, details), sentences)


def _document(page: Page, passages: Sequence[Passage]) -> Document:
    """Passages as a document whose sections are numbered on, those without a passage left out."""
    sections = {passage.section.position: passage.section for passage in passages}
    numbered = {old: replace(sections[old], position=new) for new, old in enumerate(sorted(sections))}
    held = tuple(replace(passage, section=numbered[passage.section.position]) for passage in passages)
    return Document(page, tuple(numbered.values()), held)


def _chunks(page: Page, sections: Sequence[Section], collected: Iterable[Collected]) -> Iterator[ChunkRow]:
    language = page.locale
    place = page.src.rpartition(".")[0].removesuffix("index").replace("/", " ")
    title = joined_terms(f"{page.title} {place}", language)
    leads: dict[str, str] = {"": ""}
    number_of = {section.position: number for number, section in enumerate(sections)}
    for section, items in _pieces(collected):
        number = number_of[section.position]
        crumbs = section.breadcrumb[1:] if section.level else section.breadcrumb
        heading = joined_terms(" ".join(crumbs), language)
        rows, parts, words, count = [], [], [], 0
        for name, hashed, _, kind, text, source_type, position, details in items:
            terms = _own_terms(text, details.get("lead", ""), leads, language)
            own = terms.count(" ") + 1 if terms else 0
            rows.append((name, hashed, _encode((number, kind, text, source_type, position, details))))
            parts.append((name, kind, len(text), text.endswith(_OPENING), own))
            words.append(terms)
            count += own
        lengths = (1 + title.count(" "), 1 + heading.count(" "), count or 1)
        yield number, tuple(rows), _encode(parts), (title, heading, " ".join(filter(None, words))), lengths


def _own_terms(text: str, lead: str, leads: dict[str, str], language: str) -> str:
    """The terms of a passage's text and of its lead; `leads` holds those that were read before: a list's items share
    theirs."""
    own, of_lead = joined_terms(text, language), leads.get(lead)
    if of_lead is None:
        of_lead = leads[lead] = joined_terms(lead, language)
    return f"{own} {of_lead}" if own and of_lead else own or of_lead


def _pieces(collected: Iterable[Collected]) -> Iterator[tuple[Section, list[Collected]]]:
    """Consecutive passages of one section, cut where they get long."""
    piece: list[Collected] = []
    before: Section | None = None
    length = 0
    for item in collected:
        section, text = item[2], item[4]
        if before is not None and (before.position != section.position or length > _CHUNK):
            yield before, piece
            piece, length = [], 0
        piece.append(item)
        before = section
        length += len(text)
    if before is not None:
        yield before, piece


_Data = tuple[int, PassageKind, str, SourceType, int, PlacedDetails]
_DATA: msgspec.msgpack.Decoder[_Data] = msgspec.msgpack.Decoder(_Data)
_PARTS = msgspec.msgpack.Decoder(tuple[Part, ...])
_PAGE = msgspec.msgpack.Decoder(Page)
_SECTIONS = msgspec.msgpack.Decoder(tuple[tuple[str, str, int, tuple[str, ...]], ...])
_encode = msgspec.msgpack.Encoder().encode
