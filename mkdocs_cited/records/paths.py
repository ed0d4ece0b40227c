"""Which file holds which record: `faq.md#limits` ↔ `faq/limits.md`. Total and reversible, and safe on every system."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

PROPOSAL = ".new.md"
"""How the file of a proposal ends."""

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
_NAMED_WHOLE = (*_MARKDOWN, ".yml", ".yaml")
"""Files whose folder bears their whole name: any but `….md`, files of questions among them."""
# What Windows or a shell gives a meaning, a leading dot (hidden, or `..`), a trailing dot or space, half characters.
_UNSAFE = re.compile('[\x00-\x1f\x7f%/\\\\:*?"<>|\ud800-\udfff]|^\\.|[. ]$')
_ESCAPE = re.compile(r"%(?:u([0-9A-F]{4})|([0-9A-F]{2}))")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def path_of(key: str, *, proposal: bool = False) -> str:
    """Path of a record below the records' folder, with `/`. No key leads out of it."""
    page, _, name = key.rpartition("#")
    stem = page.removesuffix(".md")
    folder = page if stem.endswith(_NAMED_WHOLE) else stem
    segments = [_safe(segment) for segment in folder.split("/")]
    file = _safe(name).replace(".", "%2E")  # so that no record is another's proposal
    return "/".join((*segments, file + (PROPOSAL if proposal else ".md")))


def key_of(path: str) -> str:
    """The key of the record or proposal at a path below the records' folder; empty for a file that is neither."""
    parts = PurePosixPath(path).parts
    if len(parts) < 2 or not path.endswith(".md") or any(part.startswith(".") for part in parts):
        return ""
    folder = "/".join(_plain(part) for part in parts[:-1])
    name = parts[-1].removesuffix(PROPOSAL) if path.endswith(PROPOSAL) else parts[-1].removesuffix(".md")
    page = folder if folder.endswith(_NAMED_WHOLE) else f"{folder}.md"
    key = f"{page}#{_plain(name)}"
    return key if path_of(key, proposal=path.endswith(PROPOSAL)) == path else ""


def collisions(keys: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of keys whose files are one on a file system that ignores case or composes accents."""
    seen: dict[str, str] = {}
    pairs = []
    for key in sorted(keys):
        first = seen.setdefault(unicodedata.normalize("NFC", path_of(key)).casefold(), key)
        if first != key:
            pairs.append((first, key))
    return pairs


def _safe(segment: str) -> str:
    """A part of a path with everything escaped that could mean more than itself."""
    if not segment:
        return "%"
    safe = _UNSAFE.sub(lambda match: _escape(match[0]), segment)
    return _escape(safe[0]) + safe[1:] if _RESERVED.fullmatch(safe) else safe


def _escape(char: str) -> str:
    return f"%{ord(char):02X}" if ord(char) < 256 else f"%u{ord(char):04X}"


def _plain(segment: str) -> str:
    return "" if segment == "%" else _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), segment)
