"""Tries every link to a passage on the pages as they were built, and fixes what would highlight the wrong words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

from mkdocs_cited.mkdocs_host.logger import log


def rehearsed(
    landings: Mapping[Path, tuple[str, ...]], pages: Iterable[Path], files: Mapping[str, str]
) -> dict[str, str]:
    """Files for the site, and pages in it, without the text fragments that a browser would find in the wrong place.

    Args:
        landings: file of each cited page → the fragments of links into it.
        pages: files of the pages that hold links to passages; those that need it are written again.
        files: path in the site → text.
    """
    if not landings:
        return dict(files)
    from mkdocs_cited.render.rehearsal import astray, without

    found = (astray(_text(path.read_bytes()), fragments) for path, fragments in landings.items() if path.is_file())
    wrong = sorted(set(chain.from_iterable(found)))
    if not wrong:
        return dict(files)
    log.debug(
        "%d links lead to their block alone: their words stand above it, in the theme's part of the page", len(wrong)
    )
    for path in filter(Path.is_file, pages):
        text = _text(path.read_bytes())
        fixed = without(text, wrong)
        if fixed != text:
            path.write_bytes(fixed.encode("utf-8", "surrogateescape"))
    return {path: without(text, wrong) for path, text in files.items()}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
