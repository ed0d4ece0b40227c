"""Tries every link to a passage on the pages as they were built, and mends what would highlight the wrong words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from mkdocs_cited.mkdocs_host import build_cache
from mkdocs_cited.mkdocs_host.logger import log


def rehearsed(
    landings: Mapping[Path, tuple[str, ...]], pages: Iterable[Path], files: Mapping[str, str], cache: Path
) -> dict[str, str]:
    """Files for the site, and pages in it, without the text fragments that a browser would find in the wrong place.

    Args:
        landings: file of each cited page → the fragments of links into it.
        pages: files of the pages that hold links to passages; those that need it are written anew.
        files: path in the site → text.
        cache: file that keeps what was found, for as long as no cited page and no fragment changes.
    """
    if not landings:
        return dict(files)
    cited = [(path, fragments) for path, fragments in landings.items() if path.is_file()]  # one in memory at a time
    name = build_cache.key(part for path, found in cited for part in (path.read_bytes(), repr(found).encode()))
    wrong = build_cache.recall(cache, name, tuple[str, ...])
    if wrong is None:
        from mkdocs_cited.render.rehearsal import astray

        wrong = tuple(sorted({item for path, found in cited for item in astray(_text(path.read_bytes()), found)}))
        build_cache.keep(cache, name, wrong)
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


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
