"""The index of a site's passages: `model.source.Corpus` over a database that is stored between builds."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeVar, cast

import msgspec

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.text import collapse, digest, glob_matches, language_of, slugify
from mkdocs_cited.model.source import (
    Asked,
    Hit,
    Page,
    Passage,
    Refused,
    Scope,
    Section,
    SourceType,
)
from mkdocs_cited.search.ranking import Question, asked, rank, understand
from mkdocs_cited.search.rows import Content, Rendered, Stored, decode_passage
from mkdocs_cited.search.store import Row, Store
from mkdocs_cited.sources.addressed import Addressed
from mkdocs_cited.sources.headings import (
    fitting,
    headings_of,
    names_of,
    positions_under,
)
from mkdocs_cited.sources.reach import Reach, Repository
from mkdocs_cited.sources.web.addresses import with_whole_names

T = TypeVar("T")
_NOWHERE = Path("/nowhere")
"""Where an index without a project looks for files: it finds none."""
_HITS = msgspec.msgpack.Decoder(list[tuple[str, float, str, float]])
"""Id of a passage, relevance, reason and score of each hit of a search."""
_MOST_HELD = 5000
"""Passages, pages and questions that stay in memory once they were asked for."""


class Index:
    """Every passage of one build, searchable. Made with `open`, filled with `sync`.

    A damaged database is thrown away and built again; where none can be written, the build goes on in memory. Several
    threads may ask it: one is answered at a time.
    """

    def __init__(self, store: Store) -> None:
        self._alone = threading.RLock()
        self._store = store
        self._documents: Sequence[tuple[Page, Content | None]] = ()
        self.repository = Repository(_NOWHERE)
        """The files that marks may cite besides."""
        self._held: dict[object, Any] = {}
        self._searches: dict[str, bytes] = {}
        """Key of each search that was made → what it found, as the store has it."""

    @classmethod
    def open(cls, folder: Path | None, name: str = "site") -> Self:
        """The index `name` in a folder (which is made if need be); in memory for None. Never fails for what is there.

        Raises:
            CitedError: the SQLite of this Python has no full-text search.
        """
        try:
            return cls(
                Store(
                    folder / f"{slugify(name, fallback='site')}.sqlite3"
                    if folder
                    else None
                )
            )
        except sqlite3.OperationalError as error:
            tip = "use a Python whose SQLite has it: that of python.org, conda, Debian and most others"
            raise CitedError(
                f"the SQLite of this Python has no FTS5 ({error})", tip=tip
            ) from error

    def sync(
        self,
        documents: Iterable[tuple[Page, Content | None]],
        rendered: Rendered | None = None,
    ) -> int:
        """Make the index hold exactly these documents, and the store these rendered pages (`Store.sync`).

        Unchanged ones cost a hash.
        """
        with self._alone:
            self._documents = tuple(documents)
            self._held.clear()
            self._searches.clear()
            return self._store.sync(self._documents, rendered)

    def marks(self) -> dict[str, bytes]:
        """What the last build stored of its pages' marks; nothing where the store is damaged."""
        try:
            return self._store.marks()
        except sqlite3.DatabaseError:
            return {}

    def keep_marks(self, found: Mapping[str, bytes]) -> None:
        """Store what the next build need not read again of its pages' marks."""
        self._store.keep_marks(found)

    def rendered(self) -> Rendered | None:
        """The rendered pages of the last build; nothing where none are stored, or the store is damaged."""
        try:
            return self._store.rendered()
        except sqlite3.DatabaseError:
            return None

    def close(self) -> None:
        """Let go of the database file."""
        self._store.close()

    def pages(self) -> Sequence[Page]:
        return self._ask(lambda: tuple(page for _, page in self._all()))

    def passage(self, passage_id: str) -> Passage | None:
        found = self._ask(lambda: self._named(passage_id))
        if found is None:
            page, _, anchor = passage_id.rpartition("~")[0].partition("#")
            for item in self._in_file(page, anchor):
                if item.id == passage_id:
                    return item
        return found

    def section(self, page: str, anchor: str) -> Sequence[Passage]:
        return self._ask(lambda: self._section(page, anchor)) or self._in_file(
            page, anchor
        )

    def anchors(self, page: str) -> Sequence[str]:
        headings = headings_of(self.sections(page))
        names = [heading.name for heading in headings]
        names += [heading.section.anchor for heading in headings]
        file = self._file(page)
        if file:
            names += self.addressed.names(file)
        return tuple(filter(None, dict.fromkeys(names)))

    def named(self, path: str, *, on: str, file: str, locale: str) -> Page | Refused:
        return self._reach.page(path, on=on, file=file, locale=locale)

    def several(self, page: str, anchor: str) -> Sequence[str]:
        file = self._file(page)
        if file:
            return self.addressed.several(file, anchor)
        headings = fitting(headings_of(self.sections(page)), anchor)
        if len(headings) > 1:
            return names_of(headings)
        return ()

    @cached_property
    def addressed(self) -> Addressed:
        """Finds keys, names and regions in files, which no search knows."""
        return Addressed(self.repository.root)

    @property
    def _reach(self) -> Reach:
        return self._once(("reach",), lambda: Reach(self.pages(), self.repository))

    def _in_file(self, page: str, anchor: str) -> tuple[Passage, ...]:
        """What an address names in a file."""
        file = self._file(page)
        return self.addressed.section(file, anchor) if file else ()

    def _file(self, src: str) -> Page | None:
        """The file at a path: one of `extra_sources`, or else one that a mark alone may cite."""
        stored = self._ask(lambda: self._at(src))
        if stored is not None:
            return (
                stored.page
                if stored.page.type in (SourceType.FILE, SourceType.NOTE)
                else None
            )
        page = (
            self._once(("file", src), lambda: self.repository.page(src))
            if src
            else None
        )
        return page if isinstance(page, Page) else None

    def sections(self, page: str) -> Sequence[Section]:
        stored = self._ask(lambda: self._at(page))
        if stored is not None:
            return stored.sections
        file = self._file(page)
        return self.addressed.sections(file) if file else ()

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        return self._ask(lambda: self._stored_hits(query, scope, limit))

    def keep_searches(self) -> None:
        """Store what searches have found: as long as no document changes, the next build need not search again."""
        with self._alone:
            self._store.keep_searches(self._searches)
            self._searches.clear()

    def asked(self, question: str, locale: str) -> Asked:
        language = language_of(locale)
        return self._ask(
            lambda: asked(self._understood(question, language), question, language)
        )

    def _ask(self, question: Callable[[], T]) -> T:
        """Ask the database; when it turns out to be damaged, ask again what is built again in memory.

        A question is whole: what it reads, it decodes, for a row's number means nothing in another database.
        """
        with self._alone:
            try:
                return question()
            # or a row of another type
            except (
                sqlite3.DatabaseError,
                msgspec.DecodeError,
                TypeError,
                IndexError,
            ):
                self._store.forget()
                self._held.clear()
                self._searches.clear()
                self._store.sync(self._documents)
                return question()

    def _once(self, key: tuple[object, ...], made: Callable[[], T]) -> T:
        """What is asked for again and again, from memory where it is there."""
        if key not in self._held:
            if len(self._held) >= _MOST_HELD:
                self._held.clear()
            self._held[key] = made()
        return cast("T", self._held[key])

    def _all(self) -> tuple[tuple[int, Page], ...]:
        def everything() -> tuple[tuple[int, Page], ...]:
            # of most pages, one copy is enough
            given = {page: page for page, _ in self._documents}
            return tuple(
                (number, given.get(page, page)) for number, page in self._store.pages()
            )

        return self._once(("all",), everything)

    def _at(self, src: str) -> Stored | None:
        """The document at a path."""
        number = self._once(("at", src), lambda: self._store.number(src))
        return None if number is None else self._document(number)

    def _document(self, number: int) -> Stored:
        return self._once(("document", number), lambda: self._store.document(number))

    def _section(self, page: str, anchor: str) -> Sequence[Passage]:
        stored = self._at(page)
        if stored is None:
            return ()
        if not anchor:
            return self._passages_of(self._store.in_document(stored.id))
        headings = fitting(headings_of(stored.sections), anchor)
        if len(headings) != 1 and anchor not in [
            heading.section.anchor for heading in headings
        ]:
            return ()
        positions = positions_under(headings[0], stored.sections)
        return self._passages_of(self._store.in_sections(stored.id, positions))

    def _stored_hits(self, query: str, scope: Scope, limit: int) -> Sequence[Hit]:
        """What a search finds, from the store where it is there."""
        key = digest(query, repr(scope), str(limit))
        stored = self._searches.get(key) or self._store.searched(key)
        if stored is None:
            hits = self._hits(query, scope, limit)
            rows = [
                (hit.passage.id, hit.relevance, hit.reason, hit.score) for hit in hits
            ]
            self._searches[key] = msgspec.msgpack.encode(rows)
            return hits
        found = []
        for name, relevance, reason, score in _HITS.decode(stored):
            passage = self._named(name)
            if passage is not None:
                found.append(Hit(passage, relevance, reason, score))
        return tuple(found)

    def _hits(self, query: str, scope: Scope, limit: int) -> Sequence[Hit]:
        question = self._understood(query, language_of(scope.locale))
        allowed, skipped = self._allowed(scope), self._skipped(scope)
        return rank(
            self._store,
            self._numbered,
            question,
            limit=limit,
            documents=allowed,
            skip=skipped,
        )

    def _understood(self, query: str, language: str) -> Question:
        """A question as this site understands it: it is asked for several times on its way."""
        return self._once(
            ("question", query, language),
            lambda: understand(self._store, query, language),
        )

    def _named(self, name: str) -> Passage | None:
        row = self._store.named(name)
        return self._passages_of([row])[0] if row else None

    def _numbered(self, first: int, last: int) -> Sequence[Passage]:
        """The passages with these numbers and those between."""
        return self._passages_of(self._store.numbered(first, last))

    def _passages_of(self, rows: Iterable[Row]) -> tuple[Passage, ...]:
        """The passages of these rows."""

        def passage(number: int, document: int, data: bytes) -> Passage:
            return self._once(
                ("passage", number),
                lambda: decode_passage(self._document(document).sections, data),
            )

        return tuple(passage(*row) for row in list(rows))

    def _skipped(self, scope: Scope) -> frozenset[tuple[int, int]]:
        """(document, section) under headings that ask the question itself: they would answer it with itself."""
        page, _ = scope.asked_on
        stored = self._at(page) if page else None
        if stored is None:
            return frozenset()
        return frozenset(
            (stored.id, item.position)
            for item in stored.sections
            if asks_itself(item, scope)
        )

    def _allowed(self, scope: Scope) -> tuple[int, ...] | None:
        """Numbers of the documents in a scope; None when it is the whole site."""

        def allowed() -> tuple[int, ...] | None:
            everything = self._all()
            inside = tuple(
                number for number, page in everything if in_scope(page, scope)
            )
            return None if len(inside) == len(everything) else inside

        # The same for most questions, wherever they are asked.
        return self._once(
            ("scope", scope.include, scope.locale, scope.exclude_page), allowed
        )


def in_scope(page: Page, scope: Scope) -> bool:
    """Whether a question of this scope may be answered from a page. Superseded pages must be named by a glob."""
    if page.src == scope.exclude_page:
        return False
    published = page.type in (SourceType.PAGE, SourceType.ARCHIVE)
    if (
        scope.locale
        and published
        and language_of(page.locale) != language_of(scope.locale)
    ):
        return False
    if page.type is SourceType.ARCHIVE and not any(
        not glob.startswith("!") for glob in scope.include
    ):
        return False
    return glob_matches(page.src, with_whole_names(scope.include))


def asks_itself(section: Section, scope: Scope) -> bool:
    """Whether a section is under the heading of the question, on the page that asks it."""
    page, question = scope.asked_on
    return (
        bool(page)
        and section.page.src == page
        and _words_of(section.title) == _words_of(question)
    )


def _words_of(text: str) -> str:
    return collapse(
        "".join(char if char.isalnum() else " " for char in text.casefold())
    )
