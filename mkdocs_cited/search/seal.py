"""The seal of an index's file: a digest of all its bytes, by which damage is told before anything in it is believed.

SQLite finds a file malformed only where it happens to look. A seal holds for this release, this file name and these
bytes; it is no signature: who may write into the cache may also write a seal. Beside the digest stands what the system
said of the file then: while it says the same, nobody has written into the file, and it need not be read.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from mkdocs_cited import __version__
from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.search.open_files import bytes_of

SUFFIX = ".seal"
"""What the name of a seal's file ends with, behind that of the index."""
GRAIN = 20_000_000
"""Nanoseconds by which a file's time may lag behind the clock."""


def seal(connection: sqlite3.Connection, path: Path) -> None:
    """Seal an index as the connection sees it now. One that cannot be sealed is built again the next time.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    _empty_log(connection)
    with suppress(OSError):
        look = _look(path)
        _put(path, _digest(connection, path), look)


def _empty_log(connection: sqlite3.Connection) -> None:
    """Move the write-ahead log into the file now, not when the last one lets go of it; while another process reads
    what stood there before, this must wait for another time."""
    (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute("PRAGMA busy_timeout = 0")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute(f"PRAGMA busy_timeout = {patience}")


def is_sealed(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the index is, byte for byte, what was sealed.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    try:
        digest, _, known = _place(path).read_bytes()[:200].decode("ascii", "replace").partition("\n")
        look = _look(path)
        if look and look == known:
            return True
        same = digest == _digest(connection, path)
        if same:  # it came from elsewhere, or was sealed the moment it was written
            _put(path, digest, look)
    except OSError:
        return False
    return same


def _place(path: Path) -> Path:
    return path.with_name(path.name + SUFFIX)


def _put(path: Path, digest: str, look: str) -> None:
    """Write a seal; without the look where the file could still change and look the same, for the clock's grain."""
    settled = time.time_ns() - path.stat().st_mtime_ns > GRAIN
    with suppress(CitedError):
        write_atomically(_place(path), f"{digest}\n{look if settled else ''}".encode())


def _look(path: Path) -> str:
    """Of the file as the system tells of it; empty while a part of the index stands in its write-ahead log."""
    if _has_log(path):
        return ""
    status = path.stat()
    return _start(path, f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}").hexdigest()


def _digest(connection: sqlite3.Connection, path: Path) -> str:
    """Of the whole index, what is still in its write-ahead log included."""
    state = _start(path)
    if _has_log(path):
        state.update(connection.serialize())
        return state.hexdigest()
    for piece in bytes_of(path):
        state.update(piece)
    return state.hexdigest()


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _start(path: Path, *more: str) -> hashlib._Hash:
    """A digest that is begun with the release and the name of the file."""
    return hashlib.sha256("\n".join((__version__, path.name, *more, "")).encode("utf-8", "surrogatepass"))
