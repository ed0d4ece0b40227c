"""Texts to vectors of length one, by a sentence encoder on this machine: fastembed runs it.

fastembed is imported here only. Vectors are cached in the project, by hash of model and text.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.files import make_cache
from mkdocs_cited.base.text import collapse, did_you_mean
from mkdocs_cited.model.options import Local

if TYPE_CHECKING:
    from fastembed import TextEmbedding

VECTORS = ".cache/plugin/cited/vectors.sqlite3"
"""The cache, in the project."""
BATCH = 16
"""Texts that are run together, of about one length, so that little is spent on padding."""
AT_ONCE = 512
"""Texts that are sorted and stored together: memory stays bounded, and an interrupted run loses little."""

Progress = Callable[[int, int], None]
"""Receives (texts done, texts in all)."""


def load(options: Local, root: Path, *, fetch: bool = False) -> TextEmbedding:
    """The encoder that the options name.

    Args:
        options: the block `local`.
        root: the folder that `folder` is relative to.
        fetch: whether it may be downloaded.

    Raises:
        UsageError: the extra `[local]` is not installed, fastembed does not know the name, or the model is not here.
    """
    try:
        from fastembed import TextEmbedding
    except ImportError as error:
        raise _not_installed(error) from error
    known = [str(model["model"]) for model in TextEmbedding.list_supported_models()]
    if options.encoder not in known:
        raise UsageError(
            f"fastembed has no encoder `{options.encoder}`",
            tip=did_you_mean(options.encoder, known),
        )
    folder = str(root / options.folder) if options.folder else None
    cache = os.environ.get("FASTEMBED_CACHE_PATH") or str(
        platformdirs.user_cache_path("mkdocs-cited") / "models"
    )
    try:
        return TextEmbedding(
            options.encoder,
            cache_dir=cache,
            local_files_only=not fetch,
            specific_model_path=folder,
            cuda=False,
        )
    except (
        Exception
    ) as error:  # the hub's client, onnxruntime and tokenizers have no common type
        said = collapse(str(error))
        tip = "`mkdocs-cited encoder` fetches it; on a machine without a network, `local.folder` names its files"
        raise UsageError(
            f"the encoder `{options.encoder}` cannot be loaded: {said}", tip=tip
        ) from error


def _not_installed(error: ImportError) -> UsageError:
    tip = 'run `pip install "mkdocs-cited[local]"`'
    return UsageError(
        f"finding by meaning needs `{error.name}`, which is not installed", tip=tip
    )


class Encoder:
    """A sentence encoder. It is loaded for the first text whose vector is not cached."""

    def __init__(self, options: Local, root: Path) -> None:
        """Takes the block `local` of the options, and the folder of the project."""
        self._options, self._root = options, root
        self._cache = _Cache(root / VECTORS)
        self._model: TextEmbedding | None = None

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Any:
        """The vectors of passages: float32, one row a text, each of length 1.

        Raises:
            UsageError: the encoder is not on this machine.
            CitedError: it cannot be run.
        """
        try:
            import numpy as np
        except ImportError as error:
            raise _not_installed(error) from error

        key = f"{self._options.encoder}\n{self._options.folder}"
        known = self._cache.get(key, texts)
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        for start in range(0, len(missing), AT_ONCE):
            batch = sorted(missing[start : start + AT_ONCE], key=len)
            fresh = dict(zip(batch, self._run(batch), strict=True))
            known.update(fresh)
            self._cache.put(key, fresh)
            if progress:
                progress(start + len(batch), len(missing))
        return np.array(
            [np.frombuffer(known[text], dtype=np.float32) for text in texts]
        )

    def question(self, text: str) -> Any:
        """The vector of a question: float32, of length 1.

        Raises:
            UsageError: the encoder is not on this machine.
        """
        (vector,) = self._loaded().query_embed(text)
        return vector

    def _run(self, texts: Sequence[str]) -> Iterator[bytes]:
        model = self._loaded()
        try:
            for vector in model.passage_embed(texts, batch_size=BATCH):
                yield vector.astype("float32").tobytes()
        except Exception as error:  # onnxruntime's errors have no common type
            raise CitedError(
                f"the encoder cannot be run: {collapse(str(error))}",
                tip="fetch it again",
            ) from error

    def _loaded(self) -> TextEmbedding:
        if self._model is None:
            self._model = load(self._options, self._root)
        return self._model


class _Cache:
    """Vectors by model and text. A cache that is damaged, or cannot be read or written, costs time and no more."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, model: str, texts: Iterable[str]) -> dict[str, bytes]:
        """The vectors that are stored for these texts."""
        known: dict[str, bytes] = {}
        if self._path.is_file():
            with suppress(sqlite3.Error), self._open() as database:
                for text in texts:
                    row = database.execute(
                        "SELECT value FROM vector WHERE key = ?", [_key(model, text)]
                    ).fetchone()
                    if row:
                        known[text] = row[0]
        return known

    def put(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Store vectors by text."""
        rows = [(_key(model, text), value) for text, value in vectors.items()]
        with suppress(OSError):
            make_cache(self._path.parent)
            try:
                with self._open() as database, database:
                    database.executemany(
                        "INSERT OR REPLACE INTO vector VALUES (?, ?)", rows
                    )
            # damaged: the next run begins with an empty one
            except sqlite3.DatabaseError:
                self._path.unlink(missing_ok=True)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=30)) as database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID"
            )
            yield database


def _key(model: str, text: str) -> bytes:
    return hashlib.sha256(f"{model}\n{text}".encode("utf-8", "surrogatepass")).digest()
