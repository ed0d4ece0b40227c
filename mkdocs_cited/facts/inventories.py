"""Pages that list most of a set of names which a file of code defines: options of a command line, variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from mkdocs_cited import code
from mkdocs_cited.code.interface import Definition, Kind
from mkdocs_cited.facts.blocks import blocks
from mkdocs_cited.facts.files import ProjectFiles
from mkdocs_cited.facts.inline import code_spans, names_in

_FEWEST = 5
"""Names of a set."""
_MOST_OF = 0.6
"""Share of a set that a page names, so that it is its list."""
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_FLAG = re.compile(r"--[a-z0-9][\w.-]+")


class Inventory(Struct, frozen=True):
    """A page that lists the names of a file."""

    names: str
    """The file, and which of its names: `app/cli.py#options`."""
    documented_in: str
    """The page."""
    listed: int
    """Names that the page has."""
    undocumented: tuple[str, ...]
    """Names of the file that no page has."""
    unknown: tuple[str, ...]
    """Names that the page lists like these, and no code has."""


def inventories(root: Path, files: ProjectFiles) -> Iterator[Inventory]:
    """The lists of names in the docs, each with what is missing on either side."""
    pages = {page: set(_names_of_page((root / page).read_text("utf-8", "replace"))) for page in files.pages}
    everywhere = set[str]().union(*pages.values())
    texts = {file: (root / file).read_text("utf-8", "replace") for file in files.sources if (root / file).is_file()}
    whole = "\n".join(texts.values())
    for file, text in texts.items():
        found = code.definitions(text, file)
        for what, shape, kind in (("options", _FLAG, Kind.OPTION), ("variables", _VARIABLE, Kind.LOOKUP)):
            names = _names_of_code(found, shape, kind)
            page = max(pages, key=lambda name: len(names & pages[name]), default="")
            listed = names & pages.get(page, set())
            if len(names) < _FEWEST or len(listed) < _MOST_OF * len(names):
                continue
            alike = {name for name in pages[page] if shape.fullmatch(name)}
            unknown = [name for name in alike - names if name.lstrip("-") not in whole]
            missing = tuple(sorted(names - everywhere))
            yield Inventory(f"{file}#{what}", page, len(listed), missing, tuple(sorted(unknown)))


def _names_of_code(found: tuple[Definition, ...], shape: re.Pattern[str], kind: Kind) -> set[str]:
    """The names of this kind and shape that a file defines."""
    return {item.name for item in found if item.kind is kind and shape.fullmatch(item.name)}


def _names_of_page(markdown: str) -> Iterator[str]:
    """The names that a page writes as code, or as a cell or heading."""
    for block in blocks(markdown):
        for text in (block.text, *block.cells, *block.headings[-1:]):
            yield from names_in(text)
            for span in code_spans(text):
                yield from names_in(span[1])
