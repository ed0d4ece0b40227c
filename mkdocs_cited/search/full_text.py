"""Full text in SQLite, two ways that rank alike: by FTS5, and by plain tables where SQLite comes without it.

Each keeps the terms of a chunk's columns under the chunk's number. What a score is made of besides is `ranking`'s.
"""

from __future__ import annotations

import math
import sqlite3
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

COLUMNS = ("title", "heading", "body")
Text = tuple[int, str, str, str]
"""Number of a chunk; terms of its title, heading and body, each joined by spaces."""
_TIES = 50
"""Chunks besides the best that are looked at, since equal ones are ordered by their paths."""
_ALLOWED = "document IN (SELECT document FROM allowed)"


class FullText(ABC):
    """The texts of one database."""

    kind: ClassVar[str]
    """A word for the tables' format."""
    schema: ClassVar[str]
    """The tables, as SQL; `texts` has the columns rowid, title, heading and body."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @abstractmethod
    def insert(self, texts: Iterable[Text]) -> None:
        """Add the texts of chunks."""

    @abstractmethod
    def remove(self, documents: Sequence[tuple[int]]) -> None:
        """Remove the texts of these documents' chunks."""

    @abstractmethod
    def frequency(self, term: str) -> int:
        """In how many chunks a term stands."""

    @abstractmethod
    def best(self, terms: Sequence[str], weights: Mapping[str, float], limit: int, *, restricted: bool) -> list[int]:
        """Numbers of the chunks that hold any of the terms, best first by BM25 as FTS5 defines it
        (https://www.sqlite.org/fts5.html#the_bm25_function), then by path and number.

        Args:
            terms: what is looked for.
            weights: of the columns.
            limit: most chunks.
            restricted: whether only documents of the table `allowed` count.
        """


class Fts5(FullText):
    """SQLite's own full-text search."""

    kind = "fts5"
    schema = """
CREATE VIRTUAL TABLE texts USING fts5 (title, heading, body, tokenize = 'ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (texts, row);
"""

    def insert(self, texts: Iterable[Text]) -> None:
        self._connection.executemany("INSERT INTO texts (rowid, title, heading, body) VALUES (?, ?, ?, ?)", texts)

    def remove(self, documents: Sequence[tuple[int]]) -> None:
        statement = "DELETE FROM texts WHERE rowid IN (SELECT id FROM chunks WHERE document = ?)"
        self._connection.executemany(statement, documents)

    def frequency(self, term: str) -> int:
        row = self._connection.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
        return int(row[0]) if row else 0

    def best(self, terms: Sequence[str], weights: Mapping[str, float], limit: int, *, restricted: bool) -> list[int]:
        match, of_columns = " OR ".join(f'"{term}"' for term in terms), [weights[column] for column in COLUMNS]
        if not restricted:
            # Common words stand in most chunks of a large site: the paths of those far behind are not looked up.
            top = self._connection.execute(
                """SELECT rowid, bm25(texts, ?, ?, ?) AS score FROM texts WHERE texts MATCH ?
                ORDER BY score, rowid LIMIT ?""",
                (*of_columns, match, limit + _TIES),
            ).fetchall()
            if len(top) < limit + _TIES or top[limit - 1][1] < top[-1][1]:
                return self._in_order(top)[:limit]
        rows = self._connection.execute(
            f"""SELECT chunks.id FROM texts JOIN chunks ON chunks.id = texts.rowid
            JOIN documents ON documents.id = document
            WHERE texts MATCH ? AND {_ALLOWED if restricted else "true"}
            ORDER BY bm25(texts, ?, ?, ?), src, chunks.id LIMIT ?""",  # noqa: S608
            (match, *of_columns, limit),
        )
        return [number for (number,) in rows]

    def _in_order(self, scored: Sequence[tuple[int, float]]) -> list[int]:
        """Numbers of chunks by score, which they have already, then by path and number."""
        times = Counter(score for _, score in scored)
        tied = [number for number, score in scored if times[score] > 1]
        marks = ", ".join("?" * len(tied))
        places = self._connection.execute(
            f"""SELECT chunks.id, src FROM chunks JOIN documents ON documents.id = document
            WHERE chunks.id IN ({marks})""",  # noqa: S608
            tied,
        )
        paths = {number: src.encode() for number, src in places}
        return [number for number, _ in sorted(scored, key=lambda item: (item[1], paths.get(item[0], b""), item[0]))]


