"""Headings by their own ids, and by those that GitHub and Python-Markdown give to their words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mkdocs_cited.model.source import Section


class Heading(Struct, frozen=True):
    """A heading with what names it."""

    section: Section
    ids: tuple[str, ...]
    """Of its words, on GitHub and as Python-Markdown makes them: with a number where headings before it have the same,
    so that each is of this heading alone."""
    words: tuple[str, ...]
    """What other headings may be called, too: its words as an id, the version that it begins with."""

    @property
    def name(self) -> str:
        """The id that an author writes: that of the page, unless it has no letter of the heading's words."""
        anchor = self.section.anchor
        if "%" in anchor or not any(map(str.isalpha, anchor)):
            return self.ids[0]
        return anchor


def headings_of(sections: Sequence[Section]) -> tuple[Heading, ...]:
    """The headings of a page or file, in order."""
    seen: Counter[str] = Counter()
    headings: list[Heading] = []
    for section in sections:
        if not section.level:
            continue
        on_github = _id_on_github(section.title)
        of_markdown = _id_of_python_markdown(section.title)
        ids: list[str] = []
        for divider, name in (("-", on_github), ("_", of_markdown)):
            count = seen[divider + name]
            seen[divider + name] += 1
            ids.append(f"{name}{divider}{count}" if count else name)
        words = (on_github, of_markdown, *_versions(section.title))
        headings.append(Heading(section, tuple(ids), words))
    return tuple(headings)


def fitting(headings: Sequence[Heading], address: str) -> tuple[Heading, ...]:
    """The headings that an address fits: those whose own id it is, with their namesakes; else those whose words it is.

    Of several, none is meant.
    """
    own = [item for item in headings if item.section.has_id]
    exact = [item for item in own if item.section.anchor == address]
    # a page's title, with all that is below it, its namesakes as well
    if exact and exact[0].section.level > 1:
        title = exact[0].section.title.casefold()
        for item in own:
            number = item.section.anchor.removeprefix(address)
            is_numbered = number != item.section.anchor and number.strip("_-").isdigit()
            if is_numbered and item.section.title.casefold() == title:
                exact.append(item)
    if exact:
        return tuple(exact)
    wanted = address.lower()
    found = [item for item in headings if wanted in (*item.ids, *item.words)]
    named = [item for item in found if wanted not in item.words]
    return tuple(named or found)


def names_of(headings: Sequence[Heading]) -> tuple[str, ...]:
    """The names of headings, each another one."""
    names = tuple(heading.name for heading in headings)
    if len(set(names)) < len(names):
        return tuple(heading.ids[0] for heading in headings)
    return names


def positions_under(heading: Heading, sections: Sequence[Section]) -> list[int]:
    """Positions of a heading's section and of those of its sub-headings. A heading without an id goes on with the
    one before it that has one."""
    start = heading.section
    positions = [start.position]
    for section in sections[start.position + 1 :]:
        goes_on = section.anchor == start.anchor and not section.has_id
        if section.level <= start.level and not goes_on:
            break
        positions.append(section.position)
    return positions


def before_sub_headings(sections: Sequence[Section]) -> tuple[int, ...]:
    """Positions of the sections of a page that are before its first sub-heading. Its title is no sub-heading."""
    positions: list[int] = []
    for section in sections:
        is_title = section.level == 1 and len(positions) <= 1
        if section.level and not is_title:
            break
        positions.append(section.position)
    return tuple(positions)


def _id_on_github(title: str) -> str:
    """As github-slugger makes it: letters, marks, digits, `-` and `_` stay, each space is a dash."""
    kept = []
    for char in title.lower():
        if char in " -_" or unicodedata.category(char)[0] in "LMN":
            kept.append(char)
    return "".join(kept).replace(" ", "-")


def _id_of_python_markdown(title: str) -> str:
    words = re.sub(r"[^\w\s-]", "", title).strip().lower()
    return re.sub(r"[-\s]+", "-", words)


def _versions(title: str) -> Iterator[str]:
    """`[v2.0.0] - 2026-01-01` by its version: `v2.0.0`, `2.0.0`, and both without dots."""
    first = re.sub(r"[^\w\s.-]", "", title).strip().lower().split(" ")[0]
    for name in (first, first.removeprefix("v")):
        if any(map(str.isdigit, name)):
            yield name
            yield name.replace(".", "")
