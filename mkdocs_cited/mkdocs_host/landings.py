"""Tries every link to a passage on the pages as they were built, and mends what would highlight the wrong words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from mkdocs_cited.mkdocs_host.logger import log


def rehearsed(
    landings: Mapping[Path, tuple[str, ...]], pages: Iterable[Path], files: Mapping[str, str]
) -> dict[str, str]:
    """Files for the site, and pages in it, without the text fragments that a browser would find in the wrong place.

    Args:
        landings: file of each cited page → the fragments of links into it.
        pages: files of the pages that hold links to passages; those that need it are written anew.
        files: path in the site → text.
    """
    if not landings:
        return dict(files)
    from mkdocs_cited.render.rehearsal import astray, without

    wrong = {
        fragment
        for path, fragments in landings.items()
        if path.is_file()
        for fragment in astray(_text(path), fragments)
    }
    if not wrong:
        return dict(files)
    log.debug(
        "%d links lead to their block alone: their words stand above it, in the theme's part of the page", len(wrong)
    )
    for path in filter(Path.is_file, pages):
        text = _text(path)
        mended = without(text, wrong)
        if mended != text:
            path.write_bytes(mended.encode("utf-8", "surrogateescape"))
    return {path: without(text, wrong) for path, text in files.items()}


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")
