"""Sets of names that code defines and a page lists: what either side lacks, and which pages list most of one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from mkdocs_cited import code
from mkdocs_cited.code.interface import Definition, Kind
from mkdocs_cited.facts.blocks import Block, blocks
from mkdocs_cited.facts.files import ProjectFiles
from mkdocs_cited.facts.inline import code_spans, names_in
from mkdocs_cited.facts.reading import heading_names, lead_names

OPTIONS, VARIABLES = "options", "variables"
_FEWEST = 5
"""Names of a set that is proposed."""
_MOST_OF = 0.6
"""Share of a set that a page names, so that it is proposed as its list."""
_SHAPES = {
    OPTIONS: re.compile(r"--[a-z0-9][\w.-]+"),
    VARIABLES: re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"),
}
"""How the names of a whole kind look, so that a page is about them wherever it lists such a name."""


class Gaps(Struct, frozen=True):
    """What a set of names in code and a page that lists them lack."""

    listed: int
    """Names of the set that the page has."""
    undocumented: tuple[Definition, ...]
    """Definitions that the page has no name of."""
    unknown: tuple[tuple[str, int], ...]
    """Names that the page lists among these and the set does not have, with their lines."""


class Inventory(Struct, frozen=True):
    """A page that lists the names of a file."""

    names: str
    """The file, and which of its names: `app/cli.py#options`."""
    documented_in: str
    """The page."""
    gaps: Gaps
    """Without names that another page or another file has."""


def members(text: str, file: str, what: str) -> dict[str, Definition]:
    """The names of a set, each with its first definition.

    Args:
        what: `options`, `variables`, `*` for what the file itself defines, else the name of what they lie in.
    """
    found: dict[str, Definition] = {}
    path = tuple(what.split("."))
    for item in code.definitions(text, file):
        if what in _SHAPES:
            kind = Kind.OPTION if what == OPTIONS else Kind.LOOKUP
            is_member = (
                item.kind is kind and _SHAPES[what].fullmatch(item.name) is not None
            )
        elif what == "*":
            is_member = not item.scope
        else:
            is_member = (
                item.scope[-len(path) :] == path and item.kind is not Kind.PARAMETER
            )
        if is_member and not item.name.startswith("_"):
            found.setdefault(item.name, item)
    return found


def gaps(names: dict[str, Definition], markdown: str, what: str) -> Gaps:
    """What a set of names and a page lack.

    Args:
        what: as of `members()`.
    """
    written = set(_names_of_page(markdown))
    missing = []
    known = set(names)
    for name, item in names.items():
        known |= set(item.also)
        if written.isdisjoint((name, *item.also)):
            missing.append(item)
    unknown: dict[str, int] = {}
    for group in _lists(markdown):
        is_about = len(known.intersection(group)) * 2 >= len(group)
        for name, line in group.items():
            shape = _SHAPES.get(what)
            is_alike = is_about
            if shape:
                is_alike = shape.fullmatch(name) is not None
            if is_alike and name not in known:
                unknown.setdefault(name, line)
    return Gaps(len(names) - len(missing), tuple(missing), tuple(unknown.items()))


def inventories(root: Path, files: ProjectFiles) -> Iterator[Inventory]:
    """The lists of names in the docs, each with what is missing on either side."""
    pages = {page: (root / page).read_text("utf-8", "replace") for page in files.pages}
    written = {page: set(_names_of_page(text)) for page, text in pages.items()}
    everywhere = set[str]().union(*written.values())
    texts = {
        file: (root / file).read_text("utf-8", "replace")
        for file in files.sources
        if (root / file).is_file()
    }
    whole = "\n".join(texts.values())
    for file, text in texts.items():
        for what in _SHAPES:
            names = members(text, file, what)
            page = max(
                pages, key=lambda name: len(names.keys() & written[name]), default=""
            )
            if len(names) < _FEWEST or len(
                names.keys() & written.get(page, set())
            ) < _MOST_OF * len(names):
                continue
            found = gaps(names, pages[page], what)
            missing = tuple(
                item for item in found.undocumented if item.name not in everywhere
            )
            unknown = tuple(
                place for place in found.unknown if place[0].lstrip("-") not in whole
            )
            yield Inventory(
                f"{file}#{what}", page, Gaps(found.listed, missing, unknown)
            )


def _lists(markdown: str) -> Iterator[dict[str, int]]:
    """The lists of a page, each as its names with their lines: the rows of a table, the items or headings of a part."""
    groups: dict[tuple[object, ...], dict[str, int]] = defaultdict(dict)
    section = -1
    for block in blocks(markdown):
        if block.section != section and block.headings:
            section = block.section
            for name in heading_names(block.headings[-1]):
                groups["heading", *block.headings[:-1]].setdefault(name, block.line)
        for name in _leading(block):
            groups[block.section, block.header].setdefault(name, block.line)
    yield from groups.values()


def _leading(block: Block) -> Sequence[str]:
    """The names that a row or an item begins with."""
    if not block.cells:
        return lead_names(block.leads[-1:])
    names: list[str] = []
    for span in code_spans(block.cells[0]):
        names += names_in(span[1])
    return names


def _names_of_page(markdown: str) -> Iterator[str]:
    """The names that a page writes as code, or as a cell or heading."""
    for block in blocks(markdown):
        for text in (block.text, *block.cells, *block.headings[-1:]):
            yield from names_in(text)
            for span in code_spans(text):
                yield from names_in(span[1])
