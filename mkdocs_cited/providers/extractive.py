"""The default provider: it quotes the docs where that surely answers, and otherwise points. Offline, repeatable.

What of a section answers a question, and how surely, is `search.answering`; how that becomes Markdown is `verbatim`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Abstention
from mkdocs_cited.model.declaration import AnswerFormat, Declaration, Length, Target
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.model.source import Passage, PassageKind, Source, SourceType
from mkdocs_cited.providers.interface import Outcome, Provider, Request
from mkdocs_cited.providers.verbatim import Inline, compose, headed
from mkdocs_cited.search.answering import SURE, Found, ahead, question_of, said_in
from mkdocs_cited.search.select import is_far, section_of

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
        best = surest(request, sources, MOST_WORDS[declaration.length or self.settings.length])
        if best is None or best[1].certainty < self.sure:
            return Abstention(_unsure(sources, best), request.sources, self.id)
        source, answer = best
        told = f"quoted with certainty {answer.certainty:.2f}: {answer.reason}"
        known = (replace(source, passage=passage, reasoning=told) for passage in answer.passages)
        draft = compose(answer.passages, self.id, tuple(known), Inline(declaration.page, request.corpus))
        draft = replace(draft, findings=_unmet(declaration, answer.passages))
        return headed(draft, answer.passages[0].section) if answer.whole else draft


def surest(request: Request, sources: Sequence[Source], most: int) -> tuple[Source, Found] | None:
    """What most surely answers in so many words, with the source in whose section it is: what says that it does, else
    the section of the first source. Nothing where that is too long."""
    asked = question_of(request.declaration, request.corpus)
    public = [source for source in sources if source.passage.type is not SourceType.NOTE]
    sections = [section_of(source.passage, request.corpus) for source in public]
    told = [(source, said_in(asked, section, most)) for source, section in zip(public, sections, strict=True)]
    if public and not any(found for _, found in told):
        told.append((public[0], ahead(asked, public[0], sections[0], most)))
    answers = [(source, found) for source, found in told if found]
    return max(answers, key=lambda item: item[1].certainty, default=None)


def _unsure(sources: Sequence[Source], best: tuple[Source, Found] | None) -> str:
    """Why nothing is quoted."""
    if not sources:
        return "nothing in the docs is relevant enough to the question"
    near = f"“{sources[0].passage.section.title}” comes nearest (relevance {sources[0].query_relevance:.2f})"
    if best is None:
        return f"{near}, but cannot be quoted whole: it is long, or refers to what is not in it"
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
