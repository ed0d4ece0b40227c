"""Documents as the store has them: by the hash of what they were made from, encoded, and cut for full-text search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

_CHUNK = 1500
"""Characters of text after which a section goes on in another chunk, so that length does not drown what is short."""


class Rendered(Struct, frozen=True):
    """The rendered pages of a site, as commands read them in place of rendering them again."""

    head: bytes
    """What the host knows of them; empty where they cannot be stored."""
    pages: Mapping[str, str]
    """Address → HTML."""


def key_of(page: Page, content: Content | None) -> str:
    """The hash of everything that a stored document depends on."""
    parts = [from_html.VERSION, repr(page)]
    match content:
        case None:
            return ""
        case str():
            parts += ["html", content]
        case Unread():
            parts += ["unread", content.key]
        case _:
            for passage in content:
                parts += [passage.id, passage.text, str(passage.lines)]
    return digest(*parts, length=24)


def document_of(page: Page, content: Content) -> Document:
    """A document with its sections and passages, read from its content."""
    match content:
        case str():
            return from_html.read(page, content)
        case Unread():
            return _document(page, content.passages())
        case _:
            return _document(page, content)


def _document(page: Page, passages: Sequence[Passage]) -> Document:
    """Passages as a document whose sections are numbered on, those without a passage left out."""
    sections = {passage.section.position: passage.section for passage in passages}
    numbered = {}
    for number, position in enumerate(sorted(sections)):
        numbered[position] = replace(sections[position], position=number)
    held = []
    for passage in passages:
        held.append(replace(passage, section=numbered[passage.section.position]))
    return Document(page, tuple(numbered.values()), tuple(held))


_WITHIN_PAGE = [name for name in Section.__struct_fields__ if name != "page"]
_WITHIN_SECTION = [name for name in Passage.__struct_fields__ if name != "section"]


def _part_of(kind: type[Struct], name: str, fields: Sequence[str]) -> Any:
    """A struct with some fields of another."""
    types = get_type_hints(kind)
    own = [(field, types[field]) for field in fields]
    return msgspec.defstruct(name, own, array_like=True)


_Section: Any = _part_of(Section, "_Section", _WITHIN_PAGE)
"""A section without its page, which is given again."""
_Passage: Any = _part_of(Passage, "_Passage", _WITHIN_SECTION)
"""A passage without its section, of which the number is stored."""
_encode = msgspec.msgpack.Encoder().encode
_DOCUMENT = msgspec.msgpack.Decoder(tuple[list[_Section], list[tuple[int, _Passage]]])


def encode(document: Document) -> bytes:
    """A document without its page, for `decode`."""
    sections = []
    for section in document.sections:
        sections.append([getattr(section, name) for name in _WITHIN_PAGE])
    passages = []
    for passage in document.passages:
        fields = [getattr(passage, name) for name in _WITHIN_SECTION]
        passages.append((passage.section.position, fields))
    return _encode((sections, passages))


def decode(page: Page, data: bytes) -> Document:
    """A document as it was given."""
    stored_sections, stored_passages = _DOCUMENT.decode(data)
    sections = []
    for fields in stored_sections:
        sections.append(Section(page, **msgspec.structs.asdict(fields)))
    passages = []
    for number, fields in stored_passages:
        section = sections[number]
        passages.append(Passage(section=section, **msgspec.structs.asdict(fields)))
    return Document(page, tuple(sections), tuple(passages))


def chunks_of(document: Document) -> list[list[Passage]]:
    """The passages of each section, those of long ones in parts."""
    chunks: list[list[Passage]] = []
    section, size = -1, 0
    for passage in document.passages:
        if size > _CHUNK or passage.section.position != section:
            chunks.append([])
            section, size = passage.section.position, 0
        chunks[-1].append(passage)
        size += len(passage.text)
    return chunks


def terms_of_chunk(chunk: Sequence[Passage]) -> tuple[str, str, str]:
    """The terms of a chunk's page title, of its headings and of its text, each joined by spaces."""
    page, section = chunk[0].page, chunk[0].section
    place = page.src.rpartition(".")[0].removesuffix("index").replace("/", " ")
    crumbs = section.breadcrumb
    if section.level:
        crumbs = crumbs[1:]
    texts = "\n".join(own_text(passage) for passage in chunk)
    return (
        joined_terms(f"{page.title} {place}", page.language),
        joined_terms(" ".join(crumbs), page.language),
        joined_terms(texts, page.language),
    )


def own_text(passage: Passage) -> str:
    """What of a passage is searched: its text and its lead."""
    return f"{passage.text}\n{passage.lead}"
