"""Which passages a writer is given for a question: ranked, relevant enough, not twice the same, from several pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from mkdocs_cited.language.stems import stems
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Corpus, Hit, Passage, PassageKind, PhrasingScore, Scope, Source, SourceType, Via
from mkdocs_cited.search.context import context_of, share_of
from mkdocs_cited.settings import Settings

LONGEST_REASON = 320
"""Characters of a source's one-line reason."""
_LOOKED_AT = 60
"""Passages that each phrasing may bring in."""
_BREADTH = 5
"""Sources at the top that come from different pages, as far as there are so many: another page's view is worth more to
a writer than a page's second best passage."""
_NEAREST = 3
_SAME = 0.85
"""Share of common words from which two passages say the same."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What selection kept of the site for one question."""

    sources: tuple[Source, ...]
    """Relevant enough, numbered in rank order."""
    nearest: tuple[Source, ...] = ()
    """When there are none: the best of what was found, for telling the author what was seen."""
    counts: dict[str, float] = field(default_factory=dict)
    """Passages `found`, and those dropped as `irrelevant`, `duplicate` or `thin`."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A passage that some phrasing found."""

    passage: Passage
    scores: dict[int, float]
    """Phrasing → relevance 0…1."""
    reason: str

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
    solid = [item for item in relevant if not _is_thin(item.passage)]
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
        _source(sid, item, phrasings, context_of(item.passage, corpus, settings.context, share))
        for sid, item in enumerate(distinct.kept, start=1)
    )
    nearest = (
        ()
        if sources
        else tuple(
            _source(sid, item, phrasings, (item.passage,)) for sid, item in enumerate(_broad(found)[:_NEAREST], start=1)
        )
    )
    return Selection(sources, nearest, counts)


def _found(declaration: Declaration, corpus: Corpus) -> list[_Candidate]:
    """The hits of all phrasings, taken in turn, each passage once."""
    scope = scope_of(declaration)
    rankings = [corpus.search(query, scope=scope, limit=_LOOKED_AT) for query in declaration.phrasings]
    candidates: dict[str, _Candidate] = {}
    for row in zip_longest(*rankings):
        for number, hit in enumerate(row):
            if hit is not None:
                known = candidates.setdefault(hit.passage.id, _Candidate(hit.passage, {}, _one_line(hit)))
                known.scores[number] = hit.relevance
    return list(candidates.values())


def _broad(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The same, with the best of different pages first; then in their old order."""
    first: dict[str, _Candidate] = {}
    for item in candidates:
        if len(first) < _BREADTH:
            first.setdefault(item.passage.page.src, item)
    leading = {item.passage.id for item in first.values()}
    return [*first.values(), *(item for item in candidates if item.passage.id not in leading)]


@dataclass(frozen=True, slots=True)
class _Distinct:
    kept: tuple[_Candidate, ...]
    dropped: int


def _without_duplicates(candidates: Iterable[_Candidate], most: int) -> _Distinct:
    """The first `most` that say something new; of two that say the same the fresher one stands in the first's place,
    and the site's own before one from elsewhere."""
    kept: list[tuple[_Candidate, Counter[str]]] = []
    dropped = 0
    for item in candidates:
        words = Counter(stems(item.passage.text, item.passage.page.locale))
        twin = next((place for place, (_, other) in enumerate(kept) if _alike(words, other)), None)
        if twin is not None:
            dropped += 1
            if _standing(item.passage) > _standing(kept[twin][0].passage):
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
    if passage.kind in (PassageKind.CODE, PassageKind.ROW, PassageKind.DEFINITION):
        return not any(map(str.isalnum, passage.text))
    opens = passage.text.endswith((":", "："))
    return len(passage.text) < (60 if opens else 20) and not any(map(str.isdigit, passage.text))


def _source(sid: int, item: _Candidate, phrasings: int, context: tuple[Passage, ...]) -> Source:
    return Source(
        sid=sid,
        passage=item.passage,
        via=Via.RETRIEVAL,
        relevance=round(sum(item.scores.values()) / phrasings, 4),
        query_relevance=item.best,
        phrasings=tuple(PhrasingScore(number, score) for number, score in sorted(item.scores.items())),
        reasoning=item.reason,
        context=context,
    )


def _one_line(hit: Hit) -> str:
    return hit.reason if len(hit.reason) <= LONGEST_REASON else f"{hit.reason[: LONGEST_REASON - 1]}…"
