"""The names of the parts of a file: headings by their own ids and by those that GitHub gives to their words, and
definitions (`cache.ttl`, `/paths/~1keys`, `--port`, `$PORT`, `Phase.*`), with their values in words, as the sentence
shows them that a mark cites.

The words depend on the parsed value alone, so that another notation, comment or layout of the file changes nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from msgspec import Struct

from mkdocs_cited.code.interface import (
    Computed,
    Definition,
    Duration,
    Entries,
    Items,
    Kind,
    Reference,
    Value,
)
from mkdocs_cited.model.source import Passage, Refused, Section
from mkdocs_cited.sources import Document

MOST_NAMED = 5
"""Names that a message lists."""


class Heading(Struct, frozen=True):
    """A heading with what names it."""

    section: Section
    id: str
    """Of its words, on GitHub: with a number where headings before it have the same, so that it is of this heading
    alone."""
    words: tuple[str, ...]
    """What other headings may be called, too: its words as an id, the version that it begins with."""

    @property
    def name(self) -> str:
        """The id that an author writes: that of the page, unless it has no letter of the heading's words."""
        anchor = self.section.anchor
        if "%" in anchor or not any(map(str.isalpha, anchor)):
            return self.id
        return anchor


def headings_of(sections: Sequence[Section]) -> list[Heading]:
    """The headings of a page or file, in order."""
    seen: Counter[str] = Counter()
    headings = []
    for section in sections:
        if not section.level:
            continue
        words = _id_on_github(section.title)
        name = words
        if seen[words]:
            name += f"-{seen[words]}"
        seen[words] += 1
        names = (words, *_versions(section.title))
        headings.append(Heading(section, name, names))
    return headings


def under_headings(document: Document, address: str) -> dict[str, tuple[Passage, ...]]:
    """The headings that an address fits: the name of each, and the passages of it and of its sub-headings.

    Of several, none is meant.
    """
    headings = _fitting(headings_of(document.sections), address)
    names = [heading.name for heading in headings]
    if len(set(names)) < len(names):
        names = [heading.id for heading in headings]
    found = {}
    for name, heading in zip(names, headings, strict=True):
        found[name] = document.at(positions_under(heading.section, document.sections))
    return found


def ambiguous(address: str, names: Sequence[str], tip: str) -> Refused | None:
    """That an address fits several things; nothing where it does not.

    Args:
        address: with its path: `keys.md#rotate`.
        names: of what it fits.
    """
    if len(names) < 2:
        return None
    listed = ", ".join(names[:MOST_NAMED])
    return Refused(f"`{address}` fits {len(names)} things: {listed}", tip)


def names_of(sections: Sequence[Section]) -> tuple[str, ...]:
    """The names of all headings of a page or file."""
    names: dict[str, None] = {}
    for heading in headings_of(sections):
        names |= {heading.name: None, heading.section.anchor: None}
    return tuple(filter(None, names))


def _fitting(headings: Sequence[Heading], address: str) -> list[Heading]:
    """The headings whose own id an address is, by GitHub where they have none; else those whose words it is."""
    wanted = address.lower()
    exact, named, own, shared = [], [], [], []
    for item in headings:
        if item.section.has_id and item.section.anchor == address:
            exact.append(item)
        if item.id == address and not item.section.has_id:
            named.append(item)
        if wanted in item.words:
            shared.append(item)
        elif wanted == item.id:
            own.append(item)
    return exact or named or own or shared


def positions_under(start: Section, sections: Sequence[Section]) -> list[int]:
    """Positions of a section and of those of its sub-headings. A heading without an id goes on with the one before it
    that has one."""
    positions = [start.position]
    for section in sections[start.position + 1 :]:
        goes_on = section.anchor == start.anchor and not section.has_id
        if section.level <= start.level and not goes_on:
            break
        positions.append(section.position)
    return positions


def before_sub_headings(sections: Sequence[Section]) -> list[int]:
    """Positions of the sections of a page that are before its first sub-heading. Its title is no sub-heading."""
    positions: list[int] = []
    for section in sections:
        is_title = section.level == 1 and len(positions) <= 1
        if section.level and not is_title:
            break
        positions.append(section.position)
    return positions


def _id_on_github(title: str) -> str:
    """As github-slugger makes it: letters, marks, digits, `-` and `_` stay, each space is a dash."""
    kept = []
    for char in title.lower():
        if char in " -_" or unicodedata.category(char)[0] in "LMN":
            kept.append(char)
    return "".join(kept).replace(" ", "-")


