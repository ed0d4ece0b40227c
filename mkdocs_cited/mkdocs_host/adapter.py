"""MkDocs ↔ model: pages and paths as the pipeline wants them. Nothing here decides anything about answers."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from msgspec import Struct

from mkdocs_cited.base.files import read_bounded
from mkdocs_cited.base.language_tags import tag_of
from mkdocs_cited.base.text import glob_matches, in_reading_order
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.model.source import Page, SourceType
from mkdocs_cited.settings import BASELINE, Settings
from mkdocs_cited.settings.places import place_of
from mkdocs_cited.sources.files import files_named


def project_root(config: MkDocsConfig) -> Path:
    """The folder of `mkdocs.yml`: what every path of ours is relative to."""
    return _folder_of(str(Path(config.config_file_path or "mkdocs.yml").absolute()))


@lru_cache(maxsize=8)
def _folder_of(path: str) -> Path:
    return Path(path).resolve().parent


def project_path(path: str | Path, root: Path) -> str:
    """A path as findings show it: relative to the project with `/`, or as it is when it lies outside."""
    text = str(path)
    if text.startswith(f"{root}{os.sep}"):
        return text[len(str(root)) + 1 :].replace(os.sep, "/")
    try:
        return Path(text).resolve().relative_to(root).as_posix()
    except ValueError:
        return Path(path).as_posix()


def page_of(page: MkDocsPage, config: MkDocsConfig, settings: Settings) -> Page:
    """The model's value for one of MkDocs' pages."""
    file, meta = page.file, page.meta
    archived = _word(meta.get("status")).lower() == "deprecated"
    archived = archived or bool(settings.archive and glob_matches(file.src_uri, settings.archive))
    return Page(
        src=file.src_uri,
        url=site_url(file.url),
        title=_word(page.title) or PurePosixPath(file.src_uri).stem,
        locale=locale_of(page, config),
        type=SourceType.ARCHIVE if archived else SourceType.PAGE,
        author=_author(meta),
        published=_date(meta, "date", "created", "published"),
        modified=_date(meta, "updated", "modified", "last_modified"),
        file=project_path(file.abs_src_path, project_root(config)) if file.abs_src_path else file.src_uri,
    )


def locale_of(page: MkDocsPage, config: MkDocsConfig) -> str:
    """The page's language: static-i18n's word, else its front matter's, else the theme's, else English."""
    for value in (getattr(page.file, "locale", None), page.meta.get("lang"), config.theme.get("language")):
        if tag := tag_of(value):
            return tag
    locale = config.theme.get("locale")
    return tag_of(getattr(locale, "language", locale)) or "en"


def rendered_pages(files: Files, config: MkDocsConfig, settings: Settings) -> Iterator[tuple[Page, str | None]]:
    """Every page that may be a source, with its HTML; `None` where `--dirty` left it out."""
    for file in files.documentation_pages():
        page = file.page
        if page is None or not glob_matches(file.src_uri, settings.include):
            continue
        if settings.exclude and glob_matches(file.src_uri, settings.exclude):
            continue
        if not _is_listing(page) and not _kept_from_search(page):
            yield page_of(page, config, settings), page.content


def content_pages(files: Files) -> Iterator[MkDocsPage]:
    """Every page that was rendered in this build."""
    for file in files.documentation_pages():
        if file.page is not None and file.page.content is not None:
            yield file.page


class Shown(Struct, frozen=True):
    """A rendered page, as far as answers are concerned."""

    src: str
    """Path under `docs_dir`."""
    url: str
    """Address relative to the site's root."""
    html: str
    locale: str


def shown_pages(files: Files, config: MkDocsConfig) -> Iterator[Shown]:
    """Every page that was rendered in this build, as answers are put into it."""
    for page in content_pages(files):
        yield Shown(page.file.src_uri, site_url(page.url), page.content or "", locale_of(page, config))


def bytes_of(page: MkDocsPage) -> bytes | None:
    """What is in a page's file; nothing for a page that has none."""
    try:
        return Path(page.file.abs_src_path).read_bytes() if page.file.abs_src_path else None
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None


def has_own_search(config: MkDocsConfig) -> bool:
    """Whether the site is indexed by MkDocs' own search plugin, and not by a theme's."""
    names = (type(plugin).__module__ for plugin in config.plugins.values())
    return any(name.startswith(("mkdocs.contrib.search", "properdocs.contrib.search")) for name in names)


def site_url(url: str) -> str:
    """An address relative to the site's root, without the `./` that MkDocs gives the front page."""
    return "" if url in (".", "./") else url


def has_attr_list(config: MkDocsConfig) -> bool:
    """Whether headings may be given an id in Markdown."""
    names = {"attr_list", "extra", "markdown.extensions.attr_list", "markdown.extensions.extra", "pymdownx.extra"}
    return not names.isdisjoint(config.markdown_extensions)


def watched(settings: Settings, root: Path, *, make: bool) -> Iterator[Path]:
    """What a preview watches besides the pages: the records, and what else answers are made from.

    Args:
        settings: the options.
        root: the folder of `mkdocs.yml`.
        make: whether the folder of the records is made when there is none yet: none can be watched before it is there.
    """
    if make:
        (root / settings.records_dir).mkdir(parents=True, exist_ok=True)
    names = {settings.records_dir, BASELINE, settings.questions}
    for entry in settings.extra_sources:
        names.update({settings.web_dir} if entry.type == "web" else files_named(root, entry.glob) or ())
    yield from (root / name for name in sorted(filter(None, names)) if (root / name).exists())


