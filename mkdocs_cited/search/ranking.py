"""Which passages answer a question, how well on a scale from 0 to 1, and why.

Full-text search finds sections; BM25F orders them (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework:
BM25 and Beyond", §3.6). A page counts by its three best sections; within a section, passages count by the share of the
question that they say themselves.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from heapq import nlargest

from msgspec import Struct

from mkdocs_cited.model.source import Asked, AskedWord, Hit, Passage, PassageKind
from mkdocs_cited.search.rows import OPENING, own_text
from mkdocs_cited.search.store import Chunk, Measures, Store
from mkdocs_cited.search.terms import STOP_WORDS, question_terms, related, terms_of
from mkdocs_cited.sources.web.addresses import PREFIX

_CANDIDATES = 300
"""Sections that are looked at closely, at most."""
_PER_PASSAGE = 3
"""And for each passage that is asked for."""
_MOST_TERMS = 40
"""Terms of a question that are searched for, the rarest that the site knows first: a question may have ten thousand
characters."""
_FURTHER_PARTS = (1.0, 0.5, 0.25)
"""What a page's best, second and third section add to its score."""
_WEIGHTS = (3.0, 4.0, 1.0)
"""Of title, heading and body."""
_SATURATION = 1.5
"""`k1` of BM25: the weighted count at which a term gives half of what it can."""
_LENGTH = 0.5
"""`b` of BM25: how much a long text must say a word more often."""
RELATED = 0.6
"""What a related word counts next to the word that was asked for."""
_OWN_WORDS = 0.4
"""How much of a passage's score depends on its own words rather than on its section's."""
_LESS = 0.7
"""What code, and a passage that leads into the next one, count next to one that says the same."""
_ENGLISH = STOP_WORDS["en"] | {"long", "many", "much"}

PassagesOf = Callable[[int, int], Sequence[Passage]]
"""The passages with these numbers and those between."""


class Question(Struct, frozen=True):
    """The terms of a question that say what it is about."""

    idf: dict[str, float]
    """Term → inverse document frequency (§3.3 of the paper, smoothed to stay positive), in order of the question."""
    words: dict[str, str]
    """Term → the word that it came from, for people."""
    related: dict[str, tuple[str, ...]]
    """Term → terms that the site uses in its stead."""
    related_idf: dict[str, float]
    """Term → what finding one of these counts."""
    unknown: tuple[str, ...]
    """Terms that the site does not have, nor any related one, in order of the question."""

    @property
    def information(self) -> float:
        """What all terms carry together; above 0 where there are any."""
        return sum(self.idf.values())

    @property
    def sought(self) -> tuple[str, ...]:
        """All terms, and those related to them."""
        terms = list(self.idf)
        for others in self.related.values():
            terms += others
        return tuple(terms)

    def share(self, terms: Collection[str]) -> float:
        """The share of the question's information that some terms carry, 0…1."""
        return (
            sum(idf for term, idf in self.idf.items() if term in terms)
            / self.information
        )


class _Match(Struct, frozen=True):
    """How well a section matches."""

    chunk: Chunk
    score: float
    """The share of the question's information that it carries, by BM25F: 0…1."""
    relevance: float
    """0…1, comparable between questions."""


class _Ranked(Struct, frozen=True):
    """A passage of a section that matches."""

    passage: Passage
    score: float
    """What it is ranked by."""
    match: _Match
    share: float
    """What it has of its section's relevance, 0…1."""
    said: tuple[str, ...]
    """The question's terms that it says itself."""


def understand(store: Store, query: str, language: str) -> Question:
    """What a question is about, weighed by how rare its terms are on the site."""
    words = question_terms(query, language)
    frequency = {term: store.frequency(term) for term in words}
    rarest = sorted(
        words, key=lambda term: (not frequency[term], frequency[term], term)
    )[:_MOST_TERMS]
    total = store.measures().chunks
    idf: dict[str, float] = {}
    others: dict[str, tuple[str, ...]] = {}
    others_idf: dict[str, float] = {}
    unknown = []
    for term in words:
        if term not in rarest:
            continue
        counts = {
            name: store.frequency(name)
            for name in related(term, language)
            if name not in words
        }
        others[term] = tuple(name for name, count in counts.items() if count)
        others_idf[term] = RELATED * _idf(
            min(total, frequency[term] + sum(counts.values())), total
        )
        idf[term] = _idf(frequency[term], total)
        if not frequency[term] and others[term]:
            idf[term] = others_idf[term]
        elif not frequency[term]:
            unknown.append(term)
    return Question(
        idf, words, related=others, related_idf=others_idf, unknown=tuple(unknown)
    )


def _idf(frequency: int, count: int) -> float:
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def asked(question: Question, text: str, language: str) -> Asked:
    """A question as others see it: its words have their shares of its information."""
    words = []
    for term, idf in question.idf.items():
        word = question.words[term]
        # Pages in other languages may be asked in English, whose question words say nothing either.
        if language == "en" or word.lower() not in _ENGLISH:
            known = term not in question.unknown
            others = question.related.get(term, ())
            words.append(
                AskedWord(
                    word, term, idf / question.information, known=known, related=others
                )
            )
    return Asked(text, language, tuple(words))


