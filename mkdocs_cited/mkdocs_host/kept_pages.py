"""The pages that a command has rendered, kept for the next one: it renders nothing where nothing has changed.

One file a configuration, in the cache: the HTML of every page, then what pages declare and what all of it was made
from, then a digest of the whole. It is believed only while everything that the rendering was seen to read is as it was
(`observing`), and Python, packages, options, folder, environment and date are. Its HTML is searched and never shown.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
from mkdocs.config.defaults import MkDocsConfig

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.files import make_cache
from mkdocs_cited.base.text import digest
from mkdocs_cited.mkdocs_host import build_cache
from mkdocs_cited.mkdocs_host.adapter import Shown
from mkdocs_cited.mkdocs_host.build import CACHE, Build
from mkdocs_cited.mkdocs_host.installed import software
from mkdocs_cited.mkdocs_host.observing import Observation
from mkdocs_cited.mkdocs_host.seen import Seen
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.page import Page
from mkdocs_cited.settings import Settings
from mkdocs_cited.site_host import configuration

KEYS = ("site_name", "site_url", "docs_dir", "use_directory_urls", "repo_url", "edit_uri")
"""What of a configuration the commands ask for, as plugins have left it."""
MOST_BYTES = 1_000_000_000
"""A larger site is rendered each time."""
_MAGIC = b"mkdocs-cited pages 1\n"
_LENGTH = 8
_INHERIT = re.compile(r"^INHERIT:\s*['\"]?([^'\"#\n]+)", re.MULTILINE)
_MOST_PARENTS = 10


@dataclass(frozen=True, slots=True)
class _Row:
    """A page in the file."""

    src: str
    url: str
    locale: str
    start: int
    length: int
    document: Page | None
    """What answers may rest on; nothing for a page that is no source."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What one rendering came to."""

    software: str
    seen: Seen
    settings: str
    config: dict[str, Any]
    declarations: list[Declaration]
    urls: dict[str, str]
    findings: list[Finding]
    broken: list[Finding]
    fully_parsed: list[str]
    rows: list[_Row]
    locale: str = ""
    """The site's own language, where it has several."""


def keep(build: Build, observation: Observation) -> str:
    """Keep the pages of a build that has rendered them, unless the same are kept already; why not, or nothing.

    `mkdocs build` keeps none: to be observed, it would pay 0.1 µs for every object whose `id` an extension asks for.
    """
    observation.stop()
    pages = tuple(build.shown_pages())
    config, settings = build.config, build.settings
    file = Path(config.config_file_path or "").resolve()
    try:
        written = configuration.read(file, file.parent).keys
    except UsageError as error:  # MkDocs has understood more of it than we do
        return error.message
    outputs = [config.site_dir, str(written.get("site_dir") or "site").removeprefix("./").rstrip("/")]
    outputs += [settings.records_dir.rstrip("/"), *settings.reports.values()]
    before = _before(_place(file))
    known = before.seen.files if before else {}
    seen = observation.end(build.root, outputs=outputs, more=_configurations(file), known=known)
    if isinstance(seen, str):
        return seen
    if any(html is None for _, html in build.documents):
        return "not every page was rendered"
    if before and (before.seen, before.settings, before.software) == (seen, repr(settings), _today()):
        return ""
    try:
        make_cache(build.cache)
        _write(_place(file), build, pages, seen)
    except (OSError, ValueError) as error:
        return str(error)
    return ""


def recall(file: Path) -> tuple[Kept, bytes] | None:
    """What was kept for a configuration, with the bytes of its pages; nothing where it may not be what a rendering
    would come to today, or is damaged."""
    try:
        data = _place(file.resolve()).read_bytes()
        if not data.startswith(_MAGIC) or hashlib.blake2b(data[:-64]).digest() != data[-64:]:
            return None
        kept = _decoded(data)
    except Exception:  # whatever damage makes of a file costs time, no more
        return None
    return (kept, data) if kept.software == _today() and kept.seen.still() else None


def mark(data: bytes) -> str:
    """What tells these pages, and all that they were made from, from any others."""
    return data[-64:].hex()


def restored(kept: Kept, data: bytes, config: MkDocsConfig, settings: Settings) -> Build | None:
    """The build, as it was once its pages were rendered; nothing under other options than it was made with."""
    if repr(settings) != kept.settings:
        return None
    pages = [
        Shown(row.src, row.url, data[row.start : row.start + row.length].decode("utf-8", "surrogatepass"), row.locale)
        for row in kept.rows
    ]
    build = Build(config, settings, shown=pages, locale=kept.locale)
    build.declarations, build.urls, build.findings = kept.declarations, kept.urls, kept.findings
    build.broken, build.fully_parsed = kept.broken, set(kept.fully_parsed)
    build.documents = [(row.document, page.html) for row, page in zip(kept.rows, pages, strict=True) if row.document]
    return build


def _place(file: Path) -> Path:
    """Where the pages of a configuration are kept."""
    return file.parent / CACHE / f"pages-{digest(file.name, length=8)}.kept"


def _configurations(file: Path) -> Iterator[Path]:
    """A configuration, and those that it inherits from."""
    for _ in range(_MOST_PARENTS):
        yield file
        try:
            parent = _INHERIT.search(file.read_text(encoding="utf-8-sig", errors="replace"))
        except OSError:
            return
        if parent is None:
            return
        file = file.parent / parent[1].strip()


def _today() -> str:
    """What is installed, and the day: plugins may write dates."""
    return build_cache.key((date.today().isoformat().encode(), *software()))


def _before(place: Path) -> Kept | None:
    """What is kept already, if anything: its end is read, not its pages."""
    try:
        with place.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                return None
            file.seek(-64 - _LENGTH, os.SEEK_END)
            length = int.from_bytes(file.read(_LENGTH))
            file.seek(-64 - _LENGTH - length, os.SEEK_END)
            return msgspec.msgpack.decode(file.read(length), type=Kept)
    except Exception:
        return None


def _decoded(data: bytes) -> Kept:
    end = len(data) - 64 - _LENGTH
    length = int.from_bytes(data[end : end + _LENGTH])
    return msgspec.msgpack.decode(data[end - length : end], type=Kept)


def _write(place: Path, build: Build, pages: Sequence[Shown], seen: Seen) -> None:
    """Write page after page, so that no second copy of the site is held, and put the whole in place at once."""
    documents = {page.url: page for page, _ in build.documents}
    temporary = place.with_name(f".{place.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    state, rows, at = hashlib.blake2b(_MAGIC), [], len(_MAGIC)
    try:
        with temporary.open("xb") as file:
            file.write(_MAGIC)

            def add(data: bytes) -> None:
                state.update(data)
                file.write(data)

            for page in pages:
                html = page.html.encode("utf-8", "surrogatepass")
                if at + len(html) > MOST_BYTES:
                    raise ValueError(f"the pages have more than {MOST_BYTES:,} bytes")
                rows.append(_Row(page.src, page.url, page.locale, at, len(html), documents.get(page.url)))
                add(html)
                at += len(html)
            head = msgspec.msgpack.encode(_kept(build, seen, rows))
            add(head + len(head).to_bytes(_LENGTH))
            file.write(state.digest())
        temporary.replace(place)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _kept(build: Build, seen: Seen, rows: Iterable[_Row]) -> Kept:
    config = {key: build.config[key] for key in KEYS if build.config[key] is not None}
    return Kept(
        _today(), seen, repr(build.settings), config, build.declarations, build.urls, build.findings,
        build.broken_pages(), sorted(build.fully_parsed), list(rows), build.locale,
    )  # fmt: skip