def questions_file(root: Path, file: str, config: Path) -> bytes | Finding:
    """The bytes of the file of the option `questions`, or why it cannot be read, at its line of the configuration."""
    tip = "write a path next to mkdocs.yml, such as `questions: questions.yml`"
    path = PurePosixPath(file)
    strange = path.is_absolute() or ".." in path.parts or "\\" in file or str(path) != file  # records are named by it
    if strange or path.suffix not in (".yml", ".yaml"):
        message = f"option `questions`: `{file}` is not a YAML file of the project"
        return found("invalid-declaration", place_of(config, config.name, "questions"), message, tip=tip)
    try:
        return read_bounded(root / path)
    except OSError as error:
        message = f"option `questions`: `{file}` cannot be read: {error.strerror}"
        return found("invalid-declaration", place_of(config, config.name, "questions"), message, tip=tip)


def repository_prefix(root: Path) -> str:
    """Path from the repository's root to the project (`website/`); empty when they are the same, or without git."""
    for folder in (root, *root.parents):
        if (folder / ".git").exists():
            path = root.relative_to(folder).as_posix()
            return "" if path == "." else f"{path}/"
    return ""


def repository_link(config: MkDocsConfig, root: Path) -> str:
    """Address of a file on the repository's host, with `{path}` for its path in the project; empty without `repo_url`.

    The branch is taken from `edit_uri` (`edit/main/docs/` → `blob/main/`; `-/blob/main/` on GitLab).
    """
    if not config.repo_url:
        return ""
    parts = PurePosixPath((config.edit_uri or "edit/main/").lstrip("?/")).parts
    branch = next((parts[i + 1] for i, part in enumerate(parts[:-1]) if part in ("edit", "blob", "tree")), "main")
    view = "-/blob" if "gitlab" in config.repo_url else "src/branch" if "codeberg" in config.repo_url else "blob"
    return f"{config.repo_url.rstrip('/')}/{view}/{branch}/{repository_prefix(root)}{{path}}"


def languages(config: MkDocsConfig) -> Sequence[str]:
    """The languages that mkdocs-static-i18n builds, each by itself; none without the plugin."""
    return list(getattr(config.plugins.get("i18n"), "build_languages", ()))


def each_language(config: MkDocsConfig) -> Iterator[None]:
    """Once for every language that mkdocs-static-i18n builds, with the plugin turned to it; once without the plugin.

    It turns to the next one itself when a build has been written; a caller that ends each build before does it here.
    """
    yield
    plugin: Any = config.plugins.get("i18n")
    own = getattr(plugin, "current_language", None)
    for language in languages(config):
        if language != own:
            plugin.current_language = language
            yield


def navigation(nav: Navigation | None) -> Iterator[tuple[str, int, str]]:
    """The lines of the site's navigation, in order: title, depth, and path of the page (empty for a group)."""
    stack = [(item, 0) for item in reversed(nav.items)] if nav else []
    while stack:
        item, depth = stack.pop()
        src = item.file.src_uri if isinstance(item, MkDocsPage) else ""
        yield str(item.title or src), depth, src
        stack += [(child, depth + 1) for child in reversed(item.children or [])]


def _is_listing(page: MkDocsPage) -> bool:
    """Whether a page only lists others: views of the blog plugin, and pages that hold a tag listing."""
    markdown = page.markdown or ""
    return _is_view(type(page)) or "<!-- material/tags" in markdown or "[TAGS]" in markdown


@lru_cache(maxsize=64)
def _is_view(kind: type[MkDocsPage]) -> bool:
    names = ((parent.__module__, parent.__name__) for parent in kind.__mro__)
    return any(module.startswith("material.plugins.blog.structure") and name.endswith("View") for module, name in names)


MOST_AUTHORS = 20
"""Of one page that are named."""
LONGEST_WORD = 500
"""Characters of a title, a name or another word of front matter that are read."""


def _word(value: object) -> str:
    """A value of front matter that is one word or line; empty for lists and mappings, whose aliases may be bombs."""
    known = isinstance(value, (str, int, float, datetime.date))
    return in_reading_order(str(value)[:LONGEST_WORD]) if known else ""


def _kept_from_search(page: MkDocsPage) -> bool:
    """Whether its author asks in front matter not to be found (`search: {exclude: true}`, as Material has it)."""
    search = page.meta.get("search")
    return isinstance(search, Mapping) and search.get("exclude") is True


def _author(meta: Mapping[str, Any]) -> str:
    value = meta.get("author") or meta.get("authors") or ""
    if not isinstance(value, (list, tuple)):
        return _word(value) if isinstance(value, str) else ""
    names = (_word(item.get("name") if isinstance(item, Mapping) else item) for item in value[:MOST_AUTHORS])
    return ", ".join(filter(None, names))


def _date(meta: Mapping[str, Any], *keys: str) -> str:
    """The first date under these keys, in ISO 8601; Material's `date: {created, updated}` counts too."""
    nested = meta.get("date")
    dates = nested if isinstance(nested, Mapping) else {}
    for key in keys:
        value = dates.get(key) or meta.get(key)
        if isinstance(value, datetime.date):
            return value.isoformat()
        if isinstance(value, str) and value[:4].isdigit():
            return value
    return ""
