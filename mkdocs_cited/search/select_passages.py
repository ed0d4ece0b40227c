"""Which passages a writer is given for a question: ranked, relevant enough, not twice the same, from several pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest

from msgspec import Struct, field

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.language.stems import stems
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import (
    Corpus,
    Hit,
    Passage,
    PassageKind,
    PhrasingScore,
    Scope,
    Source,
    SourceType,
    Via,
)
from mkdocs_cited.search.context import context_of, share_of
from mkdocs_cited.search.evidence import Asked
from mkdocs_cited.search.forms import form_of
from mkdocs_cited.search.worths import Worths
from mkdocs_cited.settings import Settings

LONGEST_REASON = 320
"""Characters of a source's one-line reason."""
_LOOKED_AT = 200
"""Passages that each phrasing may bring in."""
_BREADTH = 5
"""Sources at the top that come from different pages, as far as there are so many: another page's view is worth more to
a writer than a page's second best passage."""
_BY_WORTH = 2
"""Of these, how many come by what their passages are worth as answers."""
_NEAREST = 3
_THIN = 15
"""Characters below which prose carries no claim, nor leads to what does: `See also`, `Example:`."""
_SAME = 0.85
"""Share of common words from which two passages say the same."""


class Selection(Struct, frozen=True):
    """What selection kept of the site for one question."""

    sources: tuple[Source, ...]
    """Relevant enough, numbered in rank order."""
    nearest: tuple[Source, ...] = ()
    """When there are none: the best of what was found, for telling the author what was seen."""
    counts: dict[str, float] = field(default_factory=dict)
    """Passages `found`, and those dropped as `irrelevant`, `duplicate` or `thin`."""


class _Candidate(Struct, frozen=True):
    """A passage that some phrasing found."""

    ranking: Worths
    """Of the phrasing that found it first."""
    hit: Hit
    place: int
    """Where search had it there, before it was weighed as an answer, from 0."""
    scores: dict[int, float]
    """Phrasing → relevance 0…1."""

    @property
    def best(self) -> float:
        return max(self.scores.values())


class _Found(Struct, frozen=True):
    """What all phrasings of a question found."""

    candidates: tuple[_Candidate, ...]
    """Each passage once; of several phrasings, those first that answer what is asked."""
    only: Worths | None
    """Of the only phrasing: which of its passages answer is made out as far as somebody asks."""

    def best_first(self, among: Iterable[_Candidate]) -> Iterator[_Candidate]:
        """Some of the candidates, those first that answer what is asked; they are given in the order of all."""
        if self.only is None:
            return iter(among)
        known = {item.place: item for item in among}
        return (known[place] for place in self.only.best_first(known))


def scope_of(declaration: Declaration) -> Scope:
    """Where an answer may come from: its globs, its language, and of its own page all but the question's heading."""
    return Scope(
        include=declaration.sources,
        locale=declaration.locale,
        asked_on=(declaration.page, declaration.question),
    )


def select(declaration: Declaration, corpus: Corpus, settings: Settings) -> Selection:
    """The sources for a declaration's question and its other phrasings, best first."""
    found = _found(declaration, corpus)
    relevant = [item for item in found.candidates if item.best >= settings.cite_threshold]
    solid = [item for item in relevant if not _is_thin(item.hit.bare)]
    distinct = _without_duplicates(_broad(found, solid), settings.max_sources)
    counts: dict[str, float] = {
        "found": len(found.candidates),
        "irrelevant": len(found.candidates) - len(relevant),
        "thin": len(relevant) - len(solid),
        "duplicate": distinct.dropped,
    }
    share = share_of(settings, len(distinct.kept))
    phrasings = len(declaration.phrasings)
    sources = tuple(
        _source(sid, item, phrasings, context_of(item.hit.passage, corpus, settings.context, share))
        for sid, item in enumerate(distinct.kept, start=1)
    )
    seen = () if sources else islice(_broad(found, found.candidates), _NEAREST)
    nearest = tuple(_source(sid, item, phrasings, (item.hit.passage,)) for sid, item in enumerate(seen, start=1))
    return Selection(sources, nearest, counts)


def _found(declaration: Declaration, corpus: Corpus) -> _Found:
    """The hits of all phrasings, taken in turn, each passage once."""
    scope = scope_of(declaration)
    rankings = [_ranked(query, declaration, corpus, scope) for query in declaration.phrasings]
    only = rankings[0] if len(rankings) == 1 else None
    places = [range(len(only.hits))] if only else [ranking.best_first(range(len(ranking.hits))) for ranking in rankings]
    candidates: dict[str, _Candidate] = {}
    for row in zip_longest(*places):
        for number, place in enumerate(row):
            if place is not None:
                hit = rankings[number].hits[place]
                known = candidates.get(hit.bare.id)
                if known is None:
                    known = candidates[hit.bare.id] = _Candidate(rankings[number], hit, place, {})
                known.scores[number] = hit.relevance
    return _Found(tuple(candidates.values()), only)


