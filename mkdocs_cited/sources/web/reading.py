"""The snapshots that `extra_sources` names, as documents for the index. No request is made here, nor anything written.

A text is cut into passages only when the index does not know it yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.paths import inside
from mkdocs_cited.base.text import digest
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.source import Page
from mkdocs_cited.settings import ExtraSource, Settings
from mkdocs_cited.settings.places import place_of
from mkdocs_cited.sources.passages import Unread
from mkdocs_cited.sources.web import addresses
from mkdocs_cited.sources.web.snapshot import MOST_BYTES, Snapshot, decode, page_of, passages_of


class Kept(Struct, frozen=True):
    """The folder of the snapshots."""

    root: Path
    """Folder of the configuration file."""
    web_dir: str
    """The option: relative to the root."""

    @property
    def folder(self) -> Path:
        """Where the snapshots are."""
        return self.root / self.web_dir

    def file(self, path: str) -> str:
        """A snapshot's path as findings show it."""
        return f"{self.web_dir.rstrip('/')}/{path}"

    def locate(self, path: str) -> Path:
        """The file of a snapshot.

        Raises:
            ValueError: it leads out of the folder, by a link or without.
        """
        try:
            return inside(self.folder, path, what="its path", where="the folder of snapshots")
        except CitedError as error:
            raise ValueError(error.message) from None

    def has(self, path: str) -> bool:
        """Whether there is a file for a snapshot, whatever it holds."""
        try:
            return self.locate(path).is_file()
        except ValueError:
            return False

    def read(self, path: str) -> tuple[Snapshot, int] | None:
        """A snapshot and the line that its text begins on; None when there is no such file.

        Raises:
            ValueError: there is one that cannot be used; says why.
        """
        file = self.locate(path)
        try:
            if file.stat().st_size > MOST_BYTES:
                raise ValueError(f"it is larger than {MOST_BYTES:,} bytes")
            return decode(file.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ValueError(error.strerror or type(error).__name__) from None

    def below(self, host: str) -> Iterator[str]:
        """Paths of the snapshots of a host, sorted, as `addresses` names it in paths."""
        files = (file for file in (self.folder / host).rglob("*.md") if file.is_file())
        return iter(sorted(file.relative_to(self.folder).as_posix() for file in files))


class Snapshots(Struct, frozen=True):
    """What entries of the type `web` gave."""

    documents: tuple[tuple[Page, Unread], ...]
    """Ordered by path, each page once."""
    findings: tuple[Finding, ...]
    """What could not be read, and why."""


def read_snapshots(root: Path, settings: Settings, *, config_file: str = "mkdocs.yml") -> Snapshots:
    """The snapshots of `extra_sources`. Never raises for what is in the project.

    Args:
        root: folder of the configuration file.
        settings: the options, checked by `addresses.check`.
        config_file: its path, for findings about addresses without a snapshot.
    """
    kept = Kept(root, settings.web_dir)
    documents: dict[str, tuple[Page, Unread]] = {}
    findings: list[Finding] = []
    for entry in settings.extra_sources:
        if entry.type != "web":
            continue
        name = addresses.name_of(entry)
        for path, url in named(kept, entry):
            if path not in documents:
                match _document(kept, path, url, name, config_file):
                    case Finding() as problem:
                        findings.append(problem)
                    case document:
                        documents[path] = document
    return Snapshots(tuple(documents[path] for path in sorted(documents)), tuple(findings))


def named(kept: Kept, entry: ExtraSource) -> Iterator[tuple[str, str]]:
    """(path, address) of each snapshot that an entry names: of every address, and of what is kept of its sitemap."""
    for url in addresses.pages_named(entry):
        yield addresses.snapshot_path(url), url
    if not entry.sitemap:
        return
    folder = addresses.snapshot_path(addresses.normal(entry.sitemap)).partition("/")[0]
    taken = 0
    for path in kept.below(folder):
        try:
            held = kept.read(path)
        except ValueError:
            continue  # of whatever page it is: whoever names its address is told
        if held is not None and addresses.of_sitemap(entry, held[0].url) and taken < entry.limit:
            taken += 1
            yield path, held[0].url


def _document(kept: Kept, path: str, url: str, name: str, config_file: str) -> tuple[Page, Unread] | Finding:
    tip = f"run `mkdocs-cited snapshot {name}`"
    try:
        held = kept.read(path)
        if held is None:
            message = f"`extra_sources`: there is no snapshot of {url}"
            place = place_of(kept.root / config_file, config_file, "extra_sources", ("url", url))
            return found("unreadable-source", place, message, tip=tip)
        snapshot, first = held
        if snapshot.url != url:
            raise ValueError(f"it is of another address, {snapshot.url[:200]}")
    except ValueError as error:
        message = f"the snapshot of {url} is left out: {error}"
        return found("unreadable-source", Place(kept.file(path)), message, tip=f"restore it from git, or {tip}")
    page = page_of(snapshot, addresses.src_of(name, path), kept.file(path))
    key = digest("snapshot", snapshot.body, str(first), length=24)
    return page, Unread(key, partial(passages_of, page, snapshot.body, first))
