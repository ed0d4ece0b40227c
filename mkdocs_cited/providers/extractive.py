"""The default provider: it answers with the docs' own sentences, steps, rows and code, word for word. Offline,
repeatable.

It says which section answers. What of the section is taken is `stretch`; how that becomes Markdown is `verbatim`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from mkdocs_cited.base.values import replace
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
from mkdocs_cited.search.evidence import Asked, defines, is_about, is_entry, is_task, said_by, sets_apart, terms_of
from mkdocs_cited.search.forms import Form
from mkdocs_cited.search.meaning import ByMeaning

_SHAPES = {
    AnswerFormat.LIST: PassageKind.ITEM,
    AnswerFormat.STEPS: PassageKind.STEP,
    AnswerFormat.TABLE: PassageKind.ROW,
}
_GOOD = 0.75
"""A source of the shape that is asked for goes first when its relevance is at least this share of the best one's."""
_SHOWN = (PassageKind.STEP, PassageKind.CODE)
_TRIED = 3
"""Sections that are tried in turn where a stretch does not stand alone."""
_OTHER_SIDE = 0.2
"""Share of a comparison's weight that the first stretch must leave open for a second one to join it."""


class Extractive(Provider):
    """A stretch of the section that answers, in its own order; of a second one where two things are compared."""

    id = "extractive"
    version = "5"

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


class Attempt(Struct, frozen=True):
    """What would be the answer, with what tells whether it is one."""

    draft: Draft
    parts: tuple[Part, ...]
    judged: AnswerCheck
    signs: Signs
    fault: str = ""
    """Why it is none by itself, however sure it is of its place."""


def drafted(declaration: Declaration, sources: Sequence[Source], corpus: Corpus, length: Length) -> Attempt:
    """The stretch around the best of some sources, one at least, that stands alone; around the best if none does."""
    asked = question_of(declaration, corpus)
    ordered = _in_shape(sources, declaration.format)
    tried = (_drafted(asked, declaration, turned, corpus, length) for turned in _turns(ordered))
    first = next(tried)
    return first if not first.fault else next((attempt for attempt in tried if not attempt.fault), first)


def _turns(sources: Sequence[Source]) -> Iterator[tuple[Source, ...]]:
    """The sources with each of the first sections' best in front, in the order of their worth."""
    yield tuple(sources)
    seen = {sources[0].passage.section.where}
    for source in sorted(sources[1:], key=lambda source: -source.worth):
        if len(seen) < _TRIED and source.passage.section.where not in seen:
            seen.add(source.passage.section.where)
            yield (source, *(other for other in sources if other is not source))


def _drafted(
    asked: Asked, declaration: Declaration, ordered: Sequence[Source], corpus: Corpus, length: Length
) -> Attempt:
    """The stretch around the first of some sources."""
    parts = _parts(asked, ordered, corpus, LIMITS[length])
    draft = compose(parts, declaration.format, Extractive.id, ordered, Inline(declaration.page, corpus))
    judged = check(asked, draft.content, draft.sources)
    words = len(asked.words) * spoken_of(asked, draft.content, draft.sources)[0]
    likeness = _likeness(declaration.question, parts, corpus)
    told = replace(
        signs(judged, words, ordered, likeness),
        direct=_defines(asked, ordered, corpus) if asked.form is Form.WHAT else _shows_task(asked, parts),
    )
    return Attempt(draft, tuple(parts), judged, told, fault(asked, parts))


def _defines(asked: Asked, sources: Sequence[Source], corpus: Corpus) -> bool:
    """Whether the first of some sources says what just that is that is asked about."""
    passage = sources[0].passage
    if defines(asked, passage):
        return True
    named = {source.passage.page.src for source in sources if source.passage.section.title == passage.section.title}
    return len(named) == 1 and is_entry(asked, passage) and _section(sources[0], corpus)[0].id == passage.id


def _shows_task(asked: Asked, parts: Sequence[Part]) -> bool:
    """Whether these parts show how to do what is asked, under a heading that names just that."""
    quoted = [quote.passage for part in parts for quote in part.quotes]
    shown = any(passage.code_spans or passage.kind in _SHOWN for passage in quoted)
    return shown and is_task(asked, quoted[0].section)


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
    if asked.form is not Form.DIFFERENCE:
        return _around(asked, sources[0], corpus, limits)
    half = Limits(limits.prose // 2, limits.most // 2)
    first = _around(asked, sources[0], corpus, limits)
    quotes = [quote for part in first for quote in part.quotes]
    if not asked.sides or any(sets_apart(asked, quote.text, quote.passage.section) for quote in quotes):
        return first
    both = (_both_sides(asked, turned[0], corpus, half) for turned in _turns(sources))
    if found := next(filter(None, both), None):
        return found
    said = terms_of(" ".join(quote.passage.text for part in first for quote in part.quotes), asked.language)
    missing = tuple(word for word in asked.words if word.term not in said)
    if sum(word.weight for word in missing) < _OTHER_SIDE:
        return first
    rest = [source for source in sources[1:] if source.passage.section != sources[0].passage.section]
    other = max(rest, key=lambda source: said_by(replace(asked, words=missing), source.passage), default=None)
    if other is None or said_by(replace(asked, words=missing), other.passage) < _OTHER_SIDE:
        return first
    return [*_around(asked, sources[0], corpus, half), *_around(asked, other, corpus, half)]


def _both_sides(asked: Asked, source: Source, corpus: Corpus, limits: Limits) -> list[Part]:
    """What a source's section says of one thing that is compared, and then of the other, where it has a passage on
    each; else nothing."""
    section = _section(source, corpus)
    about = [next((passage for passage in section if is_about(asked, number, passage)), None) for number in (0, 1)]
    found = sorted((passage for passage in about if passage is not None), key=lambda passage: passage.position)
    if len(found) < 2:
        return []
    first, second = ([*stretch(asked, section, passage, limits)] for passage in found)
    told = {quote.passage.id for part in first for quote in part.quotes}
    return [*first, *(part for part in second if not told & {quote.passage.id for quote in part.quotes})]


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
