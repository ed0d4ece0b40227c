"""Which passages answer a question, how well on a scale from 0 to 1, and why.

Full-text search finds candidates; BM25F (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and
Beyond", §3.6) with words that are close together orders them. A page counts by its three best parts. The constants were
chosen on the pages that maintainers of real sites point to.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import chain, pairwise, product

from msgspec import Struct

from mkdocs_cited.model.source import Asked, AskedWord, Hit, Passage, PassageKind
from mkdocs_cited.search.rows import OPENING, own_text
from mkdocs_cited.search.store import Chunk, Store
from mkdocs_cited.search.terms import (
    ASKS_PURPOSE,
    STOP_WORDS,
    asks_figure,
    asks_what,
    joined_terms,
    question_terms,
    related,
)
from mkdocs_cited.sources.web.addresses import PREFIX

_CANDIDATES = 120
"""Chunks that are looked at closely."""
_KIN = 0.6
"""What a related word counts next to the word that was asked for."""
_DEFINE = ("is", "are", "mean", "refer", "let", "allow", "ist", "sind", "bezeichnet", "bedeutet", "est", "es")
"""Terms of verbs that follow what a sentence defines."""
_DEFINING = 400
"""Chunks that are looked at besides because they may define what is asked about."""
_BODY_ONLY = {"title": 0.0, "heading": 0.0, "body": 1.0}
_LONGEST_NAME = 4
"""Terms of a name that may be asked about."""
_BEFORE_VERB = 4
"""Further terms before the verb: an article, `of` and the like, a short form in brackets."""
_MOST_TERMS = 40
"""Terms of a question that are searched for, the rarest that the site knows first: a question may have ten thousand
characters."""
_WEIGHTS = {"title": 3.0, "heading": 4.0, "body": 1.0}
_SATURATION = 1.5
"""`k1` of BM25: the weighted count at which a term gives half of what it can."""
_LENGTH = 0.5
"""`b` of BM25: how much a long text must say a word more often."""
_NEAR = 8
"""Words apart at which two neighbours of the question still count as close together."""
_CLOSENESS = 0.2
_CLOSE_IN = (1.0, 1.5, 1.0)
"""What being close together counts in a title, a heading and a body."""
_FURTHER_PARTS = (1.0, 0.5, 0.25)
"""What a page's best, second and third part add to its rank."""
_SHORT = 40
"""Characters below which prose says little on its own."""
_ENGLISH = STOP_WORDS["en"] | {"long", "many", "much"}
_OWN_WORDS = 0.4
"""How much of a passage's relevance depends on its own words rather than on its section's."""


class Question(Struct, frozen=True):
    """The terms of a question that say what it is about."""

    idf: dict[str, float]
    """Term → inverse document frequency (§3.3 of the paper, smoothed to stay positive), in order of the question."""
    words: dict[str, str]
    """Term → the word that it came from, for people."""
    kin: dict[str, tuple[str, ...]]
    """Term → what the site may say in its stead."""
    sought: tuple[str, ...]
    """Its terms, and all their kin: what is looked for."""
    kin_idf: dict[str, float]
    """Term → what finding one of its kin counts."""
    unknown: tuple[str, ...]
    """Terms that the site has not, nor any of their kin, in order of the question."""
    information: float
    """What all terms carry together; above 0."""
    what: bool
    """Whether it may ask what something is."""


class _Match(Struct, frozen=True):
    """How well one chunk matches."""

    chunk: Chunk
    strength: float
    """The share of the question's information that it carries, by BM25F, and more where words are close together."""
    relevance: float
    """0…1, comparable between questions."""
    above: frozenset[str]
    """The question's terms in its title and heading."""
    said: frozenset[str]
    """Those in its body."""


class _Scored(Struct, frozen=True):
    """A passage of a chunk."""

    passage: Passage
    score: float
    """What it is ordered by."""
    share: float
    """How much of its chunk's score that is."""
    match: _Match
    said: tuple[str, ...]
    """The question's terms that appear in it, in the question's order."""
    defines: bool = False
    """Whether it begins by saying what the question's words are."""


PassagesOf = Callable[[int, int], Sequence[Passage]]
"""The passages with these numbers and those between."""


