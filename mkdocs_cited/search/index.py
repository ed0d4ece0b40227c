"""The index of a site's passages: `model.source.Corpus` over a database that is stored between builds."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeVar, cast

import msgspec
from msgspec.msgpack import Decoder

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import date_added, has_whole_history
from mkdocs_cited.base.text import (
    digest,
    glob_matches,
    language_of,
    letters,
    slugify,
)
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import (
    Asked,
    Hit,
    Page,
    Passage,
    Refused,
    Scope,
    Section,
    Source,
    SourceType,
)
from mkdocs_cited.search.ranking import rank, understand
from mkdocs_cited.search.rows import Content, chunks_of, decode
from mkdocs_cited.search.store import Chunk, Store
from mkdocs_cited.sources import Document
from mkdocs_cited.sources.addressed import AddressedFile
from mkdocs_cited.sources.cited import Reach
from mkdocs_cited.sources.files import Repository
from mkdocs_cited.sources.names import ambiguous, names_of, under_headings

T = TypeVar("T")
_NOWHERE = Path("/nowhere")
"""Where an index without a project looks for files: it finds none."""
_FOUND = "found"
_SOURCES = Decoder(tuple[Source, ...])
_VERSION = re.compile(r"\d[._-]\d")
"""What the name of a page has that tells of a release: `v2.4.md`, `upgrade-3-5.md`."""
_OF_SITE = (SourceType.PAGE, SourceType.ARCHIVE, SourceType.WEB)
"""Types of documents that are HTML, and no files of the repository."""
_MOST_CACHED = 1000
"""Entries of the cache in memory, which is cleared when it is full."""
_CANDIDATES = 150
"""Sections that are looked at closely, at most."""
_PER_PASSAGE = 3
"""And for each passage that is asked for."""


class Index:
    """Every passage of one build, searchable. Made with `open`, filled with `sync`.

    A damaged database is thrown away and built again; where none can be written, the build goes on in memory. Several
    threads may ask it: one is answered at a time.
    """

    def __init__(self, store: Store) -> None:
        self._lock = threading.RLock()
        self._store = store
        self._contents: Sequence[tuple[Page, Content | None]] = ()
        self._pages: dict[str, Page] = {}
        """Path of each document → its page, ordered by path."""
        self.repository = Repository(_NOWHERE)
        """The files that marks may cite besides."""
        self._cache: dict[object, Any] = {}
        self._found: dict[str, bytes] = {}
        """What was asked `once`, of these documents → what was found."""

    @classmethod
    def open(cls, folder: Path | None, name: str = "site") -> Self:
        """The index `name` in a folder (which is made if need be); in memory for None. Never fails for what is there.

        Raises:
            CitedError: the SQLite of this Python has no full-text search.
        """
        file = None
        if folder:
            file = folder / f"{slugify(name, fallback='site')}.sqlite3"
        try:
            return cls(Store(file))
        except sqlite3.OperationalError as error:
            tip = "use a Python whose SQLite has it: that of python.org, conda, Debian and most others"
            raise CitedError(
                f"the SQLite of this Python has no FTS5 ({error})", tip=tip
            ) from error

    def sync(self, documents: Iterable[tuple[Page, Content | None]]) -> int:
        """Make the index hold exactly these documents (`Store.sync`); unchanged ones cost a hash."""
        with self._lock:
            by_path = {page.src: (page, content) for page, content in documents}
            self._contents = tuple(by_path.values())
            self._pages = {src: by_path[src][0] for src in sorted(by_path)}
            self._cache.clear()
            return self._store.sync(self._contents)

    def stored(self, what: str) -> dict[str, bytes]:
        """What the last build stored of a kind, by its keys; nothing where the store is damaged."""
        try:
            return self._store.stored(what)
        except sqlite3.DatabaseError:
            return {}

    def keep(self, what: str, made: Mapping[str, bytes]) -> None:
        """Store what the next run need not make again: before `sync`, or as the last that is done with an index."""
        self._store.keep(what, made)

    def keep_found(self) -> None:
        """Store what was asked `once`, for the next build."""
        if self._found != self._known:
            self.keep(_FOUND, self._found)

    def close(self) -> None:
        """Let go of the database file."""
        self._store.close()

    def pages(self) -> Sequence[Page]:
        return tuple(self._pages.values())

    def passage(self, passage_id: str) -> Passage | None:
        page, _, anchor = passage_id.rpartition("~")[0].partition("#")
        for name in ("", anchor):
            for passage in self.section(page, name):
                if passage.id == passage_id:
                    return passage
        return None

    def section(self, page: str, anchor: str) -> Sequence[Passage]:
        document, file = self._document(page), self._file(page)
        if document and not anchor:
            return document.passages
        if file:
            return file.section(anchor)
        if document:
            return next(iter(under_headings(document, anchor).values()), ())
        return ()

    def anchors(self, page: str) -> Sequence[str]:
        file = self._file(page)
        if file:
            return file.names
        return names_of(self.sections(page))

    def named(self, path: str, declaration: Declaration) -> Page | Refused:
        reach = self._cached("reach", lambda: Reach(self.pages(), self.repository))
        return reach.page(path, declaration)

    def date(self, page: Page) -> str:
        folder, _, name = page.src.rpartition("/")
        dated = self._cached("dated", self._dated)
        is_post = dated[folder] > 0 or _VERSION.search(name)
        if page.published or not (is_post and page.file):
            return page.published
        root = self.repository.root
        if not self._cached("history", lambda: has_whole_history(root)):
            return ""
        return self._cached(("date", page.file), lambda: date_added(root, page.file))

    def _dated(self) -> Counter[str]:
        """Path of each folder → how many more of its pages have a date than have none."""
        counts: Counter[str] = Counter()
        for page in self.pages():
            counts[page.src.rpartition("/")[0]] += 1 if page.published else -1
        return counts

    def fault(self, page: str, anchor: str) -> Refused | None:
        document, file = self._document(page), self._file(page)
        if file:
            return file.fault(anchor)
        if document is None:
            return None
        names = [f"`#{name}`" for name in under_headings(document, anchor)]
        tip = (
            "write one of them, or give the first an id of its own: `## Heading {#id}`"
        )
        return ambiguous(f"{page}#{anchor}", names, tip)

    def _file(self, src: str) -> AddressedFile | None:
        """The file at a path, whose keys, names and regions marks cite: one of `extra_sources`, or else one that a mark
        alone may cite; no search finds these."""

        def read() -> AddressedFile | None:
            page = self._pages.get(src) or self.repository.page(src)
            if isinstance(page, Refused) or page.type in _OF_SITE:
                return None
            return AddressedFile(self.repository.root, page)

        return self._cached(("file", src), read)

    def sections(self, page: str) -> Sequence[Section]:
        document, file = self._document(page), self._file(page)
        if document:
            return document.sections
        if file:
            return file.document.sections
        return ()

    def asked(self, question: str, locale: str) -> Asked:
        language = language_of(locale)
        return self._ask(lambda: understand(self._store, question, language))

    def once(
        self, searched: str, made: Callable[[], tuple[Source, ...]]
    ) -> tuple[Source, ...]:
        name = digest(self._store.state, searched)
        try:
            sources = _SOURCES.decode(self._known[name])
        except (KeyError, msgspec.DecodeError):
            sources = made()
        self._found[name] = msgspec.msgpack.encode(sources)
        return sources

    @cached_property
    def _known(self) -> dict[str, bytes]:
        """What earlier builds have found."""
        return self.stored(_FOUND)

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        return self._ask(lambda: self._hits(query, scope, limit))

    def _hits(self, query: str, scope: Scope, limit: int) -> Sequence[Hit]:
        asked = self.asked(query, scope.locale)
        if not asked.words:
            return ()
        most = min(_CANDIDATES, _PER_PASSAGE * limit)
        found = self._store.find(asked.sought, most, self._allowed(scope))
        chunks = []
        for chunk in found:
            is_its_page = chunk.src == scope.asked_on[0]
            if is_its_page and asks_itself(self._passages_of(chunk)[0].section, scope):
                continue
            chunks.append(chunk)
        return rank(asked, chunks, self._passages_of, limit)

    def _ask(self, question: Callable[[], T]) -> T:
        """Ask the database; when it turns out to be damaged, ask again what is built again in memory."""
        with self._lock:
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
                self._cache.clear()
                self._store.sync(self._contents)
                return question()

    def _cached(self, key: object, made: Callable[[], T]) -> T:
        """What is cached under a key; made and cached where nothing is."""
        if key not in self._cache:
            if len(self._cache) >= _MOST_CACHED:
                self._cache.clear()
            self._cache[key] = made()
        return cast("T", self._cache[key])

    def _document(self, src: str) -> Document | None:
        """The document at a path."""
        page = self._pages.get(src)
        if page is None:
            return None
        return self._ask(
            lambda: self._cached(
                ("document", src), lambda: decode(page, self._store.document(src))
            )
        )

    def _passages_of(self, chunk: Chunk) -> Sequence[Passage]:
        """The passages that a chunk was made of."""
        document = self._document(chunk.src)
        assert document is not None  # noqa: S101 # for the type checker: it was found
        chunks = self._cached(("chunks", chunk.src), lambda: chunks_of(document))
        return chunks[chunk.number]

    def _allowed(self, scope: Scope) -> Sequence[str] | None:
        """Paths of the documents in a scope; None when it is the whole site."""

        def allowed() -> Sequence[str] | None:
            inside = []
            for page in self.pages():
                if in_scope(page, scope):
                    inside.append(page.src)
            return None if len(inside) == len(self._pages) else inside

        # The same for most questions, wherever they are asked.
        return self._cached(("scope", scope.include, scope.locale), allowed)


def in_scope(page: Page, scope: Scope) -> bool:
    """Whether a question of this scope may be answered from a page. Superseded pages must be named by a glob."""
    is_of_site = page.type in (SourceType.PAGE, SourceType.ARCHIVE)
    if scope.locale and is_of_site and page.language != language_of(scope.locale):
        return False
    is_named = any(not glob.startswith("!") for glob in scope.include)
    if page.type is SourceType.ARCHIVE and not is_named:
        return False
    return glob_matches(page.src, scope.include)


def asks_itself(section: Section, scope: Scope) -> bool:
    """Whether a section is under the heading of the question, on the page that asks it."""
    page, question = scope.asked_on
    is_on_it = page != "" and section.page.src == page
    return is_on_it and letters(section.title) == letters(question)
