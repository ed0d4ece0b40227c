"""The seal of an index's file: a digest of all its bytes, by which damage is told before anything in it is believed.

SQLite finds a file malformed only where it happens to look. A seal holds for this release, this file name and these
bytes; it is no signature: who may write into the cache may also write a seal.
"""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
from contextlib import suppress
from pathlib import Path

from mkdocs_cited import __version__
from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import write_atomically

SUFFIX = ".seal"
"""What the name of a seal's file ends with, behind that of the index."""


def seal(connection: sqlite3.Connection, path: Path) -> None:
    """Seal an index as the connection sees it now. One that cannot be sealed is built again the next time.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    with suppress(CitedError):
        write_atomically(_place(path), _digest(connection, path).encode())


def is_sealed(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the index is, byte for byte, what was sealed.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    try:
        found = _place(path).read_bytes()[:200]
    except OSError:
        return False
    return hmac.compare_digest(found, _digest(connection, path).encode())


def _place(path: Path) -> Path:
    return path.with_name(path.name + SUFFIX)


def _digest(connection: sqlite3.Connection, path: Path) -> str:
    """Of the whole database, what is still in its write-ahead log included."""
    state = hashlib.sha256(f"{__version__}\n{path.name}\n".encode("utf-8", "surrogatepass"))
    state.update(connection.serialize())
    return state.hexdigest()
