"""What is installed, as far as a build's outcome depends on it: Python, packages, and the code of those who answer.

Only names, versions and bytes are looked at; nothing is imported.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import mkdocs_cited
from mkdocs_cited import providers, reporters, review

GROUPS = (providers.FAMILY.group, review.FAMILY.group, reporters.FAMILY.group)
"""Entry-point groups of those who write, judge and report."""
_METADATA = (".dist-info", ".egg-info")


@cache
def software() -> tuple[bytes, ...]:
    """Everything installed that an outcome may depend on, in a stable order.

    The version of each package stands for plugins, Markdown extensions, parsers and word data. Of ourselves, and of
    the packages that provide writers, reviewers and reporters, every file counts: whoever works on one sees at once
    what a change does, though its version stays the same. It is looked at once: what is imported stays as it is, too.
    """
    return tuple(_software())


def _software() -> Iterator[bytes]:
    yield sys.version.encode()
    yield repr(packages(sys.path)).encode()
    yield contents(Path(mkdocs_cited.__file__).parent)
    offered = entry_points()  # each call reads the metadata of every package
    for point in sorted(point for group in GROUPS for point in offered.select(group=group)):
        yield repr((point.group, point.name, point.value)).encode()
        for place in _places(point.module.partition(".")[0]):
            yield contents(place)


def packages(search_path: Iterable[str]) -> list[str]:
    """Names and versions of the packages on a search path (`requests-2.32.3.dist-info`), in order of their names."""
    found: list[str] = []
    for folder in search_path:
        try:
            found += (entry.name for entry in os.scandir(folder or ".") if entry.name.endswith(_METADATA))
        except OSError:  # a zip file, or a folder that is not there
            continue
    return sorted(found)


def contents(place: Path) -> bytes:
    """SHA-256 of a file, or of all files below a folder but compiled ones, with their names."""
    state = hashlib.sha256()
    for file in [place] if place.is_file() else sorted(_files(place)):
        data = file.read_bytes()
        state.update(b"%b\0%d:" % (os.fsencode(file.relative_to(place.parent)), len(data)))
        state.update(data)
    return state.digest()


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield from (Path(parent, name) for name in names)


def _places(module: str) -> list[Path]:
    """The file or the folders of a top-level module; nothing for one that is not there."""
    spec = find_spec(module)
    if spec is None:
        return []
    if spec.submodule_search_locations is not None:
        return [Path(folder) for folder in spec.submodule_search_locations]
    return [Path(spec.origin)] if spec.origin else []
