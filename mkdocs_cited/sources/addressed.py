"""What `path#address` names in a file of `extra_sources`: a key, a name of Python, a heading, a marked region.

The index knows nothing of these passages: they are made when an author cites one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct

from mkdocs_cited.base.files import read_bounded
from mkdocs_cited.base.text import collapse
from mkdocs_cited.language.quantities.figures import unit_of
from mkdocs_cited.model.source import Page, Passage, PassageKind, Section
from mkdocs_cited.sources.from_files import LONGEST_TEXT, MARKDOWN, PYTHON, document_of
from mkdocs_cited.sources.passages import Document, cut, passage_hash
from mkdocs_cited.sources.python_names import entries_of_python, paragraphs
from mkdocs_cited.sources.values import Entry, entries_of_data

DATA = (".yml", ".yaml", ".json", ".toml", ".env")
_REGION = re.compile(r"(?<![;-])-+8<-+[ \t]*\[[ \t]*(start|end)[ \t]*:[ \t]*([\w.-]+)[ \t]*\]")
"""The marks of `pymdownx.snippets`."""
_COMMENT = re.compile(r"""["',;)\s]*(?:#|//)[#!/\s]*(.*)""")
_UNIT = re.compile(r"(?:in\s)?([^\W\d]+)")
"""How a comment behind a value begins that says its unit: `WAIT = 30  # minutes`."""


class Addressed:
    """Finds what authors address in the files of a project; each file is read once."""

    def __init__(self, root: Path) -> None:
        """`root` is the folder that `Page.file` is relative to."""
        self._root = root
        self._files: dict[str, _File] = {}

    def section(self, page: Page, address: str) -> tuple[Passage, ...]:
        """The passages under an address of a file, of the whole file for none; empty when it has no such name."""
        file = self._file(page)
        return file.section(address) if address else file.document.passages

    def sections(self, page: Page) -> tuple[Section, ...]:
        """The parts of a file, in order."""
        return self._file(page).document.sections

    def several(self, page: Page, address: str) -> tuple[str, ...]:
        """The addresses of everything that an address fits, where that is more than one thing."""
        return self._file(page).several(address)

    def values(self, page: Page) -> Iterator[Passage]:
        """A passage for each value of a file."""
        file = self._file(page)
        for path, entry in file.entries.items():
            if entry.value:
                yield from file.section(".".join(path))[:1]

    def names(self, page: Page) -> tuple[str, ...]:
        """Every address of a file, for `did you mean`."""
        return self._file(page).names()

    def _file(self, page: Page) -> _File:
        if page.file not in self._files:
            try:
                text = read_bounded(self._root / page.file).decode("utf-8-sig")
            except (OSError, ValueError):
                text = ""
            self._files[page.file] = _File(page, text.replace("\r\n", "\n").replace("\r", "\n"))
        return self._files[page.file]


