"""Which passages a writer is given for a question: ranked, relevant enough, not twice the same, within the budget."""

from __future__ import annotations

from dataclasses import dataclass, field

from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Corpus, Passage, PhrasingScore, Scope, Source, Via
from mkdocs_cited.settings import Settings

LONGEST_REASON = 320
"""Characters of a source's one-line reason."""
LEAST_BUDGET = 600
"""Characters that every source may have, whatever the budget."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What selection kept of the site for one question."""

    sources: tuple[Source, ...]
    """Relevant enough, numbered in rank order."""
    nearest: tuple[Source, ...] = ()
    """When there are none: the best of what was found, numbered too, for saying what was seen."""
    counts: dict[str, float] = field(default_factory=dict)
    """What was done: passages `found`, and those dropped as `below_threshold`, `duplicates`, `thin`."""


def scope_of(declaration: Declaration) -> Scope:
    """Where an answer may come from: its globs, its language, its own page included."""
    return Scope(include=declaration.sources, locale=declaration.locale)


def select(declaration: Declaration, corpus: Corpus, settings: Settings) -> Selection:
    """The sources for a declaration's question and its other phrasings, best first."""
    candidates = _interleaved(declaration, corpus, settings)
    counts: dict[str, float] = {"found": len(candidates), "below_threshold": 0, "duplicates": 0, "thin": 0}
    kept: list[_Candidate] = []
    below: list[_Candidate] = []
    for candidate in candidates:
        if _is_thin(candidate.passage):
            counts["thin"] += 1
        elif any(_same(candidate.passage, other.passage) for other in kept):
            counts["duplicates"] += 1
        elif candidate.relevance < settings.cite_threshold:
            counts["below_threshold"] += 1
            below.append(candidate)
        elif len(kept) < settings.max_sources:
            kept.append(candidate)
    share = max(LEAST_BUDGET, settings.context_budget // max(1, len(kept)))
    sources = tuple(_source(sid, candidate, corpus, settings, share) for sid, candidate in enumerate(kept, 1))
    nearest = () if sources else tuple(_source(n, item, corpus, settings, 0) for n, item in enumerate(below[:3], 1))
    return Selection(sources, nearest, counts)


@dataclass(slots=True)
class _Candidate:
    passage: Passage
    scores: dict[int, float]
    reason: str

    @property
    def relevance(self) -> float:
        return max(self.scores.values())


def _interleaved(declaration: Declaration, corpus: Corpus, settings: Settings) -> list[_Candidate]:
    """The hits of all phrasings, taken in turn."""
    scope = scope_of(declaration)
    rankings = [corpus.search(query, scope=scope, limit=40) for query in declaration.phrasings]
    merged: dict[str, _Candidate] = {}
    for place in range(max(map(len, rankings), default=0)):
        for number, hits in enumerate(rankings):
            if place < len(hits):
                hit = hits[place]
                known = merged.setdefault(hit.passage.id, _Candidate(hit.passage, {}, hit.reason))
                known.scores[number] = hit.relevance
    return list(merged.values())


def _source(sid: int, candidate: _Candidate, corpus: Corpus, settings: Settings, budget: int) -> Source:
    scores = candidate.scores
    return Source(
        sid=sid,
        passage=candidate.passage,
        via=Via.RETRIEVAL,
        relevance=round(sum(scores.values()) / len(scores), 4),
        query_relevance=candidate.relevance,
        phrasings=tuple(PhrasingScore(number, score) for number, score in sorted(scores.items())),
        reasoning=candidate.reason[:LONGEST_REASON],
        context=_context(candidate.passage, corpus, settings, budget),
    )


def _context(passage: Passage, corpus: Corpus, settings: Settings, budget: int) -> tuple[Passage, ...]:
    """The passages around one, nearest first until the budget is spent, in page order."""
    if settings.context == "passage" or not budget:
        return (passage,)
    anchor = passage.section.anchor if settings.context == "section" else ""
    around = corpus.section(passage.page.src, anchor) or (passage,)
    if settings.context == "section":
        around = [item for item in around if item.section.position == passage.section.position]
    spent, taken = len(passage.text), {passage.id: passage}
    for item in sorted(around, key=lambda item: (abs(item.position - passage.position), item.position)):
        if item.id not in taken:
            if spent + len(item.text) > budget:
                break
            spent += len(item.text)
            taken[item.id] = item
    return tuple(sorted(taken.values(), key=lambda item: item.position))


def _is_thin(passage: Passage) -> bool:
    """Whether a passage has too little substance to carry a claim: `See also`, `Example:`."""
    return len(passage.text) < 12


def _same(one: Passage, other: Passage) -> bool:
    return one.hash == other.hash
