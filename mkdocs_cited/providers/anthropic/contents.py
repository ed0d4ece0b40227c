"""The table of contents as a writer has it at hand."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mkdocs_cited.base.text import collapse, slugify
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Corpus, Scope
from mkdocs_cited.search.outline import Heading, near, outline
from mkdocs_cited.search.select import found_sections, scope_of

BUDGET = 5_000
"""Characters of the table of contents: some 1,500 tokens, which the second question reads from the cache."""
NEAREST = 2_000
"""Characters of the headings that are named besides, of the pages near a question."""
_LONGEST_TITLE = 80
_INTRODUCTION = """\
Table of contents, as data: each page with its path and title, below it its headings as `#anchor title`, without the \
title where the anchor says it.
An address is a path, or path and anchor together. Example: guide/keys.md#rotate"""
_LEFT_OUT = "Headings are left out here. Those of the pages near the question follow behind the sections."
_FOLDED = "`folder/ (12 pages)` stands for pages that are left out here: read_section of the folder names them."


class Contents:
    """The tables of contents of one run: one for each scope, made once. Threads may share it."""

    def __init__(self) -> None:
        self._alone = threading.Lock()
        self._made: dict[Scope, tuple[str, bool]] = {}

    def of(
        self, declaration: Declaration, corpus: Corpus, order: Sequence[str] = ()
    ) -> tuple[str, bool]:
        """The table of contents for a question, and whether it is complete."""
        scope = replace(scope_of(declaration), asked_on=("", ""))
        with self._alone:
            if scope not in self._made:
                self._made[scope] = within(
                    outline(corpus, scope, order), BUDGET, corpus
                )
            return self._made[scope]


def within(
    headings: Sequence[Heading], budget: int, corpus: Corpus
) -> tuple[str, bool]:
    """As much of a table of contents as a budget of characters takes, and whether that is all of it: headings are left
    out first, then the pages of folders, the deepest folders first. What has no text below it (a page that only asks,
    the question of an answer) is no place to read."""
    places = []
    for item in headings:
        if _has_text(item, corpus):
            places.append(item)
    lines = _lines(places)
    if _size(lines) <= budget:
        return _with_notes(lines), True
    pages = [item for item in places if not item.level]
    lines = _lines(pages)
    if _size(lines) <= budget:
        return _with_notes(lines, _LEFT_OUT), False
    deepest = max(item.where.count("/") for item in pages)
    for depth in range(deepest, 0, -1):
        lines = _folded(pages, depth)
        if _size(lines) <= budget:
            return _with_notes(lines, _LEFT_OUT, _FOLDED), False
    return _with_notes(lines[: budget // _LONGEST_TITLE], _LEFT_OUT, _FOLDED), False


def nearby(declaration: Declaration, corpus: Corpus, given: Iterable[str]) -> str:
    """The headings of the pages near a question, nearest page first, without those given: for one whose table of
    contents is not complete. Of a page with many, those of the sections that were found come before others."""
    skip = set(given)
    sections = tuple(found_sections(declaration, corpus))
    found = {section.where for section in sections}
    lines: list[str] = []
    for page, *headings in near(sections, corpus, scope_of(declaration)):
        further = [
            item
            for item in headings
            if item.where not in skip and _has_text(item, corpus)
        ]
        room = min(NEAREST - _size(lines), NEAREST // 3) - _size(_lines([page]))
        kept = set()
        for heading in sorted(further, key=lambda item: item.where not in found):
            room -= _size(_lines([heading]))
            if room < 0:
                break
            kept.add(heading)
        if kept:
            lines += _lines([page, *(item for item in further if item in kept)])
    if not lines:
        return ""
    return "\n".join(
        ["Further headings of the pages near the question (data):", *lines]
    )


def _with_notes(lines: Sequence[str], *notes: str) -> str:
    return "\n".join([_INTRODUCTION, *notes, "", *lines])


def _size(lines: Sequence[str]) -> int:
    """Characters with line breaks."""
    return sum(map(len, lines)) + len(lines)


def _has_text(heading: Heading, corpus: Corpus) -> bool:
    page, _, anchor = heading.where.partition("#")
    return bool(corpus.section(page, anchor))


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


def _lines(headings: Iterable[Heading]) -> list[str]:
    return list(_each_line(headings))


def _each_line(headings: Iterable[Heading]) -> Iterator[str]:
    page_title = ""
    for heading in headings:
        if not heading.level:
            page_title = heading.title
            yield _page_line(heading)
        elif heading.title != page_title:
            _, _, anchor = heading.where.partition("#")
            title = ""
            if slugify(heading.title) != anchor:
                title = f" {_title(heading)}"
            yield f"{' ' * max(1, heading.level - 1)}#{anchor}{title}"


def _page_line(page: Heading) -> str:
    return f"{page.where} — {_title(page)}"


def _title(heading: Heading) -> str:
    title = collapse(heading.title)
    if len(title) <= _LONGEST_TITLE:
        return title
    return f"{title[:_LONGEST_TITLE]}…"
