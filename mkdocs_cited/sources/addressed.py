"""What `path#address` names in a file: a value, a name in code, a heading, a marked region, a quoted text.

The index knows nothing of these passages: they are made when an author cites one. Their words come from the parsed
file, so that a comment or another layout changes none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, TypeGuard

from msgspec.structs import replace

from mkdocs_cited.base.files import text_or_empty
from mkdocs_cited.base.text import collapse, linear
from mkdocs_cited.code import PythonText, definitions, fault
from mkdocs_cited.code.interface import Definition, Entries, Items, Kind, Value
from mkdocs_cited.language.quantities import unit_of
from mkdocs_cited.model.declaration import MARKDOWN, Address
from mkdocs_cited.model.source import Page, Passage, PassageKind, Refused, Section
from mkdocs_cited.sources import Builder, Document
from mkdocs_cited.sources.from_files import PYTHON, document_of, paragraphs
from mkdocs_cited.sources.names import (
    Keys,
    ambiguous,
    defined,
    in_words,
    is_call,
    is_known,
    names_of,
    pointer,
    resolved,
    under_headings,
)

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


class AddressedFile:
    """A file whose parts authors cite. Its passages say nothing of its path, which may change."""

    def __init__(self, root: Path, page: Page) -> None:
        """Read a file, as empty where it cannot be read; `root` is the folder that `Page.file` is relative to."""
        self.page = page
        self.text = text_or_empty(root / page.file)
        self.lines = self.text.split("\n")
        self.suffix = PurePosixPath(page.file).suffix.lower()
        self.regions = _regions(self.lines)

    @cached_property
    def _all(self) -> tuple[Definition, ...]:
        """The definitions of the file, and what its calls return, `env()`."""
        return definitions(self.text, self.page.file)

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """The definitions that have a name in the file: what a call returns has none. A look-up by a constant's name
        has the text of the constant for a name, too."""
        texts = {
            item.name: item.value for item in self._all if item.kind is Kind.CONSTANT
        }
        found = []
        for item in self._all:
            text = texts.get(item.name)
            if item.kind is Kind.LOOKUP and isinstance(text, str):
                item = replace(item, also=(*item.also, text))
            if not item.name.endswith("()"):
                found.append(item)
        return tuple(found)

    @cached_property
    def python(self) -> PythonText:
        return PythonText(self.text if self.suffix in PYTHON else "")

    @cached_property
    def document(self) -> Document:
        """The file as it is searched."""
        return document_of(self.page, self.text, self.suffix)

    @property
    def names(self) -> tuple[str, ...]:
        """Every address, for `did you mean`."""
        paths = [*(item.path for item in self.definitions), *self.python.blocks]
        names = [".".join(path) for path in paths if path]
        if self.suffix in MARKDOWN:
            names += names_of(self.document.sections)
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

    def fault(self, address: str) -> Refused | None:
        """Why an address names nothing, or several things, where that is no matter of how it is spelt."""
        src, quoted = self.page.src, Address("", address).pattern
        names = [*self.named(address)]
        tip = "write one of them"
        if quoted:
            tip = f"quote more of the line that you mean, or cite all of them: `#{address}.*`"
        else:
            names = [f"`#{name}`" for name in names]
        if names:
            return ambiguous(f"{src}#{address}", names, tip)
        if not quoted:
            problem = fault(self.text, self.page.file)
            if not problem:
                return None
            tip = 'correct it, or quote the line that you mean: `#"its words"`'
            return Refused(f"`{src}` cannot be parsed: {problem}", tip)
        message = f"no line of `{src}` has `{quoted}`"
        try:
            linear(quoted)
        except ValueError as error:
            message = f"`{src}#{address}` cannot be looked for: {error}"
        tip = (
            'quote what a line has, or an expression with one group: `#"TTL = (\\d+)"`'
        )
        return Refused(message, tip)

    def named(self, address: str) -> Mapping[str, Iterable[Passage]]:
        """The things of the first kind that an address fits: the name of each, and its passages."""
        quoted = Address("", address).pattern
        if quoted:
            return self._quoted(address, quoted)
        path = tuple(address.split("."))
        found = defined(self.definitions, address.removesuffix(_SET))
        if found and address.endswith(_SET):
            return {address: self._set(address, found[0])}
        is_exact = found and found[0].path == path
        if path in self.python.blocks and not is_exact:
            return {address: self._part(address, path)}
        if found:
            return self._of_definitions(address, found)
        parts = {}
        for block in self.python.blocks:
            if block[-len(path) :] == path:
                parts[".".join(block)] = self._part(address, block)
        if parts:
            return parts
        if address in self.regions:
            return {address: self._region(address)}
        if self.suffix in MARKDOWN:
            return under_headings(self.document, address)
        return {}

    def _of_definitions(
        self, address: str, items: Sequence[Definition]
    ) -> dict[str, Iterable[Passage]]:
        """The passages of definitions by their paths; as JSON Pointers, where dots do not tell them apart."""
        same = defaultdict[Keys, list[Definition]](list)
        for item in items:
            same[item.path].append(item)
        names = [".".join(path) for path in same]
        if len(set(names)) < len(names):
            names = [pointer(path) for path in same]
        passages = [self._defined(address, group) for group in same.values()]
        return dict(zip(names, passages, strict=True))

    def _defined(self, address: str, items: Sequence[Definition]) -> Iterator[Passage]:
        """The passages of the definitions of one name; their lines alone, where they have several values."""
        item, *others = items
        value = resolved(item.value, self._all)
        is_set_again = self.python.is_set_again(item.path)
        for other in others:
            is_set_again |= resolved(other.value, self._all) != value
        if is_set_again:
            for one in items:
                yield from self._lines(address, one.lines)
            return
        yield from self._said(address, item, value)
        if is_known(value) and item.declared:
            yield self._passage(address, PassageKind.CODE, item.declared, item.lines)
        # what a call of a helper returns is shown with the call
        is_stated = is_known(value) and not is_call(item.value)
        if is_stated or _is_plain_list(value):
            return
        inside = list(self._inside(item.path))
        yield from inside
        if not inside:
            yield from self._lines(address, item.lines)

    def _said(self, address: str, item: Definition, value: Value) -> Iterator[Passage]:
        """What a definition says: its value, choices, other names and help."""
        # an option that names no default has none that is known
        is_given = item.kind is not Kind.OPTION or value is not None or item.text
        # `--no-wait` may be `--wait` turned round
        is_flag = item.kind is Kind.OPTION and isinstance(value, bool)
        is_other = is_flag and address.split(".")[-1] in item.also
        if is_known(value) and is_given and not is_other:
            yield self._stated(address, item, value)
        if isinstance(value, Entries) or _is_plain_list(value):
            yield self._listed(address, item, "has", value)
        if item.choices:
            yield self._listed(address, item, "is one of", Items(item.choices))
        if item.kind is Kind.OPTION and item.also:
            yield self._listed(address, item, "has as other names", Items(item.also))
        yield from self._prose(address, item.help, item.lines)

    def _inside(self, path: Keys) -> Iterator[Passage]:
        """The values that something holds."""
        for item in self.definitions:
            if item.scope[: len(path)] == path and is_known(item.value):
                yield self._stated(".".join(item.path), item, item.value)

    def _part(self, address: str, path: Keys) -> Iterator[Passage]:
        """A class or function: its docstring, the values in it, its statements."""
        blocks = self.python.blocks[path]
        for block in blocks:
            yield from self._prose(address, block.note, block.head)
        yield from self._inside(path)
        for block in blocks:
            yield from self._lines(address, block.lines)

    def _set(self, address: str, item: Definition) -> Iterator[Passage]:
        """All that a list, enumeration or mapping has: values, or names."""
        value = resolved(item.value, self._all)
        if not isinstance(value, (Items, Entries)):
            inside = [other for other in self.definitions if other.scope == item.path]
            value = Items(tuple(other.name for other in inside))
        if value != Items(()):
            yield self._listed(address, item, "has", value)

    def _stated(self, address: str, item: Definition, value: Value) -> Passage:
        """A value as a sentence: `Cache.ttl is 30`, `--port of main is 80 by default`."""
        name, of, after = ".".join(item.path), "", ""
        if item.kind in _BY_DEFAULT:
            name, after = item.name, " by default"
            if item.scope:
                of = f" of {'.'.join(item.scope)}"
        words = self._words(item, value)
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
        yield from self._code(address, "\n".join(lines), (first, last))

    def _lines(self, address: str, lines: tuple[int, int]) -> Iterator[Passage]:
        """The code in lines; of Python, the statements."""
        text = "\n".join(self.lines[lines[0] - 1 : lines[1]])
        yield from self._code(address, self.python.statements(lines) or text, lines)

    def _quoted(self, address: str, written: str) -> dict[str, Iterable[Passage]]:
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
            return {address: self._code(address, ", ".join(found), lines)}
        return {f"line {item.lines[0]}": (item,) for item in passages}

    def _prose(
        self, address: str, text: str, lines: tuple[int, int]
    ) -> Iterator[Passage]:
        """The paragraphs of a docstring or help text."""
        for words in paragraphs(text):
            yield self._passage(address, PassageKind.PARAGRAPH, words, lines)

    def _code(
        self, address: str, text: str, lines: tuple[int, int]
    ) -> Iterator[Passage]:
        """Code without the empty lines around it; nothing where it has no other."""
        text = text.strip("\n")
        if text:
            yield self._passage(address, PassageKind.CODE, text, lines)

    def _passage(
        self,
        address: str,
        kind: PassageKind,
        text: str,
        lines: tuple[int, int],
        **details: Any,
    ) -> Passage:
        """A passage without the path of its file, which may move. `details` are other fields of `Passage`."""
        builder = Builder(self.page)
        section = Section(self.page, address, address, 1, (address,))
        if kind is PassageKind.CODE:
            language = _LANGUAGES.get(self.suffix, self.suffix[1:])
            details["language"] = language
        builder.add(kind, text, section=section, lines=lines, **details)
        return builder.passages[0]


def _is_plain_list(value: Value) -> TypeGuard[Items]:
    return (
        isinstance(value, Items)
        and bool(value.values)
        and all(map(is_known, value.values))
    )


def _regions(lines: Iterable[str]) -> dict[str, tuple[int, int]]:
    """The lines between the marks of each region; of regions with one name, the first."""
    started: dict[str, int] = {}
    regions: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(lines, 1):
        for end, name in _REGION.findall(line):
            if end == "start":
                started.setdefault(name, number)
            elif name in started:
                regions.setdefault(name, (started[name] + 1, number - 1))
    return regions
