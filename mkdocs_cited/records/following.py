"""A record next to the passages of today: each is in its place, changed in its place, or followed to another one.

A passage whose page and heading are still there has changed or is the same; it has not moved, whatever other passage
has its words. Under a renamed heading or on a renamed page it is found by its words. Addresses that an author wrote are
followed in `pipeline.run`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.text import collapse, glob_matches, shorten
from mkdocs_cited.language import NEAR, contains, nearest
from mkdocs_cited.model.answer import Citation, Draft
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import (
    Corpus,
    Page,
    Passage,
    PassageKind,
    Scope,
    Section,
    Source,
    SourceType,
)
from mkdocs_cited.records.record import Record, RecordedCitation

_CANDIDATES = 20


class Located(Struct, frozen=True, kw_only=True):
    """What a citation leads to today."""

    passage: Passage | None = None
    """`None` where nothing has its words any more."""
    quote: str = ""
    """What is quoted of it: the words of then, or today's where they have changed."""
    moved: bool = False
    """Whether it was followed from another place."""
    changed: bool = False


def locate(at: str, quote: str, corpus: Corpus) -> Located:
    """The passage that a citation quotes, as it is today.

    Args:
        at: page and heading where it was.
        quote: its words then.
        corpus: the site's passages.
    """
    page, _, anchor = at.partition("#")
    whole: Sequence[Passage] = ()
    if corpus.sections(page):
        here = corpus.section(page, anchor)
        if here or anchor in ("", *corpus.anchors(page)):
            own = [passage for passage in here if passage.section.anchor == anchor]
            return _within(quote, own or here)
        whole = corpus.section(page, "")
    on_its_page = replace(_within(quote, whole), moved=True)
    if on_its_page.passage and not on_its_page.changed:
        return on_its_page
    candidates = _searched(quote, corpus)
    # first those under a heading of the same name
    candidates.sort(key=lambda item: (item.section.anchor != anchor, item.id))
    elsewhere = _exact(quote, candidates)
    return Located(passage=elsewhere, quote=quote, moved=True)


def _within(quote: str, passages: Sequence[Passage]) -> Located:
    """The passage of a section that has these words, or has the nearest ones."""
    exact = _exact(quote, passages)
    if exact:
        return Located(passage=exact, quote=quote)
    owners = []
    texts = []
    for passage in passages:
        for text in (passage.text, *passage.sentence_texts()):
            owners.append(passage)
            texts.append(text)
    number = nearest(quote, texts, NEAR)
    if number < 0:
        return Located(changed=True)
    found = owners[number]
    same_words = contains(found.text, quote)
    return Located(passage=found, quote=texts[number], changed=not same_words)


def _exact(quote: str, passages: Iterable[Passage]) -> Passage | None:
    """The first of these passages that has a quotation word for word."""
    for passage in passages:
        if quote and quote in passage.text:
            return passage
    return None


def _searched(quote: str, corpus: Corpus) -> list[Passage]:
    """The passages of the whole site that a search for these words finds; none of superseded pages."""
    hits = corpus.search(quote, scope=Scope(), limit=_CANDIDATES)
    return [hit.passage for hit in hits if hit.passage.type is not SourceType.ARCHIVE]


def place_of(texts: Iterable[str], corpus: Corpus) -> tuple[Passage | None, bool]:
    """A passage that has these words today, and whether all of them are in its section as they were.

    It is the first one that has the words of one of these texts exactly or nearly, one without marks before others.
    """
    first = None
    exact = True
    for text in texts:
        plain = text.replace("`", "").replace(" | ", " ")
        candidates = sorted(_searched(plain, corpus), key=lambda item: item.marked)
        found = _within(plain, candidates)
        first = first or found.passage
        is_there = found.passage and first and found.passage.section == first.section
        exact = exact and bool(is_there) and not found.changed
    return first, exact


class Freshness(Struct, frozen=True):
    """Whether a recorded answer still answers today's question from passages that are there."""

    record: Record
    """With today's places of its citations."""
    stale: tuple[str, ...] = ()
    """Why it no longer holds, in words, the declaration first; empty while it does."""
    moved: tuple[tuple[str, str], ...] = ()
    """Each place that a cited passage left, with the one where it is now."""


def freshness(record: Record, declaration: Declaration, corpus: Corpus) -> Freshness:
    """Compare a record with the declaration and the passages of today. Whether its claims still hold is decided claim
    by claim, in the review."""
    stale: dict[str, None] = {}
    if record.declaration != declaration.hash:
        stale["the question or its keys have changed"] = None
    citations = []
    moved: dict[tuple[str, str], None] = {}
    for citation in record.citations:
        located = locate(citation.at, citation.quote, corpus)
        passage = located.passage
        if passage is None:
            stale[f"the cited passage {_named(citation, corpus)} is gone"] = None
            continue
        named = declaration.sources and glob_matches(
            passage.page.src, declaration.sources
        )
        if passage.type is SourceType.ARCHIVE and not named:
            stale[f"{passage.page.src}, which it cites, is superseded now"] = None
        if located.moved:
            where = passage.section.where
            moved[citation.at, where] = None
            citation = replace(citation, at=where, quote=located.quote)
        citations.append(citation)
    if stale:
        return Freshness(record, stale=tuple(stale))
    return Freshness(replace(record, citations=tuple(citations)), moved=tuple(moved))


def _named(citation: RecordedCitation, corpus: Corpus) -> str:
    """A passage that is gone, by its words; where it may have been a note's, without them."""
    gone = _gone(citation, corpus)
    if gone.is_private:
        return f"of {PurePosixPath(gone.page.src).name}"
    return f"“{shorten(collapse(citation.quote), 80)}” of {citation.at}"


def to_draft(record: Record, corpus: Corpus) -> Draft:
    """The record's answer as its writer gave it, with today's passages. One that is gone is replaced by its quote."""
    sources = []
    citations = []
    for item in sorted(record.citations, key=lambda item: item.sid):
        found = locate(item.at, item.quote, corpus)
        passage = found.passage or _gone(item, corpus)
        sources.append(Source(item.sid, passage, item.via))
        citations.append(Citation(item.sid, passage.id, found.quote or item.quote))
    return Draft(
        record.content,
        tuple(citations),
        tuple(sources),
        record.provider,
        record.model,
        record.prompt_version,
        record.spend,
    )


def _gone(citation: RecordedCitation, corpus: Corpus) -> Passage:
    """A passage with the words that a citation quotes, where today's site has none."""
    src, _, anchor = citation.at.partition("#")
    # Of a page that is nowhere any more, nobody can tell whether it was a note: nothing of it is published.
    page = Page(src, "", PurePosixPath(src).name, type=SourceType.NOTE)
    for known in corpus.pages():
        if known.src == src:
            page = known
    if citation.type is SourceType.NOTE:
        page = replace(page, type=SourceType.NOTE)
    return Passage(
        id=f"{citation.at}~gone",
        section=Section(page, anchor, page.title, 0, (page.title,)),
        kind=PassageKind.PARAGRAPH,
        text=citation.quote,
        type=page.type,
        hash="",
        sentences=((0, len(citation.quote)),),
    )