class _File:
    def __init__(self, page: Page, text: str) -> None:
        self.page = page
        self.text = text
        self.lines = text.split("\n")
        path = PurePosixPath(page.file)
        suffix = ".env" if ".env" in path.name.lower() or path.name == "env" else path.suffix.lower()
        self.language = {".yml": "yaml", ".env": "sh", ".py": "python", ".pyi": "python"}.get(suffix, suffix[1:])
        self.headings = suffix in MARKDOWN
        if suffix in PYTHON:
            self.entries = entries_of_python(text)
        else:
            self.entries = entries_of_data(text, suffix) if suffix in DATA else {}
        self.by_name: dict[str, list[tuple[str, ...]]] = {}
        for keys in filter(None, self.entries):
            self.by_name.setdefault(".".join(keys), []).append(keys)
        self.regions = dict(_regions(self.lines))

    @cached_property
    def document(self) -> Document:
        """The file as a page: its parts and all its passages."""
        return document_of(
            self.page, self.text, ".md" if self.headings else PurePosixPath(self.page.file).suffix.lower()
        )

    def several(self, address: str) -> tuple[str, ...]:
        paths = self.by_name.get(address, ())
        if len(paths) > 1:  # `a.b`, and `b` in `a`
            return tuple("/" + "/".join(key.replace("~", "~0").replace("/", "~1") for key in path) for path in paths)
        if paths or address in self.regions or not self.headings:
            return ()
        fitting = self._headings_of(address)
        return tuple(heading.ids[0] for heading in fitting) if len(fitting) > 1 else ()

    def names(self) -> tuple[str, ...]:
        return (*self.by_name, *self.regions)

    def section(self, address: str) -> tuple[Passage, ...]:
        if address.startswith("/"):
            keys = address[1:].split("/")
            path = tuple(key.replace("~1", "/").replace("~0", "~") for key in keys)
        else:
            named = self.by_name.get(address) or self.by_name.get(_without_dashes(address), [()])
            path = named[0]
        entry = self.entries.get(path) if path else None
        if entry is not None:
            return tuple(self._passages(address, path, entry))
        if address in self.regions:
            return tuple(self._block(address, self.regions[address]))
        return self._under_heading(address) if self.headings else ()

    def _passages(self, address: str, path: tuple[str, ...], entry: Entry) -> Iterator[Passage]:
        if entry.value or entry.lines[0] == entry.lines[1]:
            yield self._stated(address, path, entry)
        else:
            yield from self._block(address, entry.lines)
        for words in paragraphs(entry.note):
            yield self._passage(address, PassageKind.PARAGRAPH, words[:LONGEST_TEXT], entry.lines)

    def _stated(self, address: str, path: tuple[str, ...], entry: Entry) -> Passage:
        """A value as a sentence."""
        value = collapse(entry.value)[:LONGEST_TEXT]
        if not value:
            return next(
                self._block(address, entry.lines),
                self._passage(address, PassageKind.PARAGRAPH, entry.name, entry.lines),
            )
        before, _, after = (entry.says or "{name} is {value}").partition("{value}")
        text = before.replace("{name}", entry.name)
        name = entry.name.partition(" of ")[0]
        behind = _COMMENT.match(self.lines[entry.lines[1] - 1].rpartition(entry.value)[2])
        unit = _UNIT.match(behind[1]) if behind else None
        if unit and unit_of(unit[1]) and value.isdigit():
            value = f"{value} {unit[1]}"
        spans = ((0, len(name)), (len(text), len(text) + len(value)))
        said = (*self._above(path), behind[1] if behind else "")
        return self._passage(
            address, PassageKind.PARAGRAPH, f"{text}{value}{after}", entry.lines, f", in {self.page.title}",
            code_spans=spans, value=value, labels=tuple(filter(None, said)),
        )  # fmt: skip

    def _above(self, path: tuple[str, ...]) -> Iterator[str]:
        """The comments right above a name, and above what holds it."""
        for entry in (self.entries.get(path[:end]) for end in range(1, len(path) + 1)):
            lines = reversed(self.lines[: entry.lines[0] - 1]) if entry else ()
            above = takewhile(bool, map(_COMMENT.match, lines))
            yield " ".join([match[1] for match in above if match][::-1])

    def _block(self, address: str, lines: tuple[int, int]) -> Iterator[Passage]:
        first, last = lines
        shown = (line.rstrip() for line in self.lines[first - 1 : last] if not _REGION.search(line))
        text = "\n".join(shown).strip("\n")[:LONGEST_TEXT]
        if text.strip():
            yield self._passage(address, PassageKind.CODE, text, lines)

    def _passage(
        self, address: str, kind: PassageKind, text: str, lines: tuple[int, int], place: str = "", **details: Any
    ) -> Passage:
        """A passage; its hash knows nothing of its file, which may move. `details` are other fields of `Passage`."""
        section = Section(self.page, address, address, 1, (address,))
        hashed = passage_hash(kind, text)
        name = f"{self.page.src}#{address}~{hashed[:6]}"
        return Passage(
            name, section, kind, f"{text}{place}", self.page.type, hashed, lines=lines,
            language=self.language if kind is PassageKind.CODE else "",
            sentences=cut(kind, f"{text}{place}", "", self.page.language), **details,
        )  # fmt: skip

    def _under_heading(self, address: str) -> tuple[Passage, ...]:
        """The passages under a heading."""
        document = self.document
        for heading in self._headings_of(address):
            start = heading.section
            below = [start.position]
            for other in document.sections[start.position + 1 :]:
                if other.level <= start.level:
                    break
                below.append(other.position)
            return tuple(item for item in document.passages if item.section.position in below)
        return ()

    def _headings_of(self, address: str) -> list[_Heading]:
        """The headings that an address fits: the one that has it for its id, where the id is of no other's words."""
        wanted = address.lower()
        fitting = [heading for heading in self._headings if wanted in heading.ids or wanted in heading.also]
        named = [heading for heading in fitting if wanted in heading.ids and wanted not in heading.also]
        return named or fitting

    @cached_property
    def _headings(self) -> tuple[_Heading, ...]:
        seen: Counter[str] = Counter()
        found: list[_Heading] = []
        for section in self.document.sections:
            if not section.level:
                continue
            ids: list[str] = []
            also = list(_versions(section.title))
            for divider, name in (("-", _id_on_github(section.title)), ("_", _id_of_python_markdown(section.title))):
                count = seen[divider + name]
                seen[divider + name] += 1
                also.append(name)
                ids.append(f"{name}{divider}{count}" if count else name)
            if section.anchor:
                ids.append(section.anchor.lower())
            found.append(_Heading(section, tuple(ids), tuple(also)))
        return tuple(found)


class _Heading(Struct, frozen=True):
    """A heading of a Markdown file, with what names it."""

    section: Section
    ids: tuple[str, ...]
    """On GitHub, as Python-Markdown makes it, and its author's own: each is of this heading alone."""
    also: tuple[str, ...]
    """What other headings may be called, too: its words as an id, the version that it begins with."""


def _id_on_github(title: str) -> str:
    """As github-slugger makes it: letters, marks, digits, `-` and `_` stay, each space is a dash."""
    kept = [char for char in title.lower() if char in " -" or unicodedata.category(char)[0] in "LMN" or char == "_"]
    return "".join(kept).replace(" ", "-")


def _id_of_python_markdown(title: str) -> str:
    words = re.sub(r"[^\w\s-]", "", title).strip().lower()
    return re.sub(r"[-\s]+", "-", words)


def _versions(title: str) -> Iterator[str]:
    """`[v2.0.0] - 2026-01-01` by its version: `v2.0.0`, `2.0.0`, and both without dots."""
    first = re.sub(r"[^\w\s.-]", "", title).strip().lower().split(" ")[0]
    for name in (first, re.sub(r"^v(?=\d)", "", first)):
        if any(map(str.isdigit, name)):
            yield name
            yield name.replace(".", "")


def _without_dashes(address: str) -> str:
    """`main.--dry-run` as `main.dry_run`."""
    *path, name = address.rsplit(".", 1) if ".--" in address or "." in address else [address]
    return ".".join((*path, name.lstrip("-").replace("-", "_")))


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
