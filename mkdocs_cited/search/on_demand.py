"""The passages of a build whose index is made when somebody ranks, and not before.

A build whose answers stand in the repository asks for the passages that they cite: those pages alone are read.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property

from msgspec import Struct, field

from mkdocs_cited.model.source import AskedWord, Hit, Page, Passage, Scope, Section
from mkdocs_cited.search.index import Index, Inquiry, below
from mkdocs_cited.search.stored_rows import Content, document_of
from mkdocs_cited.sources.passages import Document, with_sentences

EVERY_PAGE = "*"
"""Stands for all pages among the paths of those that were read."""
LIST_OF_PAGES = "?"
"""Stands for what pages there are, whatever they say."""


class Read(Struct, frozen=True):
    """What was read of a site."""

    pages: set[str] = field(default_factory=set)
    """Paths, `EVERY_PAGE` or `LIST_OF_PAGES`."""
    inquiries: dict[Inquiry, None] = field(default_factory=dict)
    """What the index was asked, in order."""


_READ: ContextVar[Read | None] = ContextVar("what is read", default=None)


@contextmanager
def observed() -> Iterator[Read]:
    """What is read meanwhile, by this thread."""
    read = Read()
    before = _READ.set(read)
    try:
        yield read
    finally:
        _READ.reset(before)


def note(src: str) -> None:
    """Say that a page is read, or what else stands among such."""
    read = _READ.get()
    if read is not None:
        read.pages.add(src)


def _note_inquiry(inquiry: Inquiry, passages: Iterable[Passage] = ()) -> None:
    """Say that the index is asked, and gives these passages."""
    read = _READ.get()
    if read is not None:
        read.inquiries[inquiry] = None
        read.pages.update(passage.page.src for passage in passages)


class OnDemand:
    """A corpus that reads single pages from their content, and leaves the rest to an index."""

    def __init__(self, documents: Iterable[tuple[Page, Content | None]], indexed: Callable[[], Index]) -> None:
        """
        Args:
            documents: as an index takes them.
            indexed: makes the index, and brings it up to date with them.
        """
        self._contents = {page.src: (page, content) for page, content in reversed(tuple(documents))}
        self._indexed = indexed
        self._alone = threading.RLock()
        self._read: dict[str, Document] = {}
        self._passages: dict[str, Passage] = {}

    @cached_property
    def index(self) -> Index:
        """The index of all pages; made now, if nobody has ranked before."""
        return self._indexed()

    @property
    def read(self) -> Collection[str]:
        """Paths of the pages that were read by themselves; `EVERY_PAGE` once there is an index."""
        return [EVERY_PAGE] if self._is_indexed else self._read.keys()

    @property
    def _is_indexed(self) -> bool:
        return "index" in self.__dict__

    def pages(self) -> Sequence[Page]:
        note(LIST_OF_PAGES)
        return tuple(self._contents[src][0] for src in sorted(self._contents))

    def passage(self, passage_id: str) -> Passage | None:
        document = self._document(passage_id.rpartition("~")[0].partition("#")[0])
        if document is None:
            return self._indexed_pages().passage(passage_id)
        return next((self._whole(item) for item in document.passages if item.id == passage_id), None)

    def with_hash(self, passage_hash: str) -> Sequence[Passage]:
        found = self._indexed_pages().with_hash(passage_hash)
        _note_inquiry(Inquiry("with_hash", passage_hash), found)
        return found

    def section(self, page: str, anchor: str) -> Sequence[Passage]:
        document = self._document(page)
        if document is None:
            return self._indexed_pages().section(page, anchor)
        if not anchor:
            return tuple(map(self._whole, document.passages))
        places = {document.sections[place].position for place in below(document.sections, anchor)}
        return tuple(self._whole(item) for item in document.passages if item.section.position in places)

    def anchors(self, page: str) -> Sequence[str]:
        document = self._document(page)
        if document is None:
            return self._indexed_pages().anchors(page)
        return tuple(dict.fromkeys(section.anchor for section in document.sections if section.anchor))

    def sections(self, page: str) -> Sequence[Section]:
        document = self._document(page)
        return self._indexed_pages().sections(page) if document is None else document.sections

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        hits = self._indexed_pages().search(query, scope=scope, limit=limit)
        _note_inquiry(Inquiry("search", query, scope), (hit.passage for hit in hits))
        return hits

    def asked(self, question: str, locale: str) -> Sequence[AskedWord]:
        _note_inquiry(Inquiry("asked", question, Scope(locale=locale)))
        return self._indexed_pages().asked(question, locale)

    def rests_on(self, inquiry: Inquiry) -> str:
        """Digest of what the index's reply to an inquiry rests on now (`Index.rests_on`)."""
        return self._indexed_pages().rests_on(inquiry)

    def _indexed_pages(self) -> Index:
        with self._alone:
            return self.index

    def _document(self, src: str) -> Document | None:
        """A page with its passages; nothing where the index knows it better, or alone."""
        note(src)
        with self._alone:
            if src not in self._read and src in self._contents:
                page, content = self._contents[src]
                if content is None or self._is_indexed:
                    return None
                self._read[src] = document_of(page, content)
            return self._read.get(src) or Document(Page(src, "", ""), (), ())

    def _whole(self, passage: Passage) -> Passage:
        """A passage with its sentences."""
        if passage.id not in self._passages:
            self._passages[passage.id] = with_sentences(passage)
        return self._passages[passage.id]
