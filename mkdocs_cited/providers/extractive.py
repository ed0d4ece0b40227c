"""The default provider: it answers with the docs' own sentences, steps and code, word for word. Offline, repeatable.

It says which sections speak and in which order. Which of a section's parts are taken is `choosing`; how they become
Markdown is `verbatim`.
"""

from __future__ import annotations

from mkdocs_cited.model.answer import Abstention
from mkdocs_cited.model.declaration import AnswerFormat, Target
from mkdocs_cited.model.source import PassageKind, Section, Source, SourceType
from mkdocs_cited.providers.choosing import Budget, Part, Question, choose
from mkdocs_cited.providers.interface import Outcome, Provider, Request
from mkdocs_cited.providers.verbatim import compose

_SHAPES = {
    AnswerFormat.LIST: PassageKind.ITEM,
    AnswerFormat.STEPS: PassageKind.STEP,
    AnswerFormat.TABLE: PassageKind.ROW,
}
SECOND_SECTION = 0.75
"""A further section speaks too when its relevance is at least this share of the best one's."""
MOST_SECTIONS = 3


class Extractive(Provider):
    """Verbatim sentences, steps and code blocks, in an order that a person would write them in."""

    id = "extractive"

    def write(self, request: Request) -> Outcome:
        """The parts of the best sections that bear on the question, or an abstention when there are none."""
        declaration = request.declaration
        if declaration.target is not Target.MARKDOWN:
            reason = f"`extractive` writes Markdown only, not {declaration.target}"
            return Abstention(reason, request.sources, self.id)
        quotable = tuple(source for source in request.sources if source.passage.type is not SourceType.NOTE)
        if not quotable:
            return Abstention("nothing in the docs is relevant enough to the question", request.sources, self.id)
        parts = _parts(Question.of(declaration, quotable), _by_section(quotable, declaration.format))
        if not parts:
            return Abstention("no passage of the docs answers the question outright", request.sources, self.id)
        return compose(parts, declaration.format, self.id, quotable)


def _by_section(sources: tuple[Source, ...], wanted: AnswerFormat) -> list[tuple[Section, list[Source]]]:
    """The sections that the sources stand in, best first, each with its sources; of the good ones, those first that
    have the shape that is asked for."""
    grouped: dict[tuple[str, int], tuple[Section, list[Source]]] = {}
    for source in sources:
        section = source.passage.section
        grouped.setdefault((section.page.url, section.position), (section, []))[1].append(source)
    shape = _SHAPES.get(wanted)
    enough = SECOND_SECTION * max((source.query_relevance for source in sources), default=0.0)

    def fits(group: tuple[Section, list[Source]]) -> bool:
        return any(source.passage.kind is shape and source.query_relevance >= enough for source in group[1])

    return sorted(grouped.values(), key=lambda group: not fits(group))


def _parts(question: Question, sections: list[tuple[Section, list[Source]]]) -> list[Part]:
    """The answer's parts: the best section first, each section in its own order, within one budget."""
    strengths = [max(source.query_relevance for source in sources) for _, sources in sections]
    out: list[Part] = []
    budget, speaking = Budget(), 0
    for (section, sources), strength in zip(sections, strengths, strict=True):
        if speaking == MOST_SECTIONS or budget.spent or (out and strength < SECOND_SECTION * max(strengths)):
            break
        parts = choose(question, section, sources, budget, opening=not out)
        speaking += bool(parts)
        out += parts
    return out
