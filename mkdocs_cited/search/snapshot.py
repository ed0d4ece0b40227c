"""The file that a store is in: an SQLite database that nobody changes once it is written, and a pointer to it.

A change is a new file, and then a new pointer. So nobody who reads needs a lock; a writer that is killed leaves the old
file; of two writers the last one wins, and each goes on with its own. The pointer has what the system said of the file
when it was written (size, times, inode). A file that was changed, copied, committed or restored is another file to the
system, and is not believed: nobody can know its inode and its time of change beforehand.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from mkdocs_cited.base.files import make_cache, write_atomically
from mkdocs_cited.base.text import slugify

POINTER, DATABASE = ".store", ".sqlite3"
_OLD = 600
"""Seconds after which nobody is still writing a file."""
_POINTER = re.compile(r"([0-9a-f]{16}) (\d+ -?\d+ -?\d+ \d+)")


def connection_to(uri: str) -> sqlite3.Connection:
    """A connection to a database that one thread uses at a time."""
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


class New(Struct, frozen=True):
    """A database that is being written."""

    path: Path
    connection: sqlite3.Connection
    finish: Callable[[], sqlite3.Connection]
    """Makes it the current one; gives a connection that reads it."""


class Snapshots(Struct, frozen=True):
    """The databases of one name in a folder, of which one is current."""

    folder: Path
    name: str

    def current(self) -> Path | None:
        """The database that was written last; nothing where there is none, or where it is not as it was written."""
        try:
            pointer = _POINTER.fullmatch(self._pointer.read_text(encoding="ascii"))
            path = self._database(pointer[1]) if pointer else None
            return path if path and pointer and _stat(path) == pointer[2] else None
        except (OSError, ValueError):
            return None

    def reader(self, path: Path) -> sqlite3.Connection:
        """A connection to a database that is written."""
        return connection_to(f"{path.resolve().as_uri()}?mode=ro&immutable=1")

    @contextmanager
    def rewritten(self, base: Path | None) -> Iterator[New]:
        """A new database.

        Args:
            base: the database that it begins as a copy of; an empty one for None.

        Raises:
            OSError, sqlite3.Error, CitedError: it cannot be written.
        """
        make_cache(self.folder)
        token = secrets.token_hex(8)
        path = self._database(token)
        try:
            if base:
                shutil.copyfile(base, path)
            with closing(connection_to(path.resolve().as_uri())) as connection:

                def finish() -> sqlite3.Connection:
                    connection.close()
                    return self._published(path, token)

                yield New(path, connection, finish)
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    def forget(self) -> None:
        """Let no database be the current one."""
        with suppress(OSError):
            self._pointer.unlink(missing_ok=True)

    def _published(self, path: Path, token: str) -> sqlite3.Connection:
        """Point at a database that is written, and delete the others."""
        with path.open("r+b") as file:
            os.fsync(file.fileno())
        before, reader = self.current(), self.reader(path)
        try:
            write_atomically(self._pointer, f"{token} {_stat(path)}".encode())
        except BaseException:
            reader.close()
            raise
        for other in self.folder.glob(self._database("[0-9a-f]" * 16).name):
            with suppress(OSError):  # Windows lets no file go that somebody reads
                if other == before or (other != path and time.time() - other.stat().st_mtime > _OLD):
                    other.unlink()
        return reader

    @property
    def _pointer(self) -> Path:
        return self.folder / f"{slugify(self.name, fallback='site')}{POINTER}"

    def _database(self, token: str) -> Path:
        return self.folder / f"{slugify(self.name, fallback='site')}-{token}{DATABASE}"


def _stat(path: Path) -> str:
    """Size, times of change of content and of inode in ns, and inode of a file."""
    status = path.lstat()
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"
