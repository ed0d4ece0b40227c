"""A list of questions put to the docs: which of them the docs answer, in part, or not at all, and what was nearest.

How such a list is read, and how the result is written down, is the command line's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.declaration import Declaration, Expected
from mkdocs_cited.model.explanation import Candidate, Explanation
from mkdocs_cited.model.finding import Severity
from mkdocs_cited.model.source import SourceType
from mkdocs_cited.pipeline.asking import asked
from mkdocs_cited.pipeline.expectations import BESIDE, SLUG
from mkdocs_cited.pipeline.pipeline import Pipeline
from mkdocs_cited.search.explaining import explained

PARTLY = "partly-answered"
"""The finding of an answer that speaks of a part of its question."""
_NEAREST = 3
"""Nearest sections that are named."""


class Coverage(StrEnum):
    """How far the docs answer a question."""

    NO = "no"
    PART = "in part"
    YES = "yes"
    OPEN = "open"
    """They do not, and are expected not to."""
    UNEXPECTED = "unexpected"
    """They do, and are expected not to."""


class Asked(Struct, frozen=True):
    """A question of a list, and what the docs made of it."""

    declaration: Declaration
    times: int
    """How often it stands in the list."""
    answer: Answer
    explanation: Explanation

    @property
    def coverage(self) -> Coverage:
        """How far the docs answer it. An answer that is beside the question is none."""
        slugs = {finding.slug for finding in self.answer.findings}
        if self.answer.status is Status.FAILED:
            return Coverage.NO
        if any(item.kind is Expected.NO_ANSWER for item in self.declaration.expect):
            return Coverage.UNEXPECTED if SLUG in slugs else Coverage.OPEN
        if not self.answer.content or BESIDE in slugs:
            return Coverage.NO
        return Coverage.PART if slugs & {PARTLY, SLUG} or self.answer.status is not Status.ACCEPTED else Coverage.YES

    @property
    def failed(self) -> bool:
        """Whether something that is expected of it, that it is answered for one, is not so, or nobody could tell."""
        if self.answer.status is Status.FAILED:
            return True
        return any(finding.slug == SLUG and finding.severity is Severity.ERROR for finding in self.answer.findings)

    @property
    def reason(self) -> str:
        """Why it is not answered, or not whole; empty when it is."""
        if self.coverage in (Coverage.YES, Coverage.OPEN):
            return ""
        wanted = (SLUG, PARTLY) if self.answer.content else ()
        said = [finding.message for finding in self.answer.findings if finding.slug in (*wanted, BESIDE)]
        return "; ".join(said) or self.answer.reason

    @property
    def nearest(self) -> tuple[Candidate, ...]:
        """The best candidate of each of the nearest sections that may be shown, the writer's choice first."""
        rank = {source.passage.id: number for number, source in enumerate(self.answer.consulted)}
        public = [c for c in self.explanation.candidates if c.passage.page.type is not SourceType.NOTE]
        ordered = sorted(public, key=lambda item: rank.get(item.passage.id, len(rank)))
        sections = {item.where: item for item in reversed(ordered)}
        return tuple(sections.values())[::-1][:_NEAREST]


def merged(declarations: Iterable[Declaration]) -> list[tuple[Declaration, int]]:
    """Each question once, with how often it was asked, the most asked first; how it is cased does not matter. Where
    something else is expected, or another page is to answer, it is another question."""
    times: dict[object, int] = {}
    first: dict[object, Declaration] = {}
    for item in declarations:
        expected = tuple((part.kind, part.value) for part in item.expect)
        options = (item.queries, item.sources, item.provider, item.format, item.length)
        name = (item.question.casefold().rstrip(" ?!."), options, expected)
        times[name] = times.get(name, 0) + 1
        first.setdefault(name, item)
    ranked = sorted(first, key=lambda name: -times[name])
    return [(first[name], times[name]) for name in ranked]


def ask_all(
    questions: Iterable[tuple[Declaration, int]],
    pipeline: Pipeline,
    progress: Callable[[Answer], None] = lambda _: None,
) -> Iterator[Asked]:
    """What the docs make of each question, in order; nothing is read from or kept in the repository.

    Args:
        questions: each with how often it is asked.
        pipeline: of a run that writes nothing.
        progress: called with each answer.
    """
    threshold = pipeline.settings.cite_threshold
    for declaration, times in questions:
        answer = asked(replace(declaration, page=""), pipeline)  # a list is no page that links could start from
        explanation = explained(declaration, pipeline.finding, threshold, answer=answer)
        progress(answer)
        yield Asked(declaration, times, answer, explanation)
