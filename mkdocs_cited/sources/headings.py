"""Headings by the ids that GitHub and Python-Markdown give them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mkdocs_cited.model.source import Passage, Section
from mkdocs_cited.sources.passages import Document


class Heading(Struct, frozen=True):
    """A heading with what names it."""

    section: Section
    ids: tuple[str, ...]
    """On GitHub, as Python-Markdown makes it, and its author's own: each is of this heading alone."""
    also: tuple[str, ...]
    """What other headings may be called, too: its words as an id, the version that it begins with."""


def headings_of(sections: Sequence[Section]) -> tuple[Heading, ...]:
    """The headings of a file, in order."""
    seen: Counter[str] = Counter()
    found: list[Heading] = []
    for section in sections:
        if not section.level:
            continue
        ids: list[str] = []
        also = list(_versions(section.title))
        for divider, name in (
            ("-", _id_on_github(section.title)),
            ("_", _id_of_python_markdown(section.title)),
        ):
            count = seen[divider + name]
            seen[divider + name] += 1
            also.append(name)
            ids.append(f"{name}{divider}{count}" if count else name)
        if section.anchor:
            ids.append(section.anchor.lower())
        found.append(Heading(section, tuple(ids), tuple(also)))
    return tuple(found)


def written_as(section: Section) -> str:
    """The id of a section as an author writes it: its words, where the id on the page has no letter of them."""
    readable = "%" not in section.anchor and any(map(str.isalpha, section.anchor))
    if readable or not section.anchor:
        return section.anchor
    return _id_on_github(section.title)


def fitting(headings: Sequence[Heading], address: str) -> list[Heading]:
    """The headings that an address fits: the one whose id it is, where the id is no other's words."""
    wanted = address.lower()
    found = [
        heading
        for heading in headings
        if wanted in heading.ids or wanted in heading.also
    ]
    named = [
        heading
        for heading in found
        if wanted in heading.ids and wanted not in heading.also
    ]
    return named or found


def under(heading: Heading, document: Document) -> tuple[Passage, ...]:
    """The passages under a heading and its sub-headings."""
    start = heading.section
    positions = [start.position]
    for other in document.sections[start.position + 1 :]:
        if other.level <= start.level:
            break
        positions.append(other.position)
    return tuple(
        item for item in document.passages if item.section.position in positions
    )


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
    for name in (first, re.sub(r"^v(?=\d)", "", first)):
        if any(map(str.isdigit, name)):
            yield name
            yield name.replace(".", "")
