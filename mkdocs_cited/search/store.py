"""The store: documents, sections, passages and full text in SQLite, and the rendered pages that commands read.

How texts are ranked is in `ranking`; how documents become rows and rows passages, in `rows`.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path

import platformdirs
from msgspec import Struct

from mkdocs_cited import __version__
from mkdocs_cited.base.files import make_cache
from mkdocs_cited.base.text import digest
from mkdocs_cited.model.source import Page
from mkdocs_cited.search.rows import (
    SPAN,
    Content,
    Rendered,
    Stored,
    chunks_of,
    decode_document,
    decode_page,
    document_of,
    encode_page,
    encode_passage,
    encode_sections,
    key_of,
    passage_numbers,
)
from mkdocs_cited.sources.passages import Document

FORMAT = "16"
"""Version of the tables."""
CUTTERS = ("selectolax", "sentencex", "PyStemmer")
"""Libraries that cut text into passages, sentences and terms: another version may cut otherwise."""
_SECRET = "secret"  # noqa: S105 -- a file's name
_WEIGHTS = "3.0, 4.0, 1.0"
"""Of title, heading and body, for BM25."""

_SCHEMA = """
CREATE TABLE documents (
    id INTEGER PRIMARY KEY, src TEXT NOT NULL UNIQUE, key TEXT NOT NULL, page BLOB NOT NULL, sections BLOB NOT NULL
);
CREATE TABLE passages (id INTEGER PRIMARY KEY, name TEXT NOT NULL, data BLOB NOT NULL);
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
CREATE TABLE head (id INTEGER PRIMARY KEY, key TEXT NOT NULL, data BLOB NOT NULL);
CREATE TABLE marks (key TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE searches (state TEXT NOT NULL, key TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (state, key));
"""

Row = tuple[int, int, bytes]
"""Of a passage: number, document, data."""
Wanted = dict[str, tuple[Page, Content | None, str]]
"""Path of each document that is to be stored → page, content, key."""


class Chunk(Struct, frozen=True):
    """A section, or a part of a long one: what full-text search finds."""

    id: int
    document: int
    src: str
    """Path of the document."""
    section: int
    first: int
    last: int
    """Numbers of its first and its last passage; those between are its others."""
    title: str
    """Its terms, joined by spaces; so are those of its headings and its text."""
    heading: str
    body: str


class Measures(Struct, frozen=True):
    """How much text there is, `roughly`."""

    chunks: int
    title: float
    """Mean number of terms of a chunk's title, at least 1; so are those of its headings and its text."""
    heading: float
    body: float


class Store:
    """One database, in a file or in memory. Raises `sqlite3.DatabaseError` when it is damaged.

    It is in WAL mode: after `sync`, it keeps reading the state that it has written, whatever others write.
    """

    def __init__(self, file: Path | None) -> None:
        """Open a database: in memory for `None`, and where the file cannot be used."""
        self._close: Callable[[], object] = lambda: None
        self._file = file
        self._state = ""
        """Checksum of all documents."""
        try:
            self._use(_opened(file) if file else _in_memory())
        except (OSError, sqlite3.DatabaseError):
            self.forget()

    def close(self) -> None:
        """Close the file. The store cannot be used afterwards."""
        self._close()

    def forget(self) -> None:
        """Go on with an empty database in memory."""
        self._file = None
        self._use(_in_memory())

    def sync(
        self,
        documents: Sequence[tuple[Page, Content | None]],
        rendered: Rendered | None = None,
    ) -> int:
        """Make the database hold exactly these documents; in memory, where the file cannot be written. Returns how
        many documents were written or removed.

        Args:
            documents: pages with their HTML, files and notes with their passages; with `None` for its content, what is
                stored of a page stays, as `--dirty` builds need it.
            rendered: the pages for commands; `None` leaves those that are stored.
        """
        wanted = {
            page.src: (page, content, key_of(page, content))
            for page, content in documents
        }
        try:
            return self._synced(wanted, rendered)
        except sqlite3.DatabaseError:  # damaged, read-only or full
            self.forget()
            return self._synced(wanted, rendered)

    def _synced(self, wanted: Wanted, rendered: Rendered | None) -> int:
        database = self._connection
        database.rollback()  # of the state that was read
        written = 0
        if any(self._differences(wanted)) or not self._holds(rendered):
            database.execute("BEGIN IMMEDIATE")
            written = self._write(wanted, rendered)
            database.commit()
        database.execute("BEGIN")  # from the first read on, the state stays
        keys = database.execute(
            "SELECT src, key FROM documents ORDER BY src"
        ).fetchall()
        self._state = digest(*(part for row in keys for part in row))
        return written

    def _differences(self, wanted: Wanted) -> tuple[list[str], list[str]]:
        """Paths of the documents that are to be written, and of those that are to be removed."""
        known = dict(self._connection.execute("SELECT src, key FROM documents"))
        changed = []
        for src, (_, content, key) in wanted.items():
            if src not in known or (content is not None and known[src] != key):
                changed.append(src)
        return changed, sorted(known.keys() - wanted.keys())

    def _write(self, wanted: Wanted, rendered: Rendered | None) -> int:
        """Write all differences, within a transaction; how many documents they are."""
        changed, removed = self._differences(wanted)
        for src in (*removed, *changed):
            self._remove(src)
        for src in changed:
            page, content, key = wanted[src]
            self._insert(document_of(page, content or ""), key)
        if rendered is not None and not self._holds(rendered):
            self._store_rendered(rendered)
        return len(changed) + len(removed)

    def _remove(self, src: str) -> None:
        number = self.number(src)
        if number is not None:
            database = self._connection
            database.execute(
                "DELETE FROM texts WHERE rowid IN (SELECT id FROM chunks WHERE document = ?)",
                (number,),
            )
            database.execute(
                "DELETE FROM passages WHERE id BETWEEN ? AND ?", passage_numbers(number)
            )
            database.execute("DELETE FROM chunks WHERE document = ?", (number,))
            database.execute("DELETE FROM documents WHERE id = ?", (number,))

    def _insert(self, document: Document, key: str) -> None:
        database = self._connection
        page = document.page
        number = database.execute(
            "INSERT INTO documents (src, key, page, sections) VALUES (?, ?, ?, ?)",
            (page.src, key, encode_page(page), encode_sections(document.sections)),
        ).lastrowid
        number = number or 0  # an insertion has one
        first, _ = passage_numbers(number)
        for chunk in chunks_of(document):
            last = first + len(chunk.passages) - 1
            texts = (chunk.title, chunk.heading, chunk.body)
            lengths = [1 + text.count(" ") for text in texts]
            inserted = database.execute(
                "INSERT INTO chunks VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
                (number, chunk.section, first, last, *lengths),
            )
            row = (inserted.lastrowid, *texts)
            database.execute(
                "INSERT INTO texts (rowid, title, heading, body) VALUES (?, ?, ?, ?)",
                row,
            )
            for at, passage in enumerate(chunk.passages, first):
                data = encode_passage(passage, chunk.section)
                database.execute(
                    "INSERT INTO passages VALUES (?, ?, ?)", (at, passage.id, data)
                )
            first = last + 1

    def _holds(self, rendered: Rendered | None) -> bool:
        """True if these rendered pages are stored, or none are to be."""
        if rendered is None:
            return True
        row = self._connection.execute("SELECT key FROM head").fetchone()
        return row is not None and row[0] == _key_of_rendered(rendered)

    def _store_rendered(self, rendered: Rendered) -> None:
        database = self._connection
        database.execute("DELETE FROM rendered")
        for url, html in rendered.pages.items():
            database.execute(
                "INSERT INTO rendered VALUES (?, ?)",
                (url, html.encode("utf-8", "surrogatepass")),
            )
        head = (_key_of_rendered(rendered), rendered.head)
        database.execute("INSERT OR REPLACE INTO head VALUES (0, ?, ?)", head)

    def _use(self, connection: sqlite3.Connection) -> None:
        """Go on with another database."""
        self._close()
        self._connection = connection
        # A preview opens an index for each build; one that is forgotten closes its file without a warning.
        self._close = weakref.finalize(self, connection.close)

    def rendered(self) -> Rendered | None:
        """The rendered pages; `None` where none are stored."""
        row = self._connection.execute("SELECT data FROM head").fetchone()
        if row is None or not row[0]:
            return None
        pages = self._connection.execute(
            "SELECT url, html FROM rendered ORDER BY rowid"
        )
        return Rendered(
            row[0], {url: html.decode("utf-8", "surrogatepass") for url, html in pages}
        )

    def searched(self, key: str) -> bytes | None:
        """What a search of these documents has found before; nothing where it is not stored."""
        found = self._connection.execute(
            "SELECT data FROM searches WHERE state = ? AND key = ?", (self._state, key)
        ).fetchone()
        return found[0] if found else None

    def keep_searches(self, found: Mapping[str, bytes]) -> None:
        """Store what searches have found, by their keys, in place of what others found in other documents.

        Another connection writes it, so that this one goes on reading its own state. What cannot be stored is searched
        again.
        """
        if not found or self._file is None:
            return
        connection = _connected(self._file)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DELETE FROM searches WHERE state != ?", (self._state,))
            for key, data in found.items():
                connection.execute(
                    "INSERT OR REPLACE INTO searches VALUES (?, ?, ?)",
                    (self._state, key, data),
                )
            connection.execute("COMMIT")
        except sqlite3.DatabaseError:
            pass
        finally:
            connection.close()

    def marks(self) -> dict[str, bytes]:
        """What was stored of the marks of pages, by the pages' keys."""
        return dict(self._connection.execute("SELECT key, data FROM marks"))

    def keep_marks(self, found: Mapping[str, bytes]) -> None:
        """Store the marks of pages in place of all others; what cannot be stored is read again."""
        database = self._connection
        try:
            database.execute("BEGIN IMMEDIATE")
            for (key,) in database.execute("SELECT key FROM marks").fetchall():
                if key not in found:
                    database.execute("DELETE FROM marks WHERE key = ?", (key,))
            for key, data in found.items():
                database.execute(
                    "INSERT OR IGNORE INTO marks VALUES (?, ?)", (key, data)
                )
            database.execute("COMMIT")
        except sqlite3.DatabaseError:
            pass

    def pages(self) -> Iterator[tuple[int, Page]]:
        """Every document's number and page, ordered by path."""
        for number, page in self._connection.execute(
            "SELECT id, page FROM documents ORDER BY src"
        ):
            yield number, decode_page(page)

    def number(self, src: str) -> int | None:
        """The number of the document at a path; `None` where there is none."""
        row = self._connection.execute(
            "SELECT id FROM documents WHERE src = ?", (src,)
        ).fetchone()
        return row[0] if row else None

    def document(self, number: int) -> Stored:
        """The document with this number, which exists."""
        row = self._connection.execute(
            "SELECT id, page, sections FROM documents WHERE id = ?", (number,)
        ).fetchone()
        return decode_document(*row)

    def in_sections(self, document: int, sections: Collection[int]) -> Iterator[Row]:
        """The passages of some sections of a document, in page order."""
        return self._connection.execute(
            """SELECT passages.id, document, data FROM chunks JOIN passages ON passages.id BETWEEN first AND last
            WHERE document = ? AND section IN (SELECT value FROM json_each(?)) ORDER BY passages.id""",
            (document, json.dumps([*sections])),
        )

    def in_document(self, document: int) -> Iterator[Row]:
        """The passages of a document, in page order."""
        return self.numbered(*passage_numbers(document))

    def named(self, name: str) -> Row | None:
        """The passage with this id."""
        return next(self._passages("name = ?", name), None)

    def numbered(self, first: int, last: int) -> Iterator[Row]:
        """The passages with these numbers and those between, in page order."""
        return self._passages("id BETWEEN ? AND ? ORDER BY id", first, last)

    def _passages(self, condition: str, *values: str | int) -> Iterator[Row]:
        statement = f"SELECT id, id / {SPAN}, data FROM passages WHERE {condition}"  # noqa: S608
        return self._connection.execute(statement, values)

    def measures(self) -> Measures:
        """What ranking compares a chunk with."""
        count, *means = self._connection.execute(
            "SELECT count(*), avg(title), avg(heading), avg(body) FROM chunks"
        ).fetchone()
        title, heading, body = (max(1.0, roughly(mean or 0.0)) for mean in means)
        return Measures(int(roughly(count)), title=title, heading=heading, body=body)

    def frequency(self, term: str) -> int:
        """In how many chunks a term appears, `roughly`."""
        row = self._connection.execute(
            "SELECT doc FROM vocabulary WHERE term = ?", (term,)
        ).fetchone()
        return int(roughly(row[0])) if row else 0

    def find(
        self, terms: Sequence[str], limit: int, documents: Sequence[int] | None
    ) -> list[Chunk]:
        """The chunks that hold any of the terms, best first by BM25 as FTS5 defines it
        (https://www.sqlite.org/fts5.html#the_bm25_function), then by path and number.

        Args:
            terms: what is looked for.
            limit: most chunks.
            documents: those that are searched; `None` for all.
        """
        match = " OR ".join(f'"{term}"' for term in terms)
        found = self._connection.execute(
            f"""SELECT chunks.id, document, src, section, first, last, texts.title, texts.heading, texts.body
            FROM texts JOIN chunks ON chunks.id = texts.rowid JOIN documents ON documents.id = document
            WHERE texts MATCH ? AND (? IS NULL OR document IN (SELECT value FROM json_each(?)))
            ORDER BY bm25(texts, {_WEIGHTS}), src, chunks.id LIMIT ?""",  # noqa: S608
            (match, *[None if documents is None else json.dumps(documents)] * 2, limit),
        )
        return [Chunk(*row) for row in found]


def _in_memory() -> sqlite3.Connection:
    connection = sqlite3.connect(
        ":memory:", isolation_level=None, check_same_thread=False
    )
    connection.executescript(_SCHEMA)
    return connection


def _opened(file: Path) -> sqlite3.Connection:
    """A database in a file: a new one, where there is none, one of another version or a damaged one.

    Raises:
        OSError, sqlite3.DatabaseError: the file cannot be made.
    """
    make_cache(file.parent)
    version = _version()
    connection = _connected(file)
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] == version:
            connection.execute("SELECT count(*) FROM documents").fetchone()
            return connection
    except sqlite3.DatabaseError:
        pass
    connection.close()
    for suffix in ("", "-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    connection = _connected(file)
    try:
        connection.executescript(
            f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {version}; COMMIT;"
        )
    except BaseException:
        connection.close()
        raise
    return connection


def _connected(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        file, timeout=30, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.DatabaseError:
        pass  # no database: the first query says so
    return connection


def _version() -> int:
    """What a database has as its `user_version`, which is a number of 31 bits.

    It depends on all that rows are made with, and on a secret of this user: a database that came with a repository was
    made by others, and could hold anything.
    """
    libraries = [metadata.version(library) for library in CUTTERS]
    parts = [FORMAT, __version__, sqlite3.sqlite_version, *libraries, _secret()]
    return (
        int.from_bytes(hashlib.sha256("\n".join(parts).encode()).digest()[:4])
        & 0x7FFFFFFF
    )


def _secret() -> str:
    """A random text that this user's databases have in common; another one each time, where it cannot be kept."""
    file = platformdirs.user_cache_path("mkdocs-cited") / _SECRET
    made = secrets.token_hex(16)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="ascii") as new:
            new.write(made)
    except FileExistsError:
        return file.read_text(encoding="ascii", errors="replace")
    except OSError:
        pass
    return made


def _key_of_rendered(rendered: Rendered) -> str:
    parts = [rendered.head.hex()]
    for url, html in rendered.pages.items():
        parts += [url, html]
    return digest(*parts)


def roughly(measure: float) -> float:
    """A measure of the whole site to three digits: with all of them, every edit of a page would change all scores."""
    return float(f"{measure:.3g}")