class Postings(FullText):
    """Where each term stands, in a table of our own: slower, and the same order."""

    kind = "postings"
    schema = """
CREATE TABLE texts (title TEXT NOT NULL, heading TEXT NOT NULL, body TEXT NOT NULL, tokens INTEGER NOT NULL);
CREATE TABLE postings (
    term TEXT, chunk INTEGER, title INTEGER, heading INTEGER, body INTEGER, PRIMARY KEY (term, chunk)
) WITHOUT ROWID;
CREATE INDEX postings_by_chunk ON postings (chunk);
"""
    _SATURATION, _LENGTH = 1.2, 0.75
    """`k1` and `b` of FTS5."""
    _LEAST = 1e-6
    """What FTS5 takes for the information of a term that stands in half of all rows or more."""

    def insert(self, texts: Iterable[Text]) -> None:
        for number, *columns in texts:
            counts = [Counter(column.split()) for column in columns]
            tokens = sum(count.total() for count in counts)
            self._connection.execute(
                "INSERT INTO texts (rowid, title, heading, body, tokens) VALUES (?, ?, ?, ?, ?)",
                (number, *columns, tokens),
            )
            rows = ((term, number, *(count[term] for count in counts)) for term in set().union(*counts))
            self._connection.executemany("INSERT INTO postings VALUES (?, ?, ?, ?, ?)", rows)

    def remove(self, documents: Sequence[tuple[int]]) -> None:
        for table, column in (("postings", "chunk"), ("texts", "rowid")):
            statement = f"DELETE FROM {table} WHERE {column} IN (SELECT id FROM chunks WHERE document = ?)"  # noqa: S608
            self._connection.executemany(statement, documents)

    def frequency(self, term: str) -> int:
        row = self._connection.execute("SELECT count(*) FROM postings WHERE term = ?", (term,)).fetchone()
        return int(row[0])

    def best(self, terms: Sequence[str], weights: Mapping[str, float], limit: int, *, restricted: bool) -> list[int]:
        count, mean = self._connection.execute("SELECT count(*), avg(tokens) FROM texts").fetchone()
        title, heading, body = (weights[column] for column in COLUMNS)
        scores: dict[int, float] = defaultdict(float)
        places: dict[int, str] = {}
        for term in terms:
            rows = self._connection.execute(
                """SELECT chunk, postings.title, postings.heading, postings.body, tokens, src
                FROM postings JOIN texts ON texts.rowid = chunk JOIN chunks ON chunks.id = chunk
                JOIN documents ON documents.id = document WHERE term = ?""",
                (term,),
            ).fetchall()
            information = math.log((count - len(rows) + 0.5) / (len(rows) + 0.5)) if rows else 0.0
            information = information if information > 0 else self._LEAST
            for chunk, in_title, in_heading, in_body, tokens, src in rows:
                said = in_title * title + in_heading * heading + in_body * body
                damped = said + self._SATURATION * (1 - self._LENGTH + self._LENGTH * tokens / mean)
                scores[chunk] += information * (said * (self._SATURATION + 1) / damped)
                places[chunk] = src
        if restricted:
            inside = {
                number
                for (number,) in self._connection.execute(f"SELECT id FROM chunks WHERE {_ALLOWED}")  # noqa: S608
            }
            scores = {chunk: score for chunk, score in scores.items() if chunk in inside}
        return sorted(scores, key=lambda chunk: (-scores[chunk], places[chunk].encode(), chunk))[:limit]


def full_text(connection: sqlite3.Connection) -> FullText:
    """The way that this SQLite has."""
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.probe USING fts5 (text)")
        connection.execute("DROP TABLE temp.probe")
    except sqlite3.DatabaseError:
        return Postings(connection)
    return Fts5(connection)
