"""The tables of the index, and the rows that make them hold what a site holds today: encoded, and read back.

What is stored is known by the hash of what it was made from. The file and the queries are `store`'s.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
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

FORMAT = "11"
"""Version of the tables, and of how texts are ranked; another one is thrown away and built again."""
SPAN = 1 << 32
"""Numbers that each document has for its passages, from its own number times this on, in page order."""
_CHUNK = 1500
"""Characters of text after which a section goes on in another chunk, so that length does not drown what is short."""

OPENING = (":", "：")
"""How a passage ends that introduces the next one."""


_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY, src TEXT NOT NULL UNIQUE, url TEXT NOT NULL, key TEXT NOT NULL,
    page BLOB NOT NULL, sections BLOB NOT NULL
);
CREATE TABLE passages (id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, data BLOB NOT NULL);
CREATE INDEX passages_by_hash ON passages (hash);
CREATE INDEX passages_by_name ON passages (name);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, document INTEGER NOT NULL, section INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL,
    title INTEGER NOT NULL, heading INTEGER NOT NULL, body INTEGER NOT NULL
);
CREATE INDEX chunks_by_document ON chunks (document);
CREATE VIRTUAL TABLE texts USING fts5 (title, heading, body, tokenize = 'ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (texts, row);
CREATE TABLE rendered (url TEXT PRIMARY KEY, html BLOB NOT NULL);
CREATE TABLE searches (key TEXT PRIMARY KEY, hits BLOB NOT NULL);
"""


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


class SyncCounts(Struct, frozen=True):
    """What one `sync` did, in documents."""

    unchanged: int = 0
    written: int = 0
    removed: int = 0


Wanted = dict[str, tuple[Page, Content | None, str]]
"""Path of each document that is to be stored, the last of the site first → page, content, key."""


def prepare(connection: sqlite3.Connection, *, new: bool) -> None:
    """Make a database ready to be written, with its tables where it is new. Nobody reads it before it is closed."""
    for pragma in ("page_size = 16384", "journal_mode = OFF", "synchronous = OFF", "temp_store = MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    if new:
        for statement in filter(str.strip, _SCHEMA.split(";")):
            connection.execute(statement)
        connection.execute("INSERT INTO meta VALUES ('format', ?)", (FORMAT,))


def differences(connection: sqlite3.Connection, wanted: Wanted) -> tuple[list[str], list[str]]:
    """Paths of documents to write, in order of the site, and of those to remove."""
    known = dict(connection.execute("SELECT src, key FROM documents"))
    changed = [
        src
        for src, (_, content, key) in reversed(wanted.items())
        if known.get(src) != key and not (content is None and src in known)
    ]
    return changed, sorted(known.keys() - wanted.keys())


def holds(connection: sqlite3.Connection, rendered: Rendered) -> bool:
    """Whether these rendered pages are stored, and no others."""
    stored = connection.execute("SELECT value FROM meta WHERE key = 'rendered_key'").fetchone()
    return stored is not None and bool(stored[0] == _rendered_key(rendered))


def write(
    connection: sqlite3.Connection, wanted: Wanted, rendered: Rendered | None, found: Mapping[str, bytes]
) -> SyncCounts:
    """Make a database hold exactly these documents, what was found in them, and these rendered pages; None leaves those
    that are stored."""
    connection.execute("BEGIN")
    changed, removed = differences(connection, wanted)
    _remove(connection, [*removed, *changed])
    if removed or changed:
        connection.execute("DELETE FROM searches")
    for src in changed:
        page, content, key = wanted[src]
        _insert(connection, document_of(page, content or ""), key)
    if rendered is not None:
        pages = ((url, html.encode("utf-8", "surrogatepass")) for url, html in rendered.pages.items())
        connection.execute("DELETE FROM rendered")
        connection.executemany("INSERT INTO rendered VALUES (?, ?)", pages)
        values = {"rendered": rendered.head, "rendered_key": _rendered_key(rendered)}
        connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())
    connection.executemany("INSERT OR REPLACE INTO searches VALUES (?, ?)", found.items())
    connection.execute("COMMIT")
    return SyncCounts(len(wanted) - len(changed), len(changed), len(removed))


def _rendered_key(rendered: Rendered) -> str:
    return digest(rendered.head.hex(), *(part for page in rendered.pages.items() for part in page))


def _remove(connection: sqlite3.Connection, paths: Sequence[str]) -> None:
    numbers = [row for src in paths for row in connection.execute("SELECT id FROM documents WHERE src = ?", (src,))]
    connection.executemany("DELETE FROM texts WHERE rowid IN (SELECT id FROM chunks WHERE document = ?)", numbers)
    connection.executemany(
        "DELETE FROM passages WHERE id BETWEEN ? AND ?", [passage_numbers(number) for (number,) in numbers]
    )
    for table, column in (("chunks", "document"), ("documents", "id")):
        connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", numbers)  # noqa: S608


def _insert(connection: sqlite3.Connection, document: Document, key: str) -> None:
    """Store a document with its links, its chunks and their passages."""
    page = document.page
    sections = tuple((item.anchor, item.title, item.level, item.breadcrumb) for item in document.sections)
    number = connection.execute(
        "INSERT INTO documents (src, url, key, page, sections) VALUES (?, ?, ?, ?, ?)",
        (page.src, page.url, key, _encode(page), _encode(sections)),
    ).lastrowid
    number = number or 0  # an insertion has one
    first, _ = passage_numbers(number)
    for section, passages, columns in _chunks(document):
        lengths = (1 + column.count(" ") for column in columns)
        chunk = connection.execute(
            "INSERT INTO chunks (document, section, first, last, title, heading, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, section, first, first + len(passages) - 1, *lengths),
        ).lastrowid
        connection.execute("INSERT INTO texts (rowid, title, heading, body) VALUES (?, ?, ?, ?)", (chunk, *columns))
        connection.executemany(
            "INSERT INTO passages VALUES (?, ?, ?, ?)",
            [(at, item.id, item.hash, _stored(item, section)) for at, item in enumerate(passages, first)],
        )
        first += len(passages)


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


def _chunks(document: Document) -> Iterator[tuple[int, Sequence[Passage], tuple[str, str, str]]]:
    """Number of its section, passages, and terms of title, heading and body of each."""
    page = document.page
    place = page.src.rpartition(".")[0].removesuffix("index").replace("/", " ")
    title = joined_terms(f"{page.title} {place}", page.language)
    number_of = {section.position: number for number, section in enumerate(document.sections)}
    for section, passages in _pieces(document.passages):
        number = number_of[section.position]
        crumbs = section.breadcrumb[1:] if section.level else section.breadcrumb
        body = " ".join(filter(None, (joined_terms(own_text(passage), page.language) for passage in passages)))
        yield number, passages, (title, joined_terms(" ".join(crumbs), page.language), body)


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
