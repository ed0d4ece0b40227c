"""Which passages answer a question, how well on a scale from 0 to 1, and why.

Full-text search finds candidates; BM25F (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and
Beyond", §3.6) with words that stand close together orders them. A page counts by its three best parts and by the texts
of the links that lead to it. Its constants were chosen on the pages that maintainers of real sites point to.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from heapq import heappush, heappushpop
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

from mkdocs_cited.model.source import AskedWord, Hit, Passage, PassageKind
from mkdocs_cited.search.everyday import related
from mkdocs_cited.search.forms import ASKS_PURPOSE, Form, form_of
from mkdocs_cited.search.store import Chunk, Store
from mkdocs_cited.search.stored_rows import Part
from mkdocs_cited.search.terms import question_terms
from mkdocs_cited.sources.passages import with_sentences
from mkdocs_cited.sources.web.addresses import PREFIX

_CANDIDATES = 120
"""Chunks that are looked at closely."""
_KIN = 0.6
"""What a related word is worth beside the word that was asked for."""
_PAGES = 10
"""Pages whose passages are looked at."""
_DEFINE = ("is", "are", "mean", "refer", "let", "allow", "ist", "sind", "bezeichnet", "bedeutet", "est", "es")
"""Terms of verbs that stand behind what a sentence defines."""
_DEFINING = 400
"""Chunks that are looked at besides because they may define what is asked about."""
_BODY_ONLY = {"title": 0.0, "heading": 0.0, "body": 1.0}
_LONGEST_NAME = 4
"""Terms of a name that may be asked about."""
_BESIDE = 4
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
"""Words apart at which two neighbours of the question still count as standing together."""
_LONGEST_GAP = (_NEAR + 1) * 66
"""Characters from which two places are further apart than that: a term has at most 64, with its space 65."""
_CLOSENESS = 0.2
_CLOSE_IN = (1.0, 1.5, 1.0)
"""What standing close together counts in a title, a heading and a body."""
_FURTHER_PARTS = (1.0, 0.5, 0.25)
"""What a page's best, second and third part add to its rank."""
_INBOUND = 0.2
_PAGE = 0.4
"""What its page's rank adds to a section's."""
_SHORT = 40
"""Characters below which prose says little on its own."""
_OWN_WORDS = 0.4
"""How much of a passage's relevance hangs on its own words rather than on its section's."""


class Question(Struct, frozen=True):
    """The terms of a question that say what it is about."""

    idf: dict[str, float]
    """Term → inverse document frequency (§3.3 of the paper, smoothed to stay positive), in order of the question."""
    words: dict[str, str]
    """Term → the word that it came from, for people."""
    kin: dict[str, tuple[str, ...]]
    """Term → what the site may say in its stead."""
    kin_idf: dict[str, float]
    """Term → what finding one of its kin is worth."""
    unknown: tuple[str, ...]
    """Terms that the site has not, nor any of their kin, in order of the question."""
    known: float
    """The share of its terms that the site has at all, 0…1."""
    information: float
    """What all terms carry together; above 0."""
    needles: dict[str, str]
    """Term → how it stands in a text of terms with a space at either end."""
    kin_needles: dict[str, tuple[str, ...]]
    """Likewise for its kin."""
    neighbours: tuple[tuple[str, str], ...]
    """Terms that follow each other."""
    form: Form
    """What it asks for."""


class _Said(NamedTuple):
    """What one text says of a question."""

    counts: list[tuple[str, int]]
    """Term, and how often it stands there; in order of the question."""
    kin_counts: list[tuple[str, int]]
    """Term, and how often the most frequent of its kin does."""
    together: float
    """What its neighbours add by standing close together."""


_NOTHING = _Said([], [], 0.0)


class _Match(NamedTuple):
    """How well one chunk matches."""

    chunk: Chunk
    strength: float
    """The share of the question's information that it carries, by BM25F, and more where words stand together."""
    relevance: float
    """0…1, comparable between questions."""
    said: tuple[_Said, _Said, _Said]
    """What its title, its heading and its body say of the question."""


class _Scored(NamedTuple):
    """A passage that is not loaded yet."""

    number: int
    part: Part
    score: float
    """What it is ordered by."""
    share: float
    """How much of its chunk's score that is."""
    match: _Match
    """Of its chunk."""
    page: float
    """How well its page matches."""
    said: tuple[str, ...]
    """The question's terms that stand in it, in the question's order."""
    above: frozenset[str]
    """Those that stand in its headings."""
    terms: frozenset[str]
    """All of its own."""
    defines: bool = False
    """Whether it begins by saying what the question's words are."""


