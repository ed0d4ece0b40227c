"""External pages: their addresses, and the snapshots of them that are stored and read as documents. No request is made
here.

Their text is fetched in `fetching` by an explicit command, and read as that of pages is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.files import inside, read_bounded
from mkdocs_cited.base.text import digest
from mkdocs_cited.model.declaration import WEB
from mkdocs_cited.model.finding import Finding, Place, found, place_of
from mkdocs_cited.model.options import ExtraSource, Settings
from mkdocs_cited.model.source import Page, SourceType
from mkdocs_cited.sources.from_html import extract
from mkdocs_cited.sources.passages import Unread

FORMAT = 2
"""Version of the file's format."""
MOST_BYTES = 2_000_000
"""Size of a file from which it is not read or written."""
MOST_CHARACTERS = 2_000
"""Of an address; longer ones are refused."""
_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_WHOLE = re.compile(rf"!?{WEB}[^/]+")
_ODD = re.compile(r"[^a-z0-9._-]+")
_PLAIN = re.compile(
    r"(?:/(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:[./]|$))[a-z0-9_](?:[a-z0-9._-]{0,58}[a-z0-9_-])?){1,8}"
)
"""Paths that every file system takes as they are."""
_MATTER = re.compile(r"---\n((?:[^\n]*\n)*?)---\n\n?")


def normal(url: str) -> str:
    """Return the address in one spelling: scheme and host in lower case (IDNA), no fragment, no default port.

    Raises:
        ValueError: it is no whole `http:` or `https:` address, or holds a name and password.
    """
    if len(url) > MOST_CHARACTERS:
        raise ValueError(f"it is longer than {MOST_CHARACTERS:,} characters")
    if not url.isprintable() or " " in url or "\\" in url:
        raise ValueError("it has white space, a backslash or a control character")
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError("it does not begin with `https://` and a host")
    if "@" in parts.netloc:
        raise ValueError("it has a name or password")
    host = parts.hostname.encode("idna").decode().lower()
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
    is_exact = url.startswith("https:") and not parts.query
    if path.endswith("/"):
        path += "index"
    elif path.endswith("/index"):
        is_exact = False
    if is_exact and _PLAIN.fullmatch(path) and ".md/" not in path:
        return f"{host}{path}.md"
    name = _ODD.sub("-", path.rpartition("/")[2].lower()).strip(".-")[:60]
    return f"{host}/{name}~{digest(url, length=8)}.md"


def urls_of(entry: ExtraSource) -> tuple[str, ...]:
    """Return the addresses that an entry names, as written."""
    if isinstance(entry.url, str):
        return tuple(filter(None, (entry.url,)))
    return entry.url


def name_of(entry: ExtraSource) -> str:
    """Return what `sources:` and `snapshot` call an entry of type `web`.

    Raises:
        ValueError: its first address is not one.
    """
    return entry.name or _ODD.sub("_", urlsplit(normal(urls_of(entry)[0])).netloc)


def src_of(name: str, path: str) -> str:
    """Return the path under which answers know a snapshot: `web:NAME/HOST/PATH`, the host once."""
    below = path.removesuffix(".md")
    if not below.startswith(f"{name}/"):
        below = f"{name}/{below}"
    return f"{WEB}{below}"


def with_whole_names(globs: tuple[str, ...]) -> tuple[str, ...]:
    """Return globs in which `web:NAME` (and `!web:NAME`) stands for every page of that name too."""
    named: list[str] = []
    for glob in globs:
        named.append(glob)
        if _WHOLE.fullmatch(glob):
            named.append(f"{glob}/**")
    return tuple(named)


def check(entry: ExtraSource) -> None:
    """Refuse an entry of `extra_sources` that cannot be meant.

    Raises:
        UsageError: one of type `web` has no address or a wrong one, or a name that no glob could spell; one of another
            type has an address.
    """
    problem = ""
    urls = urls_of(entry)
    if entry.type != "web":
        if urls:
            problem = f"`{entry.type}` has no address"
    elif not urls:
        problem = "a `web` source needs an address"
    elif entry.glob:
        problem = "`glob` names files, and this is a `web` source"
    elif entry.name and not _NAME.fullmatch(entry.name):
        problem = f"`{entry.name}` is no name for a `web` source"
    else:
        for url in urls:
            try:
                normal(url)
            except ValueError as error:
                problem = f"`{url}` is not an address: {error}"
    if problem:
        tip = "write `{type: web, name: limits, url: https://…}`; a name has letters, digits, `-`, `_` and `.`"
        raise UsageError(f"cited: option `extra_sources`: {problem}", tip=tip)


