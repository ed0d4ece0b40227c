"""A key of this user on this machine: by it a program tells what it wrote itself from what came with a project.

It lies outside of every project, so that no repository and no restored cache of CI brings one along.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

LENGTH = 32
"""Bytes of a key."""
SIGNATURE = 32
"""Bytes of a signature (HMAC-SHA-256, RFC 2104)."""


def place() -> Path | None:
    """Where the key is kept: `mkdocs-cited/key` in the folder for what programs remember; nothing without a home."""
    folder = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return Path(folder or Path.home() / ".local" / "state") / "mkdocs-cited" / "key"
    except RuntimeError:
        return None


def own_key() -> bytes | None:
    """The key, made when there is none; nothing where none can be kept, or where others may read or write it."""
    path = place()
    if path is None:
        return None
    with suppress(OSError):
        if not path.is_file():
            _make(path)
        if os.name == "posix" and (path.stat().st_uid != os.getuid() or path.stat().st_mode & 0o077):
            return None
        key = path.read_bytes()
        return key if len(key) == LENGTH else None
    return None


def signature(key: bytes, *parts: bytes | memoryview) -> bytes:
    """What only who has the key can say of these parts; each is prefixed with its length."""
    state = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        state.update(b"%d:" % len(part))
        state.update(part)
    return state.digest()


def is_signed(key: bytes, found: bytes | memoryview, *parts: bytes | memoryview) -> bool:
    """Whether a signature is that of these parts; takes the same time whatever differs."""
    return hmac.compare_digest(found, signature(key, *parts))


def _make(path: Path) -> None:
    """Write a new key. Of two programs at once the first wins: a link that is there already is not replaced."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f".key.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(LENGTH))
        with suppress(FileExistsError):
            temporary.rename(path) if os.name == "nt" else os.link(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
