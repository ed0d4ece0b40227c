"""The index's database: documents, sections, passages and full text in SQLite, kept between builds.

What is stored is known by the hash of what it was made from, so that a warm build writes nothing. What is stored of a
document is made in `rows`; how texts are ranked lives in `ranking`; damage is told by the `seal`.
"""

from __future__ import annotations

import sqlite3
import weakref
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, Self

from msgspec import Struct

from mkdocs_cited.base.files import locked
from mkdocs_cited.model.source import Page
from mkdocs_cited.search import open_files
from mkdocs_cited.search.full_text import Fts5, full_text
from mkdocs_cited.search.seal import SUFFIX, is_sealed, seal
from mkdocs_cited.search.stored_rows import (
    Content,
    Part,
    Rows,
    Stored,
    key_of,
    load_document,
    load_page,
    load_parts,
    rows_of,
)

_FORMAT = "5"
"""Version of the tables; another one is thrown away and built again."""
_PATIENCE = 20.0
"""Seconds to wait for another process that is writing."""
_TRIES = 5
_BATCH = 50
"""Documents whose rows are made and written together."""
_SPAN = 1 << 32
"""Numbers that each document has for its passages, from its own number times this on, in page order."""
_PAGE_SIZE = 16384
"""Bytes that SQLite reads and writes at once: of a site's text a quarter as many pages as usual."""
Row = tuple[int, int, str, str, bytes]
"""Of a passage: number, document, id, hash, data."""
Connect = Callable[[Path | None], sqlite3.Connection]
"""Opens a database: a file's, or one in memory."""

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY, src TEXT NOT NULL UNIQUE, url TEXT NOT NULL, key TEXT NOT NULL,
    page BLOB NOT NULL, sections BLOB NOT NULL
);
CREATE TABLE passages (id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, data BLOB NOT NULL);
CREATE INDEX passages_by_hash ON passages (hash);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, document INTEGER NOT NULL, section INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, parts BLOB NOT NULL,
    title INTEGER NOT NULL, heading INTEGER NOT NULL, body INTEGER NOT NULL, mark BLOB NOT NULL
);
CREATE INDEX chunks_by_document ON chunks (document);
CREATE TABLE links (document INTEGER NOT NULL, target TEXT NOT NULL, terms TEXT NOT NULL);
CREATE INDEX links_by_document ON links (document);
CREATE INDEX links_by_target ON links (target);
"""


class SyncCounts(Struct, frozen=True):
    """What one `sync` did, in documents."""

    unchanged: int = 0
    written: int = 0
    removed: int = 0


class Chunk(NamedTuple):
    """A section, or a part of a long one: what full-text search finds."""

    id: int
    document: int
    src: str
    """Path of the document."""
    section: int
    title: str
    heading: str
    """Of the path of headings."""
    body: str
    """Like title and heading: terms, joined by spaces."""
    lengths: tuple[int, int, int]
    """Number of terms in each."""
    first: int
    """Number of its first passage; the others' follow."""
    parts_data: bytes

    @property
    def parts(self) -> tuple[Part, ...]:
        """Its passages, in order."""
        return load_parts(self.parts_data)


class Measures(Struct, frozen=True):
    """How much text there is, `roughly`, for comparing one with the rest."""

    chunks: int
    lengths: tuple[float, ...]
    """Mean number of terms of a chunk's title, heading and body; at least 1."""
    inbound: float
    """Mean number of terms in the links to a page, over the pages that have any; at least 1."""


def connection_to(path: Path | None) -> sqlite3.Connection:
    """A connection to a file, or to a database in memory."""
    return sqlite3.connect(path or ":memory:", timeout=_PATIENCE, isolation_level=None, check_same_thread=False)


def writing(path: Path | None) -> AbstractContextManager[None]:
    """Keep other processes from opening an index or writing into it, until its seal is that of its bytes again.

    Raises:
        CitedError: another one holds it for too long.
    """
    return locked(path.with_name("index.lock")) if path else nullcontext()