class Snapshot(Struct, frozen=True, kw_only=True):
    """An external page as it was on one day. The order of the fields is that of the file."""

    format: int = FORMAT
    url: str
    """The normal address that the options name."""
    title: str = ""
    language: str = ""
    """BCP 47, as the page states it."""
    fetched: str = ""
    """ISO 8601 date on which this text was first found."""
    hash: str = ""
    """Digest of the text, in its file: it shows an edit."""
    body: str = ""
    """The main text as HTML."""


def encode(snapshot: Snapshot) -> bytes:
    """Return the snapshot as a file."""
    values = asdict(replace(snapshot, hash=_hash_of(snapshot.body)))
    body = values.pop("body")
    lines = []
    for key, value in values.items():
        if value:
            lines.append(f"{key}: {msgspec.json.encode(value).decode()}")
    matter = "\n".join(lines)
    return f"---\n{matter}\n---\n\n{body}".encode()


def decode(data: bytes) -> Snapshot:
    """Return a file as a snapshot.

    Raises:
        ValueError: it is none, or its text is not the one that was fetched; says why.
    """
    text = data.decode("utf-8-sig").replace("\r\n", "\n")
    match = _MATTER.match(text)
    if match is None:
        raise ValueError("it has no front matter")
    matter = msgspec.yaml.decode(match[1], type=Snapshot)
    if matter.format != FORMAT:
        raise ValueError(
            f"its format is not {FORMAT}: another version of mkdocs-cited wrote it"
        )
    body = text[match.end() :]
    if _hash_of(body) != matter.hash:
        raise ValueError("its text was changed since it was fetched")
    return replace(matter, body=body, hash="")


def _hash_of(body: str) -> str:
    return digest("snapshot-1", body)


def page_of(snapshot: Snapshot, src: str, file: str) -> Page:
    """What answers know of the page, under the path `src` (`web:NAME/…`); findings name `file`, its snapshot."""
    return Page(
        src=src,
        url=snapshot.url,
        title=snapshot.title or snapshot.url,
        locale=snapshot.language,
        type=SourceType.WEB,
        file=file,
        fetched=snapshot.fetched,
    )


class Store(Struct, frozen=True):
    """The folder of the snapshots."""

    root: Path
    """Folder of the configuration file."""
    web_dir: str
    """The option: relative to the root."""

    def file(self, url: str) -> str:
        """The path of the snapshot of a normal address, as findings show it."""
        return f"{self.web_dir.rstrip('/')}/{snapshot_path(url)}"

    def locate(self, url: str) -> Path:
        """Return the file of the snapshot of a normal address.

        Raises:
            CitedError: a link leads out of the folder.
        """
        folder = self.root / self.web_dir
        where = "the folder of snapshots"
        return inside(folder, snapshot_path(url), what="a snapshot", where=where)

    def read(self, url: str) -> Snapshot | None:
        """Return the snapshot of a normal address; None when there is no such file.

        Raises:
            ValueError: there is one that cannot be used; says why.
        """
        try:
            snapshot = decode(read_bounded(self.locate(url), MOST_BYTES))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ValueError(error.strerror) from None
        except CitedError as error:
            raise ValueError(error.message) from None
        if snapshot.url != url:
            raise ValueError(f"it is of another address, {snapshot.url[:200]}")
        return snapshot


def read_snapshots(
    root: Path, settings: Settings, config_file: str
) -> Iterator[tuple[Page, Unread] | Finding]:
    """Yield the snapshots of `extra_sources` in order of their paths, each once, or why one cannot be read. A text is
    cut into passages only when the index does not know it yet. Never raises for what is in the project.

    Args:
        root: folder of the configuration file.
        settings: the options, each entry checked by `check`.
        config_file: its path, for findings about addresses without a snapshot.
    """
    store = Store(root, settings.web_dir)
    names: dict[str, str] = {}
    for entry in settings.extra_sources:
        if entry.type == "web":
            names |= dict.fromkeys(map(normal, urls_of(entry)), name_of(entry))
    for url in sorted(names, key=snapshot_path):
        yield _document(store, url, names[url], config_file)


def _document(
    store: Store, url: str, name: str, config_file: str
) -> tuple[Page, Unread] | Finding:
    tip = f"run `mkdocs-cited snapshot {name}`"
    try:
        snapshot = store.read(url)
    except ValueError as error:
        message = f"the snapshot of {url} is left out: {error}"
        tip = f"restore it from git, or {tip}"
        return found("unreadable-source", Place(store.file(url)), message, tip=tip)
    if snapshot is None:
        message = f"`extra_sources`: there is no snapshot of {url}"
        place = place_of(
            store.root / config_file, config_file, "extra_sources", ("url", url)
        )
        return found("unreadable-source", place, message, tip=tip)
    page = page_of(snapshot, src_of(name, snapshot_path(url)), store.file(url))
    return page, Unread(
        digest("snapshot-4", snapshot.body, length=24),
        partial(extract, page, snapshot.body),
    )
