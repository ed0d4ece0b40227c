"""The default provider: it answers with the docs' own sentences, steps, rows and code, word for word. Offline,
repeatable.

It says which section answers. What of the section is taken is `stretch`; how that becomes Markdown is `verbatim`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mkdocs_cited.model.answer import Abstention, AnswerCheck, Draft, Fit
from mkdocs_cited.model.declaration import AnswerFormat, Declaration, Length, Target
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.model.source import Corpus, Passage, PassageKind, Source, SourceType
from mkdocs_cited.providers.certainty import Signs, signs
from mkdocs_cited.providers.inline import Inline
from mkdocs_cited.providers.interface import Outcome, Provider, Request
from mkdocs_cited.providers.part import Part
from mkdocs_cited.providers.standing import fault
from mkdocs_cited.providers.stretch import LIMITS, Limits, stretch
from mkdocs_cited.providers.verbatim import compose
from mkdocs_cited.search.answer_check import check, question_of, spoken_of
from mkdocs_cited.search.evidence import Asked, defines, said_by, terms_of
from mkdocs_cited.search.forms import Form
from mkdocs_cited.search.meaning import ByMeaning

_SHAPES = {
    AnswerFormat.LIST: PassageKind.ITEM,
    AnswerFormat.STEPS: PassageKind.STEP,
    AnswerFormat.TABLE: PassageKind.ROW,
}
_GOOD = 0.75
"""A source of the shape that is asked for goes first when its relevance is at least this share of the best one's."""
_OTHER_SIDE = 0.2
"""Share of a comparison's weight that the first stretch must leave open for a second one to join it."""


class Extractive(Provider):
    """A stretch of the section that answers, in its own order; of a second one where two things are compared."""

    id = "extractive"
    version = "4"

    def write(self, request: Request) -> Outcome:
        """The stretch that answers, or an abstention where none does, by the same check that every answer passes."""
        declaration = request.declaration
        if declaration.target is not Target.MARKDOWN:
            reason = f"`extractive` writes Markdown only, not {declaration.target}"
            return Abstention(reason, request.sources, self.id)
        sources = tuple(source for source in request.sources if source.passage.type is not SourceType.NOTE)
        if not sources:
            return Abstention("nothing in the docs is relevant enough to the question", request.sources, self.id)
        attempt = drafted(declaration, sources, request.corpus, declaration.length or self.settings.length)
        if attempt.judged.fit is Fit.NO or not attempt.signs.sure:
            unsure = "what comes nearest may not be the answer"
            reason = unsure if attempt.judged.fit is Fit.YES else attempt.judged.reason
            return Abstention(reason, request.sources, self.id)
        if attempt.fault:
            return Abstention(attempt.fault, request.sources, self.id)
        return replace(attempt.draft, findings=_unmet(declaration, attempt.parts))


@dataclass(frozen=True, slots=True)
class Attempt:
    """What would be the answer, with what tells whether it is one."""

    draft: Draft
    parts: tuple[Part, ...]
    judged: AnswerCheck
    signs: Signs
    fault: str = ""
    """Why it is none by itself, however sure it is of its place."""


def drafted(declaration: Declaration, sources: Sequence[Source], corpus: Corpus, length: Length) -> Attempt:
    """The stretch around the best of some sources, one at least."""
    asked = question_of(declaration, corpus)
    ordered = _in_shape(sources, declaration.format)
    parts = _parts(asked, ordered, corpus, LIMITS[length])
    draft = compose(parts, declaration.format, Extractive.id, sources, Inline(declaration.page, corpus))
    judged = check(asked, draft.content, draft.sources)
    words = len(asked.words) * spoken_of(asked, draft.content, draft.sources)[0]
    likeness = _likeness(declaration.question, parts, corpus)
    told = replace(
        signs(judged, words, ordered, likeness),
        defines=asked.form is Form.WHAT and defines(asked, ordered[0].passage),
    )
    return Attempt(draft, tuple(parts), judged, told, fault(asked, parts))


def _likeness(question: str, parts: Sequence[Part], corpus: Corpus) -> float | None:
    """How near in meaning all parts together lie to the question, under their heading; `None` without an encoder."""
    if not isinstance(corpus, ByMeaning):
        return None
    section = parts[0].quotes[0].passage.section
    quoted = " ".join(quote.text for part in parts for quote in part.quotes)
    return corpus.likeness(question, f"{section.page.title} {section.title}\n{quoted}")


def _in_shape(sources: Sequence[Source], wanted: AnswerFormat) -> list[Source]:
    """The sources, those of the shape that is asked for first where they are good."""
    shape = _SHAPES.get(wanted)
    enough = _GOOD * max(source.query_relevance for source in sources)
    return sorted(sources, key=lambda source: not (source.passage.kind is shape and source.query_relevance >= enough))


def _parts(asked: Asked, sources: Sequence[Source], corpus: Corpus, limits: Limits) -> list[Part]:
    """The stretch around the best source, and one around another where the first leaves a side of a comparison out."""
    first = _around(asked, sources[0], corpus, limits)
    if asked.form is not Form.DIFFERENCE:
        return first
    said = terms_of(" ".join(quote.passage.text for part in first for quote in part.quotes), asked.language)
    missing = tuple(word for word in asked.words if word.term not in said)
    if sum(word.weight for word in missing) < _OTHER_SIDE:
        return first
    rest = [source for source in sources[1:] if source.passage.section != sources[0].passage.section]
    other = max(rest, key=lambda source: said_by(replace(asked, words=missing), source.passage), default=None)
    if other is None or said_by(replace(asked, words=missing), other.passage) < _OTHER_SIDE:
        return first
    half = Limits(limits.prose // 2, limits.most // 2)
    return [*_around(asked, sources[0], corpus, half), *_around(asked, other, corpus, half)]


def _around(asked: Asked, source: Source, corpus: Corpus, limits: Limits) -> list[Part]:
    return list(stretch(asked, _section(source, corpus), source.passage, limits))


def _section(source: Source, corpus: Corpus) -> Sequence[Passage]:
    """The passages of a source's section, in page order, without those of the sections below it."""
    section = source.passage.section
    mine = [
        passage
        for passage in corpus.section(section.page.src, section.anchor)
        if passage.section.position == section.position and passage.type is not SourceType.NOTE
    ]
    return mine if any(passage.id == source.passage.id for passage in mine) else (source.passage,)


def _unmet(declaration: Declaration, parts: Sequence[Part]) -> tuple[Finding, ...]:
    """That the docs do not have it in the shape that is asked for."""
    shape = _SHAPES.get(declaration.format)
    kinds = {part.kind for part in parts}
    if shape is None or shape in kinds or (declaration.format is not AnswerFormat.TABLE and PassageKind.STEP in kinds):
        return ()
    message = f"the answer to “{declaration.question}” is no {declaration.format}: the docs have none on it"
    tip = "`extractive` repeats the docs as they are: ask for another `format`, or write one on the page"
    return (found("partly-answered", declaration.place, message, tip=tip, answer=declaration.key),)