def understand(store: Store, query: str, language: str) -> Question:
    """What a question is about, weighed by how rare its terms are on the site."""
    words = question_terms(query, language)
    frequency = {term: store.frequency(term) for term in words}
    rarest = set(sorted(words, key=lambda term: (not frequency[term], frequency[term], term))[:_MOST_TERMS])
    searched = {term: word for term, word in words.items() if term in rarest}
    total = store.measures.chunks
    idf = {term: _idf(frequency[term], total) for term in searched}
    kin: dict[str, tuple[str, ...]] = {}
    kin_idf: dict[str, float] = {}
    for term in searched:
        counts = {name: store.frequency(name) for name in related(term, language) if name not in words}
        if found := sum(counts.values()):
            kin[term] = tuple(name for name, count in counts.items() if count)
            kin_idf[term] = _KIN * _idf(min(total, found + frequency[term]), total)
    information = sum(idf[term] if frequency[term] else kin_idf.get(term, idf[term]) for term in idf)
    unknown = tuple(term for term in searched if not frequency[term] and term not in kin)
    sought = (*idf, *chain.from_iterable(kin.values()))
    return Question(idf, searched, kin, sought, kin_idf, unknown, information, asks_what(query, language))


def asked(question: Question, text: str, language: str) -> Asked:
    """A question as others see it: its words have their shares of its information."""
    words = (
        AskedWord(question.words[term], term, idf / question.information, term not in question.unknown)
        for term, idf in question.idf.items()
    )
    if language != "en":  # pages in other languages may be asked in English, whose question words say nothing either
        words = (word for word in words if word.word.lower() not in _ENGLISH)
    return Asked(text, language, tuple(words), question.what, asks_figure(text, language))


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
        documents: those that are searched; None for all.
        skip: (document, section)s that are left out.
    """
    if not question.idf:
        return ()
    named = _named(question)
    found = store.find(question.sought, _WEIGHTS, _CANDIDATES, documents)
    found += store.find(named, _BODY_ONLY, _DEFINING, documents) if named else []
    chunks = [
        chunk for chunk in store.chunks(list(dict.fromkeys(found))) if (chunk.document, chunk.section) not in skip
    ]
    matches = [_match(question, chunk, store.measures.lengths) for chunk in chunks]
    scored: dict[str, _Scored] = {}
    for match, score in sorted(_looked_at(matches), key=lambda pair: -pair[1]):
        if len(scored) >= limit and nlargest(limit, (item.score for item in scored.values()))[-1] > score:
            break  # no passage of what is left has more than its chunk
        scored |= {item.passage.id: item for item in _passages(question, match, passages_of, score)}
    for match in matches if named else ():
        if match.said.issuperset(named):
            defining = _passages(question, match, passages_of, match.strength, named)
            scored |= {item.passage.id: item for item in defining if item.defines}
    return tuple(_hit(question, item) for item in sorted(scored.values(), key=_place)[:limit])


def _looked_at(matches: Sequence[_Match]) -> Iterator[tuple[_Match, float]]:
    """The best chunks of each page, each with its score: its page's, by how much less than its best it matches."""
    by_page: dict[str, list[_Match]] = defaultdict(list)
    for match in sorted(matches, key=lambda match: (-match.strength, match.chunk.section, match.chunk.id)):
        by_page[match.chunk.src].append(match)
    for parts in by_page.values():
        page = sum(share * part.strength for share, part in zip(_FURTHER_PARTS, parts, strict=False))
        for match in parts[: len(_FURTHER_PARTS)]:
            yield match, page * match.strength / parts[0].strength


def _place(item: _Scored) -> tuple[bool, float, bool, str]:
    """Where a passage comes in the order."""
    return not item.defines, -item.score, item.passage.id.startswith(PREFIX), item.passage.id


def _hit(question: Question, item: _Scored) -> Hit:
    """What is told of a passage."""
    relevance = round(min(1.0, item.match.relevance * item.share), 4)
    return Hit(item.passage, relevance, _reason(question, item.said, item.match.above), item.match.strength)


def _named(question: Question) -> tuple[str, ...]:
    """The terms of what is asked about, where a question asks what a thing is and is short enough to."""
    if not question.what:
        return ()
    terms = tuple(term for term in question.idf if term not in ASKS_PURPOSE)
    return terms if len(terms) <= _LONGEST_NAME else ()


