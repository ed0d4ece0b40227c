"""Finding by meaning: a corpus whose passages have vectors, found by them and by words together.

Full text stays: it knows identifiers, messages and rare words, which vectors blur. fastembed makes the vectors, and is
imported here only; they are cached in the project, by hash of model and text, until another version of the plugin.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs
from msgspec.structs import replace

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.text import collapse, did_you_mean, digest
from mkdocs_cited.model.options import Local, offline
from mkdocs_cited.model.source import Corpus, Hit, Passage, Scope, Source
from mkdocs_cited.search.index import Index, asks_itself, in_scope

if TYPE_CHECKING:
    from fastembed import TextEmbedding

FOLDER = ".cache/plugin/cited"
"""Of the cache, in the project."""
_VECTORS = "vectors"
BATCH = 16
"""Texts that are run together, of about one length, so that little is spent on padding."""
AT_ONCE = 512
"""Texts that are sorted and stored together: an interrupted run loses little."""

Progress = Callable[[int, int], None]
"""Receives (texts done, texts in all)."""


_BROUGHT = 100
"""Passages that meaning alone may bring in."""
_WORDS = 0.6
"""What matching in words weighs next to nearness in meaning: a logistic regression on pages that maintainers point to
gives it that, on seven sites, and on each six of them."""


def load(options: Local, root: Path) -> TextEmbedding:
    """The encoder that the options name; fastembed downloads one that is not on this machine yet.

    Args:
        options: the block `local`.
        root: the folder that `folder` is relative to.

    Raises:
        UsageError: the extra `[local]` is not installed, fastembed does not know the name, or the model cannot be had.
    """
    try:
        from fastembed import TextEmbedding
    except ImportError as error:
        raise UsageError(
            f"finding by meaning needs `{error.name}`, which is not installed",
            tip='run `pip install "mkdocs-cited[local]"`',
        ) from error
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
            local_files_only=offline(),
            specific_model_path=folder,
            cuda=False,
        )
    except (
        Exception
    ) as error:  # the hub's client, onnxruntime and tokenizers have no common type
        said = collapse(str(error))
        tip = "on a machine without a network, name the folder of its files: `local.folder`"
        raise UsageError(
            f"the encoder `{options.encoder}` cannot be loaded: {said}", tip=tip
        ) from error


class Encoder:
    """A sentence encoder. It is loaded for the first text whose vector is not cached.

    A cache that is damaged, or cannot be read or written, costs time and no more.
    """

    def __init__(self, options: Local, root: Path) -> None:
        """Takes the block `local` of the options, and the folder of the project."""
        self._options, self._root = options, root
        self._model: TextEmbedding | None = None

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Any:
        """The vectors of passages: float32, one row a text, each of length 1.

        Raises:
            UsageError: the encoder cannot be had.
            CitedError: it cannot be run.
        """
        import numpy as np

        keys = [self._key(text) for text in texts]
        with closing(Index.open(self._root / FOLDER, _VECTORS)) as cache:
            stored = cache.stored(_VECTORS)
            known = {key: stored[key] for key in keys if key in stored}
            made = dict(zip(keys, texts, strict=True))
            missing = [text for key, text in made.items() if key not in known]
            for start in range(0, len(missing), AT_ONCE):
                batch = sorted(missing[start : start + AT_ONCE], key=len)
                for text, vector in zip(batch, self._run(batch), strict=True):
                    known[self._key(text)] = vector
                cache.keep(_VECTORS, known)
                if progress:
                    progress(start + len(batch), len(missing))
        vectors = [np.frombuffer(known[key], dtype=np.float32) for key in keys]
        return np.array(vectors)

    def question(self, text: str) -> Any:
        """The vector of a question: float32, of length 1.

        Raises:
            UsageError: the encoder cannot be had.
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
                tip="delete its folder, which `FASTEMBED_CACHE_PATH` names, so that it is downloaded again",
            ) from error

    def _loaded(self) -> TextEmbedding:
        if self._model is None:
            self._model = load(self._options, self._root)
        return self._model

    def _key(self, text: str) -> str:
        return digest(self._options.encoder, self._options.folder, text)


