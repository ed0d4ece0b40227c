"""Reads the bytes of a database's file beside SQLite, and keeps the file open for as long as SQLite has it open here.

On POSIX a process that closes a file loses all its locks on it, SQLite's own among them: another process would then
take itself for the last one, and delete the write-ahead log under this one
(https://www.sqlite.org/howtocorrupt.html, 2.2). So whoever opens a database says so, and what was opened to read its
bytes is closed when the last one in this process has closed it.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_PIECE = 1 << 20
"""Bytes that are read at once."""
_alone = threading.RLock()
_open: Counter[str] = Counter()
"""Path of a database → how often it is open in this process."""
_files: dict[str, list[BinaryIO]] = {}
"""Path of a database → its files that were read, the newest last: one that was built anew is another file."""


def opened(path: Path) -> None:
    """A connection to a database is made."""
    with _alone:
        _open[os.path.realpath(path)] += 1


def closed(path: Path) -> None:
    """A connection that was told of has been closed."""
    name = os.path.realpath(path)
    with _alone:
        _open[name] -= 1
        if not _open[name]:
            del _open[name]
            for file in _files.pop(name, ()):
                file.close()


def bytes_of(path: Path) -> Iterator[bytes]:
    """All bytes of a database that is open in this process, in pieces.

    Raises:
        OSError: it cannot be read.
    """
    with _alone:
        files = _files.setdefault(os.path.realpath(path), [])
        if not files or not os.path.samestat(os.fstat(files[-1].fileno()), path.stat()):
            files.append(path.open("rb", buffering=0))
        file = files[-1]
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece
