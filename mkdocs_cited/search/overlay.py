"""A corpus that stands on another one and is that one in all that it does not change."""

from __future__ import annotations

from collections.abc import Sequence

from mkdocs_cited.model.source import AskedWord, Corpus, Hit, Page, Passage, Scope, Section


class Overlay:
    """Subclasses change what they are for."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        return self.corpus.search(query, scope=scope, limit=limit)

    def pages(self) -> Sequence[Page]:
        return self.corpus.pages()

    def passage(self, passage_id: str) -> Passage | None:
        return self.corpus.passage(passage_id)

    def with_hash(self, passage_hash: str) -> Sequence[Passage]:
        return self.corpus.with_hash(passage_hash)

    def section(self, page: str, anchor: str) -> Sequence[Passage]:
        return self.corpus.section(page, anchor)

    def anchors(self, page: str) -> Sequence[str]:
        return self.corpus.anchors(page)

    def sections(self, page: str) -> Sequence[Section]:
        return self.corpus.sections(page)

    def asked(self, question: str, locale: str) -> Sequence[AskedWord]:
        return self.corpus.asked(question, locale)
