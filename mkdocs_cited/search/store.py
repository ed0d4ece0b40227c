"""The store: documents, sections, passages and full text in SQLite, and the rendered pages that commands read.

How texts are ranked is in `ranking`; which rows hold a document, and how they are written, in `rows`.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sqlite3
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import make_cache, write_atomically
from mkdocs_cited.model.source import Page
from mkdocs_cited.search import rows
from mkdocs_cited.search.rows import (
    SPAN,
    Content,
    Rendered,
    Stored,
    SyncCounts,
    Wanted,
    key_of,
    load_document,
    load_page,
    passage_numbers,
)

COLUMNS = ("title", "heading", "body")
Row = tuple[int, int, bytes]
"""Of a passage: number, document, data."""


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
    passages: tuple[int, int]
    """Numbers of its first and its last passage; those between are its others."""


class Measures(Struct, frozen=True):
    """How much text there is, `roughly`, for comparing one with the rest."""

    chunks: int
    lengths: tuple[float, ...]
    """Mean number of terms of a chunk's title, heading and body; at least 1."""


class Store:
    """One database, in a file or in memory. Raises `sqlite3.Error` when it is damaged.

    A file is never changed: another takes its place, so that nobody who reads needs a lock, and of two writers the last
    one wins, each going on with its own. Next to it is what the system said of it when it was written (size, times,
    inode). A file that was changed, copied, committed or restored is another one to the system, and is not believed:
    nobody can know its inode and its time of change beforehand.
    """

    def __init__(self, file: Path | None) -> None:
        """Open a database; an empty one in memory for None, and where there is none in the file, one of another version
        or one that was not written here."""
        self._file = file
        self._let_go: Callable[[], object] = lambda: None
        self._stored = False
        """Whether what is read is the file."""
        self.found: dict[str, bytes] = {}
        """Checksum of each search of these documents that is not written yet → its hits."""
        try:
            if file is not None and _is_believed(file):
                self._use(_reading(file))
                self._stored = self._connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone() == (
                    rows.FORMAT,
                )
        except (OSError, sqlite3.Error):
            self._stored = False
        if not self._stored:
            self._use(_empty())

    def close(self) -> None:
        """Let go of the file. The store cannot be used afterwards."""
        self._let_go()

    def forget(self) -> None:
        """Hold nothing, in memory, and let nobody read what was stored."""
        if self._file:
            with suppress(OSError):
                _stat_file(self._file).unlink(missing_ok=True)
        self._file, self._stored = None, False
        self._use(_empty())

    def sync(self, documents: Sequence[tuple[Page, Content | None]], rendered: Rendered | None = None) -> SyncCounts:
        """Make the database hold exactly these documents, and keep reading this state whatever others write. Where no
        file can be written, it is in memory.

        Args:
            documents: pages with their HTML, files and notes with their passages; with None for its content, what is
                stored of a page stays, as `--dirty` builds need it.
            rendered: the pages for commands; None leaves those that are stored.
        """
        wanted = {page.src: (page, content, key_of(page, content)) for page, content in reversed(documents)}
        unchanged = SyncCounts(unchanged=len(wanted))
        if not self._is_current(wanted, rendered):
            self.found.clear()
        elif not self.found:
            return unchanged
        for base in (self._stored, False):
            try:
                return self._rewritten(wanted, rendered, base)
            except (OSError, sqlite3.Error, CitedError):
                continue
        if self.found and self._is_current(wanted, rendered):
            return unchanged
        if self._file:
            self._file = None
            self._use(_empty())
        self._forget()
        return rows.write(self._connection, wanted, rendered, {})

    def _rewritten(self, wanted: Wanted, rendered: Rendered | None, base: bool) -> SyncCounts:
        """Write a new file; with `base` it begins as a copy of the one that is read.

        Raises:
            OSError, sqlite3.Error, CitedError: it cannot be written.
        """
        file = self._file
        if file is None or (base and not _is_believed(file)):
            raise OSError("there is no such file")
        make_cache(file.parent)
        new = file.with_name(f".{file.name}.{secrets.token_hex(8)}.tmp")
        try:
            if base:
                shutil.copyfile(file, new)
            with closing(connection_to(new.resolve().as_uri())) as connection:
                rows.prepare(connection, new=not base)
                counts = rows.write(connection, wanted, rendered, self.found)
            with new.open("r+b") as written:
                os.fsync(written.fileno())
            inode = new.stat().st_ino
            self._use(_empty())  # Windows replaces no file that is read
            new.replace(file)
        finally:
            new.unlink(missing_ok=True)
        write_atomically(_stat_file(file), _stat(file).encode())
        connection = _reading(file)
        if file.lstat().st_ino != inode:
            connection.close()
            raise OSError("another process has written it")
        self._use(connection)
        self._stored = True
        self.found.clear()
        return counts

    def _is_current(self, wanted: Wanted, rendered: Rendered | None) -> bool:
        try:
            return not any(rows.differences(self._connection, wanted)) and (
                rendered is None or rows.holds(self._connection, rendered)
            )
        except sqlite3.Error:  # damaged
            return False

    def _use(self, connection: sqlite3.Connection) -> None:
        """Go on with another database."""
        self._let_go()
        self._connection = connection
        # A preview opens an index for each build; one that is forgotten lets go of its file without a warning.
        self._let_go = weakref.finalize(self, connection.close)
        self._forget()

    def _forget(self) -> None:
        self.__dict__.pop("measures", None)

    def rendered(self) -> Rendered | None:
        """The rendered pages; nothing where none are stored."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = 'rendered'").fetchone()
        if row is None or not row[0]:
            return None
        pages = self._connection.execute("SELECT url, html FROM rendered ORDER BY rowid")
        return Rendered(row[0], {url: html.decode("utf-8", "surrogatepass") for url, html in pages})

    def pages(self) -> Iterator[tuple[int, Page]]:
        """Every document's number and page, ordered by path."""
        found = self._connection.execute("SELECT id, page FROM documents ORDER BY src")
        return ((number, load_page(page)) for number, page in found)

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
            f"""SELECT passages.id, document, data
            FROM chunks JOIN passages ON passages.id BETWEEN first AND last
            WHERE document = ? AND section IN ({marks}) ORDER BY passages.id""",  # noqa: S608
            (document, *sections),
        )

    def in_document(self, document: int) -> Iterator[Row]:
        """The passages of a document, in page order."""
        return self.numbered(*passage_numbers(document))

    def named(self, name: str) -> Row | None:
        """The passage with this id."""
        return next(self._passages("name = ?", name), None)

    def with_hash(self, hashed: str) -> Iterator[Row]:
        """The passages with this hash."""
        return self._passages("hash = ? ORDER BY id", hashed)

    def numbered(self, first: int, last: int) -> Iterator[Row]:
        """The passages with these numbers and those between, in page order."""
        return self._passages("id BETWEEN ? AND ? ORDER BY id", first, last)

    def _passages(self, condition: str, *values: str | int) -> Iterator[Row]:
        statement = f"SELECT id, id / {SPAN}, data FROM passages WHERE {condition}"  # noqa: S608
        return self._connection.execute(statement, values)

    @cached_property
    def measures(self) -> Measures:
        """What ranking compares a chunk with; read once for a state of the database."""
        count, *means = self._connection.execute(
            "SELECT count(*), avg(title), avg(heading), avg(body) FROM chunks"
        ).fetchone()
        lengths = tuple(max(1.0, roughly(mean or 0.0)) for mean in means)
        return Measures(int(roughly(count)), lengths)

    def searched(self, key: str) -> bytes | None:
        """What a search of these documents has found, where that is stored. It is believed as they are."""
        row = self._connection.execute("SELECT hits FROM searches WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def frequency(self, term: str) -> int:
        """In how many chunks a term appears, `roughly`."""
        row = self._connection.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
        return int(roughly(int(row[0]) if row else 0))

    def find(
        self, terms: Sequence[str], weights: Mapping[str, float], limit: int, documents: Sequence[int] | None
    ) -> list[int]:
        """Numbers of the chunks that hold any of the terms, best first by BM25 as FTS5 defines it
        (https://www.sqlite.org/fts5.html#the_bm25_function), then by path and number.

        Args:
            terms: what is looked for.
            weights: of the columns.
            limit: most chunks.
            documents: those that are searched; None for all.
        """
        match, of_columns = " OR ".join(f'"{term}"' for term in terms), [weights[column] for column in COLUMNS]
        found = self._connection.execute(
            f"""SELECT chunks.id FROM texts JOIN chunks ON chunks.id = texts.rowid
            JOIN documents ON documents.id = document WHERE texts MATCH ?
            AND {"true" if documents is None else "document IN (SELECT value FROM json_each(?))"}
            ORDER BY bm25(texts, ?, ?, ?), src, chunks.id LIMIT ?""",  # noqa: S608
            (match, *([] if documents is None else [json.dumps(documents)]), *of_columns, limit),
        )
        return [number for (number,) in found]

    def chunks(self, numbers: Sequence[int]) -> list[Chunk]:
        """The chunks with these numbers, in any order."""
        marks = ", ".join("?" * len(numbers))
        found = self._connection.execute(
            f"""SELECT chunks.id, document, src, section, texts.title, texts.heading, texts.body,
                chunks.title, chunks.heading, chunks.body, first, last
            FROM chunks JOIN texts ON texts.rowid = chunks.id JOIN documents ON documents.id = document
            WHERE chunks.id IN ({marks})""",  # noqa: S608
            numbers,
        )
        return [Chunk._make((*row[:7], row[7:10], row[10:])) for row in found]


def connection_to(uri: str) -> sqlite3.Connection:
    """A connection to a database that one thread uses at a time."""
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


def _empty() -> sqlite3.Connection:
    connection = connection_to(":memory:")
    rows.prepare(connection, new=True)
    return connection


def _reading(file: Path) -> sqlite3.Connection:
    connection = connection_to(f"{file.resolve().as_uri()}?mode=ro&immutable=1")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("SELECT count(*) FROM meta").fetchone()  # SQLite opens a file when it first reads it
    return connection


def _is_believed(file: Path) -> bool:
    """Whether a database is as it was when this machine wrote it."""
    return _stat_file(file).read_text(encoding="utf-8", errors="replace") == _stat(file)


def _stat_file(file: Path) -> Path:
    return file.with_suffix(".store")


def _stat(file: Path) -> str:
    """Size, times of change of content and of inode in ns, and inode of a file."""
    status = file.lstat()
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def roughly(measure: float) -> float:
    """A measure of the whole site to three digits: with all of them, every edit of a page would change all scores."""
    return float(f"{measure:.3g}")
