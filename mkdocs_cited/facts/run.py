"""Facts of a project: its pages are read, then its code, then each statement is compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mkdocs_cited import code
from mkdocs_cited.code.interface import Definition
from mkdocs_cited.facts.files import ProjectFiles
from mkdocs_cited.facts.matching import Index, matched
from mkdocs_cited.facts.reading import statements
from mkdocs_cited.facts.statement import Fact, Statement

_TESTS = {"test", "tests"}
"""Modules inside a file that hold its tests."""


def facts_of(root: Path, files: ProjectFiles) -> tuple[Fact, ...]:
    """What the pages state, each with what the code says of it, in the order of the files.

    Args:
        root: what the paths of the files are relative to.
    """
    stated: list[Statement] = []
    for page in files.pages:
        stated += statements(_text(root / page), page)
    index = Index(_definitions(root, files.sources))
    return tuple(matched(statement, index) for statement in stated)


def _definitions(root: Path, sources: tuple[str, ...]) -> Iterator[Definition]:
    for source in sources:
        for definition in code.definitions(_text(root / source), source):
            if not _TESTS & set(definition.scope) and definition.value != definition.name:
                yield definition


def _text(path: Path) -> str:
    """The text of a file; empty for one that is not there."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
