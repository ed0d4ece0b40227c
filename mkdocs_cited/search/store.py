"""The store: documents and full text in SQLite, and the rendered pages that commands read.

How texts are ranked is in `ranking`; how documents are encoded and cut, in `rows`.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import weakref
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path

import platformdirs
from msgspec import Struct

from mkdocs_cited import __version__
from mkdocs_cited.base.files import make_cache
from mkdocs_cited.base.text import digest
from mkdocs_cited.model.source import Page
from mkdocs_cited.search.rows import (
    Content,
    chunks_of,
    encode,
    key_of,
    terms_of_chunk,
)
from mkdocs_cited.sources import from_html

FORMAT = "21"
"""Version of the tables."""
CUTTERS = ("selectolax", "PyStemmer")
"""Libraries that cut text into passages and terms: another version may cut otherwise."""
_SECRET = "secret"  # noqa: S105 -- a file's name
_WEIGHTS = "3.0, 4.0, 1.0"
"""Of title, heading and body, for BM25."""
_SPAN = 1 << 32
"""Row numbers that each document has for its chunks, from its own number times this on."""
_BEST = f"""WITH best AS (
    SELECT src, texts.rowid AS row, bm25(texts, {_WEIGHTS}) AS score
    FROM texts JOIN documents ON documents.id = texts.rowid / {_SPAN}
    WHERE texts MATCH ? AND (? IS NULL OR documents.id IN (SELECT value FROM json_each(?)))
    ORDER BY score, src, row LIMIT ?)
