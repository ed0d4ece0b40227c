"""The default provider: it quotes the docs where that surely answers, and otherwise points. Offline, repeatable.

What of a section answers a question, and how surely, is `search.answering`; how that becomes Markdown is `verbatim`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mkdocs_cited.model.answer import Abstention
from mkdocs_cited.model.declaration import AnswerFormat, Declaration, Length, Target
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.model.source import Passage, PassageKind, Source
from mkdocs_cited.providers.interface import Outcome, Provider, Request
from mkdocs_cited.providers.verbatim import Inline, compose
from mkdocs_cited.search.answering import SURE, Found, surest
from mkdocs_cited.search.select import is_far

MOST_WORDS = {Length.SHORT: 60, Length.NORMAL: 200, Length.FULL: 300}
"""Words that an answer of a length may quote."""
_SHAPES = {
    AnswerFormat.LIST: PassageKind.ITEM,
    AnswerFormat.STEPS: PassageKind.STEP,
    AnswerFormat.TABLE: PassageKind.ROW,
}


class Extractive(Provider):
    """Blocks of the section that surely answers, in its own order."""

    id = "extractive"
    sure: ClassVar[float] = SURE
    """Certainty from which it quotes; `benchmarks.answers` tries others."""

    def write(self, request: Request) -> Outcome:
        """What surely answers, or an abstention that says how near the nearest section came."""
        declaration = request.declaration
        if declaration.target is not Target.MARKDOWN:
            reason = f"`extractive` writes Markdown only, not {declaration.target}"
            return Abstention(reason, request.sources, self.id)
        sources = [source for source in request.sources if not is_far(source, self.settings)]
        most = MOST_WORDS[declaration.length or self.settings.length]
        best = surest(declaration, request.corpus, sources, most)
        if best is None or best[1].certainty < self.sure:
            return Abstention(_unsure(sources, best), request.sources, self.id)
        source, answer = best
        unmet, inline = _unmet(declaration, answer.passages), Inline(declaration.page, request.corpus)
        return compose(answer, source, inline, self.id, unmet)


def _unsure(sources: Sequence[Source], best: tuple[Source, Found] | None) -> str:
    """Why nothing is quoted."""
    if not sources:
        return "nothing in the docs is relevant enough to the question"
    near = f"“{sources[0].passage.section.title}” comes nearest (relevance {sources[0].query_relevance:.2f})"
    if best is None:
        return f"{near}, but is no sure answer: it is long, refers to what is not in it, or lacks what is asked"
    return f"{near}, but may not be the answer: its certainty is {best[1].certainty:.2f}, and {SURE} is needed"


def _unmet(declaration: Declaration, passages: Sequence[Passage]) -> tuple[Finding, ...]:
    """That the docs do not have it in the shape that is asked for."""
    shape = _SHAPES.get(declaration.format)
    kinds = {passage.kind for passage in passages}
    if shape is None or shape in kinds or (declaration.format is not AnswerFormat.TABLE and PassageKind.STEP in kinds):
        return ()
    message = f"the answer to “{declaration.question}” is no {declaration.format}: the docs have none on it"
    tip = "`extractive` repeats the docs as they are: ask for another `format`, or write one on the page"
    return (found("partly-answered", declaration.place, message, tip=tip, answer=declaration.key),)