def _ranked(query: str, declaration: Declaration, corpus: Corpus, scope: Scope) -> Worths:
    """What one phrasing finds, and what answers it. The question's own form counts for all: other phrasings are often
    mere keywords."""
    return Worths(asked_of(query, declaration, corpus), corpus.search(query, scope=scope, limit=_LOOKED_AT))


def asked_of(query: str, declaration: Declaration, corpus: Corpus) -> Asked:
    """A phrasing of a declaration's question as passages are held against it."""
    language = language_of(declaration.locale)
    return Asked(query, form_of(declaration.question, language), tuple(corpus.asked(query, language)), language)


def _broad(found: _Found, among: Sequence[_Candidate]) -> Iterator[_Candidate]:
    """Some of what was found, best first, but the best of different pages before all. The first pages are those whose
    passages are worth most as answers, the others those that full-text search puts first: they may hold more."""
    of_page: dict[str, list[_Candidate]] = defaultdict(list)
    for item in among:
        of_page[item.hit.bare.page.src].append(item)
    first = {page: min(item.place for item in items) for page, items in of_page.items()}
    pages: dict[str, None] = {}
    for item in found.best_first(among):
        pages[item.hit.bare.page.src] = None
        if len(pages) == _BY_WORTH:
            break
    others = sorted((page for page in of_page if page not in pages), key=lambda page: first[page])
    leading = [next(found.best_first(of_page[page])) for page in (*pages, *others[: _BREADTH - _BY_WORTH])]
    yield from leading
    names = {item.hit.bare.id for item in leading}
    yield from (item for item in found.best_first(among) if item.hit.bare.id not in names)


class _Distinct(Struct, frozen=True):
    kept: tuple[_Candidate, ...]
    dropped: int


def _without_duplicates(candidates: Iterable[_Candidate], most: int) -> _Distinct:
    """The first `most` that say something new; of two that say the same the fresher one stands in the first's place,
    and the site's own before one from elsewhere."""
    kept: list[tuple[_Candidate, Counter[str]]] = []
    dropped = 0
    for item in candidates:
        passage = item.hit.bare
        words = Counter(stems(passage.text, passage.page.locale))
        twin = next((place for place, (_, other) in enumerate(kept) if _alike(words, other)), None)
        if twin is not None:
            dropped += 1
            if _standing(passage) > _standing(kept[twin][0].hit.bare):
                kept[twin] = (item, words)
        elif len(kept) < most:
            kept.append((item, words))
        else:
            break
    return _Distinct(tuple(item for item, _ in kept), dropped)


def _alike(one: Counter[str], other: Counter[str]) -> bool:
    """Whether two passages have nearly the same words: the Jaccard index of their multisets."""
    common = (one & other).total()
    return common > 0 and common >= _SAME * (one.total() + other.total() - common)


def _date(passage: Passage) -> str:
    """When a passage's page was last touched, as far as it says so; empty sorts first."""
    return passage.page.modified or passage.page.published


def _standing(passage: Passage) -> tuple[bool, str]:
    """What decides between passages that say the same: whether it is the site's own, then its date."""
    return passage.page.type is not SourceType.WEB, _date(passage)


def _is_thin(passage: Passage) -> bool:
    """Whether a passage says too little to carry a claim: `See also`, `Example:`."""
    if passage.kind in (PassageKind.CODE, PassageKind.ROW, PassageKind.DEFINITION, PassageKind.STEP):
        return not any(map(str.isalnum, passage.text))
    return len(passage.text) < _THIN and not any(map(str.isdigit, passage.text))


def _source(sid: int, item: _Candidate, phrasings: int, context: tuple[Passage, ...]) -> Source:
    return Source(
        sid=sid,
        passage=item.hit.passage,
        via=Via.RETRIEVAL,
        relevance=round(sum(item.scores.values()) / phrasings, 4),
        query_relevance=item.best,
        worth=round(item.ranking.of(item.place), 4),
        phrasings=tuple(PhrasingScore(number, score) for number, score in sorted(item.scores.items())),
        reasoning=_one_line(item.hit),
        context=context,
        nearness=item.hit.nearness,
    )


def _one_line(hit: Hit) -> str:
    return hit.reason if len(hit.reason) <= LONGEST_REASON else f"{hit.reason[: LONGEST_REASON - 1]}…"
