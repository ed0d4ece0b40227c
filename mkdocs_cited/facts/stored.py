"""What was read of files before, so that a second run reads only what has changed. It may be deleted at any time."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from mkdocs_cited import __version__
from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import make_cache, write_atomically
from mkdocs_cited.code.interface import Definition
from mkdocs_cited.facts.reading import Statement

READERS = 10
"""Raised when a reader returns something else for the same file."""
_FILE = Path(".cache/plugin/cited/facts.msgpack")


class Page(Struct, frozen=True, array_like=True):
    """A page as it was read."""

    stamp: tuple[int, int]
    statements: tuple[Statement, ...]


class Source(Struct, frozen=True, array_like=True):
    """A file of code as it was read."""

    stamp: tuple[int, int]
    definitions: tuple[Definition, ...]


class Stored(Struct):
    """All that was read, by path."""

    version: str
    pages: dict[str, Page]
    sources: dict[str, Source]


def load(root: Path) -> Stored:
    """What was read below a folder; nothing where it was not stored, or by another version."""
    version = f"{__version__}/{READERS}"
    try:
        stored = msgspec.msgpack.decode((root / _FILE).read_bytes(), type=Stored)
    except (OSError, msgspec.MsgspecError):
        return Stored(version, {}, {})
    if stored.version == version:
        return stored
    return Stored(version, {}, {})


def save(root: Path, stored: Stored) -> None:
    """Store what was read; a folder that cannot be written to is left alone."""
    # halves of characters, and vast numbers, of code
    with suppress(OSError, CitedError, UnicodeError, OverflowError):
        make_cache((root / _FILE).parent)
        write_atomically(root / _FILE, msgspec.msgpack.encode(stored))


def stamp(path: Path) -> tuple[int, int]:
    """What changes when a file does: its time in nanoseconds and its size; zeros for one that is not there."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)
