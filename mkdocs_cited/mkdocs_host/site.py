"""A whole site, for the command line: rendered in memory up to the point where answers go in, or read from a folder.

Nothing is written but the index; templates, search and other plugins' outputs are left out.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, BuildError, ConfigurationError
from mkdocs.structure.files import get_files
from mkdocs.structure.pages import Page as MkDocsPage
from selectolax.lexbor import LexborHTMLParser

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.text import digest
from mkdocs_cited.mkdocs_host.answering import Answering
from mkdocs_cited.mkdocs_host.build import Build
from mkdocs_cited.mkdocs_host.logger import quiet_mkdocs
from mkdocs_cited.mkdocs_host.plugin import CitedPlugin
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.report import Report
from mkdocs_cited.pipeline.asking import locale_of
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.settings import Settings

MAIN = ("article.md-content__inner", "[role=main]", "main", "article", "body")
"""Where themes put a page's content, most telling first."""


class Site(Answering):
    """A site whose pages are rendered and indexed, and whose declarations are read."""

    @property
    def locale(self) -> str:
        """The site's language, for questions that no page asks."""
        return locale_of(self.corpus)

    @property
    def url(self) -> str:
        """Address of the published site, with a slash at its end; empty when it is not known."""
        return f"{self.config.site_url.rstrip('/')}/" if self.config.site_url else ""

    @property
    def declarations(self) -> list[Declaration]:
        """What the pages ask."""
        return self.build.declarations

    def check(self) -> Report:
        """What is wrong with the answers, found offline and without writing anything."""
        return self.settle(Run("never", writes=False, calls_models=False))

    def keep_only(self, keys: Collection[str]) -> None:
        """Keep only these declarations; the others' records are no orphans for that."""
        self.build.declarations = [item for item in self.declarations if item.key in keys]

    def keep_shard(self, part: int, whole: int) -> None:
        """Keep only the declarations of one part, chosen by their keys so that parts stay the same over edits."""
        everything = {item.key for item in self.declarations}
        self.build.declarations = [item for item in self.declarations if _number(item.key) % whole == part - 1]
        self.elsewhere = frozenset(everything - {item.key for item in self.declarations})


class _EnoughError(Exception):
    """Every page is rendered: the build need not go on."""


def configured(config_file: Path | None) -> tuple[MkDocsConfig, Settings]:
    """MkDocs' configuration and our options, with no page read.

    Raises:
        UsageError: the configuration is wrong, or the plugin is not in it.
    """
    with quiet_mkdocs():
        config = _config(config_file, "site")
        return config, _plugin(config).config.settings


def load(config_file: Path | None, *, site: Path | None = None) -> Site:
    """The site, with its declarations read and its corpus indexed, and no answer settled yet.

    Args:
        config_file: as MkDocs' own `--config-file`.
        site: a folder with the built site, whose pages are read instead of rendering them.

    Raises:
        UsageError: the configuration is wrong, the plugin is not in it, or `site` does not hold this site.
        CitedError: another part of MkDocs could not build the site.
    """
    with tempfile.TemporaryDirectory(prefix="mkdocs-cited-") as folder, quiet_mkdocs():
        config = _config(config_file, folder)
        plugin = _plugin(config)
        if site is not None:
            return Site(_from_folder(config, plugin, site))
        plugin.visitor = _stop
        try:
            build(config)
        except _EnoughError:
            pass
        except (Abort, BuildError) as error:
            raise CitedError(
                f"MkDocs could not build the site: {error}", tip="run `mkdocs build` to see why"
            ) from error
        finally:
            plugin.visitor = None  # MkDocs keeps the instance for the next build of this process
    if plugin.build is None:
        raise UsageError("cited is switched off: `enabled` is false", tip="set `enabled: true`")
    return Site(plugin.build)


def _number(key: str) -> int:
    """A number that depends on a key alone."""
    return int.from_bytes(digest("shard", key).encode())


def _stop(_: Build) -> None:
    raise _EnoughError


def _config(config_file: Path | None, folder: str) -> MkDocsConfig:
    try:
        return load_config(str(config_file) if config_file else None, site_dir=folder)
    except ConfigurationError as error:
        raise UsageError(f"the configuration cannot be used: {error}", tip="see `--config-file`") from error
    except Abort as error:
        raise UsageError(f"the configuration cannot be used: {error}", tip="the lines above say why") from error


def _plugin(config: MkDocsConfig) -> CitedPlugin:
    plugin = next((item for item in config.plugins.values() if isinstance(item, CitedPlugin)), None)
    if plugin is None:
        raise UsageError(f"{config.config_file_path}: the plugin `cited` is not in `plugins:`", tip="add `- cited`")
    return plugin


def _from_folder(config: MkDocsConfig, plugin: CitedPlugin, site: Path) -> Build:
    """Pages as the built site shows them, with the declarations of their sources."""
    if not site.is_dir():
        raise UsageError(f"`{site}` is not a folder", tip="name the folder that `mkdocs build` wrote")
    plugin.on_config(config)
    current = plugin.build
    if current is None:
        raise UsageError("cited is switched off: `enabled` is false", tip="set `enabled: true`")
    files = get_files(config)
    for file in files.documentation_pages():
        page = MkDocsPage(None, file, config)
        page.read_source(config)
        current.read(page.markdown or "", page)
        path = site / file.dest_uri
        if path.is_file():
            page.content = _main_of(path.read_text(encoding="utf-8", errors="replace"))
    if not any(file.page and file.page.content for file in files.documentation_pages()):
        raise UsageError(f"`{site}` holds none of this site's pages", tip="name the folder that `mkdocs build` wrote")
    current.rendered(files)
    return current


def _main_of(html: str) -> str:
    tree = LexborHTMLParser(html)
    found = next((node for node in map(tree.css_first, MAIN) if node is not None), None)
    return (found.html or "") if found is not None else ""
