"""The table of contents as a writer has it at hand."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Container, Iterable, Sequence

from mkdocs_cited.base.text import collapse, slugify
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Corpus, Page, Scope
from mkdocs_cited.search.outline import Heading, headings_on, outline
from mkdocs_cited.search.select import scope_of

BUDGET = 5_000
"""Characters of the table of contents: some 1,500 tokens, which the second question reads from the cache."""
NEAR_PAGES = 2_000
"""Characters of the headings that are named besides, of the pages near a question."""
_LONGEST_TITLE = 80
_INTRODUCTION = """\
Table of contents, as data: each page with its path and title. Headings of the pages near the question follow behind \
the sections.
An address is a path, or path and anchor together. Example: guide/keys.md#rotate"""
_FOLDED = "`folder/ (12 pages)` stands for pages that are left out here: read_section of the folder names them."

_FURTHER = (
    "Further headings of the pages near the question, as data, each as `#anchor title`:"
)


class Contents:
    """The tables of contents of one run: one for each scope, made once. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[Scope, str] = {}

    def of(
        self, declaration: Declaration, corpus: Corpus, order: Sequence[str] = ()
    ) -> str:
        """The table of contents for a question."""
        scope = replace(scope_of(declaration), asked_on=("", ""))
        with self._lock:
            if scope not in self._made:
                self._made[scope] = within(outline(corpus, scope, order), BUDGET)
            return self._made[scope]


def within(headings: Sequence[Heading], budget: int) -> str:
    """The pages of a table of contents, as far as a budget of characters takes them: then folders stand for their
    pages, the deepest folders first."""
    pages = [item for item in headings if not item.level]
    lines = [_page_line(page) for page in pages]
    if _size(lines) <= budget:
        return "\n".join([_INTRODUCTION, "", *lines])
    deepest = max(item.where.count("/") for item in pages)
    for depth in range(deepest, 0, -1):
        lines = _folded(pages, depth)
        if _size(lines) <= budget:
            break
    else:
        lines = lines[: budget // _LONGEST_TITLE]
    return "\n".join([_INTRODUCTION, _FOLDED, "", *lines])


def nearby(
    declaration: Declaration,
    corpus: Corpus,
    pages: Iterable[Page],
    given: Container[str],
) -> str:
    """The headings of the pages near a question, without those given, as `#anchor title`, without the title where the
    anchor says it; empty where there are none.

    Of pages with equal headings (the same page of another version), the first stands for all.
    """
    scope = scope_of(declaration)
    lines: list[str] = []
    seen: set[tuple[str, ...]] = set()
    for page in pages:
        headings = headings_on(page, corpus, scope)
        titles = tuple(heading.title for heading in headings)
        named = [page.src]
        for heading in headings:
            if heading.level and heading.where not in given:
                named.append(_heading_line(heading))
        room = max(0, min(NEAR_PAGES - _size(lines), NEAR_PAGES // 3))
        while _size(named) > room:
            del named[-1]
        if titles not in seen and len(named) > 1:
            seen.add(titles)
            lines += named
    if lines:
        lines.insert(0, _FURTHER)
    return "\n".join(lines)


def _size(lines: Sequence[str]) -> int:
    """Characters with line breaks."""
    return sum(map(len, lines)) + len(lines)


def _folded(pages: Iterable[Heading], depth: int) -> list[str]:
    """One line for each page less than so many folders deep, and for each folder of that depth one with the number of
    its pages."""
    counts: Counter[str] = Counter()
    lines: dict[str, str] = {}
    for page in pages:
        parts = page.where.split("/")
        if len(parts) <= depth:
            lines[page.where] = _page_line(page)
            continue
        folder = "/".join(parts[:depth])
        counts[folder] += 1
        lines[folder] = f"{folder}/ ({counts[folder]} pages)"
    return list(lines.values())


def _page_line(page: Heading) -> str:
    return f"{page.where} — {_title(page)}"


def _heading_line(heading: Heading) -> str:
    _, _, anchor = heading.where.partition("#")
    if slugify(heading.title) == anchor:
        return f" #{anchor}"
    return f" #{anchor} {_title(heading)}"


def _title(heading: Heading) -> str:
    title = collapse(heading.title)
    if len(title) <= _LONGEST_TITLE:
        return title
    return f"{title[:_LONGEST_TITLE]}…"
