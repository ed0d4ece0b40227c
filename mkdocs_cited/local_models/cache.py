"""Vectors and scores, kept by hash of (model, text) in SQLite: a cache, where anything damaged is a miss."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from mkdocs_cited.base.files import make_cache

VERSION = 1
_MANY = 500
"""Keys of one query."""


class Cache:
    """Bytes by model and text. A cache that cannot be read or written costs time, no more."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, model: str, texts: Iterable[str]) -> dict[str, bytes]:
        """What is kept for these texts."""
        names = {_key(model, text): text for text in texts}
        found: dict[str, bytes] = {}
        if not self.path.is_file():
            return found
        keys = list(names)
        with suppress(sqlite3.Error), self._open() as database:
            for at in range(0, len(keys), _MANY):
                part = keys[at : at + _MANY]
                marks = ",".join("?" * len(part))
                query = f"SELECT key, value, digest FROM kept WHERE key IN ({marks})"  # noqa: S608 # only marks
                for key, value, digest in database.execute(query, part):
                    if key in names and isinstance(value, bytes) and digest == _digest(key, value):
                        found[names[key]] = value
        return found

    def put(self, model: str, values: Mapping[str, bytes]) -> None:
        """Keep these."""
        rows = [(key, value, _digest(key, value)) for text, value in values.items() for key in [_key(model, text)]]
        try:
            make_cache(self.path.parent)
            with self._open() as database, database:
                database.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
        except sqlite3.DatabaseError:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)  # no database, or a damaged one: the next run begins anew
        except (OSError, sqlite3.Error):
            return

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=30)) as database:
            if database.execute("PRAGMA user_version").fetchone() != (VERSION,):
                database.execute("DROP TABLE IF EXISTS kept")
                database.execute("CREATE TABLE kept (key BLOB PRIMARY KEY, value BLOB, digest BLOB) WITHOUT ROWID")
                database.execute(f"PRAGMA user_version = {VERSION}")
            yield database


def _key(model: str, text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(b"%d:%s%s" % (len(model), model.encode(), data)).digest()


def _digest(key: bytes, value: bytes) -> bytes:
    return hashlib.sha256(key + value).digest()[:8]
