"""Tries every link to a passage on the pages as they were built, and mends what would highlight the wrong words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

from mkdocs_cited.mkdocs_host import build_cache
from mkdocs_cited.mkdocs_host.installed import software
from mkdocs_cited.mkdocs_host.logger import log


def rehearsed(
    landings: Mapping[Path, tuple[str, ...]], pages: Iterable[Path], files: Mapping[str, str], tried: build_cache.File
) -> dict[str, str]:
    """Files for the site, and pages in it, without the text fragments that a browser would find in the wrong place.

    Args:
        landings: file of each cited page → the fragments of links into it.
        pages: files of the pages that hold links to passages; those that need it are written anew.
        files: path in the site → text.
        tried: keeps what was found on each page, for as long as it and the fragments stay as they are.
    """
    if not landings:
        return dict(files)
    name = build_cache.key(software(tried.path.parent))
    before, found = tried.recall(name, dict[str, tuple[str, ...]]) or {}, {}
    for path, fragments in landings.items():
        if path.is_file():
            data = path.read_bytes()
            page = build_cache.key((data, repr(fragments).encode()))
            found[page] = before[page] if page in before else _astray(data, fragments)
    if found != before:
        tried.keep(name, found)
    wrong = sorted(set(chain.from_iterable(found.values())))
    if not wrong:
        return dict(files)
    from mkdocs_cited.render.rehearsal import without

    log.debug(
        "%d links lead to their block alone: their words stand above it, in the theme's part of the page", len(wrong)
    )
    for path in filter(Path.is_file, pages):
        text = _text(path.read_bytes())
        mended = without(text, wrong)
        if mended != text:
            path.write_bytes(mended.encode("utf-8", "surrogateescape"))
    return {path: without(text, wrong) for path, text in files.items()}


def _astray(data: bytes, fragments: Iterable[str]) -> tuple[str, ...]:
    from mkdocs_cited.render.rehearsal import astray

    return tuple(sorted(astray(_text(data), fragments)))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
