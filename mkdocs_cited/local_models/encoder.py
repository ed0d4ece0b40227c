"""Sentence encoders: texts to vectors of length one, so that a product of two says how near their meanings are.

onnxruntime, tokenizers and numpy are imported here, lazily. Vectors are cached in SQLite by hash of (model, text), for
every project of the user.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.files import make_cache
from mkdocs_cited.base.text import collapse
from mkdocs_cited.local_models import store
from mkdocs_cited.local_models.layout import Layout, read_layout

BATCH = 16
"""Texts that are run together, of about one length, so that little is spent on padding."""
AT_ONCE = 512
"""Texts that are sorted and stored together, so that memory stays bounded and an interrupted run loses little."""
_INPUTS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
"""What networks are given, where they take it → what the tokenizer calls it."""

Progress = Callable[[int, int], None]
"""Receives (texts done, texts in all)."""


def needed(module: str) -> Any:
    """A module of the extra `[local]`.

    Raises:
        UsageError: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        tip = 'run `pip install "mkdocs-cited[local]"`'
        raise UsageError(f"local models need the package `{module}`, which is not installed", tip=tip) from error


class Encoder:
    """A sentence encoder; it is loaded when a text comes whose vector is not in the cache."""

    def __init__(self, layout: Layout, name: str, cache: Cache | None = None) -> None:
        """`name` is the model's key in the cache: its name and hash."""
        self.layout, self.name, self._cache = layout, name, cache
        self._session: Any = None

    @classmethod
    def named(cls, name: str, root: Path | None = None) -> Self:
        """A model of this machine by its name, or by its path relative to `root`, with the user's cache.

        Raises:
            UsageError: it is not here.
            CitedError: its folder cannot be read, or holds another kind of model.
        """
        layout = read_layout(store.find(name, root))
        return cls(layout, store.identity(layout), Cache(store.home().parent / "vectors-3.sqlite"))

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
            fresh = self.fresh(missing[start : start + AT_ONCE])
            known |= fresh
            if self._cache:
                self._cache.put(self.name, fresh)
            if progress:
                progress(start + len(fresh), len(missing))
        return np.array([np.frombuffer(known[text], dtype=np.float32) for text in texts])

    def _load(self) -> None:
        """Load tokenizer and network."""
        runtime, tokenizers = needed("onnxruntime"), needed("tokenizers")
        options = runtime.SessionOptions()
        options.log_severity_level = 3  # errors: its warnings are about its own optimisations
        file = self.layout.tokenizer
        try:
            self._tokenizer = tokenizers.Tokenizer.from_file(str(file))
            file = self.layout.network
            self._session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # tokenizers raises plain Exception; onnxruntime's errors have no common type
            said = collapse(str(error))
            raise CitedError(f"{file}: cannot be loaded: {said}", tip="fetch or copy the model again") from error
        self._inputs = {item.name for item in self._session.get_inputs()}
        self._tokenizer.enable_padding()
        self._tokenizer.enable_truncation(self.layout.most_tokens)

    def fresh(self, texts: Sequence[str]) -> dict[str, bytes]:
        """Each text with the bytes of its vector, whatever the cache has. Long texts are cut.

        Raises:
            UsageError: the extra `[local]` is not installed.
            CitedError: a file is no tokenizer or no network, or the network wants other inputs.
        """
        np = needed("numpy")
        if self._session is None:
            self._load()
        found: dict[str, bytes] = {}
        ordered = sorted(texts, key=len)
        for start in range(0, len(ordered), BATCH):
            batch = ordered[start : start + BATCH]
            items = self._tokenizer.encode_batch(batch)
            given = {
                name: np.array([getattr(item, field) for item in items], dtype=np.int64)
                for name, field in _INPUTS.items()
            }
            try:
                output = self._session.run(None, {name: given[name] for name in given if name in self._inputs})[0]
            except Exception as error:  # they have no common type either
                tip = f"export it with the inputs {', '.join(given)} and dynamic axes for texts and tokens"
                raise CitedError(f"{self.layout.network}: cannot be run: {collapse(str(error))}", tip=tip) from error
            found |= zip(batch, map(self._pooled, output, given["attention_mask"]), strict=True)
        return found

    def _pooled(self, tokens: Any, mask: Any) -> bytes:
        """A text's vector, from those of its tokens."""
        if tokens.ndim == 1:  # pooled by the network itself
            vector = tokens
        else:
            vector = tokens[0] if self.layout.pooling == "cls" else tokens[mask > 0].mean(axis=0)
        length = max(float((vector**2).sum()) ** 0.5, 1e-12)
        return bytes((vector / length).astype("float32").tobytes())


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
                    for (value,) in database.execute("SELECT value FROM vector WHERE key = ?", [_key(model, text)]):
                        found[text] = value
        return found

    def put(self, model: str, values: Mapping[str, bytes]) -> None:
        """Store these."""
        rows = [(_key(model, text), value) for text, value in values.items()]
        with suppress(OSError):
            make_cache(self.path.parent)
            try:
                with self._open() as database, database:
                    database.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", rows)
            except sqlite3.DatabaseError:  # damaged: the next run begins with an empty one
                self.path.unlink(missing_ok=True)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=30)) as database:
            database.execute("CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")
            yield database


def _key(model: str, text: str) -> bytes:
    return hashlib.sha256(f"{len(model)}:{model}{text}".encode("utf-8", "surrogatepass")).digest()
