"""Whether the docs say what a text says: each of its claims is put next to the passages that are nearest to it."""

from __future__ import annotations

import re

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.answer_text.markdown import ANYBODYS, parts
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import (
    Claim,
    Evidence,
    Fault,
    Judgement,
    ReviewedClaim,
    Verdict,
)
from mkdocs_cited.model.source import Corpus, Scope
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


def verify(
    text: str, corpus: Corpus, reviewer: Reviewer, *, locale: str, least: float
) -> tuple[ReviewedClaim, ...]:
    """Every claim of a Markdown text with the passages that decide it; without evidence where none is near.

    Args:
        text: what is verified.
        corpus: the site's passages.
        reviewer: who reads each claim with the passages that are near to it.
        locale: language of the text, and of the pages that it is held against.
        least: relevance 0…1 below which a passage is not near.
    """
    claims = []
    cases = []
    for claim in split(uncited(text), locale):
        near = _near(claim, corpus, locale, least)
        claims.append(ReviewedClaim(claim, near, _NOTHING))
        if near:
            cases.append(Case(claim, near, locale=locale))
    outcome = reviewer.review(cases, corpus) if cases else Review(())
    if isinstance(outcome, Fault):
        unread = Judgement(Verdict.UNCHECKED, reason=outcome.reason)
        outcome = Review((unread,) * len(cases))
    judgements = iter(outcome.judgements)
    return tuple(
        _decided(item, next(judgements)) if item.evidence else item for item in claims
    )


def _decided(item: ReviewedClaim, judgement: Judgement) -> ReviewedClaim:
    """A claim with its judgement, and with the passages whose words decided it, where that is known."""
    words = judgement.evidence_quote
    deciding = []
    for evidence in item.evidence:
        if words and words in evidence.passage.text:
            deciding.append(evidence)
    return replace(item, evidence=tuple(deciding) or item.evidence, judgement=judgement)


def _near(
    claim: Claim, corpus: Corpus, locale: str, least: float
) -> tuple[Evidence, ...]:
    """The passages that are nearest to a claim."""
    hits = []
    for hit in corpus.search(claim.text, scope=Scope(locale=locale), limit=NEAREST):
        if not hit.passage.is_private and hit.relevance >= least * FAR:
            hits.append(hit)
    # A changed figure is a word that the docs lack, which alone makes a passage irrelevant to the claim.
    near = [hit for hit in hits if hit.relevance >= least] or hits
    return tuple(Evidence(hit.passage, hit.passage.text) for hit in near)


def uncited(text: str) -> str:
    """A text without its citations and footnotes, which are no words of its claims; code stays as it is."""
    left = ""
    for piece, is_code in parts(_FOOTNOTE.sub("", text)):
        if not is_code:
            piece = _CITATION.sub("", piece)
        left += piece
    return left
