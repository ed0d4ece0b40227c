"""Finding by meaning: a corpus whose passages have vectors, found by them and by words together.

Full text stays: it knows identifiers, messages and rare words, which vectors blur. What a passage is worth by either
is weighed in `evidence`; how texts become vectors is `local_models`' business.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mkdocs_cited.local_models.encoder import Encoder
from mkdocs_cited.local_models.runtime import Progress
from mkdocs_cited.model.source import AskedWord, Corpus, Hit, Nearness, Page, Passage, Scope
from mkdocs_cited.search.index import asks_itself, in_scope

_BROUGHT = 100
"""Passages that meaning alone may bring in."""


class ByMeaning:
    """A corpus whose `search` knows an encoder; in all else it is the corpus that it stands on.

    Nothing is loaded before the first search. Several threads may ask it.
    """

    def __init__(self, corpus: Corpus, encoder: Encoder, *, across: bool, progress: Progress | None = None) -> None:
        """`across`: whether a question in one language may find pages in others."""
        self._corpus, self._encoder, self._across, self._progress = corpus, encoder, across, progress
        self._alone = threading.Lock()
        self._known: _Vectors | None = None

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        """What full text finds, with how near it lies, and what lies nearest besides; best first by both."""
        near = self._near(query)
        wide = replace(scope, locale="") if self._across else scope
        hits = [_placed(hit, near) for hit in self._corpus.search(query, scope=scope, limit=limit)]
        found = {hit.passage.id for hit in hits}
        for passage in near.ordered:
            if len(hits) >= len(found) + _BROUGHT:
                break
            if passage.id not in found and in_scope(passage.page, wide) and not asks_itself(passage.section, scope):
                said = f"its meaning lies near the question's ({near.of[passage.id]:.2f})"
                hits.append(_placed(Hit(passage, 0.0, said), near))
        return sorted(hits, key=lambda hit: -(hit.relevance + hit.strength))[:limit]

    def _near(self, query: str) -> _Near:
        with self._alone:
            self._known = self._known or _vectors(self._corpus, self._encoder, self._progress)
            question = self._encoder.questions([query])[0]
        return _Near(self._known, question)

    def pages(self) -> Sequence[Page]:
        return self._corpus.pages()

    def passage(self, passage_id: str) -> Passage | None:
        return self._corpus.passage(passage_id)

    def with_hash(self, passage_hash: str) -> Sequence[Passage]:
        return self._corpus.with_hash(passage_hash)

    def section(self, page: str, anchor: str) -> Sequence[Passage]:
        return self._corpus.section(page, anchor)

    def anchors(self, page: str) -> Sequence[str]:
        return self._corpus.anchors(page)

    def asked(self, question: str, locale: str) -> Sequence[AskedWord]:
        return self._corpus.asked(question, locale)


@dataclass(frozen=True, slots=True)
class _Vectors:
    """Every passage of a corpus, and the matrix of their vectors, a row each."""

    passages: tuple[Passage, ...]
    matrix: Any


def _vectors(corpus: Corpus, encoder: Encoder, progress: Progress | None) -> _Vectors:
    passages = tuple(passage for page in corpus.pages() for passage in corpus.section(page.src, ""))
    return _Vectors(passages, encoder.passages([_text(passage) for passage in passages], progress))


def _text(passage: Passage) -> str:
    """A passage as a reader comes to it: under its headings, behind what leads into it."""
    headings = " › ".join(dict.fromkeys((passage.page.title, *passage.section.breadcrumb)))
    return "\n".join(filter(None, (headings, passage.lead, passage.text)))


class _Near:
    """How near every passage lies to one question.

    0 is what any two texts of the site have in common and 1 the same: encoders differ in where unrelated texts lie.
    """

    def __init__(self, known: _Vectors, question: Any) -> None:
        self.of: dict[str, float] = {}
        self._sections: dict[tuple[str, int], float] = {}
        self.ordered: tuple[Passage, ...] = ()
        if not known.passages:
            return
        cosines = known.matrix @ question
        usual = float(cosines.mean())
        scaled = ((cosines - usual) / max(1e-6, 1 - usual)).clip(0.0, 1.0)
        for passage, value in zip(known.passages, scaled.tolist(), strict=True):
            self.of[passage.id] = value
            place = (passage.page.src, passage.section.position)
            self._sections[place] = max(value, self._sections.get(place, 0.0))
        self.ordered = tuple(known.passages[at] for at in (-cosines).argsort(kind="stable").tolist())

    def nearness(self, passage: Passage) -> Nearness:
        """Of a passage and of the nearest in its section."""
        place = (passage.page.src, passage.section.position)
        return Nearness(self.of.get(passage.id, 0.0), self._sections.get(place, 0.0))


def _placed(hit: Hit, near: _Near) -> Hit:
    """A hit with how near it lies; what lies near is relevant, whatever its words."""
    nearness = near.nearness(hit.passage)
    return replace(hit, nearness=nearness, relevance=round(max(hit.relevance, min(1.0, nearness.passage)), 4))
