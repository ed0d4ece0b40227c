"""Remembers what a build found, for as long as nothing that it depends on has changed.

An answer is a function of pages, declarations, records and options; a build in which none of them changed comes to the
same as the one before. The build cache stands beside the index: it may be deleted, and is never committed. Its files
are the answers (`kept_answers`), which are values, the outcome, what cited pages said (`render.publish.Said`), what
pages declare (`kept_readings`), and what `landings` found.

The *outcome*, what pages said, and what they declare hold HTML or Markdown, to be put into pages as it is. Each bears
a signature of this user on this machine, and without one that is right it is nothing: what came with a repository or
from a cache of CI is never believed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar, cast

from msgspec import Struct

from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.own_key import SIGNATURE, is_signed, own_key, signature
from mkdocs_cited.mkdocs_host.heap import uncollected
from mkdocs_cited.mkdocs_host.logger import log

T = TypeVar("T")
MOST_BYTES = 200_000_000
"""A larger file is not written or read."""
PASSING = ("review-incomplete", "provider-error")
"""Findings of what the next run may find mended, though nothing has changed: no such thing is kept."""
DIGEST = 64
"""Bytes of a digest: a report's file begins with its key and the digest of key and content."""


def key(parts: Iterable[bytes]) -> str:
    """Digest of everything that a build depends on, in order."""
    state = hashlib.sha256()
    for part in parts:
        state.update(b"%d:" % len(part))
        state.update(part)
    return state.hexdigest()


def recall(path: Path, wanted: str, kind: type[T]) -> T | None:
    """The value that was kept under this key; `None` when there is none, or the file is damaged or too large."""
    import msgspec

    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        kept, head = memoryview(path.read_bytes()), 2 * DIGEST
        if kept[:DIGEST] != wanted.encode() or kept[DIGEST:head] != _digest(wanted, kept[head:]):
            return None
        with uncollected():
            return msgspec.msgpack.decode(kept[head:], type=kind)
    except Exception:  # whatever damage makes of a file costs time, no more
        return None


def keep(path: Path, name: str, value: object) -> None:
    """Keep a value under its key, in place of the one before. A cache that cannot be written costs time, no more."""
    try:
        _write(path, value, 2 * DIGEST, lambda data: name.encode() + _digest(name, data))
    except Exception:
        return


def digest(content: str) -> str:
    """What tells the content of a page from any other."""
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def recall_own(path: Path, wanted: str, kind: type[T]) -> T | None:
    """The value that this user's own build kept under this key; `None` for any other."""
    import msgspec

    try:
        own = own_key()
        if own is None or path.stat().st_size > MOST_BYTES:
            return None
        kept = memoryview(path.read_bytes())
        found, data = kept[:SIGNATURE], kept[SIGNATURE:]
        if not is_signed(own, found, _signed(kind), wanted.encode(), data):
            return None
        return msgspec.msgpack.decode(data, type=kind)
    except Exception:  # likewise
        return None


def keep_own(path: Path, name: str, value: object) -> None:
    """Keep a value under its key, signed; not where this user has no key of their own."""
    try:
        own = own_key()
        if own is not None:
            _write(path, value, SIGNATURE, lambda data: signature(own, _signed(type(value)), name.encode(), data))
    except Exception:
        return


def _write(path: Path, value: object, length: int, head: Callable[[memoryview], bytes]) -> None:
    """Write a value behind what is said of it, so many bytes; none but one copy of it is held."""
    import msgspec

    data = bytearray(length)
    msgspec.msgpack.Encoder().encode_into(value, data, length)
    if len(data) > MOST_BYTES:
        log.info(
            "%s is left out of the cache: it would have %d MB, and %d are the most; each build makes it anew",
            path.name, len(data) // 1_000_000, MOST_BYTES // 1_000_000,
        )  # fmt: skip
        return
    with memoryview(data) as whole:
        data[:length] = head(whole[length:])
    write_atomically(path, data)


Held = dict[Path, tuple[bool, str, object]]
"""What a preview holds of each file: whether that is signed, key and value."""


class File(Struct, frozen=True):
    """A file of the build cache, as builds ask for it. A preview, which builds again and again, reads it once and
    writes it twice: after its first build, and when it ends."""

    path: Path
    own: bool = False
    """Whether it is signed."""
    held: Held | None = None

    def recall(self, wanted: str, kind: type[T]) -> T | None:
        """The value that was kept under this key; `None` when there is none."""
        if self.held is not None and self.path in self.held:
            _, name, value = self.held[self.path]
            return cast("T", value) if name == wanted else None
        found = (recall_own if self.own else recall)(self.path, wanted, kind)
        if self.held is not None and found is not None:
            self.held[self.path] = self.own, wanted, found
        return found

    def keep(self, name: str, value: object) -> None:
        """Keep a value under its key, in place of the one before."""
        if self.held is None or self.path not in self.held:
            (keep_own if self.own else keep)(self.path, name, value)
        if self.held is not None:
            self.held[self.path] = self.own, name, value

    def is_known(self) -> bool:
        """Whether there is one."""
        return self.path.is_file() or bool(self.held and self.path in self.held)

    def forget(self) -> None:
        """Keep nothing of it."""
        if self.held is not None:
            self.held.pop(self.path, None)
        self.path.unlink(missing_ok=True)


def put_down(held: Held) -> None:
    """Write down what a preview holds, and hold it no longer."""
    for path, (own, name, value) in held.items():
        File(path, own).keep(name, value)
    held.clear()


def _signed(kind: type) -> bytes:
    """What is signed along with a value, so that no signature of anything else will do."""
    return f"{kind.__name__.lower()}-1".encode()


def _digest(name: str, data: memoryview) -> bytes:
    """What stands for key and content; neither alone is believed."""
    state = hashlib.sha256(name.encode() + b"\n")
    state.update(data)
    return state.hexdigest().encode()
