"""Finding by meaning: a corpus whose passages have vectors, found by them and by words together.

Full text stays: it knows identifiers, messages and rare words, which vectors blur. How texts become vectors is in
`encoder`.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import Corpus, Hit, Passage, Scope
from mkdocs_cited.search.encoder import Encoder, Progress
from mkdocs_cited.search.index import asks_itself, in_scope

_BROUGHT = 100
"""Passages that meaning alone may bring in."""
_WORDS = 0.6
"""What matching in words weighs next to nearness in meaning: a logistic regression on pages that maintainers point to
gives it that, on seven sites, and on each six of them."""


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
        across: bool,
        progress: Progress | None = None,
    ) -> None:
        """
        Args:
            corpus: what it wraps.
            encoder: makes the vectors.
            across: whether a question in one language may find pages in others.
            progress: called while vectors are made.
        """
        self.corpus = corpus
        self.pages, self.passage = corpus.pages, corpus.passage
        self.section, self.sections, self.anchors = (
            corpus.section,
            corpus.sections,
            corpus.anchors,
        )
        self.named, self.several = corpus.named, corpus.several
        self.asked = corpus.asked
        self._encoder, self._across, self._progress = encoder, across, progress
        self._alone = threading.Lock()
        self._passages: tuple[Passage, ...] = ()
        self._matrix: Any = None
        """A row for each passage."""

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        """What full text finds, with how near it is, and what is nearest besides; best first by both."""
        near = self._near(query)
        wide = replace(scope, locale="") if self._across else scope
        hits = [
            _placed(hit, near)
            for hit in self.corpus.search(query, scope=scope, limit=limit)
        ]
        found = {hit.passage.id for hit in hits}
        others = (
            passage
            for passage in sorted(
                self._passages, key=lambda item: -near.get(item.id, 0.0)
            )
            if passage.id not in found
            and in_scope(passage.page, wide)
            and not asks_itself(passage.section, scope)
        )
        for passage in islice(others, _BROUGHT):
            said = f"its meaning lies near the question's ({near[passage.id]:.2f})"
            hits.append(_placed(Hit(passage, 0.0, said), near))
        return _shortened(_by_page(hits), limit)

    def _near(self, query: str) -> dict[str, float]:
        """Id of each passage → how near it is to a question: 0 is what any two texts of the site have in common and
        1 the same, for encoders differ in where unrelated texts are."""
        with self._alone:
            if self._matrix is None:
                self._passages = tuple(
                    passage
                    for page in self.pages()
                    for passage in self.section(page.src, "")
                )
                texts = [described(passage) for passage in self._passages]
                self._matrix = self._encoder.passages(texts, self._progress)
            if not self._passages:
                return {}
            cosines = self._matrix @ self._encoder.question(query)
        usual = float(cosines.mean())
        scaled = ((cosines - usual) / max(1e-6, 1 - usual)).clip(0.0, 1.0).tolist()
        return {
            passage.id: value
            for passage, value in zip(self._passages, scaled, strict=True)
        }


def _placed(hit: Hit, near: Mapping[str, float]) -> Hit:
    """A hit with how near it is; what is near is relevant, whatever its words."""
    nearness = near.get(hit.passage.id, 0.0)
    relevance = round(max(hit.relevance, nearness), 4)
    return replace(
        hit, nearness=nearness, relevance=relevance, score=_WORDS * hit.score + nearness
    )


def _shortened(hits: Sequence[Hit], limit: int) -> Sequence[Hit]:
    """The first hits, but half of them the nearest of all, wherever they are: common words, which are on every
    page, crowd nothing out that is near."""
    near = sorted(hits, key=lambda hit: -(hit.nearness or 0.0))[: limit // 2]
    wanted = set(islice(dict.fromkeys(hit.passage.id for hit in (*near, *hits)), limit))
    return [hit for hit in hits if hit.passage.id in wanted]


def _by_page(hits: Sequence[Hit]) -> list[Hit]:
    """Page by page, by the best of each; on a page, the best first."""
    best: dict[str, float] = {}
    for hit in hits:
        best[hit.passage.page.src] = max(best.get(hit.passage.page.src, 0.0), hit.score)
    return sorted(hits, key=lambda hit: (-best[hit.passage.page.src], -hit.score))
