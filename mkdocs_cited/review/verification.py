"""Whether the docs say what a text says: each of its claims is put next to the passages that are nearest to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.answer_text.markdown import ANYBODYS, code_in
from mkdocs_cited.model.answer import (
    Claim,
    Evidence,
    Fault,
    Judgement,
    ReviewedClaim,
    Verdict,
)
from mkdocs_cited.model.source import Corpus, Scope, SourceType
from mkdocs_cited.review.interface import Case, Review, Reviewer

NEAREST = 5
"""Passages that each claim is read with."""
FAR = 0.5
"""Share of the least relevance from which a passage is read when none is near."""
_CITATION = re.compile(rf"[ \t]?{ANYBODYS}")
_FOOTNOTE = re.compile(
    r"^\[\^?[^\[\]\s]{1,100}\]:.*\n?(?:(?: {4}|\t).*\n?)*", re.MULTILINE
)
_NOTHING = Judgement(Verdict.UNCHECKED, reason="no passage of the docs is near to it")
_TELLING = (
    Verdict.SUPPORTED,
    Verdict.CONTRADICTED,
    Verdict.PARTIAL,
    Verdict.UNCHECKED,
    Verdict.UNSUPPORTED,
)
"""Which verdict speaks for a claim when passages differ: the first of these that any of them gave."""


def verify(
    text: str, corpus: Corpus, reviewer: Reviewer, *, locale: str, least: float
) -> tuple[ReviewedClaim, ...]:
    """Every claim of a Markdown text with the passages that decide it; without evidence where none is near.

    Args:
        locale: language of the text, and of the pages that it is held against.
        least: relevance 0…1 below which a passage is not near.
    """
    found = [
        (claim, _near(claim, corpus, locale, least))
        for claim in split(uncited(text), locale)
    ]
    if reviewer.calls_model:
        return _read_at_once(found, corpus, reviewer, locale)
    return tuple(
        _most_telling(claim, near, corpus, reviewer, locale) for claim, near in found
    )


def _near(
    claim: Claim, corpus: Corpus, locale: str, least: float
) -> tuple[Evidence, ...]:
    """The passages that are nearest to a claim."""
    hits = corpus.search(claim.text, scope=Scope(locale=locale), limit=NEAREST)
    hits = [
        hit
        for hit in hits
        if hit.passage.type is not SourceType.NOTE and hit.relevance >= least * FAR
    ]
    # A changed figure is a word that the docs lack, which alone makes a passage irrelevant to the claim.
    near = [hit for hit in hits if hit.relevance >= least] or hits
    return tuple(Evidence(hit.passage, hit.passage.text) for hit in near)


def _read_at_once(
    found: Sequence[tuple[Claim, tuple[Evidence, ...]]],
    corpus: Corpus,
    reviewer: Reviewer,
    locale: str,
) -> tuple[ReviewedClaim, ...]:
    """The claims as a model reads them: each once, with all the passages that are near to it."""
    cases = []
    for claim, near in found:
        if near:
            cases.append(Case(claim, near, locale=locale))
    outcome = reviewer.review(cases, corpus) if cases else Review(())
    if isinstance(outcome, Fault):
        unread = Judgement(Verdict.UNCHECKED, reason=outcome.reason)
        return tuple(
            ReviewedClaim(claim, near, unread if near else _NOTHING)
            for claim, near in found
        )
    judgements = iter(outcome.judgements)
    return tuple(
        ReviewedClaim(claim, near, next(judgements) if near else _NOTHING)
        for claim, near in found
    )


def _most_telling(
    claim: Claim,
    near: tuple[Evidence, ...],
    corpus: Corpus,
    reviewer: Reviewer,
    locale: str,
) -> ReviewedClaim:
    """A claim with the passage, or all of them together, that says most of it."""
    groups: list[tuple[Evidence, ...]] = [(item,) for item in near]
    if len(near) > 1:
        groups.append(near)
    readings = [
        (_read(Case(claim, group, locale=locale), corpus, reviewer), group)
        for group in groups
    ]
    if not readings:
        return ReviewedClaim(claim, (), _NOTHING)
    judgement, evidence = min(
        readings, key=lambda item: (_TELLING.index(item[0].verdict), not item[0].reason)
    )
    return ReviewedClaim(claim, evidence, judgement)


def uncited(text: str) -> str:
    """A text without its citations and footnotes, which are no words of its claims; code stays as it is."""
    text = _FOOTNOTE.sub("", text)
    code = [(piece.start, piece.end) for piece in code_in(text)]

    def in_code(match: re.Match[str]) -> str:
        if any(start < match.end() and match.start() < end for start, end in code):
            return match[0]
        return ""

    return _CITATION.sub(in_code, text)


def _read(case: Case, corpus: Corpus, reviewer: Reviewer) -> Judgement:
    outcome = reviewer.review((case,), corpus)
    if isinstance(outcome, Fault):
        return Judgement(Verdict.UNCHECKED, reason=outcome.reason)
    return outcome.judgements[0]
