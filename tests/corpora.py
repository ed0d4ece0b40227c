"""A corpus of passages that a test names itself, held in memory; how it is searched is for whoever needs it to say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Asked, AskedWord, Hit, Page, Passage, Refused, Scope, Section, Source
from mkdocs_cited.search.rows import question_terms
from mkdocs_cited.sources.from_html import read


def extract(page: Page, html: str) -> tuple[Passage, ...]:
    """The passages of a rendered page."""
    return read(page, html).passages


@dataclass(frozen=True)
class InMemory:
    """A corpus in which nothing is found by searching; each word of a question has the same weight."""

    passages: tuple[Passage, ...]

    def pages(self) -> Sequence[Page]:
        return tuple(dict.fromkeys(item.page for item in self.passages))

    def passage(self, passage_id: str) -> Passage | None:
        return next((item for item in self.passages if item.id == passage_id), None)

    def section(self, page: str, anchor: str) -> Sequence[Passage]:
        return tuple(item for item in self.passages if item.page.src == page and anchor in ("", item.section.anchor))

    def anchors(self, page: str) -> Sequence[str]:
        return tuple(dict.fromkeys(item.section.anchor for item in self.passages if item.page.src == page))

    def sections(self, page: str) -> Sequence[Section]:
        return tuple(dict.fromkeys(item.section for item in self.passages if item.page.src == page))

    def asked(self, question: str, locale: str) -> Asked:
        terms = question_terms(question, locale)
        words = tuple(AskedWord(word, term, 1 / len(terms)) for term, word in terms.items())
        return Asked(question, locale, words)

    def named(self, path: str, declaration: Declaration) -> Page | Refused:
        found = next((page for page in self.pages() if page.src == path), None)
        return found or Refused(f"`{path}` is no page that may be cited", "")

    def date(self, page: Page) -> str:
        return page.published

    def fault(self, page: str, anchor: str) -> Refused | None:
        return None

    def once(self, searched: str, made: Callable[[], tuple[Source, ...]]) -> tuple[Source, ...]:
        return made()

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        return ()
