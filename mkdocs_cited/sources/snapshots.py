"""External pages, each an entry of `extra_sources`, and the snapshots of them that are stored and read as documents. No
request is made here.

Their text is fetched in `fetching` by an explicit command, and read as that of pages is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.errors import UsageError, command
from mkdocs_cited.base.files import inside, read_bounded
from mkdocs_cited.base.text import digest
from mkdocs_cited.model.declaration import WEB
from mkdocs_cited.model.finding import Finding, Place, found, place_of
from mkdocs_cited.model.options import ExtraSource, Settings
from mkdocs_cited.model.source import Page, SourceType

MOST_BYTES = 2_000_000
"""Size of a file from which it is not read or written."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_ADDRESS = re.compile(r"https?://[\w.-]+(?::\d{1,5})?(?:[/?][^\s#]*)?")
"""A whole address without a password and without the part of a page."""
_MATTER = re.compile(r"---\n((?:[^\n]*\n)*?)---\n\n?")


def is_in_the_clear(url: str, private_hosts: Sequence[str]) -> bool:
    """True if an address begins with `http:` and its host is none of those that may be asked so."""
    parts = urlsplit(url)
    is_own = parts.hostname in private_hosts or parts.netloc in private_hosts
    return parts.scheme != "https" and not is_own


def check(
    entry: ExtraSource,
    before: Sequence[ExtraSource] = (),
    private_hosts: Sequence[str] = (),
) -> None:
    """Refuse an entry of `extra_sources` that cannot be meant.

    Args:
        entry: one of them.
        before: those that are written before it.
        private_hosts: the option of that name.

    Raises:
        UsageError: one of type `web` has no name of its own or no address; one of another type has an address.
    """
    problem = ""
    taken = [other.name.lower() for other in before if other.type == "web"]
    if entry.type != "web":
        if entry.url:
            problem = f"an entry with a `url` is of `type: web`, and this is of `{entry.type}`"
    elif entry.glob:
        problem = "`glob` names files, and this is a `web` source"
    elif not _ADDRESS.fullmatch(entry.url):
        problem = f"`{entry.url}` is not the address of a page"
    elif is_in_the_clear(entry.url, private_hosts):
        problem = f"`{entry.url}` begins with `http:`, and its host is not in the option `web.private_hosts`"
    elif not _NAME.fullmatch(entry.name):
        problem = f"`{entry.name}` is no name for a `web` source"
    elif entry.name.lower() in taken:
        problem = f"two sources have the name `{entry.name}`"
    if problem:
        tip = (
            "write `{type: web, name: limits, url: https://…}` for each page, its address without `#…`; "
            "a name has letters, digits, `-`, `_` and `.`"
        )
        raise UsageError(f"cited: option `extra_sources`: {problem}", tip=tip)


class Snapshot(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An external page as it was on one day. The order of the fields is that of the file."""

    url: str
    """The address that the options name."""
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
    matter = replace(snapshot, hash=_hash_of(snapshot.body), body="")
    head = msgspec.yaml.encode(matter)
    return b"---\n%b---\n\n%b" % (head, snapshot.body.encode())


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
    body = text[match.end() :]
    if _hash_of(body) != matter.hash:
        raise ValueError("its text was changed since it was fetched")
    return replace(matter, body=body, hash="")


def _hash_of(body: str) -> str:
    return digest("snapshot-1", body)


def page_of(snapshot: Snapshot, name: str, file: str) -> Page:
    """What answers know of the page, under the path `web:NAME`; findings name `file`, its snapshot."""
    return Page(
        src=f"{WEB}{name}",
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

    def file(self, entry: ExtraSource) -> str:
        """The path of an entry's snapshot, as findings show it."""
        return f"{self.web_dir.rstrip('/')}/{entry.name}.md"

    def locate(self, entry: ExtraSource) -> Path:
        """Return the file of an entry's snapshot.

        Raises:
            CitedError: a link leads out of the folder.
        """
        folder, where = self.root / self.web_dir, "the folder of snapshots"
        return inside(folder, f"{entry.name}.md", what="a snapshot", where=where)

    def read(self, entry: ExtraSource) -> Snapshot | None:
        """Return an entry's snapshot; None when there is no such file.

        Raises:
            ValueError: there is one that cannot be used; says why.
        """
        try:
            data = read_bounded(self.root / self.file(entry), MOST_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ValueError(error.strerror) from None
        snapshot = decode(data)
        if snapshot.url != entry.url:
            raise ValueError(f"it is of another address, {snapshot.url[:200]}")
        return snapshot


def read_snapshots(
    root: Path, settings: Settings, config_file: str
) -> Iterator[tuple[Page, str] | Finding]:
    """Yield the snapshots of `extra_sources` with their HTML, or why one cannot be read. Never raises for what is in
    the project.

    Args:
        root: folder of the configuration file.
        settings: the options, each entry checked by `check`.
        config_file: its path, for findings about addresses without a snapshot.
    """
    store = Store(root, settings.web_dir)
    for entry in settings.extra_sources:
        if entry.type != "web":
            continue
        file = store.file(entry)
        tip = f"run `{command('snapshot', entry.name)}`"
        try:
            snapshot = store.read(entry)
        except ValueError as error:
            message = f"the snapshot of {entry.url} is left out: {error}"
            tip = f"restore it from git, or {tip}"
            yield found("unreadable-source", Place(file), message, tip=tip)
            continue
        if snapshot:
            yield page_of(snapshot, entry.name, file), snapshot.body
            continue
        message = f"`extra_sources`: there is no snapshot of {entry.url}"
        step = ("url", entry.url)
        place = place_of(root / config_file, config_file, "extra_sources", step)
        yield found("unreadable-source", place, message, tip=tip)
