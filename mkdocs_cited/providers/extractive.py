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
from mkdocs_cited.model.source import Corpus, Passage, PassageKind, Source, SourceType
from mkdocs_cited.providers.interface import Outcome, Provider, Request
from mkdocs_cited.providers.verbatim import Inline, compose
from mkdocs_cited.search.answering import SURE, Found, found_in, heading_terms, question_of
from mkdocs_cited.search.select import is_far

MOST_WORDS = {Length.SHORT: 60, Length.NORMAL: 130, Length.FULL: 300}
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
        best = surest(request, sources, declaration.length or self.settings.length)
        if best is None or best[1].certainty < self.sure:
            return Abstention(_unsure(request, sources, best), request.sources, self.id)
        source, answer = best
        told = f"quoted with certainty {answer.certainty:.2f}: {answer.reason}"
        known = (replace(source, passage=passage, reasoning=told) for passage in answer.passages)
        draft = compose(answer.passages, self.id, tuple(known), Inline(declaration.page, request.corpus))
        return replace(draft, findings=_unmet(declaration, answer.passages))


def surest(request: Request, sources: Sequence[Source], length: Length) -> tuple[Source, Found] | None:
    """What most surely answers, with the source in whose section it is; of what is sure, the shape that is asked for
    comes first. Nothing where no section answers in any way."""
    asked = question_of(request.declaration, request.corpus)
    shape = _SHAPES.get(request.declaration.format)
    tried: list[tuple[Source, Found]] = []
    for source in sources:
        section = () if source.passage.type is SourceType.NOTE else _section(source, request.corpus)
        if section and (answer := found_in(asked, section, MOST_WORDS[length], source)):
            tried.append((source, answer))

    def rank(item: tuple[Source, Found]) -> tuple[bool, float]:
        shaped = any(passage.kind is shape for passage in item[1].passages)
        return shaped and item[1].certainty >= SURE, item[1].certainty

    return max(tried, key=rank, default=None)


def _unsure(request: Request, sources: Sequence[Source], best: tuple[Source, Found] | None) -> str:
    """Why nothing is quoted."""
    if not sources:
        return "nothing in the docs is relevant enough to the question"
    asked = question_of(request.declaration, request.corpus)
    section = (best[0] if best else sources[0]).passage.section
    certainty = best[1].certainty if best else asked.share(heading_terms(section, asked.language))
    why = f"less than {SURE:.0%}" if certainty < SURE else "but no part of it can be quoted alone"
    told = f"its certainty is {certainty:.0%}" if best else f"its headings name {certainty:.0%} of what is asked"
    return f"what comes nearest, “{section.title}”, may not be the answer: {told}, {why}"


def _section(source: Source, corpus: Corpus) -> Sequence[Passage]:
    """The passages of a source's section, in page order, without those of the sections below it."""
    section = source.passage.section
    mine = [
        passage
        for passage in corpus.section(section.page.src, section.anchor)
        if passage.section.position == section.position and passage.type is not SourceType.NOTE
    ]
    return mine if any(passage.id == source.passage.id for passage in mine) else (source.passage,)


def _unmet(declaration: Declaration, passages: Sequence[Passage]) -> tuple[Finding, ...]:
    """That the docs do not have it in the shape that is asked for."""
    shape = _SHAPES.get(declaration.format)
    kinds = {passage.kind for passage in passages}
    if shape is None or shape in kinds or (declaration.format is not AnswerFormat.TABLE and PassageKind.STEP in kinds):
        return ()
    message = f"the answer to “{declaration.question}” is no {declaration.format}: the docs have none on it"
    tip = "`extractive` repeats the docs as they are: ask for another `format`, or write one on the page"
    return (found("partly-answered", declaration.place, message, tip=tip, answer=declaration.key),)
