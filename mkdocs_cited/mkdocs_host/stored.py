"""The rendered pages of a build, in the store for commands: they render nothing where the pages' inputs are the same.

Their HTML is searched and never shown.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from mkdocs.config.defaults import MkDocsConfig
from msgspec import Struct

from mkdocs_cited.mkdocs_host.adapter import Shown
from mkdocs_cited.mkdocs_host.build import Build
from mkdocs_cited.mkdocs_host.inputs import Inputs, UnknownError, inputs_of
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.source import Page
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.rows import Rendered
from mkdocs_cited.settings import Settings

KEYS = ("site_name", "site_url", "docs_dir", "use_directory_urls", "repo_url", "edit_uri")
"""What of a configuration the commands ask for, as plugins have left it."""


class _Row(Struct, frozen=True):
    """A page, without its HTML."""

    src: str
    url: str
    locale: str
    document: Page | None
    """What answers may depend on; nothing for a page that is no source."""


class _Head(Struct, frozen=True):
    """What one rendering came to, besides its HTML."""

    file: str
    """Absolute path of the configuration."""
    inputs: Inputs
    settings: str
    config: dict[str, Any]
    declarations: list[Declaration]
    urls: dict[str, str]
    findings: list[Finding]
    fully_parsed: list[str]
    rows: list[_Row]
    locale: str
    """The site's own language, where it has several."""
    order: tuple[str, ...]
    """Paths of the pages in the navigation's order."""


def rendered(build: Build, index: Index) -> Rendered:
    """The pages of a build that has rendered them, for the store; with an empty head where they cannot be stored.

    Raises:
        UnknownError: why commands have to render them again.
    """
    if any(html is None for _, html in build.documents):
        raise UnknownError("not every page was rendered")
    before = _head(index.rendered())
    inputs = inputs_of(build.config, build.settings, build.root)
    inputs = inputs.looked_at(build.began, before.inputs.files if before else {})
    documents = {page.url: page for page, _ in build.documents}
    shown = list(build.shown_pages())
    head = _Head(
        _configuration(build.config),
        inputs,
        repr(build.settings),
        {key: build.config[key] for key in KEYS if build.config[key] is not None},
        build.declarations,
        build.urls,
        build.findings,
        sorted(build.fully_parsed),
        [_Row(page.src, page.url, page.locale, documents.get(page.url)) for page in shown],
        build.locale,
        tuple(build.pages_in_order()),
    )
    return Rendered(msgspec.msgpack.encode(head), {page.url: page.html for page in shown})


def restored(index: Index, config_of: Callable[[dict[str, Any]], tuple[MkDocsConfig, Settings]]) -> Build | str:
    """The build of a configuration, as it was once its pages were rendered; or why they have to be rendered.

    Args:
        index: of the configuration.
        config_of: the configuration, and our options, from what plugins left of the former.
    """
    stored = index.rendered()
    head = _head(stored)
    if stored is None or head is None:
        return "no build has stored them"
    if change := head.inputs.change():
        return change
    config, settings = config_of(head.config)
    if _configuration(config) != head.file:
        return "the project has moved"
    if repr(settings) != head.settings:
        return "the options have changed"
    pages = [Shown(row.src, row.url, stored.pages[row.url], row.locale) for row in head.rows]
    build = Build(config, settings, shown=pages, locale=head.locale, order=head.order)
    build.declarations, build.urls, build.findings = head.declarations, head.urls, head.findings
    build.fully_parsed = set(head.fully_parsed)
    build.documents = [(row.document, page.html) for row, page in zip(head.rows, pages, strict=True) if row.document]
    return build


def _configuration(config: MkDocsConfig) -> str:
    return str(Path(config.config_file_path).resolve())


def _head(stored: Rendered | None) -> _Head | None:
    try:
        return msgspec.msgpack.decode(stored.head, type=_Head) if stored else None
    except (msgspec.MsgspecError, RecursionError):  # of another version
        return None
