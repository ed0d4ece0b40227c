"""Classifiers of pairs: how likely it is that an evidence supports a claim. What follows from that is a reviewer's."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.local_models.cache import Cache
from mkdocs_cited.local_models.layout import Layout
from mkdocs_cited.local_models.runtime import Network, Progress, needed

_SEPARATOR = "\x1f"
"""Between the two texts of a pair, in the cache's key."""


class Classifier:
    """A sequence classification model; it is loaded when a pair comes whose score is not in the cache."""

    def __init__(self, layout: Layout, name: str, cache: Cache | None = None) -> None:
        """`name` is the model's key in the cache: its name and hash.

        Raises:
            CitedError: the folder holds another kind of model.
        """
        if layout.kind != "classifier":
            raise CitedError(f"{layout.folder}: this model scores no claims", tip="name an entailment model")
        self.layout, self.name, self._cache = layout, name, cache
        self._loaded: Network | None = None

    def scores(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> list[float]:
        """The probability 0…1 that each (evidence, claim) is one of support."""
        keys = [_SEPARATOR.join(pair) for pair in pairs]
        known = self._cache.get(self.name, keys) if self._cache else {}
        missing = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        if missing:
            fresh = self._score(list(missing.values()), progress)
            new = {key: struct.pack("<d", score) for key, score in zip(missing, fresh, strict=True)}
            if self._cache:
                self._cache.put(self.name, new)
            known |= new
        return [struct.unpack("<d", known[key])[0] for key in keys]

    def _network(self) -> Network:
        self._loaded = self._loaded or Network(self.layout)
        return self._loaded

    def _score(self, pairs: Sequence[tuple[str, str]], progress: Progress | None) -> list[float]:
        return self._network().run(pairs, self._support, progress)

    def _support(self, logits: Any, _: Any) -> float:
        """The softmax of the label that means support."""
        np = needed("numpy")
        values = np.asarray(logits, dtype=np.float64).reshape(-1)
        if len(values) != len(self.layout.labels):
            raise CitedError(
                f"{self.layout.network}: {len(values)} scores for {len(self.layout.labels)} labels",
                tip="`id2label` in config.json must name each score",
            )
        shifted = np.exp(values - values.max())
        return round(float(shifted[self.layout.supporting] / shifted.sum()), 6)
