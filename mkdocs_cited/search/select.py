"""Which passages a writer is given for a question: ranked, relevant enough, not twice the same, from several pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest

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
from mkdocs_cited.search.evidence import Asked, order
from mkdocs_cited.search.forms import form_of
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

    hit: Hit
    """Of the phrasing that found it first."""
    worth: float
    """What it is worth as an answer to that phrasing."""
    place: int
    """Where search had it, before it was weighed as an answer, from 0."""
    scores: dict[int, float]
    """Phrasing → relevance 0…1."""

    @property
    def page(self) -> str:
        """Path of its page."""
        return self.hit.bare.section.page.src

    @property
    def best(self) -> float:
        return max(self.scores.values())


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
    relevant = [item for item in found if item.best >= settings.cite_threshold]
    solid = [item for item in relevant if not _is_thin(item.hit.bare)]
    distinct = _without_duplicates(_broad(solid), settings.max_sources)
    counts: dict[str, float] = {
        "found": len(found),
        "irrelevant": len(found) - len(relevant),
        "thin": len(relevant) - len(solid),
        "duplicate": distinct.dropped,
    }
    share = share_of(settings, len(distinct.kept))
    phrasings = len(declaration.phrasings)
    sources = tuple(
        _source(sid, item, phrasings, context_of(item.hit.passage, corpus, settings.context, share))
        for sid, item in enumerate(distinct.kept, start=1)
    )
    seen = () if sources else _broad(found)[:_NEAREST]
    nearest = tuple(_source(sid, item, phrasings, (item.hit.passage,)) for sid, item in enumerate(seen, start=1))
    return Selection(sources, nearest, counts)


def _found(declaration: Declaration, corpus: Corpus) -> list[_Candidate]:
    """The hits of all phrasings, taken in turn, each passage once."""
    scope = scope_of(declaration)
    rankings = [_ranked(query, declaration, corpus, scope) for query in declaration.phrasings]
    candidates: dict[str, _Candidate] = {}
    for row in zip_longest(*rankings):
        for number, found in enumerate(row):
            if found is not None:
                worth, hit, place = found
                known = candidates.get(hit.bare.id)
                if known is None:
                    known = candidates[hit.bare.id] = _Candidate(hit, worth, place, {})
                known.scores[number] = hit.relevance
    return list(candidates.values())


def _ranked(query: str, declaration: Declaration, corpus: Corpus, scope: Scope) -> list[tuple[float, Hit, int]]:
    """What one phrasing finds, the passages first that answer what is asked. The question's own form counts for all:
    other phrasings are often mere keywords."""
    asked = asked_of(query, declaration, corpus)
    return order(asked, corpus.search(query, scope=scope, limit=_LOOKED_AT))


def asked_of(query: str, declaration: Declaration, corpus: Corpus) -> Asked:
    """A phrasing of a declaration's question as passages are held against it."""
    language = language_of(declaration.locale)
    return Asked(query, form_of(declaration.question, language), tuple(corpus.asked(query, language)), language)


def _broad(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The same, with the best of different pages first, then in their old order. The first pages are those whose
    passages are worth most as answers, the others those that full-text search puts first: they may hold more."""
    best: dict[str, _Candidate] = {}
    first: dict[str, int] = {}
    for item in candidates:
        best.setdefault(item.page, item)
        first[item.page] = min(first.get(item.page, item.place), item.place)
    pages = list(best)[:_BY_WORTH]
    pages += sorted((page for page in best if page not in pages), key=lambda page: first[page])[: _BREADTH - _BY_WORTH]
    leading = [best[page] for page in pages]
    names = {item.hit.bare.id for item in leading}
    return [*leading, *(item for item in candidates if item.hit.bare.id not in names)]


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
        worth=round(item.worth, 4),
        phrasings=tuple(PhrasingScore(number, score) for number, score in sorted(item.scores.items())),
        reasoning=_one_line(item.hit),
        context=context,
        nearness=item.hit.nearness,
    )


def _one_line(hit: Hit) -> str:
    return hit.reason if len(hit.reason) <= LONGEST_REASON else f"{hit.reason[: LONGEST_REASON - 1]}…"
