"""The store: documents, sections, passages and full text in SQLite, and the rendered pages that commands read.

What is stored is known by the hash of what it was made from, so that a build of the same site writes nothing. How texts
are ranked is in `ranking`; how rows are written, in `store_writer`; what file they are in, in `snapshot`.
"""

from __future__ import annotations

import sqlite3
import weakref
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.model.source import Page
from mkdocs_cited.search import store_writer
from mkdocs_cited.search.snapshot import Snapshots, connection_to
from mkdocs_cited.search.store_writer import SPAN, Rendered, SyncCounts, Wanted, passage_numbers
from mkdocs_cited.search.stored_rows import Content, Stored, key_of, load_document, load_page

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
    inbound: float
    """Mean number of terms in the links to a page, over the pages that have any; at least 1."""


class Store:
    """One database, in a file or in memory. Raises `sqlite3.Error` when it is damaged."""

    def __init__(self, snapshots: Snapshots | None) -> None:
        """Open the current database; an empty one in memory where there is none, or only that of another version.

        Args:
            snapshots: where its files are; in memory for None.
        """
        self._snapshots = snapshots
        self._file = snapshots.current() if snapshots else None
        self._let_go: Callable[[], object] = lambda: None
        try:
            self._use(snapshots.reader(self._file) if snapshots and self._file else self._empty())
            found = self._connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
        except sqlite3.Error:
            found = None
        if found != (store_writer.FORMAT,):
            self._file = None
            self._use(self._empty())

    def close(self) -> None:
        """Let go of the file. The store cannot be used afterwards."""
        self._let_go()

    def forget(self) -> None:
        """Hold nothing, in memory, and let nobody read what was stored."""
        if self._snapshots:
            self._snapshots.forget()
        self._file = self._snapshots = None
        self._use(self._empty())

    def sync(self, documents: Sequence[tuple[Page, Content | None]], rendered: Rendered | None = None) -> SyncCounts:
        """Make the database hold exactly these documents, and keep reading this state whatever others write. Where no
        file can be written, it is in memory.

        Args:
            documents: pages with their HTML, files and notes with their passages; with None for its content, what is
                stored of a page stays, as `--dirty` builds need it.
            rendered: the pages for commands; None leaves those that are stored.
        """
        wanted = {page.src: (page, content, key_of(page, content)) for page, content in reversed(documents)}
        if self._is_current(wanted, rendered):
            return SyncCounts(unchanged=len(wanted))
        snapshots = self._snapshots
        for base in dict.fromkeys((self._file, None)):
            if snapshots is None:
                break
            try:
                with snapshots.rewritten(base) as new:
                    store_writer.prepare(new.connection, new=base is None)
                    counts = store_writer.write(new.connection, wanted, rendered)
                    self._use(new.finish())
                self._file = new.path
                return counts
            except (OSError, sqlite3.Error, CitedError):
                continue
        if self._file or self._snapshots:
            self._file = self._snapshots = None
            self._use(self._empty())
        self._forget()
        return store_writer.write(self._connection, wanted, rendered)

    def _is_current(self, wanted: Wanted, rendered: Rendered | None) -> bool:
        try:
            return not any(store_writer.differences(self._connection, wanted)) and (
                rendered is None or store_writer.holds(self._connection, rendered)
            )
        except sqlite3.Error:  # damaged
            return False

    def _empty(self) -> sqlite3.Connection:
        connection = connection_to(":memory:")
        store_writer.prepare(connection, new=True)
        return connection

    def _use(self, connection: sqlite3.Connection) -> None:
        """Go on with another database."""
        self._let_go()
        self._connection = connection
        # A preview opens an index for each build; one that is forgotten lets go of its file without a warning.
        self._let_go = weakref.finalize(self, connection.close)
        connection.execute("PRAGMA temp_store = MEMORY")
        self._forget()

    def _forget(self) -> None:
        self.__dict__.pop("measures", None)
        self._allowed: Sequence[int] | None = None
        self._frequencies: dict[str, int] = {}
        self._inbound: dict[int, Counter[str]] = {}

    def rendered(self) -> Rendered | None:
        """The rendered pages; nothing where none are stored."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = 'rendered'").fetchone()
        if row is None or not row[0]:
            return None
        pages = self._connection.execute("SELECT url, html FROM rendered ORDER BY rowid")
        return Rendered(row[0], {url: html.decode("utf-8", "surrogatepass") for url, html in pages})

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
        (inbound,) = self._connection.execute(
            """SELECT avg(n) FROM (SELECT sum(1 + length(terms) - length(replace(terms, ' ', ''))) AS n
            FROM (SELECT DISTINCT target, terms FROM links WHERE target IN (SELECT url FROM documents))
            GROUP BY target)"""
        ).fetchone()
        return Measures(int(roughly(count)), lengths, max(1.0, roughly(inbound or 0.0)))

    def frequency(self, term: str) -> int:
        """In how many chunks a term appears, `roughly`."""
        found = self._frequencies.get(term)
        if found is None:
            row = self._connection.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
            found = self._frequencies[term] = int(roughly(int(row[0]) if row else 0))
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
        """Numbers of the chunks that hold any of the terms, best first by BM25 as FTS5 defines it
        (https://www.sqlite.org/fts5.html#the_bm25_function), then by path and number.

        Args:
            terms: what is looked for.
            weights: of the columns.
            limit: most chunks.
        """
        match, of_columns = " OR ".join(f'"{term}"' for term in terms), [weights[column] for column in COLUMNS]
        rows = self._connection.execute(
            f"""SELECT chunks.id FROM texts JOIN chunks ON chunks.id = texts.rowid
            JOIN documents ON documents.id = document WHERE texts MATCH ?
            AND {"true" if self._allowed is None else "document IN (SELECT document FROM allowed)"}
            ORDER BY bm25(texts, ?, ?, ?), src, chunks.id LIMIT ?""",  # noqa: S608
            (match, *of_columns, limit),
        )
        return [number for (number,) in rows]

    def chunks(self, numbers: Sequence[int]) -> list[Chunk]:
        """The chunks with these numbers, in any order."""
        marks = ", ".join("?" * len(numbers))
        rows = self._connection.execute(
            f"""SELECT chunks.id, document, src, section, texts.title, texts.heading, texts.body,
                chunks.title, chunks.heading, chunks.body, first, last
            FROM chunks JOIN texts ON texts.rowid = chunks.id JOIN documents ON documents.id = document
            WHERE chunks.id IN ({marks})""",  # noqa: S608
            numbers,
        )
        return [Chunk._make((*row[:7], row[7:10], row[10:])) for row in rows]

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


def roughly(measure: float) -> float:
    """A measure of the whole site to three digits: with all of them, every edit of a page would change all scores."""
    return float(f"{measure:.3g}")
