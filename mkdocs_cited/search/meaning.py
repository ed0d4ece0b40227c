"""Finding by meaning: a corpus whose passages have vectors, found by them and by words together.

Full text stays: it knows identifiers, messages and rare words, which vectors blur. What a passage is worth by either
is judged in `answering`; how texts become vectors is `local_models`' business.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import AskedWord, Corpus, Hit, Nearness, Page, Passage, Scope, Section
from mkdocs_cited.search.index import asks_itself, in_scope

if TYPE_CHECKING:  # most runs load no model
    from mkdocs_cited.local_models.encoder import Encoder, Progress

_BROUGHT = 100
"""Passages that meaning alone may bring in."""
_WORDS = 0.6
"""What matching in words weighs beside nearness in meaning: a logistic regression on pages that maintainers point to
gives it that, on seven sites, and on each six of them."""


def described(passage: Passage) -> str:
    """A passage as a reader comes to it: under its headings, behind what leads into it."""
    above = " › ".join(dict.fromkeys((passage.page.title, *passage.section.breadcrumb)))
    return "\n".join(filter(None, (above, passage.lead, passage.text)))


class ByMeaning:
    """A corpus whose `search` knows an encoder; in all else it is the corpus that it stands on.

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
            corpus: what it stands on.
            encoder: makes the vectors.
            across: whether a question in one language may find pages in others.
            progress: told while vectors are made.
        """
        self.corpus = corpus
        self._encoder, self._across, self._progress = encoder, across, progress
        self._alone = threading.Lock()
        self._known: _Vectors | None = None

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        """What full text finds, with how near it lies, and what lies nearest besides; best first by both."""
        near = self._near(query)
        wide = replace(scope, locale="") if self._across else scope
        by_words = self.corpus.search(query, scope=scope, limit=limit)
        best = max((hit.strength for hit in by_words), default=0.0)
        hits = [_placed(hit, near, best) for hit in by_words]
        found = {hit.passage.id for hit in hits}
        for passage in near.ordered:
            if len(hits) >= len(found) + _BROUGHT:
                break
            if passage.id not in found and in_scope(passage.page, wide) and not asks_itself(passage.section, scope):
                said = f"its meaning lies near the question's ({near.of[passage.id]:.2f})"
                hits.append(_placed(Hit(passage, 0.0, said), near, best))
        return _shortened(_by_page(hits), limit)

    def pages(self) -> Sequence[Page]:
        return self.corpus.pages()

    def passage(self, passage_id: str) -> Passage | None:
        return self.corpus.passage(passage_id)

    def with_hash(self, passage_hash: str) -> Sequence[Passage]:
        return self.corpus.with_hash(passage_hash)

    def section(self, page: str, anchor: str) -> Sequence[Passage]:
        return self.corpus.section(page, anchor)

    def anchors(self, page: str) -> Sequence[str]:
        return self.corpus.anchors(page)

    def sections(self, page: str) -> Sequence[Section]:
        return self.corpus.sections(page)

    def asked(self, question: str, locale: str) -> Sequence[AskedWord]:
        return self.corpus.asked(question, locale)

    def _vectors(self) -> _Vectors:
        passages = tuple(passage for page in self.pages() for passage in self.section(page.src, ""))
        return _Vectors(passages, self._encoder.passages([described(passage) for passage in passages], self._progress))

    def _near(self, query: str) -> _Near:
        with self._alone:
            self._known = self._known or self._vectors()
            question = self._encoder.questions([query])[0]
        return _Near(self._known, question)


class _Vectors(Struct, frozen=True):
    """Every passage of a corpus, and the matrix of their vectors, a row each."""

    passages: tuple[Passage, ...]
    matrix: Any


class _Near:
    """How near every passage lies to one question.

    0 is what any two texts of the site have in common and 1 the same: encoders differ in where unrelated texts lie.
    """

    def __init__(self, known: _Vectors, question: Any) -> None:
        self.of: dict[str, float] = {}
        self._sections: dict[tuple[str, int], float] = {}
        self.ordered: tuple[Passage, ...] = ()
        self._usual = 0.0
        if not known.passages:
            return
        cosines = known.matrix @ question
        self._usual = float(cosines.mean())
        for passage, value in zip(known.passages, self._scale(cosines).tolist(), strict=True):
            self.of[passage.id] = value
            place = (passage.page.src, passage.section.position)
            self._sections[place] = max(value, self._sections.get(place, 0.0))
        self.ordered = tuple(known.passages[at] for at in (-cosines).argsort(kind="stable").tolist())

    def nearness(self, passage: Passage, strength: float) -> Nearness:
        """Of a passage and of the nearest in its section."""
        place = (passage.page.src, passage.section.position)
        return Nearness(self.of.get(passage.id, 0.0), self._sections.get(place, 0.0), strength)

    def _scale(self, cosines: Any) -> Any:
        return ((cosines - self._usual) / max(1e-6, 1 - self._usual)).clip(0.0, 1.0)


def _placed(hit: Hit, near: _Near, strength: float) -> Hit:
    """A hit with how near it lies; what lies near is relevant, whatever its words."""
    nearness = near.nearness(hit.passage, strength)
    return replace(hit, nearness=nearness, relevance=round(max(hit.relevance, min(1.0, nearness.passage)), 4))


def _shortened(hits: Sequence[Hit], limit: int) -> Sequence[Hit]:
    """The first hits, but half of them the nearest of all, wherever they stand: common words, which stand on every
    page, crowd nothing out that lies near."""
    near = sorted(hits, key=lambda hit: -(hit.nearness.passage if hit.nearness else 0.0))[: limit // 2]
    kept = {hit.passage.id for hit in near}
    for hit in hits:
        if len(kept) >= limit:
            break
        kept.add(hit.passage.id)
    return [hit for hit in hits if hit.passage.id in kept]


def _by_page(hits: Sequence[Hit]) -> list[Hit]:
    """Page by page, by the best match in words and the nearest passage of each; on a page, what is best by both."""
    strength: dict[str, float] = {}
    nearest: dict[str, float] = {}
    for hit in hits:
        src, near = hit.passage.page.src, hit.nearness.passage if hit.nearness else 0.0
        strength[src] = max(strength.get(src, 0.0), hit.strength)
        nearest[src] = max(nearest.get(src, 0.0), near)

    def place(hit: Hit) -> tuple[float, float]:
        src, near = hit.passage.page.src, hit.nearness.passage if hit.nearness else 0.0
        return -(_WORDS * strength[src] + nearest[src]), -(_WORDS * hit.strength + near)

    return sorted(hits, key=place)
