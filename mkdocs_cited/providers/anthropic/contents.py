"""The table of contents as a writer has it at hand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence

from mkdocs_cited.base.text import collapse, slugify
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Corpus, Scope
from mkdocs_cited.search.select import Heading, near, outline, scope_of

BUDGET = 24_000
"""Characters of the table of contents: some 7,000 tokens, which the second question reads from the cache."""
NEAREST = 40
"""Headings near a question that are named where the table of contents leaves headings out."""
_LONGEST_TITLE = 100
_INTRODUCTION = """\
The site's table of contents, as data: each page with its path and title, and below it its headings with their \
anchors (`#anchor`, or `#anchor Title` where the anchor does not say it). An address is the path of a page, or path \
and anchor together, such as guide/keys.md#rotate."""


class Contents:
    """The tables of contents of one run: one for each scope, made once. Threads may share it."""

    def __init__(self) -> None:
        self._alone = threading.Lock()
        self._made: dict[Scope, tuple[str, bool]] = {}

    def of(self, declaration: Declaration, corpus: Corpus, order: Sequence[str] = ()) -> tuple[str, bool]:
        """The table of contents for a question, and whether it is complete."""
        scope = replace(scope_of(declaration), asked_on=("", ""))
        with self._alone:
            if scope not in self._made:
                self._made[scope] = within(outline(corpus, scope, order), BUDGET, lambda it: _has_text(it, corpus))
            return self._made[scope]


def within(
    headings: Sequence[Heading], budget: int, has_text: Callable[[Heading], bool] = lambda heading: True
) -> tuple[str, bool]:
    """As much of a table of contents as a budget of characters takes, and whether that is all of it: the deepest
    headings are left out first, then the last pages. What has no text below it (the question of an answer that is not
    written yet) is no place to read, nor is a heading that repeats its page's title."""
    for deepest in (6, 3, 2, 0):
        shown = [heading for heading in headings if heading.level <= deepest]
        lines = _lines(shown)
        if sum(map(len, lines)) + len(lines) <= budget:
            lines = _lines(filter(has_text, shown))
            break
    taken, left = [], budget
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            break
        taken.append(line)
    complete = deepest == 6 and len(taken) == len(lines)
    said = [_INTRODUCTION]
    if not complete:
        more = f" {len(lines) - len(taken):,} further pages are left out, too." if len(taken) < len(lines) else ""
        said.append(f"It is not complete: deeper headings are left out.{more}")
    return "\n".join([*said, "", *taken]), complete


def nearby(declaration: Declaration, corpus: Corpus, given: Iterable[str]) -> str:
    """The headings that are near a question, for one whose table of contents is not complete; without those given."""
    skip = set(given)
    found = (heading for heading in near(declaration, corpus, NEAREST + len(skip)) if heading.where not in skip)
    lines = [f"{heading.where} {_title(heading)}" for heading in found][:NEAREST]
    return "\n".join(["Further sections near the question, by address and title, as data:", *lines]) if lines else ""


def _has_text(heading: Heading, corpus: Corpus) -> bool:
    page, _, anchor = heading.where.partition("#")
    return bool(corpus.section(page, anchor))


def _lines(headings: Iterable[Heading]) -> list[str]:
    out: list[str] = []
    page_title = ""
    for heading in headings:
        page, _, anchor = heading.where.partition("#")
        if not heading.level:
            page_title = heading.title
            out.append(f"{page} — {_title(heading)}")
        elif heading.title != page_title:
            says = slugify(heading.title) == anchor
            out.append(f"{' ' * max(1, heading.level - 1)}#{anchor}{'' if says else f' {_title(heading)}'}")
    return out


def _title(heading: Heading) -> str:
    title = collapse(heading.title)
    return title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE]}…"