def described(passage: Passage) -> str:
    """A passage as a reader comes to it: under its headings, behind what leads into it."""
    above = " › ".join(dict.fromkeys((passage.page.title, *passage.section.breadcrumb)))
    return "\n".join(filter(None, (above, passage.lead, passage.text)))


class ByMeaning:
    """A corpus whose `search` knows an encoder; in all else it is the corpus that it wraps.

    Nothing is loaded before the first search. Several threads may ask it.
    """

    def __init__(
        self,
        corpus: Corpus,
        encoder: Encoder,
        *,
        progress: Progress | None = None,
    ) -> None:
        """
        Args:
            corpus: what it wraps.
            encoder: makes the vectors.
            progress: called while vectors are made.
        """
        self.corpus = corpus
        self.pages, self.passage, self.section = (
            corpus.pages,
            corpus.passage,
            corpus.section,
        )
        self.sections, self.anchors = corpus.sections, corpus.anchors
        self.named, self.fault = corpus.named, corpus.fault
        self.asked, self.date = corpus.asked, corpus.date
        self._encoder, self._progress = encoder, progress
        self._lock = threading.Lock()
        self._passages: list[Passage] = []
        self._matrix: Any = None
        """A row for each passage."""

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        """What full text finds, with how near it is, and what is nearest besides; best first by both.

        Half of them are the nearest of all, wherever they are: common words, which are on every page, crowd nothing out
        that is near.
        """
        near = self._near(query)
        hits = {}
        for hit in self.corpus.search(query, scope=scope, limit=limit):
            hits[hit.passage.id] = _placed(hit, near[hit.passage.id])
        for passage in islice(self._nearest(near, scope, hits), _BROUGHT):
            hits[passage.id] = _placed(Hit(passage, 0.0), near[passage.id])
        by_page: dict[str, float] = {}
        for hit in hits.values():
            page = hit.passage.page.src
            by_page[page] = max(by_page.get(page, 0.0), hit.score)
        found = sorted(
            hits.values(),
            key=lambda hit: (-by_page[hit.passage.page.src], -hit.score),
        )
        nearest = sorted(found, key=lambda hit: -near[hit.passage.id])
        order = dict.fromkeys(
            hit.passage.id for hit in (*nearest[: limit // 2], *found)
        )
        kept = set(islice(order, limit))
        return [hit for hit in found if hit.passage.id in kept]

    def once(
        self, searched: str, made: Callable[[], tuple[Source, ...]]
    ) -> tuple[Source, ...]:
        """What `made` returns: nothing is stored, for another encoder finds something else."""
        return made()

    def _nearest(
        self, near: Mapping[str, float], scope: Scope, found: Mapping[str, Hit]
    ) -> Iterator[Passage]:
        """The passages of a scope that were not found, nearest first."""
        for passage in sorted(self._passages, key=lambda item: -near[item.id]):
            inside = in_scope(passage.page, scope)
            if (
                inside
                and passage.id not in found
                and not asks_itself(passage.section, scope)
            ):
                yield passage

    def _near(self, query: str) -> dict[str, float]:
        """Id of each passage → how near it is to a question: 0 is what any two texts of the site have in common and
        1 the same, for encoders differ in where unrelated texts are."""
        with self._lock:
            asked = self._encoder.question(query)
            if self._matrix is None:
                for page in self.pages():
                    self._passages += self.section(page.src, "")
                texts = [described(passage) for passage in self._passages]
                self._matrix = self._encoder.passages(texts, self._progress)
            if not self._passages:
                return {}
            cosines = self._matrix @ asked
        usual = float(cosines.mean())
        scaled = ((cosines - usual) / max(1e-6, 1 - usual)).clip(0.0, 1.0).tolist()
        ids = [passage.id for passage in self._passages]
        return dict(zip(ids, scaled, strict=True))


def _placed(hit: Hit, nearness: float) -> Hit:
    """A hit with how near it is; what is near is relevant, whatever its words."""
    return replace(
        hit,
        relevance=round(max(hit.relevance, nearness), 4),
        score=_WORDS * hit.score + nearness,
    )
