"""Why a question finds what it finds: its candidates with their scores, and the words of it that they have and lack.

It asks the corpus as selection does, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain, zip_longest

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.explanation import Candidate, Explanation, Fate
from mkdocs_cited.model.source import Asked, Corpus, Hit, Passage, Scope
from mkdocs_cited.search.select import scope_of
from mkdocs_cited.search.terms import terms_of

MOST = 20
"""Candidates of each phrasing that an answer's explanation shows."""


def explained(
    declaration: Declaration, corpus: Corpus, threshold: float, *, answer: Answer | None = None, limit: int = MOST
) -> Explanation:
    """Why a question finds what it finds.

    Args:
        threshold: least relevance of a source, 0…1.
        answer: what was written from it, which tells the candidates that were given to the writer, and those cited.
        limit: most candidates of each phrasing; what the answer cites is shown besides.
    """
    scope = scope_of(declaration)
    asked = corpus.asked(declaration.question, declaration.locale)
    given = {source.passage.id for source in answer.consulted} if answer else set()
    cited = {source.passage.section.where for source in answer.sources} if answer else set()
    candidates = tuple(
        Candidate(
            hit.passage, relevance, hit.reason, *_said(hit.passage, asked),
            _fate(hit.passage, relevance >= threshold, given, cited),
        )
        for hit, relevance in _found(declaration, corpus, scope, limit)
    )  # fmt: skip
    words = tuple(dict.fromkeys(word.word for word in asked.words))
    return Explanation(declaration.question, words, asked.unknown, threshold, candidates)


def _found(declaration: Declaration, corpus: Corpus, scope: Scope, limit: int) -> Iterator[tuple[Hit, float]]:
    """The hits of all phrasings, taken in turn, each passage once, with its best relevance."""
    rankings = [corpus.search(phrasing, scope=scope, limit=limit) for phrasing in declaration.phrasings]
    found: dict[str, list[Hit]] = {}
    for hit in chain.from_iterable(zip_longest(*rankings)):
        if hit is not None:
            found.setdefault(hit.passage.id, []).append(hit)
    return ((hits[0], max(hit.relevance for hit in hits)) for hits in found.values())


def _said(passage: Passage, asked: Asked) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The question's words that a passage says, in its headings too, and those that it lacks."""
    parts = (passage.page.title, *passage.section.breadcrumb, passage.lead, passage.text, passage.links)
    there = terms_of("\n".join(parts), asked.language)
    says = tuple(dict.fromkeys(word.word for word in asked.words if word.term in there))
    return says, tuple(dict.fromkeys(word.word for word in asked.words if word.word not in says))


def _fate(passage: Passage, relevant: bool, given: Collection[str], cited: Collection[str]) -> Fate:
    if passage.section.where in cited:
        return Fate.CITED
    if passage.id in given and relevant:
        return Fate.GIVEN
    return Fate.RELEVANT if relevant else Fate.BELOW
