"""The words of a question, each of the same weight: what a made-up corpus says of them."""

from __future__ import annotations

from mkdocs_cited.model.source import AskedWord
from mkdocs_cited.search.terms import question_terms


def evenly(question: str, locale: str) -> tuple[AskedWord, ...]:
    terms = question_terms(question, locale)
    return tuple(AskedWord(word, term, 1 / len(terms)) for term, word in terms.items())
