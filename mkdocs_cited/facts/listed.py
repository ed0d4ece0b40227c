"""The option `inventories`: a finding for each name that a page or the code lacks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from mkdocs_cited import code
from mkdocs_cited.base.git import repository_of
from mkdocs_cited.facts.inventories import gaps, members
from mkdocs_cited.model.finding import Finding, Place, Related, found
from mkdocs_cited.model.options import InventoryRule
from mkdocs_cited.model.places import place_of


def inventory_findings(
    rules: Sequence[InventoryRule], folder: Path, docs_dir: Path, config_file: Path
) -> Iterator[Finding]:
    """What the inventories of a project lack, with places relative to its folder.

    Args:
        folder: of the configuration; files are looked for below it, and below the root of the repository.
        docs_dir: of the pages.
    """
    root = repository_of(folder.resolve()) or folder
    for number, rule in enumerate(rules):
        file, _, what = rule.names.partition("#")
        defining = _file(file, folder, root)
        listing = _file(rule.documented_in, docs_dir, folder, root)
        declared = place_of(config_file, config_file.name, "inventories", number)
        if defining is None or listing is None:
            missing = file if defining is None else rule.documented_in
            yield found(
                "invalid-declaration",
                declared,
                f"the inventory names `{missing}`, which is no file",
            )
            continue
        yield from _of_one(defining, listing, what or "*", folder, declared)


def _of_one(
    defining: Path, listing: Path, what: str, folder: Path, declared: Place
) -> Iterator[Finding]:
    """What one inventory lacks."""
    source, page = (
        Path(os.path.relpath(path, folder)).as_posix() for path in (defining, listing)
    )
    names = members(defining.read_text("utf-8", "replace"), source, what)
    if not names:
        tip = "`mkdocs-cited facts --propose` shows what can be named"
        if code.needs_extra(source):
            tip = "install `mkdocs-cited[code]`, which reads it"
        yield found(
            "invalid-declaration",
            declared,
            f"the inventory `{source}#{what}` has no names",
            tip=tip,
        )
        return
    lacking = gaps(names, listing.read_text("utf-8", "replace"), what)
    for item in lacking.undocumented:
        yield found(
            "undocumented-name",
            Place(source, item.line),
            f"`{item.name}` is not on {page}, which lists {source}#{what}",
            tip=f"describe it there, with `{item.name}` as code",
            claim=item.name,
            related=(Related("the page that lists its like", Place(page)),),
        )
    for name, line in lacking.unknown:
        yield found(
            "unknown-name",
            Place(page, line),
            f"`{name}` is not among {source}#{what}, which this page lists",
            tip="correct or delete it",
            claim=name,
            related=(Related("the code that defines the names", Place(source)),),
        )


def _file(name: str, *folders: Path) -> Path | None:
    """The first file of this name below some folders."""
    for folder in folders:
        if name and (folder / name).is_file():
            return folder / name
    return None
