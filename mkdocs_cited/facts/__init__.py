"""Facts of a project: what the docs say that code and configuration decide, and whether it is so. Its pages are read,
then its code, then each statement is compared. Nothing needs a mark.

What was read of a file is stored, so that a second run reads only what has changed. The store may be deleted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from mkdocs_cited import __version__, code
from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import (
    has_whole_history,
    make_cache,
    write_atomically,
)
from mkdocs_cited.base.text import letters
from mkdocs_cited.code.interface import Definition, Kind, Reference
from mkdocs_cited.facts.files import ProjectFiles, text_of
from mkdocs_cited.facts.history import History
from mkdocs_cited.facts.matching import (
    Fact,
    Index,
    decided,
    is_named_by,
    parts_of,
)
from mkdocs_cited.facts.reading import Statement, statements
from mkdocs_cited.model.options import FactRule

_VERSION = f"{__version__}/22"
"""Its last number is raised when a reader returns something else for the same file."""
_FILE = Path(".cache/plugin/cited/facts.msgpack")
_WORD = re.compile(r"[a-z][a-z0-9]*")
_HOPS = 3
"""Files that a constant's value leads to, one after the other."""

_TESTS = frozenset(("test", "tests"))
"""Modules inside a file that hold its tests."""

Stamp = tuple[int, int]


class Page(Struct, frozen=True, array_like=True):
    """A page as it was read."""

    stamp: Stamp
    statements: tuple[Statement, ...]


class Source(Struct, frozen=True, array_like=True):
    """A file of code as it was read."""

    stamp: Stamp
    definitions: tuple[Definition, ...]
    former: dict[str, tuple[Definition, ...]] = {}
    """What some of them were before, as far as it was asked."""


class Stored(Struct):
    """All that was read, by path."""

    version: str = ""
    """Of the readers, and whether git had the whole history."""
    pages: dict[str, Page] = {}
    sources: dict[str, Source] = {}


def facts_of(
    root: Path, files: ProjectFiles, rules: Sequence[FactRule] = ()
) -> list[Fact]:
    """What the pages state, each with what the code says of it, in the order of the files.

    Args:
        root: what the paths of the files are relative to.
        rules: how else pages state values.
    """
    version = f"{_VERSION}/{has_whole_history(root)}"
    before = _load(root, version)
    pages = {}
    stated: list[Statement] = []
    for file in files.pages:
        pages[file] = _page(root, file, before)
        stated += _all_stated(root, file, pages[file], rules)
    names = set[str]()
    for statement in stated:
        names.update(letters(parts_of(name)[-1]) for name in statement.names)
        value = parts_of(statement.text)
        if len(value) > 1 and all(map(str.isidentifier, value)):
            names.add(letters(value[-1]))  # it may be the name of another setting
    sources = _Sources(root, files.sources, before)
    sources.read(names)
    for _ in range(_HOPS):
        if not sources.read(sources.references(names)):
            break
    index = Index(filter(_is_default, sources.definitions()))
    found = decided(stated, index, sources.former)
    _save(root, Stored(version, before.pages | pages, sources.parsed))
    return found


def _page(root: Path, file: str, before: Stored) -> Page:
    """A page, read again where it has changed."""
    known = before.pages.get(file)
    stamp = _stamp(root / file)
    if known and known.stamp == stamp:
        return known
    return Page(stamp, tuple(statements(text_of(root / file), file)))


def _all_stated(
    root: Path, file: str, page: Page, rules: Sequence[FactRule]
) -> Iterator[Statement]:
    """What a page states; what a rule reads comes in the place of what is read without."""
    places = set[tuple[int, str]]()
    for rule in rules:
        if not is_named_by(file, rule.pages):
            continue
        for statement in statements(text_of(root / file), file, rule):
            places.add((statement.line, statement.text))
            yield statement
    for statement in page.statements:
        if (statement.line, statement.text) not in places:
            yield statement


class _Sources:
    """The files of code, each parsed once, when a name that is looked for appears in it."""

    def __init__(self, root: Path, files: tuple[str, ...], before: Stored) -> None:
        self.root = root
        self.parsed: dict[str, Source] = {}
        self._history = History(root)
        self._words: dict[str, set[str]] = {}
        """Of the files that were not parsed, in small letters."""
        for file in files:
            known = before.sources.get(file)
            if known and known.stamp == _stamp(root / file):
                self.parsed[file] = known
            else:
                self._words[file] = _words(text_of(root / file))

    def read(self, names: set[str]) -> bool:
        """Parse the files that have one of these names, in any writing, and were not parsed before; False if there is
        none."""
        before = len(self.parsed)
        for file, words in list(self._words.items()):
            if not words.isdisjoint(names):
                del self._words[file]
                path = self.root / file
                definitions = code.definitions(text_of(path), file)
                self.parsed[file] = Source(_stamp(path), definitions)
        return len(self.parsed) > before

    def definitions(self) -> Iterator[Definition]:
        """The definitions of the files that were parsed."""
        for source in self.parsed.values():
            yield from source.definitions

    def former(self, definition: Definition) -> tuple[Definition, ...]:
        """What a definition was before, the latest first."""
        known = self.parsed[definition.file].former
        key = f"{definition.line} {definition.name} {definition.kind}"
        if key not in known:
            known[key] = tuple(self._history.former(definition))
        return known[key]

    def references(self, names: set[str]) -> set[str]:
        """The names of constants that are the values of others, or hold one of these names."""
        found = set[str]()
        for item in self.definitions():
            if isinstance(item.value, Reference):
                found.add(letters(item.value.parts[-1]))
            text = item.value if isinstance(item.value, str) else ""
            if item.kind is Kind.CONSTANT and letters(text) in names:
                found.add(letters(item.name))
        return found


def _words(text: str) -> set[str]:
    """The words of a text with nothing between their parts: `cachettl` of `CACHE_TTL`, `--cache-ttl`, `cacheTtl`."""
    joined = text.lower().replace("_", "")
    whole = _WORD.findall(joined.replace("-", ""))
    return {*whole, *_WORD.findall(joined)}


def _is_default(definition: Definition) -> bool:
    """True if a definition may be a default: what tests define is none, and what only hands a value on."""
    value = definition.value
    if isinstance(value, Reference):
        value = value.parts[-1]
    is_rust = definition.file.endswith(".rs")
    is_of_tests = is_rust and not _TESTS.isdisjoint(definition.scope)
    return value != definition.name and not is_of_tests


def _stamp(path: Path) -> Stamp:
    """What changes when a file does: its time in nanoseconds and its size; zeros for one that is not there."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _load(root: Path, version: str) -> Stored:
    """What was read below a folder; nothing where it was not stored, or by another version."""
    with suppress(OSError, msgspec.MsgspecError):
        stored = msgspec.msgpack.decode((root / _FILE).read_bytes(), type=Stored)
        if stored.version == version:
            return stored
    return Stored()


def _save(root: Path, stored: Stored) -> None:
    """Store what was read; a folder that cannot be written to is left alone."""
    # halves of characters, and vast numbers, of code
    with suppress(OSError, CitedError, UnicodeError, OverflowError):
        make_cache((root / _FILE).parent)
        write_atomically(root / _FILE, msgspec.msgpack.encode(stored))
