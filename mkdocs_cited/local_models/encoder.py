"""Sentence encoders: texts to vectors of length one, so that a product of two says how near their meanings are.

Vectors are cached in SQLite by hash of (model, text), for every project of the user.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from mkdocs_cited.base.files import make_cache
from mkdocs_cited.local_models import store
from mkdocs_cited.local_models.layout import Layout, read_layout
from mkdocs_cited.local_models.runtime import AT_ONCE, Network, Progress, needed

VERSION = 2


class Encoder:
    """A sentence encoder; it is loaded when a text comes whose vector is not in the cache."""

    def __init__(self, layout: Layout, name: str, cache: Cache | None = None) -> None:
        """`name` is the model's key in the cache: its name and hash."""
        self.layout, self.name, self._cache = layout, name, cache
        self._network: Network | None = None

    @classmethod
    def named(cls, name: str, root: Path | None = None) -> Self:
        """A model of this machine by its name, or by its path relative to `root`, with the user's cache.

        Raises:
            UsageError: it is not here.
            CitedError: its folder cannot be read, or holds another kind of model.
        """
        folder = store.find(name, root)
        return cls(read_layout(folder), store.identity(folder), Cache(store.home().parent / "vectors.sqlite"))

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Any:
        """The vectors of passages: float32, one row a text, each of length 1."""
        return self._vectors([self.layout.passage_prefix + text for text in texts], progress)

    def questions(self, texts: Sequence[str]) -> Any:
        """The vectors of questions: float32, one row a text, each of length 1."""
        return self._vectors([self.layout.query_prefix + text for text in texts], None)

    def _vectors(self, texts: Sequence[str], progress: Progress | None) -> Any:
        np = needed("numpy")
        known = self._cache.get(self.name, texts) if self._cache else {}
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        for start in range(0, len(missing), AT_ONCE):
            part = missing[start : start + AT_ONCE]
            self._network = self._network or Network(self.layout)
            vectors = self._network.run(part, self._pooled)
            fresh = {text: vector.tobytes() for text, vector in zip(part, vectors, strict=True)}
            known |= fresh
            if self._cache:
                self._cache.put(self.name, fresh)
            if progress:
                progress(start + len(part), len(missing))
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        return np.stack([np.frombuffer(known[text], dtype=np.float32) for text in texts])

    def _pooled(self, tokens: Any, mask: Any) -> Any:
        """A text's vector, from those of its tokens."""
        np = needed("numpy")
        if tokens.ndim == 1:  # pooled by the network itself
            vector = tokens
        elif self.layout.pooling == "cls":
            vector = tokens[0]
        else:
            vector = tokens[: len(mask)][mask > 0].mean(axis=0)
        return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), dtype=np.float32)


class Cache:
    """Bytes by model and text. A cache that is damaged, or cannot be read or written, costs time and no more."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, model: str, texts: Iterable[str]) -> dict[str, bytes]:
        """What is stored for these texts."""
        found: dict[str, bytes] = {}
        if self.path.is_file():
            with suppress(sqlite3.Error), self._open() as database:
                for text in texts:
                    query = "SELECT value, digest FROM vector WHERE key = ?"
                    for value, digest in database.execute(query, [_key(model, text)]):
                        if digest == _digest(value):
                            found[text] = value
        return found

    def put(self, model: str, values: Mapping[str, bytes]) -> None:
        """Store these."""
        rows = [(_key(model, text), value, _digest(value)) for text, value in values.items()]
        try:
            make_cache(self.path.parent)
            with self._open() as database, database:
                database.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", rows)
        except sqlite3.DatabaseError:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)  # damaged: the next run begins with an empty one
        except (OSError, sqlite3.Error):
            return

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=30)) as database:
            if database.execute("PRAGMA user_version").fetchone() != (VERSION,):
                database.execute("DROP TABLE IF EXISTS vector")
                database.execute("CREATE TABLE vector (key BLOB PRIMARY KEY, value BLOB, digest BLOB) WITHOUT ROWID")
                database.execute(f"PRAGMA user_version = {VERSION}")
            yield database


def _key(model: str, text: str) -> bytes:
    return _digest(f"{len(model)}:{model}{text}".encode("utf-8", "surrogatepass"))


def _digest(value: bytes) -> bytes:
    return hashlib.sha256(value).digest()
