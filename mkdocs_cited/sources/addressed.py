"""What `path#address` names in a file: a value, a name in code, a heading, a marked region, a quoted text.

The index knows nothing of these passages: they are made when an author cites one. Their words come from the parsed
file, so that a comment or another layout changes none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, TypeGuard

from mkdocs_cited.base.files import text_of
from mkdocs_cited.base.text import collapse, linear
from mkdocs_cited.code import PythonText, definitions
from mkdocs_cited.code.interface import Definition, Entries, Items, Kind, Value
from mkdocs_cited.language.quantities import unit_of
from mkdocs_cited.model.declaration import MARKDOWN, Address
from mkdocs_cited.model.source import Page, Passage, PassageKind, Section
from mkdocs_cited.sources.from_files import PYTHON, document_of, paragraphs
from mkdocs_cited.sources.names import (
    Heading,
    Keys,
    fitting,
    headings_of,
    in_words,
    is_known,
    named,
    names_of,
    pointer,
    positions_under,
    resolved,
)
from mkdocs_cited.sources.passages import Builder, Document

_LANGUAGES = {".yml": "yaml", ".py": "python", ".pyi": "python"}
"""Ends of names of files whose language is called otherwise."""
_SET = ".*"
"""What ends the address of a whole set: `Phase.*`."""
_MOST = 2_000
"""The most passages that one address names."""
_BY_DEFAULT = frozenset((Kind.PARAMETER, Kind.OPTION, Kind.LOOKUP))
_REGION = re.compile(
    r"(?<![;-])-+8<-+[ \t]*\[[ \t]*(start|end)[ \t]*:[ \t]*([\w.-]+)[ \t]*\]"
)
"""The marks of `pymdownx.snippets`."""
_UNIT = re.compile(r"(?:#|//)[#/\s]*(?:in\s)?([^\W\d]+)")
"""How a comment behind a value begins that says its unit: `WAIT = 30  # minutes`."""


class Addressed:
    """The files of a project whose parts authors cite; each is read once."""

    def __init__(self, root: Path) -> None:
        """`root` is the folder that `Page.file` is relative to."""
        self._root = root
        self._files: dict[str, AddressedFile] = {}

    def file(self, page: Page) -> AddressedFile:
        """A file; empty where it cannot be read."""
        if page.file not in self._files:
            text = ""
            with suppress(OSError, ValueError):
                text = text_of(self._root / page.file)
            self._files[page.file] = AddressedFile(page, text)
        return self._files[page.file]


class AddressedFile:
    """One file. Its passages say nothing of its path, which may change."""

    def __init__(self, page: Page, text: str) -> None:
        self.page = page
        self.text = text
        self.lines = text.split("\n")
        self.suffix = PurePosixPath(page.file).suffix.lower()
        self.regions = _regions(text)

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        return definitions(self.text, self.page.file)

    @cached_property
    def python(self) -> PythonText:
        return PythonText(self.text if self.suffix in PYTHON else "")

    @cached_property
    def document(self) -> Document:
        """The file as it is searched."""
        return document_of(self.page, self.text, self.suffix)

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        if self.suffix in MARKDOWN:
            return headings_of(self.document.sections)
        return ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every address, for `did you mean`."""
        paths = [*(item.path for item in self.definitions), *self.python.blocks]
        names = [".".join(path) for path in paths if path]
        names += [heading.ids[0] for heading in self.headings]
        return tuple(dict.fromkeys((*names, *self.regions)))

    def section(self, address: str) -> tuple[Passage, ...]:
        """The passages under an address; empty when the file has no such name.

        Args:
            address: empty for the file as it is searched.
        """
        if not address:
            return self.document.passages
        for passages in self.named(address).values():
            return tuple(islice(passages, _MOST))
        return ()

    def several(self, address: str) -> tuple[str, ...]:
        """The addresses of everything that an address fits, where that is more than one thing."""
        names = tuple(self.named(address))
        if len(names) > 1:
            return names
        return ()

    def named(self, address: str) -> dict[str, Iterator[Passage]]:
        """The things of the first kind that an address fits: the name of each, and its passages."""
        quoted = Address("", address).pattern
        path = tuple(address.split("."))
        found = named(self.definitions, address.removesuffix(_SET))
        if quoted:
            return self._quoted(address, quoted)
        if found and address.endswith(_SET):
            return {address: self._set(address, found[0])}
        if found:
            return self._of_definitions(address, found)
        if address in self.regions:
            return {address: self._region(address)}
        if path in self.python.blocks:
            return {address: self._part(address, path)}
        headings = fitting(self.headings, address)
        passages = map(self._under, headings)
        return dict(zip(names_of(headings), passages, strict=True))

    def _of_definitions(
        self, address: str, items: Sequence[Definition]
    ) -> dict[str, Iterator[Passage]]:
        """The passages of definitions by their paths; as JSON Pointers, where dots do not tell them apart."""
        dotted = {item.path: ".".join(item.path) for item in items}
        are_told_apart = len(set(dotted.values())) == len(dotted)
        passages = {}
        for path, name in dotted.items():
            if not are_told_apart:
                name = pointer(path)
            same = [item for item in items if item.path == path]
            passages[name] = self._defined(address, same)
        return passages

    def _under(self, heading: Heading) -> Iterator[Passage]:
        """The passages of a heading and its sub-headings."""
        positions = positions_under(heading, self.document.sections)
        for passage in self.document.passages:
            if passage.section.position in positions:
                yield passage

    def _defined(self, address: str, items: Sequence[Definition]) -> Iterator[Passage]:
        """The passages of the definitions of one name; their lines alone, where they have several values."""
        first = items[0]
        values = [resolved(item.value, self.definitions) for item in items]
        is_one = all(value == values[0] for value in values)
        if is_one and not self.python.is_set_again(first.path):
            yield from self._of_value(address, first, values[0])
            return
        for item in items:
            yield from self._lines(address, item.lines)

    def _of_value(
        self, address: str, item: Definition, value: Value
    ) -> Iterator[Passage]:
        """What a definition says: its value, choices, other names and help; then its code, or what lies in it."""
        # an option that names no default has none that is known
        is_given = item.kind is not Kind.OPTION or value is not None or item.text
        if is_known(value) and is_given:
            yield self._stated(address, item, value)
        if isinstance(value, Entries) or _is_plain_list(value):
            yield self._listed(address, item, "has", value)
        if item.choices:
            yield self._listed(address, item, "is one of", Items(item.choices))
        if item.kind is Kind.OPTION and item.also:
            yield self._listed(address, item, "has as other names", Items(item.also))
        for words in paragraphs(item.help):
            yield self._passage(address, PassageKind.PARAGRAPH, words, item.lines)
        if is_known(value) and item.declared:
            yield self._passage(address, PassageKind.CODE, item.declared, item.lines)
        if is_known(value) or _is_plain_list(value):
            return
        inside = list(self._inside(item.path))
        for other in inside:
            yield self._stated(".".join(other.path), other, other.value)
        if not inside:
            yield from self._lines(address, item.lines)

    def _inside(self, path: Keys) -> Iterator[Definition]:
        """The definitions with a value that something holds."""
        for item in self.definitions:
            if item.scope[: len(path)] == path and is_known(item.value):
                yield item

    def _part(self, address: str, path: Keys) -> Iterator[Passage]:
        """A class or function: its docstring, the values in it, its statements."""
        for block in self.python.blocks[path]:
            for words in paragraphs(block.note):
                yield self._passage(address, PassageKind.PARAGRAPH, words, block.head)
        for item in self._inside(path):
            yield self._stated(".".join(item.path), item, item.value)
        for block in self.python.blocks[path]:
            yield from self._lines(address, block.lines)

    def _set(self, address: str, item: Definition) -> Iterator[Passage]:
        """All that a list, enumeration or mapping has: values, or names."""
        value = resolved(item.value, self.definitions)
        if not isinstance(value, (Items, Entries)):
            names = [
                other.name for other in self.definitions if other.scope == item.path
            ]
            value = Items(tuple(names))
        if value != Items(()):
            yield self._listed(address, item, "has", value)

    def _stated(self, address: str, item: Definition, value: Value) -> Passage:
        """A value as a sentence: `Cache.ttl is 30`, `--port of main is 80 by default`."""
        words = self._words(item, value)
        name, of, after = ".".join(item.path), "", ""
        if item.kind in _BY_DEFAULT:
            name, after = item.name, " by default"
        if item.kind in _BY_DEFAULT and item.scope:
            of = f" of {'.'.join(item.scope)}"
        before = f"{name}{of} is "
        return self._passage(
            address,
            PassageKind.PARAGRAPH,
            before + words + after,
            item.lines,
            code_spans=((0, len(name)), (len(before), len(before + words))),
            value=words,
        )

    def _words(self, item: Definition, value: Value) -> str:
        """A value in words, with the unit that a comment behind it tells."""
        words = collapse(in_words(value, python=self.suffix in PYTHON)) or "empty"
        if not isinstance(value, (int, float)):
            return words
        if isinstance(value, float) and item.text.replace(".", "").isdecimal():
            words = item.text  # 3.10 is no 3.1
        comment = _UNIT.search(self.lines[item.end_line - 1])
        if comment and unit_of(comment[1]):
            return f"{words} {comment[1]}"
        return words

    def _listed(
        self, address: str, item: Definition, says: str, value: Items | Entries
    ) -> Passage:
        """All that a name has, with how many they are: one more changes the sentence, wherever it stands."""
        count = len(value.pairs) if isinstance(value, Entries) else len(value.values)
        text = f"{'.'.join(item.path)} {says} {count}: {collapse(in_words(value))}"
        return self._passage(address, PassageKind.PARAGRAPH, text, item.lines)

    def _region(self, address: str) -> Iterator[Passage]:
        """The lines between two marks, as they are."""
        first, last = self.regions[address]
        lines = []
        for line in self.lines[first - 1 : last]:
            if not _REGION.search(line):
                lines.append(line.rstrip())
        text = "\n".join(lines).strip("\n")
        if text:
            yield self._passage(address, PassageKind.CODE, text, (first, last))

    def _lines(self, address: str, lines: tuple[int, int]) -> Iterator[Passage]:
        """The code in lines; of Python, the statements."""
        text = self.python.statements(lines)
        if not text:
            text = "\n".join(self.lines[lines[0] - 1 : lines[1]]).strip("\n")
        if text:
            yield self._passage(address, PassageKind.CODE, text, lines)

    def _quoted(self, address: str, written: str) -> dict[str, Iterator[Passage]]:
        """What a quoted text or regular expression with one group finds, line by line; of equal values, the first."""
        pattern = re.compile(f"{re.escape(written)}()")
        with suppress(ValueError):
            if linear(written).groups == 1:
                pattern = linear(written)
        found: dict[str, Passage] = {}
        for number, line in enumerate(self.lines, 1):
            match = pattern.search(line)
            if match:
                text, value = collapse(line), match[1] or ""
                lines = (number, number)
                passage = self._passage(
                    address, PassageKind.CODE, text, lines, value=value
                )
                found.setdefault(value or text, passage)
        passages = list(found.values())
        if passages and address.endswith(_SET):
            lines = (passages[0].lines[0], passages[-1].lines[1])
            text = ", ".join(found)
            passages = [self._passage(address, PassageKind.CODE, text, lines)]
        return {f"line {item.lines[0]}": iter((item,)) for item in passages}

    def _passage(
        self,
        address: str,
        kind: PassageKind,
        text: str,
        lines: tuple[int, int],
        **details: Any,
    ) -> Passage:
        """A passage without the path of its file, which may move. `details` are other fields of `Passage`."""
        builder = Builder(
            self.page, Section(self.page, address, address, 1, (address,))
        )
        language = ""
        if kind is PassageKind.CODE:
            language = _LANGUAGES.get(self.suffix, self.suffix[1:])
        builder.add(kind, text, lines=lines, language=language, **details)
        return builder.passages[0]


def _is_plain_list(value: Value) -> TypeGuard[Items]:
    return (
        isinstance(value, Items)
        and bool(value.values)
        and all(map(is_known, value.values))
    )


def _regions(text: str) -> dict[str, tuple[int, int]]:
    """The lines between the marks of each region; of regions with one name, the first."""
    started: dict[str, int] = {}
    regions: dict[str, tuple[int, int]] = {}
    for mark in _REGION.finditer(text):
        line = text.count("\n", 0, mark.start()) + 1
        name = mark[2]
        if mark[1] == "start":
            started.setdefault(name, line)
        elif name in started:
            regions.setdefault(name, (started[name] + 1, line - 1))
    return regions
