"""Which footnotes an answer has: passages of one section share one, as in an encyclopedia.

In records and `cited.json` each passage keeps a number of its own, its `sid`.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.source import Passage, Source, SourceType
from mkdocs_cited.render.cited import cited_passage

_JOINED = (SourceType.PAGE, SourceType.ARCHIVE, SourceType.DEFINITION, SourceType.FILE)
"""Of other types, each passage has a footnote of its own."""


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
        alone = 0 if passage.page.type in _JOINED else source.sid
        place = (passage.page.src, passage.section.anchor, alone)
        places.setdefault(place, []).append(Part(source, passage, quote))
    return tuple(
        Group(n, tuple(sorted(parts, key=lambda part: part.passage.position)))
        for n, parts in enumerate(places.values(), 1)
    )


def numbers(groups: Iterable[Group]) -> dict[int, int]:
    """The `sid` of each source → the number of its footnote."""
    return {sid: group.n for group in groups for sid in group.sids}
