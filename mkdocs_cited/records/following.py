"""Where a cited passage is today: in its place, changed in its place, or followed to another one.

A passage whose page and heading are still there has changed or is the same; it has not moved, whatever other passage
has its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from mkdocs_cited.language.tokens import tokens
from mkdocs_cited.model.source import Corpus, Passage, Scope, SourceType
from mkdocs_cited.records.evidence import contains, nearest

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
    known = any(item.src == page for item in corpus.pages())
    if known and (
        not anchor or anchor in corpus.anchors(page) or corpus.section(page, anchor)
    ):
        here = corpus.section(page, anchor)
        own = [passage for passage in here if passage.section.anchor == anchor]
        return _within(quote, own or here, moved=False)
    if known:
        found = _within(quote, corpus.section(page, ""), moved=True)
        if found.passage and not found.changed:
            return found
    elsewhere = _exact(
        quote,
        sorted(
            _searched(quote, corpus),
            key=lambda item: (item.section.anchor != anchor, item.id),
        ),
    )
    if elsewhere:
        return Located(passage=elsewhere, quote=quote, moved=True)
    return _within(quote, corpus.section(page, "") if known else (), moved=True)


def _within(quote: str, passages: Sequence[Passage], *, moved: bool) -> Located:
    """The passage of a section that has these words, or has the nearest ones."""
    exact = _exact(quote, passages)
    if exact:
        return Located(passage=exact, quote=quote, moved=moved)
    pieces = (
        (passage, text)
        for passage in passages
        for text in (passage.text, *passage.sentence_texts())
    )
    found, text = nearest(quote, pieces)
    if found is None:
        return Located(changed=True)
    same_words = contains(found.text, tokens(quote))
    return Located(passage=found, quote=text, moved=moved, changed=not same_words)


def _exact(quote: str, passages: Iterable[Passage]) -> Passage | None:
    for passage in passages:
        if quote and quote in passage.text:
            return passage
    return None


def _searched(quote: str, corpus: Corpus) -> list[Passage]:
    hits = corpus.search(quote, scope=Scope(), limit=_CANDIDATES)
    return [hit.passage for hit in hits if hit.passage.type is not SourceType.ARCHIVE]


def place_of(texts: Iterable[str], corpus: Corpus) -> tuple[str, bool]:
    """The page and heading that have these words today, and whether all of them are there as they were.

    The place is the first one that has the words of one of these texts exactly or nearly; empty where none has.
    """
    place = ""
    exact = True
    for text in texts:
        plain = text.replace("`", "").replace(" | ", " ")
        found = _within(plain, _searched(plain, corpus), moved=True)
        where = ""
        if found.passage:
            where = found.passage.section.where
        place = place or where
        exact = exact and bool(where) and where == place and not found.changed
    return place, exact
