"""Whether a recorded answer still answers today's question from passages that are there.

Whether its claims still hold is decided claim by claim, in `decisions`.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from msgspec import Struct

from mkdocs_cited.base.text import collapse, glob_matches, shorten
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Corpus, SourceType
from mkdocs_cited.records.following import locate
from mkdocs_cited.records.record import Record, RecordedCitation


class Fresh(Struct, frozen=True):
    """The record holds: the question is the same, and each cited passage is in its place, changed or not."""


class Moved(Struct, frozen=True):
    """The record holds, but a cited passage has moved: `record` has the new places."""

    record: Record
    places: tuple[tuple[str, str], ...]
    """Each place that a passage left, with the one where it is now."""


class Stale(Struct, frozen=True):
    """The record no longer holds: the question changed, or a passage that it cites is gone."""

    reasons: tuple[str, ...]
    """In words, the declaration first."""


def freshness(
    record: Record, declaration: Declaration, corpus: Corpus
) -> Fresh | Moved | Stale:
    """Compare a record with the declaration and the passages of today."""
    reasons = []
    if record.declaration != declaration.hash:
        reasons.append("the question or its keys have changed")
    citations = []
    places = []
    for citation in record.citations:
        located = locate(citation.at, citation.quote, corpus)
        passage = located.passage
        if passage is None:
            reasons.append(f"the cited passage {_named(citation, corpus)} is gone")
            continue
        named = bool(declaration.sources) and glob_matches(
            passage.page.src, declaration.sources
        )
        if passage.type is SourceType.ARCHIVE and not named:
            reasons.append(f"{passage.page.src}, which it cites, is superseded now")
            continue
        if located.moved:
            places.append((citation.at, passage.section.where))
            citation = replace(citation, at=passage.section.where, quote=located.quote)
        citations.append(citation)
    if reasons:
        return Stale(tuple(dict.fromkeys(reasons)))
    if places:
        return Moved(
            replace(record, citations=tuple(citations)), tuple(dict.fromkeys(places))
        )
    return Fresh()


def _named(citation: RecordedCitation, corpus: Corpus) -> str:
    """A passage that is gone, by its words; where it may have been a note's, without them."""
    page, _, _ = citation.at.partition("#")
    public = any(
        known.src == page and known.type is not SourceType.NOTE
        for known in corpus.pages()
    )
    if citation.type is SourceType.NOTE or not public:
        return f"of {PurePosixPath(page).name}"
    return f"“{shorten(collapse(citation.quote), 80)}” of {citation.at}"
