"""The pages that a build or a command has rendered, kept for the next command: it renders nothing where nothing has
changed.

One file a configuration, in the cache: the HTML of every page, then what pages declare, then a digest of all that, and
at the end what it was made from, with a digest too. It is believed only while everything that the rendering was seen to
read (`observing`), or can have read (`inferring`), is as it was, and Python, packages, options, folder, environment and
date are. Its HTML is searched and never shown.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
from mkdocs.config.defaults import MkDocsConfig
from msgspec import Struct

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.files import make_cache
from mkdocs_cited.base.text import digest
from mkdocs_cited.mkdocs_host import build_cache
from mkdocs_cited.mkdocs_host.adapter import Shown
from mkdocs_cited.mkdocs_host.build import CACHE, Build
from mkdocs_cited.mkdocs_host.inferring import Inference
from mkdocs_cited.mkdocs_host.installed import software
from mkdocs_cited.mkdocs_host.logger import log
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
_MAGIC = b"mkdocs-cited pages 3\n"
_LENGTH, _DIGEST = 8, 64
_AT_IT = 600
"""Seconds after which nobody writes into a file any more into which nobody has written since."""
_INHERIT = re.compile(r"^INHERIT:\s*['\"]?([^'\"#\n]+)", re.MULTILINE)
_MOST_PARENTS = 10


class _Row(Struct, frozen=True):
    """A page in the file."""

    src: str
    url: str
    locale: str
    start: int
    length: int
    document: Page | None
    """What answers may rest on; nothing for a page that is no source."""


class _Kept(Struct, frozen=True):
    """What one rendering came to, besides its pages."""

    config: dict[str, Any]
    declarations: list[Declaration]
    urls: dict[str, str]
    findings: list[Finding]
    broken: list[Finding]
    fully_parsed: list[str]
    rows: list[_Row]
    locale: str = ""
    """The site's own language, where it has several."""
    order: tuple[str, ...] = ()
    """Paths of the pages in the navigation's order."""


class _Made(Struct, frozen=True):
    """What pages were made from."""

    mark: str
    """What tells these pages, and all that stands with them, from any others."""
    settings: str
    software: str
    seen: Seen

    def holds(self, build: Build) -> bool:
        """Whether a rendering would come to the same today."""
        same = self.settings == repr(build.settings) and self.software == today(build.cache)
        return same and self.seen.still()


class UnkeptError(Exception):
    """Why pages are not kept."""


def leave(build: Build, reading: Observation | Inference) -> str:
    """Keep the pages of a build where they can be kept; their mark, or nothing. Why not is told with `-v`."""
    try:
        mark = keep(build, reading)
    except UnkeptError as reason:
        log.debug(f"no page is kept for the next command: {reason}")
        return ""
    except Exception:
        log.debug("no page is kept for the next command: it failed", exc_info=True)
        return ""
    log.debug("the rendered pages are kept")
    return mark


def keep(build: Build, reading: Observation | Inference) -> str:
    """Keep the pages of a build that has rendered them, unless the same are kept already; their mark.

    Raises:
        UnkeptError: nobody can tell when they will have changed, or they cannot be written.
    """
    reading.stop()
    config, settings = build.config, build.settings
    file = Path(config.config_file_path or "").resolve()
    made = _made(_place(file))
    if made and made.holds(build):
        return made.mark
    if any(html is None for _, html in build.documents):
        raise UnkeptError("not every page was rendered")
    try:
        written = configuration.read(file, file.parent).keys
    except UsageError as error:  # MkDocs has understood more of it than we do
        raise UnkeptError(error.message) from error
    outputs = [config.site_dir, str(written.get("site_dir") or "site").removeprefix("./").rstrip("/")]
    outputs += [settings.records_dir.rstrip("/"), *settings.reports.values()]
    known = made.seen.files if made else {}
    seen = reading.end(build.root, outputs=outputs, more=_before_pages(file, settings), known=known)
    if isinstance(seen, str):
        raise UnkeptError(seen)
    try:
        make_cache(build.cache)
        return _write(_place(file), build, seen)
    except (OSError, ValueError) as error:
        raise UnkeptError(str(error)) from error


def recall(
    file: Path, config_of: Callable[[dict[str, Any]], tuple[MkDocsConfig, Settings]]
) -> tuple[Build, str] | None:
    """The build of a configuration, as it was once its pages were rendered, and their mark; nothing where it may not be
    what a rendering would come to today, or is damaged.

    Args:
        file: the configuration.
        config_of: the configuration, and our options, from what plugins left of the former.
    """
    place = _place(file.resolve())
    made = _made(place)
    if made is None or made.software != today(place.parent) or not made.seen.still():
        return None
    try:
        data = place.read_bytes()
        kept = _decoded(data, made.mark)
    except Exception:  # likewise
        return None
    if kept is None:
        return None
    config, settings = config_of(kept.config)
    same = settings.enabled and repr(settings) == made.settings
    return (_restored(kept, data, config, settings), made.mark) if same else None


