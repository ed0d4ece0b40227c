"""What `path#address` names in a file: a value, a name in code, a heading, a marked region, a quoted text.

The index knows nothing of these passages: they are made when an author cites one. Their words come from the parsed
file, so that a comment or another layout changes none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, TypeGuard

from mkdocs_cited.base.files import read_bounded
from mkdocs_cited.base.text import collapse, linear
from mkdocs_cited.base.values import replace
from mkdocs_cited.code import definitions
from mkdocs_cited.code.interface import Definition, Entries, Items, Kind, Value
from mkdocs_cited.language.quantities import unit_of
from mkdocs_cited.model.address import Address
from mkdocs_cited.model.source import Page, Passage, PassageKind, Section
from mkdocs_cited.sources.definitions import (
    Keys,
    in_words,
    is_known,
    named,
    pointer,
    resolved,
)
from mkdocs_cited.sources.from_files import MARKDOWN, PYTHON, document_of, paragraphs
from mkdocs_cited.sources.headings import (
    Heading,
    fitting,
    headings_of,
    names_of,
    positions_under,
)
from mkdocs_cited.sources.passages import Document, cut, passage_hash
from mkdocs_cited.sources.python_text import PythonText

WHOLE = "*"
"""The address of everything in a file."""
_SET = ".*"
"""What ends the address of a whole set: `Phase.*`."""
_MOST = 2_000
"""Passages of one address."""
_BY_DEFAULT = frozenset((Kind.PARAMETER, Kind.OPTION, Kind.LOOKUP))
_REGION = re.compile(
    r"(?<![;-])-+8<-+[ \t]*\[[ \t]*(start|end)[ \t]*:[ \t]*([\w.-]+)[ \t]*\]"
)
"""The marks of `pymdownx.snippets`."""
_COMMENT = re.compile(r"[ \t]*(?:#|//|--|;|\*)")
_UNIT = re.compile(r"(?:#|//)[#/\s]*(?:in\s)?([^\W\d]+)")
"""How a comment behind a value begins that says its unit: `WAIT = 30  # minutes`."""


class Addressed:
    """Finds what authors address in the files of a project; each file is read once."""

    def __init__(self, root: Path) -> None:
        """`root` is the folder that `Page.file` is relative to."""
        self._root = root
        self._files: dict[str, _File] = {}

    def section(self, page: Page, address: str) -> tuple[Passage, ...]:
        """The passages under an address of a file; empty when it has no such name.

        Args:
            page: the file.
            address: empty for the file as it is searched.
        """
        file = self._file(page)
        if address:
            return file.section(address)
        return file.document.passages

    def sections(self, page: Page) -> tuple[Section, ...]:
        """The parts of a file, in order."""
        return self._file(page).document.sections

    def several(self, page: Page, address: str) -> tuple[str, ...]:
        """The addresses of everything that an address fits, where that is more than one thing."""
        return self._file(page).several(address)

    def values(self, page: Page) -> Iterator[Passage]:
        """A passage for each value of a file."""
        yield from self._file(page).values()

    def names(self, page: Page) -> tuple[str, ...]:
        """Every address of a file, for `did you mean`."""
        return self._file(page).names()

    def _file(self, page: Page) -> _File:
        if page.file not in self._files:
            try:
                text = read_bounded(self._root / page.file).decode("utf-8-sig")
            except (OSError, ValueError):
                text = ""
            self._files[page.file] = _File(
                page, text.replace("\r\n", "\n").replace("\r", "\n")
            )
        return self._files[page.file]


class _File:
    def __init__(self, page: Page, text: str) -> None:
        self.page = page
        self.text = text
        self.lines = text.split("\n")
        self.suffix = PurePosixPath(page.file).suffix.lower()
        self.regions = dict(_regions(self.lines))

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

    def names(self) -> tuple[str, ...]:
        found = [".".join(item.path) for item in self.definitions]
        found += [".".join(path) for path in self.python.parts if path]
        found += [heading.ids[0] for heading in self.headings]
        return tuple(dict.fromkeys((*found, *self.regions)))

    def values(self) -> Iterator[Passage]:
        for item in self.definitions:
            if is_known(item.value):
                yield from self._defined(".".join(item.path), [item])

    def several(self, address: str) -> tuple[str, ...]:
        quoted = Address("", address).pattern
        if quoted:
            found = [f"line {line}" for line, _, _ in self._quoted(quoted)]
            if len(found) > 1 and not address.endswith(_SET):
                return tuple(found)
            return ()
        paths = list(
            dict.fromkeys(
                item.path for item in named(self.definitions, _of_set(address))
            )
        )
        if paths:
            dotted = [".".join(path) for path in paths]
            if len(set(dotted)) < len(paths):
                dotted = [pointer(path) for path in paths]
            if len(paths) > 1:
                return tuple(dotted)
            return ()
        if address in self.regions:
            return ()
        headings = fitting(self.headings, address)
        if len(headings) > 1:
            return names_of(headings)
        return ()

    def section(self, address: str) -> tuple[Passage, ...]:
        """The first kind of thing that has the address."""
        quoted = Address("", address).pattern
        if quoted:
            return tuple(self._of_quoted(address, quoted))
        if address == WHOLE:
            return tuple(self._whole())[:_MOST]
        found = named(self.definitions, _of_set(address)) or self._elements(address)
        path = tuple(address.split("."))
        if found and address.endswith(_SET):
            return tuple(self._set(address, found[0]))
        if found:
            return tuple(self._defined(address, found))[:_MOST]
        if address in self.regions:
            return tuple(self._block(address, self.regions[address]))
        if path in self.python.parts:
            return tuple(self._part(address, path))[:_MOST]
        for heading in fitting(self.headings, address):
            positions = positions_under(heading, self.document.sections)
            return tuple(
                item
                for item in self.document.passages
                if item.section.position in positions
            )
        return ()

    def _defined(self, address: str, items: Sequence[Definition]) -> Iterator[Passage]:
        """What the definitions of one name say: the value, or what a list or mapping holds."""
        item = items[0]
        values = [resolved(other.value, self.definitions) for other in items]
        value = values[0]
        # nobody knows which counts
        if (
            any(other != value for other in values)
            or item.path in self.python.set_again
        ):
            for other in items:
                yield from self._block(address, (other.line, other.end_line))
            return
        if is_known(value) and _is_given(item):
            yield self._stated(address, item, value)
        elif isinstance(value, Entries) or _is_plain_list(value):
            yield self._listed(address, item, "has {}", value)
        if item.choices:
            yield self._listed(address, item, "is one of {}", Items(item.choices))
        if item.kind is Kind.OPTION and item.also:
            yield self._listed(address, item, "has as other names {}", Items(item.also))
        for other in items:
            for words in paragraphs(self.python.help_at(other.line)):
                yield self._passage(
                    address, PassageKind.PARAGRAPH, words, (other.line, other.end_line)
                )
        bounded = self.python.bounded_at(item.line, item.text)
        if bounded and item.text and is_known(value) and not item.choices:
            yield self._passage(
                address, PassageKind.CODE, bounded, (item.line, item.end_line)
            )
        if not is_known(value) and not _is_plain_list(value):
            yield from self._held(address, item.path, item)

    def _elements(self, address: str) -> list[Definition]:
        """An element of a list by its number: `project.dependencies.0`."""
        base, _, number = address.rpartition(".")
        lists = named(self.definitions, base) if base and number.isdecimal() else []
        value = lists[0].value if len(lists) == 1 else None
        if not isinstance(value, Items) or int(number) >= len(value.values):
            return []
        return [
            replace(
                lists[0],
                name=number,
                scope=lists[0].path,
                value=value.values[int(number)],
            )
        ]

    def _held(
        self, address: str, path: Keys, item: Definition | None
    ) -> Iterator[Passage]:
        """What something holds that has no value of its own: the values in it, and its other statements."""
        stated: set[int] = set()
        for inner in self.definitions:
            if (
                inner is not item
                and inner.scope[: len(path)] == path
                and is_known(inner.value)
            ):
                stated.add(inner.line)
                yield self._stated(".".join(inner.path), inner, inner.value)
        lines = list(self.python.lines(path, without=stated))
        for line in lines:
            yield self._passage(address, PassageKind.CODE, line.text, line.lines)
        if not stated and not lines and item is not None:
            yield from self._block(address, (item.line, item.end_line))

    def _part(self, address: str, path: Keys) -> Iterator[Passage]:
        """A class or function: its docstring, the values in it, its statements."""
        for note in self.python.notes(path):
            for words in paragraphs(note):
                yield self._passage(
                    address, PassageKind.PARAGRAPH, words, self.python.head(path)
                )
        yield from self._held(address, path, None)

    def _whole(self) -> Iterator[Passage]:
        """Everything in a file, piece by piece."""
        if self.python.parts:
            yield from self._part(WHOLE, ())
        elif self.definitions and all(
            item.kind is Kind.KEY for item in self.definitions
        ):
            yield from self.values()
        else:
            for number, line in enumerate(self.lines, 1):
                if line.strip() and not _COMMENT.match(line):
                    yield self._passage(
                        WHOLE, PassageKind.CODE, collapse(line), (number, number)
                    )

    def _set(self, address: str, item: Definition) -> Iterator[Passage]:
        """All that a list, enumeration or mapping has: values, or names."""
        value = resolved(item.value, self.definitions)
        if isinstance(value, (Items, Entries)):
            yield self._listed(address, item, "has {}", value)
            return
        inner = [other.name for other in self.definitions if other.scope == item.path]
        if inner:
            yield self._listed(address, item, "has {}", Items(tuple(inner)))

    def _stated(self, address: str, item: Definition, value: Value) -> Passage:
        """A value as a sentence."""
        words = collapse(in_words(value, python=self.suffix in PYTHON)) or "empty"
        if isinstance(value, float) and item.text.replace(".", "").isdecimal():
            words = item.text  # 3.10 is no 3.1
        behind = (
            _UNIT.search(self.lines[item.end_line - 1])
            if isinstance(value, (int, float))
            else None
        )
        if behind and unit_of(behind[1]):
            words = f"{words} {behind[1]}"
        name, of = item.name, ""
        if item.kind not in _BY_DEFAULT:
            name = ".".join(item.path)
        elif item.scope:
            of = f" of {'.'.join(item.scope)}"
        before = f"{name}{of} is "
        after = ""
        if item.kind in _BY_DEFAULT:
            after = " by default"
        spans = ((0, len(name)), (len(before), len(before) + len(words)))
        return self._passage(
            address,
            PassageKind.PARAGRAPH,
            before + words + after,
            (item.line, item.end_line),
            code_spans=spans,
            value=words,
        )

    def _listed(
        self, address: str, item: Definition, says: str, value: Items | Entries
    ) -> Passage:
        """All that a name has, with how many they are: one more changes the sentence, wherever it stands."""
        count = len(value.pairs) if isinstance(value, Entries) else len(value.values)
        text = (
            f"{'.'.join(item.path)} {says.format(count)}: {collapse(in_words(value))}"
        )
        return self._passage(
            address, PassageKind.PARAGRAPH, text, (item.line, item.end_line)
        )

    def _block(self, address: str, lines: tuple[int, int]) -> Iterator[Passage]:
        first, last = lines
        shown = []
        for line in self.lines[first - 1 : last]:
            if not _REGION.search(line):
                shown.append(line.rstrip())
        text = "\n".join(shown).strip("\n")
        if text.strip():
            yield self._passage(address, PassageKind.CODE, text, lines)

    def _quoted(self, written: str) -> list[tuple[int, str, str]]:
        """Line, text and value of what a quoted text or regular expression names; of equal ones, the first."""
        try:
            pattern = linear(written)
        except (ValueError, ImportError):
            pattern = None
        found: dict[str, tuple[int, str, str]] = {}
        for number, line in enumerate(self.lines, 1):
            if pattern is not None and pattern.groups == 1:
                match = pattern.search(line)
                value = match[1] if match else None
            else:
                value = ""
                if written not in line:
                    value = None
            if value is not None:
                found.setdefault(
                    value or collapse(line), (number, collapse(line), value)
                )
        return list(found.values())

    def _of_quoted(self, address: str, written: str) -> Iterator[Passage]:
        found = self._quoted(written)
        if len(found) > 1 and address.endswith(_SET):
            text = ", ".join(value or line for _, line, value in found)
            yield self._passage(
                address, PassageKind.CODE, text, (found[0][0], found[-1][0])
            )
            return
        for number, line, value in found[:1]:
            yield self._passage(
                address, PassageKind.CODE, line, (number, number), value=value
            )

    def _passage(
        self,
        address: str,
        kind: PassageKind,
        text: str,
        lines: tuple[int, int],
        **details: Any,
    ) -> Passage:
        """A passage; it says nothing of its file, which may move. `details` are other fields of `Passage`."""
        section = Section(self.page, address, address, 1, (address,))
        hashed = passage_hash(kind, text)
        language = {".yml": "yaml", ".py": "python", ".pyi": "python"}.get(
            self.suffix, self.suffix[1:]
        )
        return Passage(
            f"{self.page.src}#{address}~{hashed[:6]}",
            section,
            kind,
            text,
            self.page.type,
            hashed,
            lines=lines,
            language=language if kind is PassageKind.CODE else "",
            sentences=cut(kind, text, "", self.page.language),
            **details,
        )


def _is_given(item: Definition) -> bool:
    """True if the file says what it is: an option without a default is nothing by nobody's word."""
    return item.kind is not Kind.OPTION or item.value is not None or bool(item.text)


def _is_plain_list(value: Value) -> TypeGuard[Items]:
    return (
        isinstance(value, Items)
        and bool(value.values)
        and all(map(is_known, value.values))
    )


def _of_set(address: str) -> str:
    """`Phase.*` without what says that all of it is meant."""
    return address.removesuffix(_SET)


def _regions(lines: list[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """The lines between the marks of each region."""
    opened: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        mark = _REGION.search(line) if "-8<-" in line else None
        if mark and mark[1] == "start":
            opened.setdefault(mark[2], number)
        elif mark and opened.get(mark[2], 0):
            yield mark[2], (opened[mark[2]] + 1, number - 1)
            opened[mark[2]] = 0