def candidates(store: Store, question: Question) -> tuple[int, ...]:
    """Numbers of the chunks that may answer a question."""
    if not question.idf:
        return ()
    terms = dict.fromkeys([*question.idf, *(kin for kins in question.kin.values() for kin in kins)])
    found = store.find(list(terms), _WEIGHTS, _CANDIDATES)
    if named := _named(question):
        found += store.find(named, _BODY_ONLY, _DEFINING)
    return tuple(dict.fromkeys(found))


def rank(
    store: Store,
    passages_of: Callable[[Sequence[int]], Mapping[int, Passage]],
    question: Question,
    found: Sequence[int],
    *,
    limit: int,
    skip: Collection[tuple[int, int]] = (),
) -> tuple[Hit, ...]:
    """The passages of what was `found` that match a question best, best first; of equals the site's own come first,
    then ties go by id. `skip` names (document, section)s that are left out."""
    named = _named(question)
    means = store.measures.lengths
    seen: dict[str, _Said] = {}
    matches = [
        _match(question, chunk, means, seen)
        for chunk in store.chunks(found)
        if (chunk.document, chunk.section) not in skip
    ]
    by_page: dict[str, list[_Match]] = defaultdict(list)
    for match in sorted(matches, key=lambda match: (-match.strength, match.chunk.section, match.chunk.id)):
        by_page[match.chunk.src].append(match)
    pages = sorted((-_strength(question, store, parts), src) for src, parts in by_page.items())
    looked_at = []
    for negative, src in pages[: max(_PAGES, limit // 5)]:
        parts = by_page[src]
        first = parts[: len(_FURTHER_PARTS)]
        looked_at += [(-negative * match.strength / parts[0].strength, -negative, match) for match in first]
    scored = {item.number: item for item in _best_passages(question, looked_at, limit)}
    if named:
        scored |= {item.number: item for item in _definitions(question, named, matches)}
    ordered = sorted(scored.values(), key=_place)[:limit]
    loaded = passages_of([item.number for item in ordered])
    relevance = max((match.relevance for match in matches), default=0.0)
    reasons: dict[tuple[Sequence[str], frozenset[str]], str] = {}
    return tuple(
        _hit(question, item, loaded[item.number], relevance, reasons) for item in ordered if item.number in loaded
    )


def _best_passages(question: Question, chunks: list[tuple[float, float, _Match]], limit: int) -> Iterator[_Scored]:
    """The passages of chunks, each given with its score and its page's, of which none that is left out can be among the
    first `limit`: no passage has a higher score than its chunk."""
    best: list[float] = []
    for score, page, match in sorted(chunks, key=lambda item: -item[0]):
        if len(best) == limit and score < best[0]:
            break
        for item in _passages(question, match, page, score):
            yield item
            if len(best) < limit:
                heappush(best, item.score)
            else:
                heappushpop(best, item.score)


def _place(item: _Scored) -> tuple[bool, float, bool, str]:
    """Where a passage comes in the order."""
    name = item.part.name
    return not item.defines, -item.score, name.startswith(PREFIX), name


def _hit(
    question: Question,
    item: _Scored,
    passage: Passage,
    best: float,
    reasons: dict[tuple[Sequence[str], frozenset[str]], str],
) -> Hit:
    """What is told of a passage; `best` is the relevance of the best chunk, and `reasons` those given before."""
    key = item.said, item.above
    reason = reasons.get(key) or reasons.setdefault(key, _reason(question, *key))
    # Where a site covers a question well, what else it says of it is likelier to matter.
    relevance = round(min(1.0, (item.match.relevance + best) / 2 * item.share), 4)
    strength = item.match.strength + _PAGE * item.page
    return Hit(passage, relevance, reason, strength, None, item.terms, with_sentences)


def _named(question: Question) -> tuple[str, ...]:
    """The terms of what is asked about, where a question asks what a thing is and is short enough to."""
    if question.form is not Form.WHAT:
        return ()
    terms = tuple(term for term in question.idf if term not in ASKS_PURPOSE)
    return terms if len(terms) <= _LONGEST_NAME else ()


def _definitions(question: Question, named: Sequence[str], matches: Sequence[_Match]) -> Iterator[_Scored]:
    """The passages that begin with the name of what is asked about and a verb that defines it."""
    for match in matches:
        if not {term for term, _ in match.said[2].counts}.issuperset(named):
            continue
        terms, start, defining = match.chunk.body.split(), 0, set()
        for part in match.chunk.parts:
            if _begins_with(terms[start : start + min(part.terms, len(named) + _BESIDE)], named):
                defining.add(part.name)
            start += part.terms
        if defining:
            for item in _passages(question, match, 0.0, match.strength):
                if item.part.name in defining:
                    yield item._replace(defines=True)


def _begins_with(terms: Sequence[str], named: Sequence[str]) -> bool:
    """Whether a name, with an article or short form at most, and then a defining verb open a text."""
    opening = terms[: len(named) + _BESIDE]
    verb = next((at for at, term in enumerate(opening) if term in _DEFINE), 0)
    return bool(verb) and set(named) <= set(opening[:verb])


def _strength(question: Question, store: Store, parts: Sequence[_Match]) -> float:
    """How well a page matches, by its best parts, best first, and by the links that lead to it."""
    within = sum(share * part.strength for share, part in zip(_FURTHER_PARTS, parts, strict=False))
    return within + _INBOUND * _inbound(question, store, parts[0].chunk.document)


def understand(store: Store, query: str, language: str) -> Question:
    """What a question is about, weighed by how rare its terms are on the site."""
    words = question_terms(query, language)
    frequency = {term: store.frequency(term) for term in words}
    rarest = set(sorted(words, key=lambda term: (not frequency[term], frequency[term], term))[:_MOST_TERMS])
    kept = {term: word for term, word in words.items() if term in rarest}
    total = store.measures.chunks
    idf = {term: _idf(frequency[term], total) for term in kept}
    kin: dict[str, tuple[str, ...]] = {}
    kin_idf: dict[str, float] = {}
    for term in kept:
        counts = {name: store.frequency(name) for name in related(term, language) if name not in words}
        if found := sum(counts.values()):
            kin[term] = tuple(name for name, count in counts.items() if count)
            kin_idf[term] = _KIN * _idf(min(total, found + frequency[term]), total)
    information = sum(idf[term] if frequency[term] else kin_idf.get(term, idf[term]) for term in idf)
    known = sum(count > 0 or term in kin for term, count in frequency.items()) / len(frequency) if frequency else 0.0
    unknown = tuple(term for term, count in frequency.items() if not count and term not in kin)
    needles = {term: f" {term} " for term in idf}
    kin_needles = {term: tuple(f" {name} " for name in names) for term, names in kin.items()}
    return Question(
        idf, kept, kin, kin_idf, unknown, known, information, needles, kin_needles, tuple(pairwise(idf)),
        form_of(query, language),
    )  # fmt: skip


def asked_words(question: Question) -> tuple[AskedWord, ...]:
    """The question's words with their shares of its information, in its order."""

    def word(term: str) -> AskedWord:
        own, kin = question.idf[term] / question.information, question.kin_idf.get(term, 0.0) / question.information
        known = term not in question.unknown
        return AskedWord(question.words[term], term, own, question.kin.get(term, ()), kin, known)

    return tuple(map(word, question.idf))


def _idf(frequency: int, count: int) -> float:
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def _match(question: Question, chunk: Chunk, means: Sequence[float], seen: dict[str, _Said]) -> _Match:
    """Look at one chunk closely; `seen` holds the titles and headings looked at before, which chunks share."""
    counts: dict[str, float] = {}
    kin_counts: dict[str, float] = {}
    together = 0.0
    texts = _known(question, chunk.title, seen), _known(question, chunk.heading, seen), _said(question, chunk.body)
    for said, weight, close, length, mean in zip(
        texts, _WEIGHTS.values(), _CLOSE_IN, chunk.lengths, means, strict=True
    ):
        if said is _NOTHING:
            continue
        per_word = weight / (1 - _LENGTH + _LENGTH * length / mean)
        for term, count in said.counts:
            counts[term] = counts.get(term, 0.0) + per_word * count
        for term, count in said.kin_counts:
            kin_counts[term] = max(kin_counts.get(term, 0.0), per_word * count)
        together += said.together * close
    strength, covered = _saturated(question.idf, counts), sum([question.idf[term] for term in counts])
    covered /= question.information
    if kin_counts:
        kin = [(term, kin_counts[term]) for term in question.kin if term in kin_counts]
        strength += sum([_by_kin(question, term, count, counts) for term, count in kin])
        covered += sum([question.kin_idf[term] for term, _ in kin if term not in counts]) / question.information
    strength = (strength + _CLOSENESS * together) / question.information
    relevance = question.known * (min(1.0, strength) + covered) / 2
    return _Match(chunk, strength, relevance, texts)


def _known(question: Question, text: str, seen: dict[str, _Said]) -> _Said:
    said = seen.get(text)
    if said is None:
        said = seen[text] = _said(question, text)
    return said


def _said(question: Question, text: str) -> _Said:
    """What a text of terms says of a question. Most texts hold few of its terms: only these cost more than a look."""
    padded = f" {text} "
    places = {}
    for term, needle in question.needles.items():
        if (at := padded.find(needle)) >= 0:
            places[term] = _offsets(padded, needle, at)
    kin = [
        (term, max(found))
        for term, needles in question.kin_needles.items()
        if (found := [count for needle in needles if (count := padded.count(needle))])
    ]
    if not places and not kin:
        return _NOTHING
    counts = [(term, len(offsets)) for term, offsets in places.items()]
    return _Said(counts, kin, _together(question, padded, places) if len(places) > 1 else 0.0)


def _offsets(padded: str, needle: str, at: int) -> list[int]:
    """Where a term stands in a text of terms, from its first place on; its spaces may be its neighbours' too."""
    found = []
    while at >= 0:
        found.append(at)
        at = padded.find(needle, at + 1)
    return found


def _by_kin(question: Question, term: str, count: float, counts: Mapping[str, float]) -> float:
    """What a word's kin add to what the word itself gives."""
    own = _saturated(question.idf, {term: counts[term]}) if term in counts else 0.0
    return max(0.0, question.kin_idf[term] * count / (count + _SATURATION) - own)


def _saturated(idf: Mapping[str, float], counts: Mapping[str, float]) -> float:
    return sum([idf[term] * count / (count + _SATURATION) for term, count in counts.items()])


def _together(question: Question, padded: str, places: Mapping[str, Sequence[int]]) -> float:
    """What neighbours in the question add where they stand close together, by the rarer one's information."""
    added = 0.0
    for one, other in question.neighbours:
        if one in places and other in places:
            apart = _distance(padded, places[one], places[other])
            if apart <= _NEAR:
                added += min(question.idf[one], question.idf[other]) / apart
    return added


def _distance(padded: str, one: Sequence[int], other: Sequence[int]) -> int:
    """The least distance between two ascending sequences of offsets, in words. Words are counted only between places
    of which none of the other sequence lies between: the nearest two are among these."""
    i = j = 0
    least = _NEAR + 1
    while i < len(one) and j < len(other):
        first, second = one[i], other[j]
        low, high = (first, second) if first < second else (second, first)
        if high - low < _LONGEST_GAP:
            least = min(least, padded.count(" ", low, high))
            if least <= 1:
                return 1
        if first < second:
            i += 1
        else:
            j += 1
    return least


def _inbound(question: Question, store: Store, document: int) -> float:
    """The share of the question's information in the texts of links that lead to a page."""
    inbound = store.inbound(document)
    if inbound.keys().isdisjoint(question.idf):
        return 0.0
    per_word = 1 / (1 - _LENGTH + _LENGTH * inbound.total() / store.measures.inbound)
    counts = {term: per_word * count for term, count in inbound.items() if term in question.idf}
    return _saturated(question.idf, counts) / question.information


def _passages(question: Question, match: _Match, page: float, score: float) -> list[_Scored]:
    """The passages of a chunk that has this score, with the scores of their own."""
    chunk, start = match.chunk, 0
    in_title, in_heading, in_body = ([term for term, _ in said.counts] for said in match.said)
    terms, parts = chunk.body.split(), chunk.parts
    found, own = [], []
    for part in parts:
        own_terms = frozenset(terms[start : start + part.terms])
        said = tuple([term for term in in_body if term in own_terms])
        found.append((own_terms, said))
        own.append(_own(question, part, said))
        start += part.terms
    above, most = frozenset(in_title + in_heading), max(own)
    shares = [1 - _OWN_WORDS + _OWN_WORDS * worth / most for worth in own]
    return [
        _Scored(number, part, score * share, share, match, page, said, above, own_terms)
        for number, (part, (own_terms, said), share) in enumerate(zip(parts, found, shares, strict=True), chunk.first)
    ]


def _own(question: Question, part: Part, said: Collection[str]) -> float:
    """How much of the question a passage says itself; above 0."""
    # In the question's order: a sum over a set would differ in its last bits between processes.
    worth = sum([question.idf[term] for term in said]) / question.information if said else 0.0
    if part.kind is PassageKind.CODE:
        worth *= 0.7
    elif part.opens:
        worth *= 0.6
    elif part.characters < _SHORT:
        worth *= 0.8
    return 0.1 + worth


def _reason(question: Question, said: Sequence[str], above: frozenset[str]) -> str:
    """Which of the question's words were found where, for people."""
    told = []
    for where, terms in (("in the text", said), ("in the headings", above.difference(said))):
        words = dict.fromkeys(word for term, word in question.words.items() if term in terms)
        if words:
            told.append(f"{', '.join(f'“{word}”' for word in words)} {where}")
    return "; ".join(told) or "its section matches"
