"""How well passages answer a question, on a scale from 0 to 1.

Full-text search finds sections; BM25F orders them (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework:
BM25 and Beyond", §3.6), for FTS5's BM25 cannot count a related word less: with it, first
requests hold 85% of facts in place of 90% (`benchmarks.requests`). A page counts by its three best sections, and
within a section passages count by what they say themselves.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.model.source import Asked, AskedWord, Hit, Passage
from mkdocs_cited.search.rows import own_text, question_terms, related, terms_of
from mkdocs_cited.search.store import Chunk, Store

_MOST_TERMS = 40
"""Terms of a question that are searched for, the rarest that the site knows first: a question may have ten thousand
characters."""
_SECTION_WEIGHTS = (1.0, 0.5, 0.25)
"""What a page's best, second and third section add to its score."""
_FIELDS = (("title", 3.0, 5), ("heading", 4.0, 5), ("body", 1.0, 90))
"""Field of a chunk, its weight, and the number of terms that it usually has."""
_DATED = 0.7
"""What a page with a date counts, such as a blog post: it told what was new that day."""
_SATURATION = 1.5
"""`k1` of BM25: the weighted count at which a term gives half of what it can."""
_LENGTH = 0.5
"""`b` of BM25: how much a long text must say a word more often."""
_RELATED = 0.6
"""What a related word counts next to the word that was asked for."""
_OWN_WORDS = 0.4
"""How much of a passage's score depends on its own words rather than on its section's."""


class _Section(Struct, frozen=True):
    """A section, or a part of one, that matches."""

    chunk: Chunk
    relevance: float
    """0…1, comparable between questions."""
    score: float
    """What it is ranked by."""


def understand(store: Store, question: str, language: str) -> Asked:
    """A question as a site understands it: its words are weighed by how rare they are there."""
    words = question_terms(question, language)
    frequency = {term: store.frequency(term) for term in words}
    rarest = sorted(
        words, key=lambda term: (not frequency[term], frequency[term], term)
    )[:_MOST_TERMS]
    total = store.count()
    asked = []
    for term, word in words.items():
        if term not in rarest:
            continue
        counts = {}
        for name in related(term, language):
            count = store.frequency(name)
            if count and name not in words:
                counts[name] = count
        own = frequency[term]
        idf = _idf(own, total)
        if counts and not own:
            idf = _RELATED * _idf(min(total, sum(counts.values())), total)
        known = bool(own or counts)
        asked.append(AskedWord(word, term, idf, known=known, related=tuple(counts)))
    information = sum(word.weight for word in asked)
    weighed = [replace(word, weight=word.weight / information) for word in asked]
    return Asked(question, language, tuple(weighed))


def _idf(frequency: int, count: int) -> float:
    """Inverse document frequency (§3.3 of the paper, smoothed to stay positive)."""
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def share(asked: Asked, terms: Collection[str]) -> float:
    """The share of a question that some terms have, 0…1; a related word counts a part of the word itself."""
    total = 0.0
    for word in asked.words:
        if word.term in terms:
            total += word.weight
        elif any(other in terms for other in word.related):
            total += _RELATED * word.weight
    return total


def rank(
    asked: Asked,
    chunks: Sequence[Chunk],
    passages_of: Callable[[Chunk], Sequence[Passage]],
    limit: int,
) -> tuple[Hit, ...]:
    """The passages that match a question best, best first; ties go by id.

    Args:
        asked: the question.
        chunks: what full-text search has found, best first.
        passages_of: reads the passages of a chunk.
        limit: most passages.
    """
    found: list[tuple[float, str, Hit]] = []
    for section in _sections(asked, chunks):
        if len(found) >= limit and section.score < -found[limit - 1][0]:
            break
        passages = passages_of(section.chunk)
        if passages[0].page.published:
            section = replace(section, score=_DATED * section.score)
        for passage, part in zip(passages, _parts(asked, passages), strict=True):
            relevance = round(section.relevance * part, 4)
            hit = Hit(passage, relevance, section.score)
            found.append((-section.score * part, passage.id, hit))
        found.sort()
    return tuple(hit for _, _, hit in found[:limit])


def _sections(asked: Asked, chunks: Sequence[Chunk]) -> list[_Section]:
    """The sections, best first: of each page the three best, weighed by what all three are worth."""
    pages: dict[str, list[_Section]] = defaultdict(list)
    sought = frozenset(asked.sought)
    for chunk in chunks:
        pages[chunk.src].append(_matched(asked, sought, chunk))
    sections = []
    for found in pages.values():
        found.sort(key=lambda section: -section.score)
        page_score = 0.0
        for weight, section in zip(_SECTION_WEIGHTS, found, strict=False):
            page_score += weight * section.score
        for section in found[: len(_SECTION_WEIGHTS)]:
            score = page_score * section.score / found[0].score
            sections.append(_Section(section.chunk, section.relevance, score))
    sections.sort(key=lambda item: (-item.score, item.chunk.src, item.chunk.number))
    return sections


def _matched(asked: Asked, sought: frozenset[str], chunk: Chunk) -> _Section:
    """How well a section matches, by BM25F. A related word counts a part of the word itself.

    Args:
        asked: the question.
        sought: its terms, and those related to them.
        chunk: the section.
    """
    counts: dict[str, float] = defaultdict(float)
    for name, weight, usual in _FIELDS:
        terms = getattr(chunk, name).split()
        each = weight / (1 - _LENGTH + _LENGTH * len(terms) / usual)
        for term in sought.intersection(terms):
            counts[term] += each * terms.count(term)
    score = 0.0
    for word in asked.words:
        best = _saturated(counts.get(word.term, 0.0))
        for other in counts.keys() & word.related:
            best = max(best, _RELATED * _saturated(counts[other]))
        score += word.weight * best
    known = sum(word.known for word in asked.words) / len(asked.words)
    return _Section(chunk, known * (share(asked, counts) + score) / 2, score)


def _saturated(count: float) -> float:
    return count / (count + _SATURATION)


def _parts(asked: Asked, passages: Sequence[Passage]) -> list[float]:
    """The part of its section's score that each passage of it has, 0…1."""
    said = [0.1 + share(asked, _said(passage)) for passage in passages]
    most = max(said)
    return [1 - _OWN_WORDS + _OWN_WORDS * own / most for own in said]


def _said(passage: Passage) -> frozenset[str]:
    """The terms of a passage."""
    return terms_of(own_text(passage), passage.page.language)
