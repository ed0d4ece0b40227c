"""Snapshots of external pages: as values, as files, and as documents for the index. No request is made here.

The text is found in `fetching` and read as pages are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import inside, read_bounded
from mkdocs_cited.base.text import digest
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.places import place_of
from mkdocs_cited.model.source import Page, SourceType
from mkdocs_cited.sources.from_html import extract
from mkdocs_cited.sources.passages import Unread
from mkdocs_cited.sources.web import addresses
from mkdocs_cited.sources.web.addresses import normal

FORMAT = 2
"""Version of the file's format."""
MOST_BYTES = 2_000_000
"""Size of a file from which it is not read or written."""
_MATTER = re.compile(r"---\n((?:[^\n]*\n)*?)---\n\n?")


class Snapshot(Struct, frozen=True, kw_only=True):
    """An external page as it was on one day. The order of the fields is that of the file."""

    format: int = FORMAT
    url: str
    """The normal address that the options name."""
    final_url: str = ""
    """The address that it was found under, where redirects led on."""
    title: str = ""
    language: str = ""
    """BCP 47, as the page states it."""
    fetched: str = ""
    """ISO 8601 date on which this text was first found."""
    hash: str = ""
    """Digest of the text, in its file: it shows an edit."""
    body: str = ""
    """The main text as HTML."""

    @property
    def found_at(self) -> str:
        """Where the page is."""
        return self.final_url or self.url


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
    for url in (matter.url, matter.found_at):
        if normal(url) != url:
            raise ValueError("its address is not in its normal spelling")
    return replace(matter, body=body, hash="")


def _hash_of(body: str) -> str:
    return digest("snapshot-1", body)


def page_of(snapshot: Snapshot, src: str, file: str) -> Page:
    """What answers know of the page, under the path `src` (`web:NAME/…`); findings name `file`, its snapshot."""
    return Page(
        src=src,
        url=snapshot.found_at,
        title=snapshot.title or snapshot.found_at,
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

    def file(self, path: str) -> str:
        """A snapshot's path as findings show it."""
        return f"{self.web_dir.rstrip('/')}/{path}"

    def locate(self, path: str) -> Path:
        """Return the file of a snapshot.

        Raises:
            CitedError: a link leads out of the folder.
        """
        return inside(
            self.root / self.web_dir,
            path,
            what="a snapshot",
            where="the folder of snapshots",
        )

    def read(self, path: str) -> Snapshot | None:
        """Return a snapshot; None when there is no such file.

        Raises:
            ValueError: there is one that cannot be used; says why.
        """
        try:
            return decode(read_bounded(self.locate(path), MOST_BYTES))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ValueError(error.strerror) from None
        except CitedError as error:
            raise ValueError(error.message) from None


def read_snapshots(
    root: Path, settings: Settings, config_file: str
) -> Iterator[tuple[Page, Unread] | Finding]:
    """Yield the snapshots of `extra_sources` in order of their paths, each once, or why one cannot be read. A text is
    cut into passages only when the index does not know it yet. Never raises for what is in the project.

    Args:
        root: folder of the configuration file.
        settings: the options, checked by `addresses.check`.
        config_file: its path, for findings about addresses without a snapshot.
    """
    store = Store(root, settings.web_dir)
    wanted: dict[str, tuple[str, str]] = {}
    for entry in settings.extra_sources:
        if entry.type == "web":
            for url in addresses.pages_named(entry):
                wanted[addresses.snapshot_path(url)] = (url, addresses.name_of(entry))
    for path, (url, name) in sorted(wanted.items()):
        yield _document(store, path, url, name, config_file)


def _document(
    store: Store, path: str, url: str, name: str, config_file: str
) -> tuple[Page, Unread] | Finding:
    tip = f"run `mkdocs-cited snapshot {name}`"
    try:
        snapshot = store.read(path)
        if snapshot is not None and snapshot.url != url:
            raise ValueError(f"it is of another address, {snapshot.url[:200]}")
    except ValueError as error:
        message = f"the snapshot of {url} is left out: {error}"
        return found(
            "unreadable-source",
            Place(store.file(path)),
            message,
            tip=f"restore it from git, or {tip}",
        )
    if snapshot is None:
        message = f"`extra_sources`: there is no snapshot of {url}"
        place = place_of(
            store.root / config_file, config_file, "extra_sources", ("url", url)
        )
        return found("unreadable-source", place, message, tip=tip)
    page = page_of(snapshot, addresses.src_of(name, path), store.file(path))
    return page, Unread(
        digest("snapshot-4", snapshot.body, length=24),
        partial(extract, page, snapshot.body),
    )
