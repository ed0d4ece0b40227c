"""What the citations of an answer are: passages, footnotes that they share, and what of them may be shown.

Passages of one section share a footnote, as in an encyclopedia. In records and `cited.json` each passage has a number
of its own, its `sid`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from mkdocs_cited.answer_text.citing import renumber
from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.markers import SLOT
from mkdocs_cited.model.address import ATTRIBUTE
from mkdocs_cited.model.answer import PERSON, Answer, Draft
from mkdocs_cited.model.declaration import Target
from mkdocs_cited.model.source import Page, Passage, Source, SourceType
from mkdocs_cited.render.labels import Labels

PROSE = Target.PROSE
"""The target of the answer that a page's marked claims are."""
MARKED = f'<span {ATTRIBUTE}="{{}}"></span>'
"""The element that stands for a mark, with the number of its claim."""
_SLOT = re.compile(MARKED.format(r"(\d+)"))
_WRITTEN = re.compile(MARKED.format(r"(?!\d+\")[^\"<>]+"))
"""The element of a mark of a built page, with what was written (`site_host.published`)."""
_JOINED = (SourceType.PAGE, SourceType.ARCHIVE, SourceType.DEFINITION, SourceType.FILE)
"""Of other types, each passage has a footnote of its own."""


def cited_passage(answer: Answer, source: Source) -> tuple[Passage, str]:
    """The passage that a source's number stands for, with the quote: the source's own, or one of its context."""
    citation = next((item for item in answer.citations if item.sid == source.sid), None)
    if citation is None:
        return source.passage, ""
    around = {passage.id: passage for passage in source.context}
    return around.get(citation.passage, source.passage), citation.quote


def byline(page: Page, labels: Labels) -> str:
    """Author and date of a page, as far as they are known."""
    date = (
        labels("updated", date=page.modified[:10])
        if page.modified
        else page.published[:10]
    )
    return ", ".join(filter(None, (page.author, date)))


def last_review(answer: Answer) -> tuple[str, tuple[str, ...]]:
    """ISO 8601 date of the last review of an answer by a person, and all who took part in one; empty for none."""
    judged = [item.judgement for item in answer.claims]
    prefix = f"{PERSON}:"
    names = set()
    for item in judged:
        if item.reviewer.startswith(prefix):
            names.add(item.reviewer.removeprefix(prefix))
    dates = [*(item.date for item in judged), answer.accepted_on]
    return max(dates), tuple(sorted({*names, *filter(None, (answer.accepted_by,))}))


class Part(Struct, frozen=True):
    """A cited passage, with what is quoted of it."""

    source: Source
    passage: Passage
    quote: str


class Group(Struct, frozen=True):
    """The passages of one footnote."""

    n: int
    """Its number on the page, by first appearance in the text, from 1."""
    parts: tuple[Part, ...]
    """In the order of their page."""

    @property
    def sids(self) -> frozenset[int]:
        return frozenset(part.source.sid for part in self.parts)


def grouped(answer: Answer) -> tuple[Group, ...]:
    """The footnotes of an answer, in order of their numbers."""
    places: dict[tuple[str, str, int], list[Part]] = {}
    for source in sorted(answer.sources, key=lambda source: source.sid):
        passage, quote = cited_passage(answer, source)
        alone = 0
        if passage.page.type not in _JOINED:
            alone = source.sid
        place = (passage.page.src, passage.section.anchor, alone)
        places.setdefault(place, []).append(Part(source, passage, quote))
    return tuple(
        Group(n, tuple(sorted(parts, key=lambda part: part.passage.position)))
        for n, parts in enumerate(places.values(), 1)
    )


def without_quiet(answer: Answer) -> Answer:
    """The claims whose citations readers see, numbered by themselves."""
    if not answer.quiet or not answer.content:
        return answer
    blocks = answer.content.split("\n\n")
    content = "\n\n".join(
        block for number, block in enumerate(blocks) if number not in answer.quiet
    )
    draft = renumber(
        Draft(content, answer.citations, answer.sources, answer.provider),
        markers(content),
    )
    number_of = {source.passage.id: source.sid for source in draft.sources}
    sids = {
        source.sid: number_of[source.passage.id]
        for source in answer.sources
        if source.passage.id in number_of
    }
    claims = tuple(
        replace(
            item,
            claim=replace(item.claim, sids=tuple(sids[sid] for sid in item.claim.sids)),
        )
        for item in answer.claims
        if answer.content.count("\n\n", 0, item.claim.start) not in answer.quiet
        and all(sid in sids for sid in item.claim.sids)
    )
    return replace(
        answer,
        content=draft.content,
        sources=draft.sources,
        citations=draft.citations,
        claims=claims,
    )


def in_order(html: str, claims: Sequence[int | None]) -> str:
    """A page whose marks have the number of a claim each, or are gone, or stay as they are (`PageHtml.marks`)."""
    left = iter(claims)

    def numbered(match: re.Match[str]) -> str:
        claim = next(left, None)
        if claim is None:
            return match[0]
        if claim >= 0:
            return MARKED.format(claim)
        return ""

    return _WRITTEN.sub(numbered, html)


def fill(html: str, marks: Sequence[str]) -> str:
    """A page with the citations of its own claims."""
    return _SLOT.sub(
        lambda match: marks[int(match[1])] if int(match[1]) < len(marks) else "", html
    )


def marks_come_first(html: str) -> bool:
    """True if a page makes a claim of its own before its first answer."""
    mark, place = _SLOT.search(html), SLOT.search(html)
    return mark is not None and (place is None or mark.start() < place.start())
