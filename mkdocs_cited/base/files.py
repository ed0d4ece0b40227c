"""Reads files within bounds; writes them whole or not at all, one process at a time. What is in them is not asked."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mkdocs_cited.base.errors import CitedError

MOST_READ = 20_000_000
"""Bytes of a file that is read whole."""
PATIENCE = 60.0
"""Seconds to wait for another process."""


def read_bounded(path: Path, most: int = MOST_READ) -> bytes:
    """The bytes of a file that an option or an argument names. A device or a pipe, which might never end, is none.

    Raises:
        OSError: it cannot be read, is not a file, or has more than `most` bytes; `strerror` says which.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is a folder" if path.is_dir() else "it is a device or a pipe", str(path))
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return data


def make_cache(folder: Path) -> None:
    """Make a folder for what may be deleted at any time, and keep it out of git: a new one has its own `.gitignore`.

    Raises:
        OSError: the folder is not there and cannot be made.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir()
    except FileExistsError:
        return
    with suppress(OSError):  # no more than a courtesy
        (folder / ".gitignore").write_text("# Made by mkdocs-cited; may be deleted.\n*\n", encoding="utf-8")


def write_atomically(path: Path, data: bytes | bytearray) -> bool:
    """Write a file whole: others find the old bytes or the new, after a crash at any point too.

    Whether the bytes are new. Equal bytes leave the file alone, so that nothing that watches it wakes up.

    Raises:
        CitedError: the file or its folder cannot be written.
    """
    try:
        if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        _sweep(path)
        temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
        try:
            _write_through(temporary, data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        _flush_folder(path.parent)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CitedError(f"{path}: cannot be written: {reason}", tip="check the disk and the permissions") from error
    return True


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock that a file in a cache represents; other processes and threads wait for it.

    Raises:
        CitedError: the lock cannot be had within `PATIENCE` seconds, or not at all.
    """
    from filelock import FileLock, Timeout  # most builds write nothing, and it brings asyncio

    try:
        make_cache(path.parent)
        lock = FileLock(path, timeout=PATIENCE, poll_interval=0.01)
        lock.acquire()
    except Timeout as error:
        tip = f"wait for the other mkdocs-cited, or delete {path} if there is none"
        message = f"{path}: another process has held this lock for {PATIENCE:.0f} seconds"
        raise CitedError(message, tip=tip) from error
    except OSError as error:
        tip = "make the folder writable, or delete what is in its place; it may be deleted at any time"
        raise CitedError(f"{path}: cannot be locked: {error.strerror or error}", tip=tip) from error
    try:
        yield
    finally:
        lock.release()


def _write_through(path: Path, data: bytes | bytearray) -> None:
    """Write a new file and wait until the disk has it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sweep(path: Path) -> None:
    """Delete what a crash left next to a file. The caller holds the lock, so that nobody is writing there."""
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        left.unlink(missing_ok=True)


def _flush_folder(folder: Path) -> None:
    """Make a rename last through a power cut, where the system lets folders be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
