"""Snapshots of external pages: as values, as files, and as documents for the index. No request is made here.

The text is written in `cut` and read as pages are.
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
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.options import ExtraSource, Settings
from mkdocs_cited.model.source import Page, SourceType
from mkdocs_cited.settings.places import place_of
from mkdocs_cited.sources.from_html import extract
from mkdocs_cited.sources.passages import Unread
from mkdocs_cited.sources.web import addresses
from mkdocs_cited.sources.web.addresses import normal

FORMAT = 2
"""Version of the file's format."""
MOST_BYTES = 2_000_000
"""Size of a file from which it is not read or written."""
_MATTER = re.compile(r"---\n((?:[^\n]*\n)*?)---\n\n?")


class Snapshot(Struct, frozen=True):
    """An external page as it was on one day. The order of the fields is that of the file."""

    url: str
    """The normal address that the options name."""
    final_url: str = ""
    """The address that it was found under, where redirects led on."""
    title: str = ""
    language: str = ""
    """BCP 47, as the page states it."""
    fetched: str = ""
    """ISO 8601 date on which this text was first found."""
    body: str = ""
    """The main text: see `cut.body_of`."""

    @property
    def found_at(self) -> str:
        """Where the page is."""
        return self.final_url or self.url

    @property
    def hash(self) -> str:
        """Digest of the text, by which an edit is noticed."""
        return digest("snapshot-1", self.body)


def encode(snapshot: Snapshot) -> bytes:
    """The snapshot as a file."""
    values = {key: value for key, value in asdict(snapshot).items() if value and key != "body"}
    matter = {"format": FORMAT, **values, "hash": snapshot.hash}
    lines = "".join(f"{key}: {msgspec.json.encode(value).decode()}\n" for key, value in matter.items())
    return f"---\n{lines}---\n\n{snapshot.body}".encode()


def decode(data: bytes) -> Snapshot:
    """A file as a snapshot.

    Raises:
        ValueError: it is none, or its text is not the one that was fetched; says why.
    """
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"byte 0x{data[error.start]:02x} is not UTF-8") from None
    match = _MATTER.match(text)
    if match is None:
        raise ValueError("it has no front matter")
    values = _values(match[1])
    if values.pop("format", None) != FORMAT:
        raise ValueError(f"its format is not {FORMAT}: another version of mkdocs-cited wrote it")
    hashed = values.pop("hash", "")
    stored = {key: value for key in Snapshot.__struct_fields__ if isinstance(value := values.get(key), str)}
    if "url" not in stored:
        raise ValueError("it does not say of what address it is")
    snapshot = Snapshot(**stored | {"body": text[match.end() :]})
    if snapshot.hash != hashed:
        raise ValueError("its text was changed since it was fetched")
    for url in (snapshot.url, snapshot.found_at):
        if normal(url) != url:
            raise ValueError("its address is not in its normal spelling")
    return snapshot


def _values(matter: str) -> dict[str, object]:
    """The front matter's keys and values: YAML of which every value is JSON, one a line, as `encode` writes it.

    Raises:
        ValueError: it is something else.
    """
    values = {}
    for line in matter.splitlines():
        key, _, value = line.partition(": ")
        try:
            values[key] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            raise ValueError(f"its front matter was changed by hand: `{line[:80]}`") from None
    return values


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
        """The file of a snapshot.

        Raises:
            ValueError: it leads out of the folder, by a link or without.
        """
        try:
            return inside(self.root / self.web_dir, path, what="its path", where="the folder of snapshots")
        except CitedError as error:
            raise ValueError(error.message) from None

    def read(self, path: str) -> Snapshot | None:
        """A snapshot; None when there is no such file.

        Raises:
            ValueError: there is one that cannot be used; says why.
        """
        file = self.locate(path)
        try:
            return decode(read_bounded(file, MOST_BYTES))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ValueError(error.strerror or type(error).__name__) from None


def read_snapshots(
    root: Path, settings: Settings, findings: list[Finding], *, config_file: str = "mkdocs.yml"
) -> Iterator[tuple[Page, Unread]]:
    """The snapshots of `extra_sources` in order of their paths, each once. A text is cut into passages only when the
    index does not know it yet. Never raises for what is in the project.

    Args:
        root: folder of the configuration file.
        settings: the options, checked by `addresses.check`.
        findings: takes what could not be read, and why.
        config_file: its path, for findings about addresses without a snapshot.
    """
    store = Store(root, settings.web_dir)
    entries = [entry for entry in settings.extra_sources if entry.type == "web"]
    wanted = {addresses.snapshot_path(url): (url, entry) for entry in entries for url in addresses.pages_named(entry)}
    for path, (url, entry) in sorted(wanted.items()):
        document = _document(store, path, url, entry, config_file)
        if isinstance(document, Finding):
            findings.append(document)
        else:
            yield document


def _document(store: Store, path: str, url: str, entry: ExtraSource, config_file: str) -> tuple[Page, Unread] | Finding:
    name = addresses.name_of(entry)
    tip = f"run `mkdocs-cited snapshot {name}`"
    try:
        snapshot = store.read(path)
        if snapshot is None:
            message = f"`extra_sources`: there is no snapshot of {url}"
            place = place_of(store.root / config_file, config_file, "extra_sources", ("url", url))
            return found("unreadable-source", place, message, tip=tip)
        if snapshot.url != url:
            raise ValueError(f"it is of another address, {snapshot.url[:200]}")
    except ValueError as error:
        message = f"the snapshot of {url} is left out: {error}"
        return found("unreadable-source", Place(store.file(path)), message, tip=f"restore it from git, or {tip}")
    page = page_of(snapshot, addresses.src_of(name, path), store.file(path))
    return page, Unread(digest("snapshot-4", snapshot.body, length=24), partial(extract, page, snapshot.body))
