"""How a store is written: its tables, and the rows that make it hold what a site holds today.

What is stored of a document is made in `stored_rows`; how it is read, and what file it is in, is `store`'s business.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from msgspec import Struct

from mkdocs_cited.base.text import digest
from mkdocs_cited.model.source import Page
from mkdocs_cited.search.stored_rows import Content, Rows, rows_of

FORMAT = "8"
"""Version of the tables; another one is thrown away and built again."""
_BATCH = 50
"""Documents whose rows are made and written together."""
SPAN = 1 << 32
"""Numbers that each document has for its passages, from its own number times this on, in page order."""
_PAGE_SIZE = 16384
"""Bytes that SQLite reads and writes at once: of a site's text a quarter as many pages as usual."""
Wanted = dict[str, tuple[Page, Content | None, str]]
"""Path of each document that is to be stored, the last of the site first → page, content, key."""

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
CREATE TABLE links (document INTEGER NOT NULL, target TEXT NOT NULL, terms TEXT NOT NULL);
CREATE INDEX links_by_document ON links (document);
CREATE INDEX links_by_target ON links (target);
CREATE VIRTUAL TABLE texts USING fts5 (title, heading, body, tokenize = 'ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (texts, row);
CREATE TABLE rendered (url TEXT PRIMARY KEY, html BLOB NOT NULL);
"""


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


def prepare(connection: sqlite3.Connection, *, new: bool) -> None:
    """Make a database ready to be written, with its tables where it is new. Nobody reads it before it is closed."""
    for pragma in (f"page_size = {_PAGE_SIZE}", "journal_mode = OFF", "synchronous = OFF", "temp_store = MEMORY"):
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
    return stored is not None and bool(stored[0] == _key(rendered))


def write(connection: sqlite3.Connection, wanted: Wanted, rendered: Rendered | None) -> SyncCounts:
    """Make a database hold exactly these documents, and these rendered pages; None leaves those that are stored."""
    connection.execute("BEGIN")
    changed, removed = differences(connection, wanted)
    _remove(connection, [*removed, *changed])
    for start in range(0, len(changed), _BATCH):  # of a large site, not all rows are held at once
        batch = [wanted[src] for src in changed[start : start + _BATCH]]
        _insert(connection, [rows_of(page, content or "", key) for page, content, key in batch])
    if rendered is not None:
        _render(connection, rendered)
    connection.execute("COMMIT")
    return SyncCounts(len(wanted) - len(changed), len(changed), len(removed))


def _render(connection: sqlite3.Connection, rendered: Rendered) -> None:
    pages = ((url, html.encode("utf-8", "surrogatepass")) for url, html in rendered.pages.items())
    connection.execute("DELETE FROM rendered")
    connection.executemany("INSERT INTO rendered VALUES (?, ?)", pages)
    values = {"rendered": rendered.head, "rendered_key": _key(rendered)}
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())


def _key(rendered: Rendered) -> str:
    return digest(rendered.head.hex(), *(part for page in rendered.pages.items() for part in page))


def _remove(connection: sqlite3.Connection, paths: Sequence[str]) -> None:
    numbers = [row for src in paths for row in connection.execute("SELECT id FROM documents WHERE src = ?", (src,))]
    connection.executemany("DELETE FROM texts WHERE rowid IN (SELECT id FROM chunks WHERE document = ?)", numbers)
    connection.executemany(
        "DELETE FROM passages WHERE id BETWEEN ? AND ?", [passage_numbers(number) for (number,) in numbers]
    )
    for table, column in (("chunks", "document"), ("links", "document"), ("documents", "id")):
        connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", numbers)  # noqa: S608


def _insert(connection: sqlite3.Connection, made: Sequence[Rows]) -> None:
    document, chunk = (
        connection.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()[0]  # noqa: S608
        for table in ("documents", "chunks")
    )
    documents, links, chunks, texts, passages = [], [], [], [], []
    for rows in made:
        documents.append((document, *rows.document))
        links += [(document, *link) for link in rows.links]
        passage, _ = passage_numbers(document)
        for section, held, columns in rows.chunks:
            lengths = (1 + column.count(" ") for column in columns)
            chunks.append((chunk, document, section, passage, passage + len(held) - 1, *lengths))
            texts.append((chunk, *columns))
            passages += [(number, *row) for number, row in enumerate(held, passage)]
            passage += len(held)
            chunk += 1
        document += 1
    for statement, values in (
        ("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)", documents),
        ("INSERT INTO links VALUES (?, ?, ?)", links),
        ("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?)", chunks),
        ("INSERT INTO passages VALUES (?, ?, ?, ?)", passages),
        ("INSERT INTO texts (rowid, title, heading, body) VALUES (?, ?, ?, ?)", texts),
    ):
        connection.executemany(statement, values)


def passage_numbers(document: int) -> tuple[int, int]:
    """The first and the last number that a document has for its passages."""
    return document * SPAN, (document + 1) * SPAN - 1
