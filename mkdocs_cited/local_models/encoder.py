"""Sentence encoders: texts to vectors of length one, so that a product of two says how near their meanings are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.local_models import store
from mkdocs_cited.local_models.cache import Cache
from mkdocs_cited.local_models.layout import Layout, read_layout
from mkdocs_cited.local_models.runtime import AT_ONCE, Network, Progress, needed


class Encoder:
    """A sentence encoder; it is loaded when a text comes whose vector is not in the cache."""

    def __init__(self, layout: Layout, name: str, cache: Cache | None = None) -> None:
        """`name` is the model's key in the cache: its name and hash.

        Raises:
            CitedError: the folder holds another kind of model.
        """
        if layout.kind != "encoder":
            raise CitedError(f"{layout.folder}: this model is no sentence encoder", tip="name one as `encoder`")
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
        return cls(read_layout(folder), store.identity(folder), store.cache())

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
        for start in range(0, len(missing), AT_ONCE):  # kept as they come: a run that is broken off is not lost
            part = missing[start : start + AT_ONCE]
            told = partial(_told, progress, start, len(missing)) if progress else None
            fresh = {text: vector.tobytes() for text, vector in zip(part, self._encode(part, told), strict=True)}
            known |= fresh
            if self._cache:
                self._cache.put(self.name, fresh)
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        return np.stack([np.frombuffer(known[text], dtype=np.float32) for text in texts])

    def _encode(self, texts: Sequence[str], progress: Progress | None) -> list[Any]:
        """Vectors made anew, in order."""
        self._network = self._network or Network(self.layout)
        return self._network.run(texts, self._pooled, progress)

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


def _told(progress: Progress, before: int, total: int, done: int, _: int) -> None:
    """Progress of a part as progress of the whole."""
    progress(before + done, total)