SELECT src, row % {_SPAN}, title, heading, body
FROM best JOIN texts ON texts.rowid = row ORDER BY score, src, row
"""  # noqa: S608 -- numbers

_SCHEMA = """
CREATE TABLE documents (id INTEGER PRIMARY KEY, src TEXT NOT NULL UNIQUE, key TEXT NOT NULL, data BLOB NOT NULL);
CREATE VIRTUAL TABLE texts USING fts5 (title, heading, body, tokenize = 'ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (texts, row);
CREATE TABLE kept (what TEXT, key TEXT, data BLOB NOT NULL, PRIMARY KEY (what, key));
"""


class Chunk(Struct, frozen=True):
    """A section, or a part of a long one: what full-text search finds."""

    src: str
    """Path of the document."""
    number: int
    """Its place in `rows.chunks_of` the document."""
    title: str
    """Its terms, joined by spaces; so are those of its headings and its text."""
    heading: str
    body: str


class Store:
    """One database, in a file or in memory. Raises `sqlite3.DatabaseError` when it is damaged.

    It is in WAL mode: after `sync`, it keeps reading the state that it has written, whatever others write.
    """

    def __init__(self, file: Path | None) -> None:
        """Open a database: in memory for `None`, and where the file cannot be used."""
        self._close: Callable[[], object] = lambda: None
        self._numbers: dict[str, int] = {}
        """Path of each document → its number."""
        self.state = ""
        """Digest of the documents that it holds."""
        try:
            self._use(_opened(file) if file else _in_memory())
        except (OSError, sqlite3.DatabaseError):
            self.forget()

    def close(self) -> None:
        """Close the file. The store cannot be used afterwards."""
        self._close()

    def forget(self) -> None:
        """Go on with an empty database in memory."""
        self._use(_in_memory())

    def _use(self, connection: sqlite3.Connection) -> None:
        """Go on with another database."""
        self._close()
        self._connection = connection
        # A preview opens an index for each build; one that is forgotten closes its file without a warning.
        self._close = weakref.finalize(self, connection.close)

    def sync(self, documents: Sequence[tuple[Page, Content | None]]) -> int:
        """Make the database hold exactly these documents; in memory, where the file cannot be written. Returns how
        many documents were written or removed.

        Args:
            documents: pages with their HTML, files and notes with their passages, each path once; with `None` for its
                content, what is stored of a page stays, as `--dirty` builds need it.
        """
        try:
            return self._synced(documents)
        except sqlite3.DatabaseError:  # damaged, read-only, full, or in use
            self.forget()
            return self._synced(documents)

    def _synced(self, documents: Sequence[tuple[Page, Content | None]]) -> int:
        keys = {page.src: key_of(page, content) for page, content in documents}
        database = self._connection
        database.rollback()  # of the state that was read
        database.execute("BEGIN IMMEDIATE")
        known = dict(database.execute("SELECT src, key FROM documents"))
        removed = sorted(known.keys() - keys.keys())
        for src in removed:
            self._remove(src)
            del known[src]
        written = len(removed)
        for page, content in documents:
            stays = content is None and page.src in known
            if not stays and known.get(page.src) != keys[page.src]:
                self._remove(page.src)
                self._insert(page, content or "", keys[page.src])
                known[page.src] = keys[page.src]
                written += 1
        database.commit()
        database.execute("BEGIN")  # from the first read on, the state stays
        self._numbers = {}
        stored = {}
        for src, number, key in database.execute("SELECT src, id, key FROM documents"):
            self._numbers[src] = number
            stored[src] = key
        if stored != known:
            raise sqlite3.OperationalError("another build has written since")
        self.state = digest(*map(str, sorted(stored.items())))
        return written

    def _remove(self, src: str) -> None:
        """Remove a document, where there is one."""
        database = self._connection
        where = "SELECT id FROM documents WHERE src = ?"
        for (number,) in database.execute(where, (src,)).fetchall():
            first = number * _SPAN
            database.execute(
                "DELETE FROM texts WHERE rowid >= ? AND rowid < ?",
                (first, first + _SPAN),
            )
            database.execute("DELETE FROM documents WHERE id = ?", (number,))

    def _insert(self, page: Page, content: Content, key: str) -> None:
        database = self._connection
        document = content
        if isinstance(document, str):
            document = from_html.read(page, document)
        inserted = database.execute(
            "INSERT INTO documents (src, key, data) VALUES (?, ?, ?)",
            (page.src, key, encode(document)),
        )
        row = (inserted.lastrowid or 0) * _SPAN  # an insertion has one
        for number, chunk in enumerate(chunks_of(document), row):
            database.execute(
                "INSERT INTO texts (rowid, title, heading, body) VALUES (?, ?, ?, ?)",
                (number, *terms_of_chunk(chunk)),
            )

    def stored(self, what: str) -> dict[str, bytes]:
        """What was stored of a kind, by its keys."""
        rows = "SELECT key, data FROM kept WHERE what = ?"
        return dict(self._connection.execute(rows, (what,)))

    def keep(self, what: str, made: Mapping[str, bytes]) -> None:
        """Store things of a kind in place of all others; what cannot be stored is made again."""
        database = self._connection
        rows = [(what, key, data) for key, data in made.items()]
        try:
            database.rollback()  # of the state that was read
            database.execute("BEGIN IMMEDIATE")
            database.execute("DELETE FROM kept WHERE what = ?", (what,))
            database.executemany("INSERT INTO kept VALUES (?, ?, ?)", rows)
            database.execute("COMMIT")
        except sqlite3.DatabaseError:
            pass

    def document(self, src: str) -> bytes:
        """The document at a path, where there is one, for `rows.decode`."""
        row: tuple[bytes] = self._connection.execute(
            "SELECT data FROM documents WHERE src = ?", (src,)
        ).fetchone()
        return row[0]

    def count(self) -> int:
        """How many chunks there are, `roughly`."""
        row = self._connection.execute("SELECT count(*) FROM texts_docsize").fetchone()
        return roughly(row[0])

    def frequency(self, term: str) -> int:
        """In how many chunks a term appears, `roughly`."""
        row = self._connection.execute(
            "SELECT doc FROM vocabulary WHERE term = ?", (term,)
        ).fetchone()
        return roughly(row[0]) if row else 0

    def find(
        self, terms: Sequence[str], limit: int, pages: Sequence[str] | None
    ) -> list[Chunk]:
        """The chunks that hold any of the terms, best first by BM25 as FTS5 defines it
        (https://www.sqlite.org/fts5.html#the_bm25_function), then by path and number.

        Args:
            terms: what is looked for.
            limit: most chunks.
            pages: paths of those that are searched; `None` for all.
        """
        match = " OR ".join(f'"{term}"' for term in terms)
        numbers = None
        if pages is not None:
            numbers = json.dumps([self._numbers[src] for src in pages])
        values = (match, numbers, numbers, limit)
        rows = self._connection.execute(_BEST, values)
        return [Chunk(*row) for row in rows]


def _in_memory() -> sqlite3.Connection:
    connection = _connected(":memory:")
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
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        pass  # SQLite's words hold bytes of what is damaged
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


def _connected(file: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        file, timeout=30, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        pass  # no database: the first query says so
    return connection


def _version() -> int:
    """What a database has as its `user_version`, which is a number of 31 bits.

    It depends on all that rows are made with, and on a secret of this user: a database that came with a repository was
    made by others, and could hold anything.
    """
    libraries = [metadata.version(library) for library in CUTTERS]
    parts = [FORMAT, __version__, sqlite3.sqlite_version, *libraries, _secret()]
    checksum = hashlib.sha256("\n".join(parts).encode()).digest()
    return int.from_bytes(checksum[:4]) & 0x7FFFFFFF


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


def roughly(number: int) -> int:
    """A measure of the whole site to three digits: with all of them, every edit of a page would change all scores."""
    return int(float(f"{number:.3g}"))