def _begins_with(terms: Sequence[str], named: Sequence[str]) -> bool:
    """Whether a name, with an article or short form at most, and then a defining verb open a text."""
    opening = terms[: len(named) + _BEFORE_VERB]
    verb = next((at for at, term in enumerate(opening) if term in _DEFINE), 0)
    return bool(named and verb) and set(named) <= set(opening[:verb])


def _idf(frequency: int, count: int) -> float:
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def _saturated(count: float) -> float:
    return count / (count + _SATURATION)


def _match(question: Question, chunk: Chunk, means: Sequence[float]) -> _Match:
    """Look at one chunk closely."""
    counts: dict[str, float] = defaultdict(float)
    together, said, sought = 0.0, [], frozenset(question.sought)
    texts = (chunk.title, chunk.heading, chunk.body)
    for text, weight, close, length, mean in zip(
        texts, _WEIGHTS.values(), _CLOSE_IN, chunk.lengths, means, strict=True
    ):
        places: dict[str, list[int]] = defaultdict(list)
        for at, term in enumerate(text.split()):
            if term in sought:
                places[term].append(at)
        per_word = weight / (1 - _LENGTH + _LENGTH * length / mean)
        for term in question.sought:
            if term in places:
                counts[term] += per_word * len(places[term])
        together += close * _together(question, places)
        said.append(frozenset(term for term in question.idf if term in places))
    strength = covered = 0.0
    for term, idf in question.idf.items():
        of_kin = [counts[name] for name in question.kin.get(term, ()) if name in counts]
        by_kin = question.kin_idf[term] if of_kin else 0.0
        own = idf * _saturated(counts[term]) if term in counts else 0.0
        strength += max(own, by_kin * _saturated(max(of_kin, default=0.0)))
        covered += idf if term in counts else by_kin
    strength = (strength + _CLOSENESS * together) / question.information
    known = 1 - len(question.unknown) / len(question.idf)
    relevance = known * (min(1.0, strength) + covered / question.information) / 2
    return _Match(chunk, strength, relevance, said[0] | said[1], said[2])


def _together(question: Question, places: Mapping[str, Sequence[int]]) -> float:
    """What neighbours in the question add where they are close together, by the rarer one's information."""
    added = 0.0
    for one, other in pairwise(question.idf):
        if one in places and other in places:
            apart = min(abs(first - second) for first, second in product(places[one], places[other]))
            if apart <= _NEAR:
                added += min(question.idf[one], question.idf[other]) / apart
    return added


def _passages(
    question: Question, match: _Match, passages_of: PassagesOf, score: float, named: Sequence[str] = ()
) -> Iterator[_Scored]:
    """The passages of a chunk that has this score, with the scores of their own."""
    found = []
    for passage in passages_of(*match.chunk.passages):
        terms = joined_terms(own_text(passage), passage.page.language).split() if match.said else []
        said = tuple(term for term in question.idf if term in match.said and term in terms)
        found.append((passage, said, _own(question, passage, said), _begins_with(terms, named)))
    most = max((own for *_, own, _ in found), default=1.0)
    for passage, said, own, defines in found:
        share = 1 - _OWN_WORDS + _OWN_WORDS * own / most
        yield _Scored(passage, score * share, share, match, said, defines)


def _own(question: Question, passage: Passage, said: Sequence[str]) -> float:
    """How much of the question a passage says itself; above 0."""
    own = sum(question.idf[term] for term in said) / question.information
    if passage.kind is PassageKind.CODE:
        own *= 0.7
    elif passage.text.endswith(OPENING):
        own *= 0.6
    elif len(passage.text) < _SHORT:
        own *= 0.8
    return 0.1 + own


def _reason(question: Question, said: Sequence[str], above: frozenset[str]) -> str:
    """Which of the question's words were found where, for people."""
    told = []
    for where, terms in (("in the text", said), ("in the headings", above.difference(said))):
        words = dict.fromkeys(word for term, word in question.words.items() if term in terms)
        if words:
            told.append(f"{', '.join(f'“{word}”' for word in words)} {where}")
    return "; ".join(told) or "its section matches"
