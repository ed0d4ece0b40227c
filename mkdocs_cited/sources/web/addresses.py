"""Addresses of external pages: which are taken, what they are called, and where their snapshots are stored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit, urlunsplit

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import digest
from mkdocs_cited.model.options import ExtraSource

PREFIX = "web:"
"""What the paths of external pages start with, in `sources:` and in passage ids."""
MOST_CHARACTERS = 2_000
"""Of an address; longer ones are refused."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_WHOLE = re.compile(rf"!?{PREFIX}[^/]+")
_ODD = re.compile(r"[^a-z0-9._-]+")
_SEGMENT = 60
"""Characters of one folder or file name."""
_DEPTH = 8
"""Folders below that of the host; an address with more is distinguished by a digest."""
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
_PORTS = {"http": 80, "https": 443}


def normal(url: str) -> str:
    """The address in one spelling: scheme and host in lower case (IDNA), no fragment, no default port.

    Raises:
        ValueError: it is no whole `http:` or `https:` address, or holds a name and password.
    """
    if len(url) > MOST_CHARACTERS:
        raise ValueError(f"it is longer than {MOST_CHARACTERS:,} characters")
    if any(char.isspace() or not char.isprintable() for char in url) or "\\" in url:
        raise ValueError("it holds white space, a backslash or a control character")
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError("it does not begin with `https://` and a host")
    if "@" in parts.netloc:
        raise ValueError("it holds a name or password")
    host, port = parts.hostname, parts.port
    try:
        host = host.lower() if host.isascii() else host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise ValueError("its host is no domain name") from None
    netloc = f"[{host}]" if ":" in host else host
    if port is not None and port != _PORTS[parts.scheme]:
        netloc += f":{port}"
    return urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, ""))


def snapshot_path(url: str) -> str:
    """Where the snapshot of a normal address is stored, relative to the folder of all: `host/path.md`.

    Distinct addresses have distinct paths, on file systems that ignore case too: whatever of an address cannot be
    part of a path is named by a digest at its end.
    """
    parts = urlsplit(url)
    folder = _ODD.sub("_", parts.netloc)
    pieces = unquote(parts.path).split("/")[1:]
    segments = [_segment(piece) for piece in [*pieces[-_DEPTH:-1], pieces[-1] or "index"]]
    whole = [*pieces[:-1], pieces[-1] or "index"] == segments and pieces[-1] != "index"
    exact = whole and not parts.query and parts.scheme == "https" and unquote(parts.path) == parts.path
    if not exact or any(piece.endswith(".md") for piece in segments[:-1]):
        segments = [piece.removesuffix(".md") or "_" for piece in segments[:-1]] + [
            f"{segments[-1]}~{digest(url, length=8)}"
        ]
    return "/".join((folder, *segments)) + ".md"


def name_of(entry: ExtraSource) -> str:
    """What `sources:` and `snapshot` call an entry of type `web`.

    Raises:
        ValueError: its first address is not one.
    """
    return entry.name or _ODD.sub("_", urlsplit(normal(urls_of(entry)[0])).netloc)


def urls_of(entry: ExtraSource) -> tuple[str, ...]:
    """The addresses that an entry names, as written."""
    return tuple(filter(None, (entry.url,) if isinstance(entry.url, str) else entry.url))


def src_of(name: str, path: str) -> str:
    """The path under which answers know a snapshot: `web:NAME/HOST/PATH`, the host once."""
    inside = path.removesuffix(".md")
    return f"{PREFIX}{inside}" if inside.startswith(f"{name}/") else f"{PREFIX}{name}/{inside}"


def with_whole_names(globs: tuple[str, ...]) -> tuple[str, ...]:
    """Globs in which `web:NAME` (and `!web:NAME`) stands for every page of that name too."""
    return tuple(part for glob in globs for part in ((glob, f"{glob}/**") if _WHOLE.fullmatch(glob) else (glob,)))


def pages_named(entry: ExtraSource) -> tuple[str, ...]:
    """The normal addresses that an entry names one by one.

    Raises:
        ValueError: one of them is not an address.
    """
    return tuple(dict.fromkeys(normal(url) for url in urls_of(entry)))


def check(entries: Sequence[ExtraSource], file: str = "mkdocs.yml") -> None:
    """Refuse entries that cannot be meant.

    Raises:
        UsageError: an entry of type `web` has no address or a wrong one, or a name that no glob could spell; an entry
            of another type has an address.
    """
    for number, entry in enumerate(entries):
        where = f"{file}: cited: option `extra_sources[{number}]`"
        addressed = urls_of(entry)
        if entry.type != "web":
            if addressed:
                raise UsageError(f"{where}: `{entry.type}` has no address", tip="write `type: web`")
            continue
        if not addressed:
            raise UsageError(f"{where}: a `web` source needs an address", tip="write `url: https://…`")
        if entry.glob:
            raise UsageError(f"{where}: `glob` names files, and this is a `web` source", tip="delete `glob`")
        if entry.name and not _NAME.fullmatch(entry.name):
            tip = "use letters, digits, `-`, `_` and `.`: `sources: [web:NAME]` has to spell it"
            raise UsageError(f"{where}: `{entry.name[:80]}` is no name for a `web` source", tip=tip)
        for url in addressed:
            try:
                normal(url)
            except ValueError as error:
                tip = "write a whole address, such as `https://example.org/limits`"
                raise UsageError(f"{where}: `{url[:200]}` is not an address: {error}", tip=tip) from None


def _segment(piece: str) -> str:
    """A part of a path that every file system takes, and that leads nowhere else."""
    name = _ODD.sub("-", piece.lower()).strip(".-")[:_SEGMENT].strip(".-")
    return f"_{name}" if not name or _RESERVED.fullmatch(name) else name
