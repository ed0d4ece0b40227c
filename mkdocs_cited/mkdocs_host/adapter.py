"""MkDocs ↔ values: its configuration and pages as the pipeline wants them, and answers put into its pages."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page as MkDocsPage
from msgspec.structs import replace

from mkdocs_cited.base.text import with_plain_ends
from mkdocs_cited.mkdocs_host.eligible import (
    DRAFT,
    EXCLUDED,
    PROTECTED,
    document,
    held_by,
)
from mkdocs_cited.mkdocs_host.project import Project, first_tag
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import SitePage
from mkdocs_cited.sources.files import is_in


def project_of(config: MkDocsConfig) -> Project:
    """What MkDocs' configuration says by now: plugins may change it until pages are rendered."""
    return Project(
        str(Path(config.config_file_path or "mkdocs.yml").absolute()),
        config.docs_dir,
        site_dir=_site_dir(config),
        site_name=config.site_name,
        site_url=config.site_url or "",
        strict=bool(config.strict),
        makes_pdf=any("pdf" in name for name in config.plugins),
        languages=tuple(getattr(config.plugins.get("i18n"), "build_languages", ())),
    )


def bytes_of(file: File) -> bytes:
    """What is in a page's file, or what a plugin has made of it; nothing where it cannot be read."""
    try:
        return file.content_bytes
    except (OSError, UnicodeError):
        return b""


def text_of(file: File) -> str | None:
    """The text of a file that is not UTF-8: MkDocs would end in a traceback, and a finding says where. Of any other
    nothing: MkDocs reads it."""
    data = bytes_of(file)
    try:
        data.decode()
    except UnicodeDecodeError:
        return with_plain_ends(data.decode("utf-8-sig", "replace"))
    return None


def unrendered(page: MkDocsPage, config: MkDocsConfig, project: Project) -> SitePage:
    """A page before it is rendered."""
    file = page.file
    path = project.path(file.abs_src_path) if file.abs_src_path else file.src_uri
    return SitePage(
        file.src_uri,
        site_url(page.url),
        None,
        locale_of(page, config),
        dest=file.dest_uri,
        file=path,
    )


def locale_of(page: MkDocsPage, config: MkDocsConfig) -> str:
    """The page's language: static-i18n's word, else its front matter's, else the theme's, else English."""
    locale = config.theme.get("locale")
    return first_tag(
        getattr(page.file, "locale", None),
        page.meta.get("lang"),
        config.theme.get("language"),
        getattr(locale, "language", locale),
    )


def site_url(url: str) -> str:
    """An address relative to the site's root, without the `./` that MkDocs gives the front page."""
    if url in (".", "./"):
        return ""
    return url


def leave_out(files: Files, paths: Iterable[str], docs: str) -> None:
    """Take files out of a site: those at some absolute paths in the folder of the docs, or below."""
    folder = [os.path.realpath(docs)]
    own = [path for path in paths if is_in(path, folder)]
    for file in list(files) if own else ():
        if file.abs_src_path and is_in(file.abs_src_path, own):
            files.remove(file)


def held_back(files: Files) -> dict[str, str]:
    """Path under `docs_dir` of each page that readers do not see → why."""
    held = {}
    for file in files.documentation_pages(inclusion=InclusionLevel.all):
        reason = _held(file)
        if reason:
            held[file.src_uri] = reason
    return held


def pages_of(
    files: Files, config: MkDocsConfig, settings: Settings, *, drafts: bool = False
) -> Iterator[SitePage]:
    """Every page of a build; `drafts` as well, in a preview. Tag listings only name others, and are no sources."""
    project = project_of(config)
    inclusion = InclusionLevel.is_in_serve if drafts else InclusionLevel.is_included
    for file in files.documentation_pages(inclusion=inclusion):
        page = file.page
        if page is None:
            continue
        shown = replace(
            unrendered(page, config, project),
            html=page.content,
            edit_url=page.edit_url or "",
            held=_held(file),
        )
        markdown = page.markdown or ""
        if "<!-- material/tags" not in markdown and "[TAGS]" not in markdown:
            source = document(shown, page.meta, settings, title=page.title)
            shown = replace(shown, document=source)
        yield shown


def put(files: Files, contents: Mapping[str, str]) -> None:
    """Give pages another content, and plugins that have stored the old one to write it later (print-site and
    encryptcontent do) the same.

    Args:
        files: of the build.
        contents: address of each page that changes → its content.
    """
    for file in files:
        page = file.page
        if page is None or page.content is None or site_url(page.url) not in contents:
            continue
        content = contents[site_url(page.url)]
        before = page.content
        stored = [value for value in vars(page).values() if isinstance(value, dict)]
        for held in (vars(page), *stored):
            for name, value in held.items():
                if isinstance(value, str) and value == before:
                    held[name] = content


def load(config: MkDocsConfig, paths: Iterable[str]) -> None:
    """Let every page load style sheets and scripts of the site, in its head and before the site's own.

    Every page and not just those with answers: where pages are exchanged without being loaded (Material's
    `navigation.instant`), a style sheet that came with the content would move what a reader has come to.
    """
    loaded = {*config.extra_css, *map(str, config.extra_javascript)}
    for path in sorted(set(paths) - loaded, reverse=True):
        if path.endswith(".css"):
            config.extra_css.insert(0, path)
        else:
            script = ExtraScriptValue(path)
            script.defer = True
            config.extra_javascript.insert(0, script)


def each_language(config: MkDocsConfig) -> Iterator[None]:
    """Once for every language that mkdocs-static-i18n builds, with the plugin turned to it; once without the plugin.

    It turns to the next one itself when a build has been written; a caller that ends each build before does it here.
    """
    yield
    plugin: Any = config.plugins.get("i18n")
    own = getattr(plugin, "current_language", None)
    for language in getattr(plugin, "build_languages", ()):
        if language != own:
            plugin.current_language = language
            yield


_LEVELS = {InclusionLevel.DRAFT: DRAFT, InclusionLevel.EXCLUDED: EXCLUDED}
"""How much of a file is published → why it is held back."""


def _held(file: File) -> str:
    """Why a page is held back from readers; empty where it is not."""
    reason = ""
    if file.page is not None:
        reason = held_by(file.page.meta)
        if hasattr(file.page, "encryptcontent") or getattr(
            file.page, "encrypted", False
        ):
            reason = PROTECTED
    return reason or _LEVELS.get(file.inclusion, "")


def _site_dir(config: MkDocsConfig) -> str:
    """The folder that the configuration's file names for the site, absolute."""
    with warnings.catch_warnings():
        # MkDocs has no other word for what a file says
        warnings.simplefilter("ignore", DeprecationWarning)
        written = config.user_configs[0] if config.user_configs else {}
    folder = Path(config.config_file_path or "mkdocs.yml").absolute().parent
    return os.path.normpath(folder / str(written.get("site_dir") or "site"))
