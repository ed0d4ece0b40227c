"""Addresses of external pages: which are taken, what they are called, and where their snapshots are stored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit, urlunsplit

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
_PLAIN = re.compile(
    r"(?:/(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:[./]|$))[a-z0-9_](?:[a-z0-9._-]{0,58}[a-z0-9_-])?){1,8}"
)
"""Paths that every file system takes as they are."""
_PORTS = {"http": 80, "https": 443}


def normal(url: str) -> str:
    """Return the address in one spelling: scheme and host in lower case (IDNA), no fragment, no default port.

    Raises:
        ValueError: it is no whole `http:` or `https:` address, or holds a name and password.
    """
    if len(url) > MOST_CHARACTERS:
        raise ValueError(f"it is longer than {MOST_CHARACTERS:,} characters")
    if any(char.isspace() or not char.isprintable() for char in url) or "\\" in url:
        raise ValueError("it has white space, a backslash or a control character")
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError("it does not begin with `https://` and a host")
    if "@" in parts.netloc:
        raise ValueError("it has a name or password")
    host = parts.hostname.lower()
    try:
        if not host.isascii():
            host = host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise ValueError("its host is no domain name") from None
    if ":" in host:
        host = f"[{host}]"
    if parts.port not in (None, _PORTS[parts.scheme]):
        host += f":{parts.port}"
    return urlunsplit((parts.scheme, host, parts.path or "/", parts.query, ""))


def snapshot_path(url: str) -> str:
    """Return where the snapshot of a normal address is stored, relative to the folder of all: `host/path.md`.

    Distinct addresses have distinct paths, on file systems that ignore case too: one that cannot be a path is named by
    its last part and a digest.
    """
    parts = urlsplit(url)
    host = _ODD.sub("_", parts.netloc)
    path = parts.path
    if path.endswith("/"):
        path += "index"
    exact = (
        parts.scheme == "https"
        and not parts.query
        and not parts.path.endswith("/index")
    )
    if exact and _PLAIN.fullmatch(path) and ".md/" not in path:
        return f"{host}{path}.md"
    name = _ODD.sub("-", path.rpartition("/")[2].lower()).strip(".-")[:60]
    return f"{host}/{name}~{digest(url, length=8)}.md"


def name_of(entry: ExtraSource) -> str:
    """Return what `sources:` and `snapshot` call an entry of type `web`.

    Raises:
        ValueError: its first address is not one.
    """
    return entry.name or _ODD.sub("_", urlsplit(normal(urls_of(entry)[0])).netloc)


def urls_of(entry: ExtraSource) -> tuple[str, ...]:
    """Return the addresses that an entry names, as written."""
    if isinstance(entry.url, str):
        if entry.url:
            return (entry.url,)
        return ()
    return tuple(filter(None, entry.url))


def src_of(name: str, path: str) -> str:
    """Return the path under which answers know a snapshot: `web:NAME/HOST/PATH`, the host once."""
    inside = path.removesuffix(".md")
    if not inside.startswith(f"{name}/"):
        inside = f"{name}/{inside}"
    return f"{PREFIX}{inside}"


def with_whole_names(globs: tuple[str, ...]) -> tuple[str, ...]:
    """Return globs in which `web:NAME` (and `!web:NAME`) stands for every page of that name too."""
    named: list[str] = []
    for glob in globs:
        named.append(glob)
        if _WHOLE.fullmatch(glob):
            named.append(f"{glob}/**")
    return tuple(named)


def pages_named(entry: ExtraSource) -> tuple[str, ...]:
    """Return the normal addresses that an entry names one by one.

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
                raise UsageError(
                    f"{where}: `{entry.type}` has no address", tip="write `type: web`"
                )
            continue
        if not addressed:
            raise UsageError(
                f"{where}: a `web` source needs an address",
                tip="write `url: https://…`",
            )
        if entry.glob:
            raise UsageError(
                f"{where}: `glob` names files, and this is a `web` source",
                tip="delete `glob`",
            )
        if entry.name and not _NAME.fullmatch(entry.name):
            tip = "use letters, digits, `-`, `_` and `.`: `sources: [web:NAME]` has to spell it"
            raise UsageError(
                f"{where}: `{entry.name}` is no name for a `web` source", tip=tip
            )
        for url in addressed:
            try:
                normal(url)
            except ValueError as error:
                tip = "write a whole address, such as `https://example.org/limits`"
                raise UsageError(
                    f"{where}: `{url}` is not an address: {error}", tip=tip
                ) from None