def _versions(title: str) -> Iterator[str]:
    """`[v2.0.0] - 2026-01-01` by its version: `v2.0.0`, `2.0.0`, and both without dots."""
    first = re.sub(r"[^\w\s.-]", "", title).strip().lower().split(" ")[0]
    for name in (first, first.removeprefix("v")):
        if any(map(str.isdigit, name)):
            yield name
            yield name.replace(".", "")


Keys = tuple[str, ...]
"""Names of scopes, the outermost first, and the name of the definition."""


def pointer(path: Keys) -> str:
    """A path as a JSON Pointer (RFC 6901), which names it whatever its keys hold."""
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in path)


def defined(definitions: Sequence[Definition], address: str) -> list[Definition]:
    """The definitions that an address names: those that it names exactly, else those that end with it, in scopes that
    it has in their order: `Settings.ttl` is `Settings.cache.ttl`."""
    if address.startswith("/"):
        return [item for item in definitions if pointer(item.path) == address]
    if address.startswith("$"):
        # a variable, or another name in a call: `os.getenv("PORT")`, `f("PORT", default=80)`
        named = [item for item in definitions if address[1:] in (item.name, *item.also)]
        return [item for item in named if item.kind is Kind.LOOKUP] or named
    exact = [item for item in definitions if ".".join(item.path) == address]
    if exact:
        return exact
    *scope, name = address.split(".")
    called = []
    for item in definitions:
        rest = iter(item.scope)  # each `in` reads on behind the last name found
        if _is_called(item, name) and all(part in rest for part in scope):
            called.append(item)
    direct = [item for item in called if [*item.scope] == scope]
    return direct or called


def _is_called(item: Definition, name: str) -> bool:
    """True if a definition has a name; an option has that of its variable, too: `--dry-run`, `dry_run`."""
    if item.kind is Kind.OPTION and _variable_of(item.name) == _variable_of(name):
        return True
    return name in (item.name, *item.also)


def _variable_of(flag: str) -> str:
    return flag.lstrip("-").replace("-", "_")


_UNITS = (
    (86400, "day", 3),
    (3600, "hour", 1),
    (60, "minute", 1),
    (1, "second", 1),
    (0.001, "millisecond", 1),
)
"""Seconds of a unit, its name, and the fewest that are told in it: people say 24 and 48 hours."""
_MOST_HOPS = 5
"""Names that are followed from one to the next: `A = B`, `B = C`."""


def resolved(value: Value, definitions: Sequence[Definition]) -> Value:
    """The value, or what the name that it refers to has in its file."""
    for _ in range(_MOST_HOPS):
        if not isinstance(value, Reference):
            break
        values = []
        for item in definitions:
            name = ".".join(item.path)
            if is_call(value):
                name = item.name
            if name == value.name:
                values.append(item.value)
        if len(values) != 1:
            break
        value = values[0]
    return value


def is_call(value: Value) -> bool:
    """True if a value is what a call of a helper returns: `env()`."""
    return isinstance(value, Reference) and value.name.endswith("()")


def is_known(value: Value) -> TypeGuard[bool | int | float | str | Duration | None]:
    """True if a value is a single one that the file states: no list or mapping, and none known at run time only."""
    return not isinstance(value, (Computed, Reference, Items, Entries))


def in_words(value: Value, *, python: bool = False) -> str:
    """A value as people write it; lists with commas. Empty for what only a run can tell. Values nest, so this calls
    itself.

    Args:
        python: whether yes, no and nothing are written as Python does.
    """
    match value:
        case Computed():
            return ""
        case Reference():
            return value.name
        case Duration():
            return _duration(value.seconds)
        case Items():
            return ", ".join(in_words(item, python=python) for item in value.values)
        case Entries():
            return ", ".join(name for name, _ in value.pairs)
        case float():
            return f"{value:.15g}"
        case None if not python:
            return "null"
        case bool() if not python:
            return str(value).lower()
    return str(value)


def _duration(seconds: float) -> str:
    """A length of time in the largest unit that leaves no rest."""
    for size, unit, fewest in _UNITS:
        count = seconds / size
        if count == 1 and fewest == 1:
            return f"1 {unit}"
        if count % 1 == 0 and count >= fewest:
            return f"{int(count)} {unit}s"
    return f"{seconds:.15g} seconds"
