"""What is installed, as far as a build's outcome depends on it: Python, packages, and the code of those who answer.

Only names, versions and bytes are looked at; nothing is imported.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import mkdocs_cited
from mkdocs_cited import providers, reporters, review
from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.families import offered
from mkdocs_cited.base.files import make_cache, write_atomically

GROUPS = (providers.FAMILY.group, review.FAMILY.group, reporters.FAMILY.group)
"""Entry-point groups of those who write, judge and report."""
_METADATA = (".dist-info", ".egg-info")
_SETTLED = 2_000_000_000
"""Nanoseconds after which a file that is changed once more bears another time, on any disk."""


@cache
def software(memory: Path) -> tuple[bytes, ...]:
    """Everything installed that an outcome may depend on, in a stable order.

    The version of each package stands for plugins, Markdown extensions, parsers and word data. Of ourselves, and of
    the packages that provide writers, reviewers and reporters, every file counts: whoever works on one sees at once
    what a change does, though its version stays the same. It is looked at once: what is imported stays as it is, too.

    Args:
        memory: folder in which their digest is kept.
    """
    return tuple(_software(memory))


def _software(memory: Path) -> Iterator[bytes]:
    yield sys.version.encode()
    yield repr(packages(sys.path)).encode()
    points = sorted(offered(*GROUPS))
    yield repr([(point.group, point.name, point.value) for point in points]).encode()
    places = [place for point in points for place in _places(point.module.partition(".")[0])]
    yield contents([Path(mkdocs_cited.__file__).parent, *places], memory / "software.seen")


def packages(search_path: Iterable[str]) -> list[str]:
    """Names and versions of the packages on a search path (`requests-2.32.3.dist-info`), in order of their names."""
    found: list[str] = []
    for folder in search_path:
        try:
            found += (entry.name for entry in os.scandir(folder or ".") if entry.name.endswith(_METADATA))
        except OSError:  # a zip file, or a folder that is not there
            continue
    return sorted(found)


def contents(places: Iterable[Path], memory: Path) -> bytes:
    """SHA-256 of files, and of all files below folders but compiled ones, with their names.

    They are read only where one was touched since the digest was kept: no other file has this time of change, which
    nobody can set, and this inode.

    Args:
        places: the files and folders.
        memory: file in which the digest is kept.
    """
    files = [(path, place, look) for place in map(str, places) for path, look in _files(place)]
    looks = hashlib.sha256(repr(files).encode("utf-8", "surrogateescape")).digest()
    with suppress(OSError):
        kept = memory.read_bytes()
        if len(kept) == 2 * len(looks) and kept.startswith(looks):
            return kept.removeprefix(looks)
    state = hashlib.sha256()
    for path, place, _ in files:
        data = Path(path).read_bytes()
        name = os.path.relpath(path, os.path.dirname(place))
        state.update(b"%b\0%d:" % (os.fsencode(name), len(data)))
        state.update(data)
    if time.time_ns() - max(max(look[1:3]) for *_, look in files) > _SETTLED:
        with suppress(CitedError, OSError):  # the next build reads them again
            make_cache(memory.parent)
            write_atomically(memory, looks + state.digest())
    return state.digest()


Look = tuple[int, int, int, int]
"""Size, time of change of content and of inode in ns, number of the inode."""


def _files(place: str) -> list[tuple[str, Look]]:
    """A file, or every file below a folder but compiled ones, in order, with how it looks; none of what is gone."""
    if not os.path.exists(place):
        return []
    if os.path.isfile(place):
        return [(place, _look(os.stat(place)))]
    found, todo = [], [place]
    while todo:
        for entry in os.scandir(todo.pop()):
            if not entry.is_dir():
                found.append((entry.path, _look(entry.stat())))
            elif entry.name != "__pycache__":
                todo.append(entry.path)
    return sorted(found)


def _look(status: os.stat_result) -> Look:
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _places(module: str) -> list[Path]:
    """The file or the folders of a top-level module; nothing for one that is not there."""
    spec = find_spec(module)
    if spec is None:
        return []
    if spec.submodule_search_locations is not None:
        return [Path(folder) for folder in spec.submodule_search_locations]
    return [Path(spec.origin)] if spec.origin else []
