"""Remembers what a build came to, for as long as nothing that it depends on has changed. What it is is not asked here.

An answer is a function of pages, declarations, records and options; a build in which none of them changed does the
same as the one before. The build cache stands beside the index: it may be deleted, and is never committed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.mkdocs_host.outcome import Outcome

MOST_BYTES = 200_000_000
"""A larger cache is not written or read."""


def key(parts: Iterable[bytes]) -> str:
    """Digest of everything that an outcome depends on, in order."""
    state = hashlib.sha256()
    for part in parts:
        state.update(b"%d:" % len(part))
        state.update(part)
    return state.hexdigest()


def recall(path: Path, wanted: str) -> Outcome | None:
    """The outcome that was kept under this key; `None` when there is none, or the file is damaged or too large."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        kept, outcome = msgspec.msgpack.decode(path.read_bytes(), type=tuple[str, Outcome])
    except (OSError, msgspec.MsgspecError):
        return None
    return outcome if kept == wanted else None


def keep(path: Path, name: str, outcome: Outcome) -> None:
    """Keep an outcome under its key, in place of the one before. A cache that cannot be written costs time, no more."""
    data = msgspec.msgpack.encode((name, outcome))
    if len(data) > MOST_BYTES:
        return
    try:
        write_atomically(path, data)
    except Exception:
        return
