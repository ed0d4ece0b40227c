"""A site's project as values: what is asked of its configuration, its pages, and paths as findings show them.

No host is imported here. MkDocs' pages become these values in `adapter`, those of a built site in `site`.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited import reporters
from mkdocs_cited.base.errors import UsageError, gathered, readable
from mkdocs_cited.base.files import check_inside, real_path, repository_of
from mkdocs_cited.base.text import slugify, tag_of
from mkdocs_cited.model.finding import found_place, place_of
from mkdocs_cited.model.options import BASELINE, Settings
from mkdocs_cited.model.source import SitePage
from mkdocs_cited.pipeline.run import check_names
from mkdocs_cited.settings import read
from mkdocs_cited.sources import snapshots
from mkdocs_cited.sources.files import files_named

CACHE = ".cache/plugin/cited"
"""Folder of the store, relative to `mkdocs.yml`; may be deleted at any time."""
LONGEST_WORD = 500
"""Characters of a title, a name or another word of front matter that are read."""

_DATE = re.compile(r"(?<!\d)(20\d\d)[-/](0[1-9]|1[0-2])[-/](0[1-9]|[12]\d|3[01])(?!\d)")


class Project(Struct, frozen=True):
    """What a site's configuration says, once its host and the host's plugins are done with it."""

    config_file_path: str
    """Absolute, as are the folders."""
    docs_dir: str
    site_dir: str = ""
    """The folder that the configuration's file names for the site; it may be rendered into another."""
    site_name: str = ""
    site_url: str = ""
    strict: bool = False
    languages: tuple[str, ...] = ()
    """Those that mkdocs-static-i18n builds, each by itself; none without the plugin."""
    makes_pdf: bool = False
    """Whether a plugin makes a PDF of the pages, whose links are ids and nothing else."""

    store: str = ""
    """What the store is called, where not after the configuration."""

    @property
    def root(self) -> Path:
        """The folder of the configuration: what every path of ours is relative to."""
        return _folder_of(self.config_file_path)

    @property
    def name(self) -> str:
        """What the store of this configuration is called."""
        return self.store or slugify(Path(self.config_file_path).stem, fallback="site")

    def path(self, path: str | Path) -> str:
        """A path as findings show it: relative to the project with `/`, or as it is when it is outside."""
        text, root = str(path), self.root
        if text.startswith(f"{root}{os.sep}"):
            return text[len(str(root)) + 1 :].replace(os.sep, "/")
        try:
            return real_path(Path(text)).relative_to(root).as_posix()
        except ValueError:
            return Path(path).as_posix()


@lru_cache(maxsize=8)
def _folder_of(path: str) -> Path:
    """The folder of a file, without links; every path of a finding asks for it."""
    return Path(path).resolve().parent


_VIEWS = {
    "edit": "blob",
    "_edit/branch": "src/branch",
    "_edit": "src/branch",
    "raw": "blob",
}
"""How an address begins behind its repository's where code hosts edit a file → where they show it."""


def repository_link(pages: Iterable[SitePage], project: Project) -> str:
    """Address of a file on the repository's host, with `{path}` for its path in the project; empty where no page says
    where it is edited."""
    prefix = repository_prefix(project.root)
    for page in pages:
        path = prefix + project.path(Path(project.docs_dir) / page.src)
        if not page.edit_url.endswith(f"/{path}"):
            continue
        folder = page.edit_url.removesuffix(path)
        for edited, shown in _VIEWS.items():
            head, found, tail = folder.partition(f"/{edited}/")
            if found:
                return f"{head}/{shown}/{tail}{prefix}{{path}}"
        return f"{folder}{prefix}{{path}}"
    return ""


def repository_prefix(root: Path) -> str:
    """Path from the repository's root to the project (`website/`); empty when they are the same, or without git."""
    path = root.relative_to(repository_of(root) or root).as_posix()
    if path == ".":
        return ""
    return f"{path}/"


def first_tag(*values: object) -> str:
    """The first of several words that names a language, as a tag; English where none does."""
    return next(filter(None, map(tag_of, values)), "en")


def watched(settings: Settings, root: Path) -> Iterator[Path]:
    """What a preview watches besides the pages: the records, and what else answers are made from, where it is there."""
    names = {settings.records_dir, BASELINE}
    for entry in settings.extra_sources:
        if entry.type == "web":
            names.add(settings.web_dir)
        else:
            names.update(files_named(root, entry.glob))
    for name in sorted(names):
        if (root / name).exists():
            yield root / name


def settings_of(options: Mapping[str, Any], file: Path) -> Settings:
    """The options, parsed; each suppression knows where it is written.

    Raises:
        UsageError: names everything that is wrong, each with its line: what no type tells, too, such as names that
            nothing bears, paths that lead out of the project, and addresses.
    """
    settings, errors = read(options, None, file)
    for option, check in _checks(settings, file):
        try:
            check()
        except UsageError as error:
            place = found_place(file, file.name, *option)
            if place:
                error = UsageError(f"{place}: {error.message}", tip=error.tip)
            errors.append(error)
    if errors:
        raise gathered(errors)
    placed = []
    for number, item in enumerate(settings.suppress):
        place = place_of(file, file.name, "suppress", number)
        placed.append(replace(item, place=place))
    return replace(settings, suppress=tuple(placed))


def _checks(
    settings: Settings, file: Path
) -> Iterator[tuple[tuple[str | int, ...], Callable[[], object]]]:
    """The way to each option that is checked, and what refuses it."""
    for option, check in check_names(settings):
        yield (option,), check
    paths: list[tuple[tuple[str, ...], str]] = [
        (("records_dir",), settings.records_dir)
    ]
    for name, path in settings.reports.items():
        yield ("reports", name), partial(reporters.FAMILY.check, name)
        paths.append((("reports", name), path))
    if settings.render.report:
        paths.append((("render", "report"), settings.render.report))
    tip = "write a path below it, such as `answers` or `cited.json`"
    for steps, path in paths:
        yield steps, partial(check_inside, path, what=": ".join(steps), tip=tip)
    sources = settings.extra_sources
    for number, entry in enumerate(sources):
        hosts = settings.web.private_hosts
        check = partial(snapshots.check, entry, sources[:number], hosts)
        yield ("extra_sources", number), check


def word_of(value: object) -> str:
    """A value of front matter that is one word or line; empty for lists and mappings, whose aliases may be bombs."""
    if isinstance(value, (str, int, float, datetime.date)):
        return readable(str(value)[:LONGEST_WORD])
    return ""


def date_of(meta: Mapping[str, Any], *keys: str) -> str:
    """The first date under these keys, in ISO 8601; Material's `date: {created, updated}` counts too."""
    nested = meta.get("date")
    dates = {**meta, **nested} if isinstance(nested, Mapping) else meta
    for key in keys:
        value = dates.get(key)
        if isinstance(value, datetime.date):
            return value.isoformat()
        if isinstance(value, str) and value[:4].isdigit():
            return value
    return ""


def date_in(path: str) -> str:
    """The date in a page's path, in ISO 8601, as blogs name their posts: `2026-11-02-keys.md`, `2026/11/02/keys.md`;
    empty for none."""
    found = _DATE.search(path)
    if found:
        return "-".join(found.groups())
    return ""
