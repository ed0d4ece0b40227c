"""What a question names: a version, a product or a provider that is part of a path, a title or a heading.

Folders and files that stand next to each other are alternatives. Where a question has all words of one of them, pages
under it count for more, and those under its neighbours for less. Nothing here knows what a version or a product is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from mkdocs_cited.model.source import Page, Section

FOR = 1.4
"""What a page under a named part counts."""
AGAINST = 0.8
"""What a page next to a named part counts."""
ANOTHER_VERSION = 0.3
"""The same, where both parts have a figure: one version's page for another's."""
DATED = 0.7
"""What a page with a date counts that is not named: it told what was new that day."""
_WORD = re.compile(r"\w+(?:\.\d\w*)*")
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_V = re.compile(r"v(?=\d)")


class Named(Struct, frozen=True):
    """What one question names of a site's paths."""

    parts: Mapping[str, frozenset[str]]
    """Folder → names in it that the question has all words of."""
    versions: tuple[str, ...]

    def weight(self, section: Section) -> float:
        """How much a section counts: 1 where nothing speaks for or against it."""
        weight = self._of_path(section.page) * self._of_heading(section)
        if weight <= 1 and section.page.published:
            weight *= DATED
        return weight

    def names(self, page: Page) -> bool:
        """True if the question names a part of a page's path."""
        return any(part in self.parts.get(folder, ()) for folder, part in _parts(page))

    def _of_path(self, page: Page) -> float:
        weight = 1.0
        for folder, part in _parts(page):
            named = self.parts.get(folder)
            if not named:
                continue
            if part in named:
                weight *= FOR
            elif _has_figure(part) and any(map(_has_figure, named)):
                weight *= ANOTHER_VERSION
            else:
                weight *= AGAINST
        return weight

    def _of_heading(self, section: Section) -> float:
        """By the versions in its headings."""
        there = _VERSION.findall(" ".join(section.breadcrumb))
        if not (there and self.versions):
            return 1.0
        same = any(
            _same_version(one, other) for one in there for other in self.versions
        )
        if same:
            return FOR
        return ANOTHER_VERSION


def named(question: str, pages: Iterable[Page]) -> Named:
    """What a question names of the paths of these pages."""
    words = _words(question)
    parts: dict[str, set[str]] = defaultdict(set)
    for page in pages:
        for folder, part in _parts(page):
            own = _words(part)
            if own and own <= words:
                parts[folder].add(part)
    frozen = {folder: frozenset(names) for folder, names in parts.items()}
    return Named(frozen, tuple(_VERSION.findall(question)))


def _parts(page: Page) -> Iterator[tuple[str, str]]:
    """Each folder on a page's path, and the name in it that the path goes on with; `index` is its folder's own."""
    folder = ""
    for part in page.src.removesuffix(".md").split("/"):
        if part != "index":
            yield folder, part
        folder = f"{folder}/{part}"


def _words(text: str) -> frozenset[str]:
    return frozenset(
        _V.sub("", word) for word in _WORD.findall(text.lower().replace("_", " "))
    )


def _has_figure(text: str) -> bool:
    return any(map(str.isdigit, text))


def _same_version(one: str, other: str) -> bool:
    """True if two versions are the same, or one is a release of the other: 3.6 and 3.6.13."""
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")