def _restored(kept: _Kept, data: bytes, config: MkDocsConfig, settings: Settings) -> Build:
    pages = [
        Shown(row.src, row.url, data[row.start : row.start + row.length].decode("utf-8", "surrogatepass"), row.locale)
        for row in kept.rows
    ]
    build = Build(config, settings, shown=pages, locale=kept.locale, order=kept.order)
    build.declarations, build.urls, build.findings = kept.declarations, kept.urls, kept.findings
    build.broken, build.fully_parsed = kept.broken, set(kept.fully_parsed)
    build.documents = [(row.document, page.html) for row, page in zip(kept.rows, pages, strict=True) if row.document]
    return build


def _place(file: Path) -> Path:
    """Where the pages of a configuration are kept."""
    return file.parent / CACHE / f"pages-{digest(file.name, length=8)}.kept"


def _before_pages(file: Path, settings: Settings) -> Iterator[Path]:
    """A configuration, those that it inherits from, and the file of questions."""
    if settings.questions:
        yield file.parent / settings.questions
    for _ in range(_MOST_PARENTS):
        yield file
        try:
            parent = _INHERIT.search(file.read_text(encoding="utf-8-sig", errors="replace"))
        except OSError:
            return
        if parent is None:
            return
        file = file.parent / parent[1].strip()


def today(cache: Path) -> str:
    """What is installed, and the day: plugins may write dates."""
    return build_cache.key((date.today().isoformat().encode(), *software(cache)))


def _made(place: Path) -> _Made | None:
    """What kept pages were made from; nothing without any. The end of the file is read, not its pages."""
    try:
        with place.open("rb") as file:
            file.seek(-_DIGEST - _LENGTH, os.SEEK_END)
            length = file.read(_LENGTH)
            sealed = file.read(_DIGEST)
            file.seek(-_DIGEST - _LENGTH - int.from_bytes(length), os.SEEK_END)
            data = file.read(int.from_bytes(length))
        return msgspec.msgpack.decode(data, type=_Made) if hashlib.blake2b(data).digest() == sealed else None
    except Exception:  # whatever damage makes of a file costs time, no more
        return None


def _decoded(data: bytes, mark: str) -> _Kept | None:
    """What stands with the pages, if all of it bears this mark."""
    if not data.startswith(_MAGIC):
        return None
    after = _DIGEST + _LENGTH + int.from_bytes(data[-_DIGEST - _LENGTH : -_DIGEST])
    held = memoryview(data)[: len(data) - after]
    if hashlib.blake2b(held).hexdigest() != mark:
        return None
    length = int.from_bytes(held[-_LENGTH:])
    return msgspec.msgpack.decode(held[-_LENGTH - length : -_LENGTH], type=_Kept)


def _write(place: Path, build: Build, seen: Seen) -> str:
    """Write page after page, so that no second copy of the site is held, and put the whole in place at once; its
    mark."""
    _sweep(place)
    documents = {page.url: page for page, _ in build.documents}
    temporary = place.with_name(f".{place.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    state, rows, at = hashlib.blake2b(_MAGIC), [], len(_MAGIC)
    try:
        with temporary.open("xb") as file:
            file.write(_MAGIC)

            def add(data: bytes) -> None:
                state.update(data)
                file.write(data)

            for page in build.shown_pages():
                html = page.html.encode("utf-8", "surrogatepass")
                if at + len(html) > MOST_BYTES:
                    raise ValueError(f"the pages have more than {MOST_BYTES:,} bytes")
                rows.append(_Row(page.src, page.url, page.locale, at, len(html), documents.get(page.url)))
                add(html)
                at += len(html)
            head = msgspec.msgpack.encode(_rest(build, rows))
            add(head + len(head).to_bytes(_LENGTH))
            made = _Made(state.hexdigest(), repr(build.settings), today(build.cache), seen)
            end = msgspec.msgpack.encode(made)
            file.write(end + len(end).to_bytes(_LENGTH) + hashlib.blake2b(end).digest())
        temporary.replace(place)
        return made.mark
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _sweep(place: Path) -> None:
    """Delete what processes left behind that were killed as they wrote; one that is still at it has begun just now."""
    for left in place.parent.glob(f".{place.name}.*.tmp"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _AT_IT:
                left.unlink()


def _rest(build: Build, rows: list[_Row]) -> _Kept:
    config = {key: build.config[key] for key in KEYS if build.config[key] is not None}
    return _Kept(
        config, build.declarations, build.urls, build.findings, build.broken_pages(), sorted(build.fully_parsed), rows,
        build.locale, tuple(build.pages_in_order()),
    )  # fmt: skip
