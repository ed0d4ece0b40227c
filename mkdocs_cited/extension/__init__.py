"""A Python-Markdown extension that shows recorded answers, for hosts that run no plugins, such as Zensical.

It writes nothing, asks no model and has no index: what it shows was recorded by `mkdocs-cited update --site DIR`, and
whether the site shows it all is said by `mkdocs-cited check --site DIR`. Answers go into a page in two steps: their
headings before it is parsed, their HTML after. What an answer looks like is said in `answers`.
"""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakSet

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.terminal import shown_line
from mkdocs_cited.declarations.markers import MARKER, as_heading
from mkdocs_cited.extension.answers import PageAnswers, folder_of, read
from mkdocs_cited.site_host.configuration import TIP, gate

_AFTER_RAW_HTML = 5
"""Priority of what runs when comments are comments again (Python-Markdown puts them back at 30)."""
_BEFORE_PARSING = 4
"""Priority of what runs when macros, snippets, code blocks and raw HTML were seen to (35 to 20)."""

log = logging.getLogger("mkdocs_cited")
_begun: WeakSet[Any] = WeakSet()
"""Pages whose Markdown is being rendered: what is rendered within them (docstrings, executed code) is no page."""


def makeExtension(**options: Any) -> Cited:  # noqa: N802 -- the name that Python-Markdown looks for
    """The extension, as `markdown_extensions: [mkdocs_cited.extension]` asks for it."""
    return Cited(**options)


class Cited(Extension):
    """Answers in the pages of a host that hands its page over as Zensical does; elsewhere nothing."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 -- Python-Markdown's name
        """Register the two halves."""
        placing, showing = _Placing(md), _Showing(md)
        showing.placing = placing
        md.preprocessors.register(placing, "cited", _BEFORE_PARSING)
        md.postprocessors.register(showing, "cited", _AFTER_RAW_HTML)


class _Placing(Preprocessor):
    """Gives each recorded answer without a marker a heading and a marker at the end of its page."""

    answers: PageAnswers | None = None

    def run(self, lines: list[str]) -> list[str]:
        """The lines of the page, and those of its answers."""
        context = self._context()
        if context is None or context.page in _begun:
            return lines
        _begun.add(context.page)
        try:
            self.answers = read(context.page, context.config)
            if self.answers.questions or self.answers.problems:
                _warn_without_gate(folder_of(context.config))
        except CitedError as error:
            said = f"{context.page.path}: no answer is shown: {error.message} ({error.tip})"
            log.error("cited: %s", shown_line(said))
            return lines
        for message in self.answers.problems:
            log.warning("cited: %s", shown_line(message))
        return [*lines, *self._appended(self.answers, lines)]

    def _context(self) -> Any:
        """What Zensical says of the page: a preprocessor with `page` (`path`, `url`) and `config`."""
        for item in self.md.preprocessors:
            if hasattr(getattr(item, "page", None), "path") and isinstance(getattr(item, "config", None), dict):
                return item
        return None

    def _appended(self, answers: PageAnswers, lines: list[str]) -> list[str]:
        stashed = (text for text in self.md.htmlStash.rawHtmlBlocks if isinstance(text, str))
        placed = {name for text in (*lines, *stashed) for name in MARKER.findall(text)}
        out: list[str] = []
        for name, question in answers.questions.items():
            if name not in placed:
                own = f" {{ #{name} }}" if "attr_list" in self.md.treeprocessors else ""
                slot = self.md.htmlStash.store(f"<!-- answer: {name} -->")
                out += ["", f"{'#' * answers.heading} {as_heading(question)}{own}", "", slot, ""]
        return out


@cache
def _warn_without_gate(root: Path) -> None:
    """Say once that nothing fails where answers are wrong: here nobody but a check does."""
    if gate(root) is None:
        log.warning("cited: nothing in CI checks the answers: %s", TIP)


class _Showing(Postprocessor):
    """Puts the answers where their markers are."""

    placing: _Placing

    def run(self, text: str) -> str:
        """The page's HTML with its answers."""
        answers = self.placing.answers
        return text if answers is None else answers.shown_in(text)
