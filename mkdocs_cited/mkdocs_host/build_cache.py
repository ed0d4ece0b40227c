"""Remembers what a build found, for as long as nothing that it depends on has changed. How it is shown is not kept.

An answer is a function of pages, declarations, records and options; a build in which none of them changed finds the
same as the one before. The build cache stands beside the index: it may be deleted, and is never committed. It holds
values and no HTML: what a page shows is rendered anew, through the sanitiser, whatever the cache says. Its digest tells
damage; it is no signature, and who may write into the folder may make a cache.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.model.report import Report

MOST_BYTES = 200_000_000
"""A larger cache is not written or read."""
DIGEST = 64
"""Bytes of a digest: a cache begins with its key and the digest of key and content."""


def key(parts: Iterable[bytes]) -> str:
    """Digest of everything that a report depends on, in order."""
    state = hashlib.sha256()
    for part in parts:
        state.update(b"%d:" % len(part))
        state.update(part)
    return state.hexdigest()


def recall(path: Path, wanted: str) -> Report | None:
    """The report that was kept under this key; `None` when there is none, or the file is damaged or too large."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        kept, head = path.read_bytes(), 2 * DIGEST
        if kept[:DIGEST] != wanted.encode() or kept[DIGEST:head] != _digest(wanted, kept[head:]):
            return None
        return msgspec.msgpack.decode(kept[head:], type=Report)
    except Exception:  # whatever damage makes of a file costs time, no more
        return None


def keep(path: Path, name: str, report: Report) -> None:
    """Keep a report under its key, in place of the one before. A cache that cannot be written costs time, no more."""
    try:
        data = msgspec.msgpack.encode(report)
        if len(data) + 2 * DIGEST <= MOST_BYTES:
            write_atomically(path, name.encode() + _digest(name, data) + data)
    except Exception:
        return


def _digest(name: str, data: bytes) -> bytes:
    """What stands for key and content; neither alone is believed."""
    return hashlib.sha256(b"%b\n%b" % (name.encode(), data)).hexdigest().encode()