class Store:
    """One database, in a file or in memory. Raises `sqlite3.Error` when it is damaged or locked for too long."""

    def __init__(self, path: Path | None, connect: Connect = connection_to) -> None:
        """Open the database, or make it. Whoever opens a file holds `writing(path)`.

        Args:
            path: of the file; in memory for None.
            connect: how it is opened.

        Raises:
            sqlite3.DatabaseError: it is damaged, or was written by another version.
        """
        self._path, self._connect = path, connect
        self._connection = connect(path)
        if path:
            open_files.opened(path)
        # A preview opens an index for each build; one that is forgotten lets go of its file without a warning.
        self._let_go = weakref.finalize(self, _closed, self._connection, path)
        self._text = full_text(self._connection)
        self._frequencies: dict[str, int] = {}
        self._inbound: dict[int, Counter[str]] = {}
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    @classmethod
    def opened(cls, path: Path, connect: Connect = connection_to) -> Self:
        """The database of a file; a fresh one where there is none, or only a damaged or foreign one.

        Raises:
            OSError: the old file cannot be deleted.
            sqlite3.OperationalError: it cannot be read or written now.
            CitedError: another process has been writing for too long.
        """
        with writing(path):
            try:
                return cls(path, connect)
            except sqlite3.OperationalError:
                raise
            except Exception:  # whatever damage makes of a file
                return cls._anew(path, connect)

    @classmethod
    def anew(cls, path: Path, connect: Connect = connection_to) -> Self:
        """A fresh database in place of a damaged one. Raises like `opened`."""
        with writing(path):
            return cls._anew(path, connect)

    @classmethod
    def _anew(cls, path: Path, connect: Connect) -> Self:
        for suffix in ("", "-wal", "-shm", SUFFIX):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        return cls(path, connect)

    def copy(self, path: Path) -> None:
        """Write what it holds into a new file, and let go of its own. A copy that was cut short bears no seal.

        Raises:
            sqlite3.Error: one of the two cannot be read or written now.
            CitedError: another process has been writing for too long.
        """
        with closing(self), writing(path):
            copy = self._connect(path)
            open_files.opened(path)
            try:
                self._connection.backup(copy)
                seal(copy, path)
            finally:
                _closed(copy, path)

    @property
    def has_fts5(self) -> bool:
        """Whether this SQLite searches full text itself."""
        return self._text.kind == Fts5.kind

    def close(self) -> None:
        """Let go of the file. The store cannot be used afterwards."""
        self._let_go()

    def sync(self, documents: Sequence[tuple[Page, Content | None]]) -> SyncCounts:
        """Make the database hold exactly these documents, and keep reading this state whatever others write.

        Content None keeps what is stored of that page, as `--dirty` builds need it.

        Raises:
            sqlite3.Error: the database is damaged, or others keep writing other documents into it.
            CitedError: another process has been writing for too long.
        """
        self.__dict__.pop("measures", None)
        self._frequencies.clear()
        self._inbound.clear()
        wanted = {page.src: (page, content, key_of(page, content)) for page, content in reversed(documents)}
        counts = SyncCounts(unchanged=len(wanted))
        for _ in range(_TRIES):
            # This read begins a snapshot: once it shows what is wanted, every later query sees the same.
            self._begin("DEFERRED")
            changed, removed = self._differences(wanted)
            if not changed and not removed:
                return counts
            with writing(self._path):
                self._begin("IMMEDIATE")
                changed, removed = self._differences(wanted)
                self._remove([*removed, *changed])
                for start in range(0, len(changed), _BATCH):  # of a large site, not all rows are held at once
                    self._insert([_rows(*wanted[src]) for src in changed[start : start + _BATCH]])
                self._connection.execute("COMMIT")
                self._seal()
            counts = SyncCounts(len(wanted) - len(changed), len(changed), len(removed))
        raise sqlite3.OperationalError("other processes keep changing the index")

    def pages(self) -> Iterator[tuple[int, Page]]:
        """Every document's number and page, ordered by path."""
        rows = self._connection.execute("SELECT id, page FROM documents ORDER BY src")
        return ((number, load_page(page)) for number, page in rows)

    def number(self, src: str) -> int | None:
        """The number of the document at a path; nothing where there is none."""
        row = self._connection.execute("SELECT id FROM documents WHERE src = ?", (src,)).fetchone()
        return row[0] if row else None

    def document(self, number: int) -> Stored:
        """The document with this number, which is there."""
        row = self._connection.execute("SELECT id, page, sections FROM documents WHERE id = ?", (number,)).fetchone()
        return load_document(*row)

    def in_sections(self, document: int, sections: Collection[int]) -> Iterator[Row]:
        """The passages of some sections of a document, in page order."""
        marks = ", ".join("?" * len(sections))
        return self._connection.execute(
            f"""SELECT passages.id, document, name, hash, data
            FROM chunks JOIN passages ON passages.id BETWEEN first AND last
            WHERE document = ? AND section IN ({marks}) ORDER BY passages.id""",  # noqa: S608
            (document, *sections),
        )

    def in_document(self, document: int) -> Iterator[Row]:
        """The passages of a document, in page order."""
        return self._passages("id BETWEEN ? AND ? ORDER BY id", *_numbers(document))

    def named(self, name: str) -> Row | None:
        """The passage with this id."""
        src = ""
        for piece in name.split("#")[:-1]:  # a path may hold the sign, too
            src += piece
            number = self.number(src)
            src += "#"
            if number is not None:
                for row in self._passages("id BETWEEN ? AND ? AND name = ?", *_numbers(number), name):
                    return row
        return None

    def with_hash(self, hashed: str) -> Iterator[Row]:
        """The passages with this hash."""
        return self._passages("hash = ? ORDER BY id", hashed)

    def numbered(self, numbers: Sequence[int]) -> Iterator[Row]:
        """The passages with these numbers."""
        return self._passages(f"id IN ({', '.join('?' * len(numbers))}) ORDER BY id", *numbers)

    def _passages(self, condition: str, *values: str | int) -> Iterator[Row]:
        statement = f"SELECT id, id / {_SPAN}, name, hash, data FROM passages WHERE {condition}"  # noqa: S608
        return self._connection.execute(statement, values)

    @cached_property
    def measures(self) -> Measures:
        """What ranking compares a chunk with; read once for a state of the database."""
        count, *means = self._connection.execute(
            "SELECT count(*), avg(title), avg(heading), avg(body) FROM chunks"
        ).fetchone()
        lengths = tuple(max(1.0, roughly(mean or 0.0)) for mean in means)
        (inbound,) = self._connection.execute(
            """SELECT avg(n) FROM (SELECT sum(1 + length(terms) - length(replace(terms, ' ', ''))) AS n
            FROM (SELECT DISTINCT target, terms FROM links WHERE target IN (SELECT url FROM documents))
            GROUP BY target)"""
        ).fetchone()
        return Measures(int(roughly(count)), lengths, max(1.0, roughly(inbound or 0.0)))

    def frequency(self, term: str) -> int:
        """In how many chunks a term stands, `roughly`."""
        found = self._frequencies.get(term)
        if found is None:
            found = self._frequencies[term] = int(roughly(self._text.frequency(term)))
        return found

    def allow(self, documents: Sequence[int] | None) -> None:
        """Restrict `find` to these documents; None for all. The very same as the last time are there already."""
        if documents is self._allowed:
            return
        self._allowed = documents
        self._connection.execute("CREATE TEMP TABLE IF NOT EXISTS allowed (document INTEGER PRIMARY KEY)")
        self._connection.execute("DELETE FROM allowed")
        if documents is not None:
            self._connection.executemany("INSERT INTO allowed VALUES (?)", ((number,) for number in documents))

    def find(self, terms: Sequence[str], weights: Mapping[str, float], limit: int) -> list[int]:
        """Numbers of the chunks that hold any of the terms, best first by BM25."""
        return self._text.best(terms, weights, limit, restricted=self._allowed is not None)

    def chunks(self, numbers: Sequence[int]) -> list[Chunk]:
        """The chunks with these numbers, in any order."""
        marks = ", ".join("?" * len(numbers))
        rows = self._connection.execute(
            f"""SELECT chunks.id, document, src, section, texts.title, texts.heading, texts.body,
                chunks.title, chunks.heading, chunks.body, first, parts
            FROM chunks JOIN texts ON texts.rowid = chunks.id JOIN documents ON documents.id = document
            WHERE chunks.id IN ({marks})""",  # noqa: S608
            numbers,
        )
        return [Chunk._make((*row[:7], row[7:10], *row[10:])) for row in rows]

    def marks(self, numbers: Sequence[int]) -> list[tuple[int, int, bytes]]:
        """Of the chunks with these numbers the document, the section, and what tells the chunk's words from any
        others; ordered by path, then as they stand there."""
        marks = ", ".join("?" * len(numbers))
        return self._connection.execute(
            f"""SELECT document, section, mark FROM chunks JOIN documents ON documents.id = document
            WHERE chunks.id IN ({marks}) ORDER BY src, chunks.id""",  # noqa: S608
            numbers,
        ).fetchall()

    def inbound(self, document: int) -> Counter[str]:
        """Terms of the links that lead to a document from others, each text once, with how often they stand there."""
        found = self._inbound.get(document)
        if found is None:
            rows = self._connection.execute(
                """SELECT DISTINCT terms FROM links WHERE document <> ?1
                AND target = (SELECT url FROM documents WHERE id = ?1) ORDER BY terms""",
                (document,),
            )
            found = self._inbound[document] = Counter([term for (terms,) in rows for term in terms.split()])
        return found

    _allowed: Sequence[int] | None = None

    def _prepare(self) -> None:
        """Make the tables, or refuse those of another version."""
        for pragma in (
            f"page_size = {_PAGE_SIZE}",
            "journal_mode = WAL",
            "synchronous = NORMAL",
            "temp_store = MEMORY",
            "cache_size = -8192",  # KiB: a larger one makes nothing faster, on 20,000 pages either
        ):
            self._connection.execute(f"PRAGMA {pragma}")
        if not self._has_tables():
            self._begin("IMMEDIATE")
            if not self._has_tables():  # another process may have been quicker
                for statement in filter(str.strip, (_SCHEMA + self._text.schema).split(";")):
                    self._connection.execute(statement)
                self._connection.execute("INSERT INTO meta VALUES ('format', ?)", (self._format,))
            self._connection.execute("COMMIT")
            self._seal()
        if self._path and not is_sealed(self._connection, self._path):
            raise sqlite3.DatabaseError("the index is not as it was written")
        found = self._connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
        if found is None or found[0] != self._format:
            raise sqlite3.DatabaseError("the index was written by another version")

    @property
    def _format(self) -> str:
        return f"{_FORMAT}-{self._text.kind}"

    def _seal(self) -> None:
        if self._path:
            seal(self._connection, self._path)

    def _has_tables(self) -> bool:
        return bool(self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])

    def _begin(self, kind: str) -> None:
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")
        self._connection.execute(f"BEGIN {kind}")

    def _differences(self, wanted: dict[str, tuple[Page, Content | None, str]]) -> tuple[list[str], list[str]]:
        """Paths of documents to write, in order of the site, and of those to remove."""
        known = dict(self._connection.execute("SELECT src, key FROM documents"))
        changed = [
            src
            for src, (_, content, key) in reversed(wanted.items())
            if known.get(src) != key and not (content is None and src in known)
        ]
        return changed, sorted(known.keys() - wanted.keys())

    def _remove(self, paths: Sequence[str]) -> None:
        numbers = [
            number
            for src in paths
            for number in self._connection.execute("SELECT id FROM documents WHERE src = ?", (src,))
        ]
        self._text.remove(numbers)
        self._connection.executemany(
            "DELETE FROM passages WHERE id BETWEEN ? AND ?", [_numbers(number) for (number,) in numbers]
        )
        for table, column in (("chunks", "document"), ("links", "document"), ("documents", "id")):
            self._connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", numbers)  # noqa: S608

    def _insert(self, made: Sequence[Rows]) -> None:
        document, chunk = (
            self._connection.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()[0]  # noqa: S608
            for table in ("documents", "chunks")
        )
        documents, links, chunks, texts, passages = [], [], [], [], []
        for rows in made:
            documents.append((document, *rows.document))
            links += [(document, *link) for link in rows.links]
            passage, _ = _numbers(document)
            for section, held, parts, columns, lengths in rows.chunks:
                mark = blake2b(parts + "\0".join(columns).encode(), digest_size=16).digest()
                chunks.append((chunk, document, section, passage, passage + len(held) - 1, parts, *lengths, mark))
                texts.append((chunk, *columns))
                passages += [(number, *row) for number, row in enumerate(held, passage)]
                passage += len(held)
                chunk += 1
            document += 1
        for statement, values in (
            ("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)", documents),
            ("INSERT INTO links VALUES (?, ?, ?)", links),
            ("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", chunks),
            ("INSERT INTO passages VALUES (?, ?, ?, ?)", passages),
        ):
            self._connection.executemany(statement, values)
        self._text.insert(texts)


def roughly(measure: float) -> float:
    """A measure of the whole site to three digits: with all of them, every edit of a page would change all scores."""
    return float(f"{measure:.3g}")


def _closed(connection: sqlite3.Connection, path: Path | None) -> None:
    connection.close()
    if path:
        open_files.closed(path)


def _numbers(document: int) -> tuple[int, int]:
    """The first and the last number that a document has for its passages."""
    return document * _SPAN, (document + 1) * _SPAN - 1


def _rows(page: Page, content: Content | None, key: str) -> Rows:
    return rows_of(page, content or "", key)
