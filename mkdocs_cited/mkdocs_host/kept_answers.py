"""The answers of the last build, each kept with what it was made from: one is settled again when that has changed.

An answer is a function of its declaration, its record, the pages that were read for it, what the index replied, and
what all answers share: options, software, the day, files besides the pages. Nobody ranks anew to know whether the index
would reply the same: it tells what its replies rest on.

What is kept are values and no HTML: what a page shows is rendered anew from them, through the sanitiser, whatever they
say. The file's digest tells damage; it is no signature, and who may write into the folder may make one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sized

from msgspec import Struct

from mkdocs_cited.mkdocs_host import build_cache
from mkdocs_cited.model.answer import Answer, Spend
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.records import Store
from mkdocs_cited.search.index import Inquiry
from mkdocs_cited.search.on_demand import EVERY_PAGE, Read


class KeptAnswer(Struct, frozen=True):
    """An answer, and what it was made from."""

    declared: str
    """Digest of its declaration, its record and what waits beside that."""
    read: dict[str, str]
    """Path of each page that was read → what told it from any other."""
    replies: tuple[tuple[Inquiry, str], ...]
    """What the index was asked, and what its reply rested on."""
    answer: Answer


class KeptAnswers:
    """What one build knows of its answers before it settles any, and what it leaves for the next."""

    def __init__(
        self,
        file: build_cache.File,
        shared: str,
        pages: Mapping[str, str],
        rests_on: Callable[[Inquiry], str],
        store: Store,
    ) -> None:
        """
        Args:
            file: where they are kept.
            shared: key of what all answers depend on.
            pages: path of each page → what tells it from any other.
            rests_on: tells what the index's reply to an inquiry rests on now.
            store: the records.
        """
        self._file, self._shared, self._rests_on, self._store = file, shared, rests_on, store
        every = build_cache.key(f"{src}\0{mark}".encode() for src, mark in sorted(pages.items()))
        self._pages = {**pages, EVERY_PAGE: every}
        self._before = file.recall(shared, dict[str, KeptAnswer]) or {}
        self._kept: dict[str, KeptAnswer] = {}
        self.read: set[str] = set()
        """Paths of the pages that answers were made from; `EVERY_PAGE` among them where the index was asked."""

    def recall(self, declaration: Declaration) -> Answer | None:
        """The answer as it was settled before, if it would be settled so again."""
        kept = self._before.get(declaration.key)
        if kept is None or any(self._pages.get(src, "") != mark for src, mark in kept.read.items()):
            return None
        if kept.declared != self._declared(declaration) or kept.answer.key != declaration.key:
            return None
        if any(self._rests_on(inquiry) != rested for inquiry, rested in kept.replies):
            return None
        self._kept[declaration.key] = kept
        self._note(kept.read, kept.replies)
        return kept.answer

    def keep(self, declaration: Declaration, answer: Answer, read: Read) -> None:
        """Note an answer that was settled just now; not one that had to be paid for or could not be finished."""
        self._note(read.pages, read.inquiries)
        if answer.spend == Spend() and not any(finding.slug in build_cache.PASSING for finding in answer.findings):
            marks = {src: self._pages.get(src, "") for src in read.pages}
            replies = tuple((inquiry, self._rests_on(inquiry)) for inquiry in read.inquiries)
            self._kept[declaration.key] = KeptAnswer(self._declared(declaration), marks, replies, answer)

    def _note(self, pages: Iterable[str], asked: Sized) -> None:
        self.read.update(pages)
        if asked:
            self.read.add(EVERY_PAGE)

    def save(self) -> None:
        """Write down what is known now; nothing where that is what was known before."""
        if self._kept != self._before:
            self._file.keep(self._shared, self._kept)

    def _declared(self, declaration: Declaration) -> str:
        return build_cache.key((repr(declaration).encode("utf-8", "surrogatepass"), *self._records(declaration.key)))

    def _records(self, key: str) -> Iterable[bytes]:
        for proposal in (False, True):
            path = self._store.root / self._store.path(key, proposal=proposal)
            try:
                yield path.read_bytes() if path.is_file() else b""  # a pipe would never end
            except OSError:
                yield b""
