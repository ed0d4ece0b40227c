"""The Python-Markdown extension for hosts that run no plugins, such as Zensical: it keeps marks and answers' places
whole, until `mkdocs-cited publish --site DIR` writes into the built pages.

It writes nothing, asks no model and has no index. Whether the site shows it all is said by `mkdocs-cited check --site
DIR`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any
from weakref import WeakSet

from markdown import Markdown
from markdown.preprocessors import Preprocessor

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.terminal import harmless_line
from mkdocs_cited.declarations.in_markdown import Asked, Places
from mkdocs_cited.declarations.page import read_page
from mkdocs_cited.settings.parsing import parse
from mkdocs_cited.site_host import configuration
from mkdocs_cited.site_host.configuration import TIP, gate

_FIRST = 2_000
"""Priority of what runs before all else, and so before anything that is rendered within the page."""

log = logging.getLogger("mkdocs_cited")
_begun: WeakSet[Any] = WeakSet()
"""Pages whose Markdown is being rendered: what is rendered within them (docstrings, executed code) is no page."""


def makeExtension(**options: Any) -> Cited:  # noqa: N802 -- the name that Python-Markdown looks for
    """The extension, as `markdown_extensions: [mkdocs_cited.extension]` asks for it."""
    return Cited(**options)


class Cited(Places):
    """Marks and places in the pages of a host that hands its page over as Zensical does; elsewhere marks alone."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 -- Python-Markdown's name
        """Register what reads a page's front matter before its Markdown is rendered."""
        super().extendMarkdown(md)
        md.preprocessors.register(_Reading(md, self), "cited", _FIRST)


class _Reading(Preprocessor):
    """Notes the answers of the page that is rendered."""

    def __init__(self, md: Markdown, places: Places) -> None:
        super().__init__(md)
        self.places = places

    def run(self, lines: list[str]) -> list[str]:
        """The lines as they are."""
        context = self._context()
        if context is None or context.page in _begun:
            return lines
        _begun.add(context.page)
        try:
            self.places.heading, self.places.asked = asked_on(
                context.page, context.config
            )
        except CitedError as error:
            said = f"{context.page.path}: no answer is placed: {error.message} ({error.tip})"
            log.error("cited: %s", harmless_line(said))
        if self.places.asked:
            _warn_without_gate(_folder_of(context.config))
        return lines

    def _context(self) -> Any:
        """What Zensical says of the page: a preprocessor with `page` (`path`, `url`) and `config`."""
        for item in self.md.preprocessors:
            if hasattr(getattr(item, "page", None), "path") and isinstance(
                getattr(item, "config", None), dict
            ):
                return item
        return None


@cache
def _warn_without_gate(root: Path) -> None:
    """Say once that nothing fails where answers are wrong: here nobody but a check does."""
    if gate(root) is None:
        log.warning("cited: nothing in CI checks the answers: %s", TIP)


def asked_on(page: Any, config: Mapping[str, Any]) -> tuple[int, tuple[Asked, ...]]:
    """The level of the headings of answers, and the answers that a page declares.

    Args:
        page: of the host: `path` (under the folder of the docs).
        config: of the host: `root_dir` and `docs_dir`.

    Raises:
        CitedError: the configuration or the options cannot be used.
    """
    root, docs = _folder_of(config), str(config.get("docs_dir") or "docs")
    src = PurePosixPath(page.path).as_posix()
    file = root / docs / src
    data = b""
    if file.is_file():
        data = file.read_bytes()
    if b"answers" not in data:
        return 2, ()
    site = configuration.read(None, root)
    settings = parse(site.options, file=site.file)
    if not settings.enabled:
        return 2, ()
    declared = read_page(src, f"{docs}/{src}", data)
    for finding in declared.findings:
        log.warning("cited: %s", harmless_line(f"{finding.place}: {finding.message}"))
    return settings.heading, tuple(
        Asked(item.id, item.question) for item in declared.declarations
    )


def _folder_of(config: Mapping[str, Any]) -> Path:
    """The folder of a host's configuration."""
    return Path(str(config.get("root_dir") or ".")).resolve()
