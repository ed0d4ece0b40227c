"""Sets of names that code defines and a page lists: what either side lacks, and which pages list most of one."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited import code
from mkdocs_cited.base.errors import command
from mkdocs_cited.base.files import repository_of
from mkdocs_cited.code.interface import Definition, Kind
from mkdocs_cited.facts.blocks import blocks, code_spans, names_in
from mkdocs_cited.facts.files import ProjectFiles, text_of
from mkdocs_cited.facts.reading import heading_names, lead_names, names_of
from mkdocs_cited.model.finding import Finding, Place, Related, found, place_of
from mkdocs_cited.model.options import InventoryRule

_FEWEST = 5
"""Names of a set that is proposed."""
_MOST_OF = 0.6
"""Share of a set that a page names, so that it is proposed as its list."""
_SHAPES = {
    "options": (Kind.OPTION, re.compile(r"--[a-z0-9][\w.-]+")),
    "variables": (Kind.LOOKUP, re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")),
}
"""What defines the names of a whole kind, and how they look: a page is about them wherever it lists such a name."""


class Inventory(Struct, frozen=True):
    """A set of names in code and a page that lists them, with what each of them lacks."""

    names: str
    """The file, and which of its names: `app/cli.py#options`."""
    documented_in: str
    """The page."""
    listed: int
    """Names of the set that the page has."""
    undocumented: tuple[Definition, ...]
    """Definitions that the page has no name of."""
    unknown: tuple[tuple[str, int], ...]
    """Names that the page lists among these and the set does not have, with their lines."""


class _Listing(Struct, frozen=True):
    """The names on a page."""

    written: set[str]
    """As code, or as a whole cell or heading."""
    lists: list[dict[str, int]]
    """The rows of a table, the items or headings of a part: names with their lines."""


def proposed(root: Path, files: ProjectFiles) -> Iterator[Inventory]:
    """The lists of names in the docs, with the names that no page or no code has."""
    pages = {}
    for name in files.pages:
        pages[name] = _listing(text_of(root / name))
    everywhere = set[str]().union(*(page.written for page in pages.values()))
    texts = {}
    for file in files.sources:
        texts[file] = text_of(root / file)
    whole = "\n".join(texts.values())
    for file, text in texts.items():
        definitions = code.definitions(text, file)
        for what in _SHAPES:
            names = _members(definitions, what)
            if len(names) < _FEWEST:
                continue
            listed = Counter[str]()
            for name, listing in pages.items():
                listed[name] = len(names.keys() & listing.written)
            for page, count in listed.most_common(1):
                if count >= _MOST_OF * len(names):
                    listing = replace(pages[page], written=everywhere)
                    found = _inventory(f"{file}#{what}", names, page, listing, whole)
                    yield replace(found, listed=count)


def _members(definitions: Iterable[Definition], what: str) -> dict[str, Definition]:
    """The names of a set, each with its first definition.

    Args:
        what: `options`, `variables`, `*` for what the file itself defines, else the name of what they lie in.
    """
    members: dict[str, Definition] = {}
    path = tuple(what.split("."))
    for item in definitions:
        if what in _SHAPES:
            kind, shape = _SHAPES[what]
            is_member = item.kind is kind and shape.fullmatch(item.name) is not None
        elif what == "*":
            is_member = not item.scope
        else:
            is_inside = item.scope[-len(path) :] == path
            is_member = is_inside and item.kind is not Kind.PARAMETER
        if is_member and not item.name.startswith("_"):
            members.setdefault(item.name, item)
    return members


def _inventory(
    names: str,
    members: dict[str, Definition],
    page: str,
    listing: _Listing,
    whole: str = "",
) -> Inventory:
    """What a set of names and a page lack.

    Args:
        whole: text of other code, whose names are known, too.
    """
    missing = []
    known = set(members)
    for name, item in members.items():
        known.update(item.also)
        if listing.written.isdisjoint((name, *item.also)):
            missing.append(item)
    unknown: dict[str, int] = {}
    _, shape = _SHAPES.get(names.partition("#")[2], (None, None))
    for group in listing.lists:
        is_about = len(known.intersection(group)) * 2 >= len(group)
        for name, line in group.items():
            is_alike = is_about
            if shape:
                is_alike = shape.fullmatch(name) is not None
            if is_alike and name not in known and name.lstrip("-") not in whole:
                unknown.setdefault(name, line)
    count = len(members) - len(missing)
    return Inventory(names, page, count, tuple(missing), tuple(unknown.items()))


def _listing(markdown: str) -> _Listing:
    """The names on a page."""
    written = set[str]()
    lists: dict[tuple[object, ...], dict[str, int]] = defaultdict(dict)
    section = -1
    for block in blocks(markdown):
        for text in (block.text, *block.cells, *block.headings[-1:]):
            written.update(names_in(text), names_of(code_spans(text)))
        if block.section != section and block.headings:
            section = block.section
            for name in heading_names(block.headings[-1]):
                lists["heading", *block.headings[:-1]].setdefault(name, block.line)
        names = lead_names(block.leads[-1:])
        if block.cells:
            names = names_of(code_spans(block.cells[0]))
        for name in names:
            lists[block.section, block.header].setdefault(name, block.line)
    return _Listing(written, list(lists.values()))


def inventory_findings(
    rules: Sequence[InventoryRule], folder: Path, docs_dir: Path, config_file: Path
) -> Iterator[Finding]:
    """A finding for each name that a page or the code of the option `inventories` lacks, with places relative to the
    folder of the configuration.

    Args:
        folder: of the configuration; files are looked for below it, and below the root of the repository.
        docs_dir: of the pages.
    """
    root = repository_of(folder.resolve()) or folder
    for number, rule in enumerate(rules):
        file, _, what = rule.names.partition("#")
        declared = place_of(config_file, config_file.name, "inventories", number)
        source = _file(file, folder, root)
        page = _file(rule.documented_in, docs_dir, folder, root)
        if source is None or page is None:
            missing = rule.documented_in if source else file
            message = f"the inventory names `{missing}`, which is no file"
            tip = "`names` begins at the folder of mkdocs.yml, and `documented_in` at the docs folder"
            yield found("invalid-declaration", declared, message, tip=tip)
            continue
        name, listed_in = _relative(source, folder), _relative(page, folder)
        text = text_of(source)
        members = _members(code.definitions(text, name), what or "*")
        if not members:
            yield _nameless(name, what, declared)
            continue
        listing = _listing(text_of(page))
        lacking = _inventory(f"{name}#{what or '*'}", members, listed_in, listing)
        yield from _gaps(lacking, name)


def _relative(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()


def _file(name: str, *folders: Path) -> Path | None:
    """The first file of this name below some folders."""
    for folder in folders:
        if name and (folder / name).is_file():
            return folder / name
    return None


def _nameless(file: str, what: str, declared: Place) -> Finding:
    tip = f"`{command('facts', '--propose')}` shows what can be named"
    if code.needs_extra(file):
        tip = "install `mkdocs-cited[code]`, which reads it"
    message = f"the inventory `{file}#{what or '*'}` has no names"
    return found("invalid-declaration", declared, message, tip=tip)


def _gaps(lacking: Inventory, file: str) -> Iterator[Finding]:
    """What one inventory lacks."""
    page = lacking.documented_in
    for item in lacking.undocumented:
        yield found(
            "undocumented-name",
            Place(file, item.line),
            f"`{item.name}` is not on {page}, which lists {lacking.names}",
            tip=f"describe it there, with `{item.name}` as code",
            claim=item.name,
            related=(Related("the page that should list it", Place(page)),),
        )
    for name, line in lacking.unknown:
        yield found(
            "unknown-name",
            Place(page, line),
            f"`{name}` is not among {lacking.names}, which this page lists",
            tip="correct or delete it",
            claim=name,
            related=(Related("the code that defines the names", Place(file)),),
        )