def rank(
    store: Store,
    passages_of: PassagesOf,
    question: Question,
    *,
    limit: int,
    documents: Sequence[int] | None,
    skip: Collection[tuple[int, int]] = (),
) -> tuple[Hit, ...]:
    """The passages that match a question best, best first; of equals the site's own come first, then ties go by id.

    Args:
        store: what is searched.
        passages_of: reads passages.
        question: what is asked.
        limit: most passages.
        documents: those that are searched; `None` for all.
        skip: (document, section)s that are left out.
    """
    if not question.idf:
        return ()
    measures = store.measures()
    by_page: dict[str, list[_Match]] = defaultdict(list)
    for chunk in store.find(
        question.sought, min(_CANDIDATES, _PER_PASSAGE * limit), documents
    ):
        if (chunk.document, chunk.section) not in skip:
            by_page[chunk.src].append(_match(question, chunk, measures))
    sections: list[tuple[float, _Match]] = []
    for matches in by_page.values():
        matches.sort(key=lambda match: -match.score)
        best = matches[: len(_FURTHER_PARTS)]
        page = sum(
            part * match.score
            for part, match in zip(_FURTHER_PARTS, best, strict=False)
        )
        for match in best:
            sections.append((page * match.score / best[0].score, match))
    sections.sort(key=lambda item: (-item[0], item[1].chunk.src, item[1].chunk.id))
    ranked: list[_Ranked] = []
    least = 0.0
    for (
        score,
        match,
    ) in sections:  # each has a passage with its whole score, and none above it
        if score < least:
            break
        ranked += _ranked(
            question, match, passages_of(match.chunk.first, match.chunk.last), score
        )
        if len(ranked) >= limit:
            least = nlargest(limit, (item.score for item in ranked))[-1]
    ranked.sort(
        key=lambda item: (
            -item.score,
            item.passage.id.startswith(PREFIX),
            item.passage.id,
        )
    )
    return tuple(_hit(question, item) for item in ranked[:limit])


def _match(question: Question, chunk: Chunk, measures: Measures) -> _Match:
    """How well a section matches, by BM25F. A related word counts a part of the word itself."""
    counts: dict[str, float] = defaultdict(float)
    texts = (chunk.title, chunk.heading, chunk.body)
    means = (measures.title, measures.heading, measures.body)
    wanted = set(question.sought)
    for text, weight, mean in zip(texts, _WEIGHTS, means, strict=True):
        terms = text.split()
        each = weight / (1 - _LENGTH + _LENGTH * len(terms) / mean)
        for term in wanted.intersection(terms):
            counts[term] += each * terms.count(term)
    score = covered = 0.0
    for term, idf in question.idf.items():
        own = counts.get(term, 0.0)
        instead = max(
            (counts.get(name, 0.0) for name in question.related[term]), default=0.0
        )
        score += max(
            idf * _saturated(own), question.related_idf[term] * _saturated(instead)
        )
        if own:
            covered += idf
        elif instead:
            covered += question.related_idf[term]
    score /= question.information
    known = 1 - len(question.unknown) / len(question.idf)
    return _Match(
        chunk, score, relevance=known * (score + covered / question.information) / 2
    )


def _saturated(count: float) -> float:
    return count / (count + _SATURATION)


def _ranked(
    question: Question, match: _Match, passages: Sequence[Passage], score: float
) -> list[_Ranked]:
    """The passages of a section that has a score, each with its share of it."""
    said = [_said(question, passage) for passage in passages]
    own = [
        _own(question, passage, terms)
        for passage, terms in zip(passages, said, strict=True)
    ]
    most = max(own, default=1.0)
    ranked = []
    for passage, terms, value in zip(passages, said, own, strict=True):
        share = 1 - _OWN_WORDS + _OWN_WORDS * value / most
        ranked.append(_Ranked(passage, score * share, match, share, terms))
    return ranked


def _hit(question: Question, item: _Ranked) -> Hit:
    match = item.match
    above = set(f"{match.chunk.title} {match.chunk.heading}".split())
    reason = _reason(question, item.said, above)
    return Hit(
        item.passage, round(match.relevance * item.share, 4), reason, match.score
    )


def _said(question: Question, passage: Passage) -> tuple[str, ...]:
    """The question's terms in a passage, in the question's order."""
    terms = terms_of(own_text(passage), passage.page.language)
    return tuple(term for term in question.idf if term in terms)


def _own(question: Question, passage: Passage, said: Sequence[str]) -> float:
    """How much of the question a passage says itself; above 0."""
    own = question.share(said)
    if passage.kind is PassageKind.CODE or passage.text.endswith(OPENING):
        own *= _LESS
    return 0.1 + own


def _reason(question: Question, said: Sequence[str], above: Collection[str]) -> str:
    """Which of the question's words were found where, for people."""
    places = []
    in_text = _words(question, said)
    in_headings = _words(question, [term for term in above if term not in said])
    if in_text:
        places.append(f"{in_text} in the text")
    if in_headings:
        places.append(f"{in_headings} in the headings")
    return "; ".join(places) or "its section matches"


def _words(question: Question, terms: Collection[str]) -> str:
    words = dict.fromkeys(
        word for term, word in question.words.items() if term in terms
    )
    return ", ".join(f"“{word}”" for word in words)
