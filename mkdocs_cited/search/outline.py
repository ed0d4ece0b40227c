"""The table of contents of a site: its pages and their headings."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mkdocs_cited.model.source import Corpus, Page, Scope, SourceType
from mkdocs_cited.search.index import asks_itself, in_scope


class Heading(Struct, frozen=True):
    """One line of a table of contents."""

    where: str
    """Its address: `guide/keys.md` for a page, `guide/keys.md#rotate` for a section."""
    title: str
    level: int
    """0 for a page, 1…6 for a heading."""


def outline(
    corpus: Corpus, scope: Scope, order: Sequence[str] = ()
) -> tuple[Heading, ...]:
    """The pages of a scope and the headings on them, in the order of the navigation.

    Args:
        order: paths of pages as the navigation has them; pages that it lacks follow, by path. Notes are left out.
    """
    rank = {src: number for number, src in enumerate(order)}
    pages = []
    for page in corpus.pages():
        if page.type is not SourceType.NOTE and in_scope(page, scope):
            pages.append(page)
    pages.sort(key=lambda page: (rank.get(page.src, len(rank)), page.src))
    headings: list[Heading] = []
    for page in pages:
        headings += headings_on(page, corpus, scope)
    return tuple(headings)


def headings_on(page: Page, corpus: Corpus, scope: Scope) -> list[Heading]:
    """A page and its headings. What has no text below it is left out: a page that only asks, and an answer's question,
    are no places to read."""
    with_text = {item.section.position for item in corpus.section(page.src, "")}
    if not with_text:
        return []
    headings = [Heading(page.src, page.title, 0)]
    sections = corpus.sections(page.src)
    for place, section in enumerate(sections):
        # the page's own heading says the same
        opens = section.level == 1 and section.title == page.title
        if not (section.anchor and section.level) or opens:
            continue
        end = place + 1
        while end < len(sections) and sections[end].level > section.level:
            end += 1
        has_text = not with_text.isdisjoint(range(place, end))
        if has_text and not asks_itself(section, scope):
            headings.append(Heading(section.where, section.title, section.level))
    return headings
