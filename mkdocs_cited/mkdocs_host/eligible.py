"""Which pages of a site may be sources, for every host: none that readers do not see (encrypted, private, a draft).

Which files of the repository may be cited is decided in `sources.files`; here it is told what the plugin writes.
Front matter is read here; that a plugin has encrypted a page is seen in `adapter`, for a built site in `built`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import glob_matches
from mkdocs_cited.mkdocs_host.project import (
    CACHE,
    Project,
    date_in,
    date_of,
    word_of,
)
from mkdocs_cited.model.finding import place_of
from mkdocs_cited.model.options import BASELINE, Settings
from mkdocs_cited.model.source import Page, SitePage, SourceType
from mkdocs_cited.sources.files import Repository, is_in

PROTECTED = "is protected: not every reader may see it"
DRAFT = "is a draft, which is not published"
EXCLUDED = "is left out of the site"

_SAYS = {"password": PROTECTED, "private": PROTECTED, "draft": DRAFT}
"""Key of front matter → why a page is held back where its value says so."""


def held_by(meta: Mapping[str, Any]) -> str:
    """Why a page is held back from readers, as its front matter says; empty where it is not."""
    for key, reason in _SAYS.items():
        if meta.get(key) not in (None, False, "", "false"):
            return reason
    return ""


def written_paths(config: Project, settings: Settings) -> tuple[str, ...]:
    """Absolute paths, without links, of the folders and files that builds and commands write to.

    Raises:
        UsageError: one of the folders is that of the docs, or around it: no page would be left.
    """
    names = [settings.records_dir, settings.web_dir, BASELINE, CACHE]
    names += settings.reports.values()
    paths = [os.path.realpath(config.root / name) for name in names]
    for option, path in zip(("records_dir", "web_dir"), paths, strict=False):
        if is_in(config.docs_dir, [path]):
            tip = "write a folder of its own, such as `answers`"
            file = Path(config.config_file_path)
            place = place_of(file, file.name, option)
            raise UsageError(f"{place}: {option}: the pages are in it", tip=tip)
    if config.site_dir:
        paths.append(os.path.realpath(config.site_dir))
    return tuple(paths)


def repository_of_site(
    config: Project,
    settings: Settings,
    held: Mapping[str, str],
    *,
    link: str = "",
    taken: Collection[str] = (),
) -> Repository:
    """Which files of a site's repository may be sources; see `Repository` for the last three."""
    return Repository(
        config.root,
        docs_dir=config.docs_dir,
        link=link,
        written=written_paths(config, settings),
        held=held,
        taken=taken,
        excluded=settings.exclude,
    )


def document(
    page: SitePage,
    meta: Mapping[str, Any],
    settings: Settings,
    *,
    title: object,
) -> Page | None:
    """A page as a source; nothing where it is held back, or the options or its author (`search: {exclude: true}`) keep
    it from being one.

    Args:
        page: the page.
        meta: its front matter.
        title: what its host calls it.
    """
    search = meta.get("search")
    hidden = isinstance(search, Mapping) and search.get("exclude") is True
    left_out = settings.exclude and glob_matches(page.src, settings.exclude)
    if page.held or hidden or left_out or not glob_matches(page.src, settings.include):
        return None
    archived = word_of(meta.get("status")).lower() == "deprecated"
    return Page(
        src=page.src,
        url=page.url,
        title=word_of(title) or PurePosixPath(page.src).stem,
        locale=page.locale,
        type=SourceType.ARCHIVE if archived else SourceType.PAGE,
        published=date_of(meta, "date", "created", "published") or date_in(page.src),
        modified=date_of(meta, "updated", "modified", "last_modified"),
        file=page.file,
    )
