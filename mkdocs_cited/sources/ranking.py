"""Which passages answer a question, how well on a scale from 0 to 1, and why: full-text search, then a closer look.

BM25 (Robertson and Zaragoza, 2009, "The Probabilistic Relevance Framework") finds the sections; its scores cannot be
compared between questions. Relevance is the share of the question's information that stands there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mkdocs_cited.model.source import Hit, Passage
from mkdocs_cited.sources.store import Chunk, Store
from mkdocs_cited.sources.terms import ENGLISH_STOP_WORDS, joined_terms, terms

WEIGHTS = (3.0, 5.0, 1.0, 0.5)
"""BM25 weights of title, heading path, body and links."""
_CANDIDATES = 60
_MOST_TERMS = 48


@dataclass(frozen=True, slots=True)
class Question:
    """A question's terms with the information that each carries."""

    idf: dict[str, float]
    """Term → inverse document frequency, in order of the question."""

    @property
    def total(self) -> float:
        return sum(self.idf.values())

    def coverage(self, found: Iterable[str]) -> float:
        """The share of the question's information in these terms, 0…1."""
        total = self.total
        return sum(self.idf.get(term, 0.0) for term in set(found)) / total if total else 0.0


def rank(
    store: Store, passages_of: Callable[[int], Sequence[Passage]], query: str, language: str, limit: int
) -> tuple[Hit, ...]:
    """The passages that match a question best, best first, ties by id."""
    question = understand(store, query, language)
    if not question.idf:
        return ()
    chunks = store.find(list(question.idf), WEIGHTS, _CANDIDATES)
    best = max((chunk.score for chunk in chunks), default=0.0)
    hits: list[Hit] = []
    for chunk in chunks:
        hits += _hits(question, chunk, passages_of(chunk.id), chunk.score / best, language)
    hits.sort(key=lambda hit: (-hit.relevance, hit.passage.id))
    return tuple(hits[:limit])


def understand(store: Store, query: str, language: str) -> Question:
    """The terms of a question that say what it is about; stop words only when there is nothing else."""
    words = dict.fromkeys(terms(query, language))
    telling = [term for term in words if term not in _stop_terms(language)] or list(words)
    count = store.count()
    weighed = {term: _idf(store.frequency(term), count) for term in telling}
    kept = sorted(telling, key=lambda term: -weighed[term])[:_MOST_TERMS]
    return Question({term: weighed[term] for term in telling if term in kept})


def _hits(
    question: Question, chunk: Chunk, passages: Sequence[Passage], strength: float, language: str
) -> Iterable[Hit]:
    about = {*chunk.title.split(), *chunk.heading.split()}
    whole = question.coverage({*about, *chunk.body.split()})
    for passage in passages:
        own = set(joined_terms(f"{passage.text} {passage.lead}", language).split())
        covered = question.coverage(own)
        relevance = 0.5 * whole * (0.5 + 0.5 * strength) + 0.3 * question.coverage(own | about) + 0.2 * covered
        yield Hit(passage, round(min(1.0, relevance), 4), _reason(question, own, about))


def _reason(question: Question, own: set[str], about: set[str]) -> str:
    here = [term for term in question.idf if term in own]
    above = [term for term in question.idf if term in about and term not in own]
    said = []
    if here:
        said.append(f"says {', '.join(here)}")
    if above:
        said.append(f"stands under {', '.join(above)}")
    return "; ".join(said) or "stands in a section that matches"


def _idf(frequency: int, count: int) -> float:
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def _stop_terms(language: str) -> frozenset[str]:
    if language not in _STOP_TERMS:
        words = ENGLISH_STOP_WORDS if language == "en" else ()
        _STOP_TERMS[language] = frozenset(term for word in words for term in terms(word, language))
    return _STOP_TERMS[language]


_STOP_TERMS: dict[str, frozenset[str]] = {}
