"""The table of contents of a site: its pages and their headings, all of them or those of the pages near a question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from mkdocs_cited.model.source import Corpus, Page, Scope, Section, SourceType
from mkdocs_cited.search.index import asks_itself, in_scope

_PAGES = 8
"""Pages near a question."""


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
    pages = [
        page
        for page in corpus.pages()
        if page.type is not SourceType.NOTE and in_scope(page, scope)
    ]
    pages.sort(key=lambda page: (rank.get(page.src, len(rank)), page.src))
    return tuple(heading for page in pages for heading in _of_page(page, corpus, scope))


def near(
    sections: Iterable[Section], corpus: Corpus, scope: Scope
) -> Iterator[tuple[Heading, ...]]:
    """The headings of each page that some sections are on, in the order of these. Of pages with equal headings (the
    same page of another version), the first stands for all."""
    pages = {
        section.page.src: section.page
        for section in sections
        if section.page.type is not SourceType.NOTE
    }
    seen: set[tuple[str, ...]] = set()
    for page in pages.values():
        headings = tuple(_of_page(page, corpus, scope))
        titles = tuple(heading.title for heading in headings)
        if titles in seen:
            continue
        seen.add(titles)
        yield headings
        if len(seen) == _PAGES:
            return


def _of_page(page: Page, corpus: Corpus, scope: Scope) -> Iterator[Heading]:
    yield Heading(page.src, page.title, 0)
    for section in corpus.sections(page.src):
        # the page's own heading says the same
        opens = section.level == 1 and section.title == page.title
        if (
            section.anchor
            and section.level
            and not opens
            and not asks_itself(section, scope)
        ):
            yield _heading(section)


def _heading(section: Section) -> Heading:
    return Heading(section.where, section.title, section.level)
