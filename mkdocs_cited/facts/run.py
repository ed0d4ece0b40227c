"""Facts of a project: its pages are read, then its code, then each statement is compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from mkdocs_cited import code
from mkdocs_cited.code.interface import Definition, Kind, Reference
from mkdocs_cited.facts.files import ProjectFiles
from mkdocs_cited.facts.matching import Fact, Index, decided, is_named_by, last_name
from mkdocs_cited.facts.reading import Statement, statements
from mkdocs_cited.facts.stored import Page, Source, Stored, load, save, stamp
from mkdocs_cited.model.options import FactRule

_WORD = re.compile(r"[A-Za-z_$][\w$-]*")
_HOPS = 3
"""Files that a constant's value leads to, one after the other."""
_TESTS = {"test", "tests"}
"""Modules inside a file that hold its tests."""


def facts_of(
    root: Path, files: ProjectFiles, rules: Sequence[FactRule] = ()
) -> list[Fact]:
    """What the pages state, each with what the code says of it, in the order of the files.

    Args:
        root: what the paths of the files are relative to.
        rules: how else pages state values.
    """
    before = load(root)
    pages = {}
    stated: list[Statement] = []
    for file in files.pages:
        pages[file] = _page(root, file, before)
        stated += _all_stated(root, file, pages[file], rules)
    names = set[str]()
    for statement in stated:
        for name in statement.names:
            names |= spellings(name)
    sources = Sources(root, files.sources, before)
    sources.read(names)
    for _ in range(_HOPS):
        sources.read(sources.references(names))
    save(root, Stored(before.version, pages, sources.parsed))
    return decided(stated, Index(filter(_is_default, sources.definitions())))


def _page(root: Path, page: str, before: Stored) -> Page:
    """A page, read again where it has changed."""
    known = before.pages.get(page)
    now = stamp(root / page)
    if known and known.stamp == now:
        return known
    return Page(now, tuple(statements(_text(root / page), page)))


def _all_stated(
    root: Path, file: str, page: Page, rules: Sequence[FactRule]
) -> Iterator[Statement]:
    """What a page states; what a rule reads comes in the place of what is read without."""
    ours = [rule for rule in rules if is_named_by(file, rule.pages)]
    text = ""
    if ours:
        text = _text(root / file)
    places = set[tuple[int, str]]()
    for rule in ours:
        for statement in statements(text, file, rule):
            places.add((statement.line, statement.text))
            yield statement
    for statement in page.statements:
        if (statement.line, statement.text) not in places:
            yield statement


class Sources:
    """The files of code, each parsed once, when a name that is looked for appears in it."""

    def __init__(self, root: Path, files: tuple[str, ...], before: Stored) -> None:
        self.parsed: dict[str, Source] = {}
        self._stamps: dict[str, tuple[int, int]] = {}
        self._texts: dict[str, str] = {}
        self._words: dict[str, set[str]] = {}
        for file in files:
            known = before.sources.get(file)
            now = stamp(root / file)
            if known and known.stamp == now:
                self.parsed[file] = known
                continue
            self._stamps[file] = now
            self._texts[file] = _text(root / file)
            self._words[file] = set(_WORD.findall(self._texts[file]))

    def read(self, names: set[str]) -> None:
        """Parse the files that have one of these names and were not parsed before."""
        for file in [file for file, words in self._words.items() if words & names]:
            del self._words[file]
            self.parsed[file] = Source(
                self._stamps[file], code.definitions(self._texts.pop(file), file)
            )

    def definitions(self) -> Iterator[Definition]:
        """The definitions of the files that were parsed."""
        for source in self.parsed.values():
            yield from source.definitions

    def references(self, names: set[str]) -> set[str]:
        """The names of constants that are the values of others, or hold one of these names."""
        found = set[str]()
        for item in self.definitions():
            if isinstance(item.value, Reference):
                found.add(last_name(item.value))
            elif item.value in names and item.kind is Kind.CONSTANT:
                found.add(item.name)
        return found


def spellings(name: str) -> set[str]:
    """How code may write a name of the docs: `--cache-ttl` as `cache-ttl`, `cache_ttl`, `cacheTtl`, `CacheTTL`."""
    last = re.split(r"[./]", name.lstrip("-"))[-1]
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", last)
    lower = [part.lower() for part in parts]
    pascal = "".join(part.capitalize() for part in lower)
    camel = pascal[:1].lower() + pascal[1:]
    return {
        last,
        last.replace("-", "_"),
        "_".join(lower),
        "-".join(lower),
        "".join(lower),
        pascal,
        camel,
    }


def _is_default(definition: Definition) -> bool:
    """True if a definition may be a default: what tests define is none, and what only hands a value on."""
    value = definition.value
    if _TESTS & set(definition.scope) or value == definition.name:
        return False
    return not (isinstance(value, Reference) and last_name(value) == definition.name)


def _text(path: Path) -> str:
    """The text of a file; empty for one that is not there."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
