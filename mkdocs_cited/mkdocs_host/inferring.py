"""What a rendering can have read, told from the configuration alone: for plugins and extensions that are known.

To see what a build reads (`observing`), Python would tell of every object whose `id` an extension asks for too: 2 to 5%
of a build. What is listed here reads nothing but the project's pages, the files beside them, the folders that its
options name and its own package, asks no network and runs no program. A build with anything else is not told of.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from mkdocs_cited.mkdocs_host.observing import is_beside_the_point, looked_at, made_in
from mkdocs_cited.mkdocs_host.seen import MOST_FILES, Seen, Stamp, surroundings

PLUGINS = (
    "mkdocs.contrib.", "properdocs.contrib.", "mkdocs_cited.", "material.plugins.blog.", "material.plugins.group.",
    "material.plugins.meta.", "material.plugins.offline.", "material.plugins.search.", "material.plugins.tags.",
    "mkdocs_autorefs.", "mkdocs_awesome_nav.", "mkdocs_awesome_pages_plugin.", "mkdocs_exclude.",
    "mkdocs_literate_nav.", "mkdocs_minify_plugin.", "mkdocs_redirects.", "mkdocs_section_index.",
)  # fmt: skip
"""Modules of the plugins that are known."""
EXTENSIONS = frozenset(
    (
        "abbr", "admonition", "attr_list", "codehilite", "def_list", "extra", "fenced_code", "footnotes",
        "legacy_attrs", "legacy_em", "md_in_html", "meta", "nl2br", "sane_lists", "smarty", "tables", "toc",
        "wikilinks",
    )
)  # fmt: skip
"""Markdown's own extensions, by the names that it gives them."""
CODE = (*PLUGINS, "markdown.", "pymdownx.", "material.extensions.", "builtins.", "slugify.")
"""Modules of the extensions that are known, and of the functions that options may name."""
_UNKNOWN = frozenset(("mkdocs_cited.extension", "pymdownx.b64"))
"""Extensions among them that read files from anywhere."""
_SNIPPETS = "pymdownx.snippets"
_OPTIONS = frozenset(("site_dir", "strict", "config_file", "config_file_path"))
"""What a command line may change of a configuration, with the same pages to come of it."""
_EDITING = 1_000_000_000
"""Nanoseconds that may lie between reading the configuration and `begin`."""


class Inference:
    """What one build can have read."""

    def __init__(self) -> None:
        self.config: MkDocsConfig | None = None
        self._began, self._surroundings = 0, ""

    def begin(self) -> None:
        """The configuration is read, and no page is yet."""
        self._began, self._surroundings = time.time_ns(), surroundings()

    def stop(self) -> None:
        """Every page is rendered."""

    def end(
        self, root: Path, *, outputs: Iterable[str], more: Iterable[Path] = (), known: Mapping[str, Stamp | None]
    ) -> Seen | str:
        """What can have been read, or why that cannot be told; the arguments are those of `Observation.end`."""
        config = self.config
        if config is None or not self._began:
            return "nobody knows when it began"
        if stranger := next(_strangers(config), ""):
            return f"what {stranger} reads is not known"
        outputs, made = list(outputs), made_in(root, outputs)
        read, listed = {os.path.abspath(path) for path in more}, set[str]()
        for path in read:
            if Path(path).stat().st_mtime_ns > self._began - _EDITING:
                return f"`{path}` has just changed"
        for folder in _folders(config):
            if not folder.is_dir():
                read.add(str(folder))
            for parent, folders, names in os.walk(folder, followlinks=True):
                folders[:] = [name for name in folders if not is_beside_the_point(os.path.join(parent, name), made)]
                listed.add(parent)
                read.update(os.path.join(parent, name) for name in names)
                if len(read) + len(listed) > MOST_FILES:
                    return f"there are more than {MOST_FILES:,} files in `{folder}`"
        unread = {path for path in read if not path.endswith((".md", ".markdown", ".yml", ".yaml"))}
        return looked_at(root, read, listed, outputs, self._began, self._surroundings, known=known, unread=unread)


def _folders(config: MkDocsConfig) -> Iterator[Path]:
    """Where everything stands that pages are made from."""
    yield Path(os.path.abspath(config.docs_dir))
    if config.theme.custom_dir:
        yield Path(os.path.abspath(config.theme.custom_dir))
    given = _options(config, _SNIPPETS).get("base_path", ["."]) if _SNIPPETS in config.markdown_extensions else []
    for path in [given] if isinstance(given, str) else given:
        yield Path(os.path.abspath(str(path)))


def _strangers(config: MkDocsConfig) -> Iterator[str]:
    """What may read anything, in words."""
    if config.hooks:
        yield "a hook"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # MkDocs has no other word for what a command line says
        given = config.user_configs[1:]
    for key in {key for options in given for key in options} - _OPTIONS:
        yield f"a build with `{key}` on its command line"
    for name, plugin in config.plugins.items():
        if not f"{type(plugin).__module__}.".startswith(PLUGINS):
            yield f"the plugin `{name}`"
        yield from (f"`{code}`" for code in _code(dict(plugin.config)))
    for extension in config.markdown_extensions:
        module = extension if isinstance(extension, str) else type(extension).__module__
        if module in _UNKNOWN or not (module in EXTENSIONS or f"{module}.".startswith(CODE)):
            yield f"the extension `{module}`"
    yield from (f"`{code}`" for code in _code(config.mdx_configs))
    snippets = _options(config, _SNIPPETS)
    if snippets.get("url_download") or snippets.get("restrict_base_path") is False:
        yield f"the extension `{_SNIPPETS}`"


def _options(config: MkDocsConfig, extension: str) -> Mapping[str, Any]:
    return config.mdx_configs.get(extension) or {}


def _code(options: object) -> Iterator[str]:
    """The functions and classes among options that are none of the known modules'."""
    match options:
        case Mapping():
            for value in options.values():
                yield from _code(value)
        case list() | tuple() | set():
            for value in options:
                yield from _code(value)
        case _ if callable(options) and not f"{_module(options)}.".startswith(CODE):
            yield f"{_module(options)}.{getattr(options, '__qualname__', '')}"


def _module(code: object) -> str:
    return str(getattr(getattr(code, "func", code), "__module__", None) or type(code).__module__)
