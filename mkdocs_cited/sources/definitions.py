"""Definitions of a file: which of them an address names (`cache.ttl`, `/paths/~1keys`, `--port`, `$PORT`, `Phase.*`),
and their values in words, as the sentence shows them that a mark cites.

The words depend on the parsed value alone, so that another notation, comment or layout of the file changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

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

Keys = tuple[str, ...]
"""Names of scopes, the outermost first, and the name of the definition."""


def pointer(path: Keys) -> str:
    """A path as a JSON Pointer (RFC 6901), which names it whatever its keys hold."""
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in path)


def path_of(address: str) -> Keys:
    """The path that a JSON Pointer names."""
    return tuple(
        key.replace("~1", "/").replace("~0", "~") for key in address[1:].split("/")
    )


def named(definitions: Sequence[Definition], address: str) -> list[Definition]:
    """The definitions that an address names: those that it names exactly, else those that end with it."""
    if address.startswith("/"):
        return [item for item in definitions if item.path == path_of(address)]
    if address.startswith("$"):
        return _variables(definitions, address[1:])
    *scope, name = address.split(".")
    exact, in_scope, below = [], [], []
    for item in definitions:
        if ".".join(item.path) == address:
            exact.append(item)
        if not _is_called(item, name):
            continue
        if list(item.scope) == scope:
            in_scope.append(item)
        elif _leads_to(scope, item.scope):
            below.append(item)
    return exact or in_scope or below


def _variables(definitions: Sequence[Definition], name: str) -> list[Definition]:
    """A variable of the environment, or another name in a call: `os.getenv("PORT")`, `f("PORT", default=80)`."""
    named = [item for item in definitions if name in (item.name, *item.also)]
    calls = [item for item in named if item.kind is Kind.LOOKUP]
    return calls or named


def _is_called(item: Definition, name: str) -> bool:
    """True if a definition has a name; an option has that of its variable, too: `--dry-run`, `dry_run`."""
    if item.kind is Kind.OPTION and _variable_of(item.name) == _variable_of(name):
        return True
    return name in (item.name, *item.also)


def _variable_of(flag: str) -> str:
    return flag.lstrip("-").replace("-", "_")


def _leads_to(names: Sequence[str], scope: Keys) -> bool:
    """True if names are in a scope, in its order: `Settings` in `Settings.cache`."""
    rest = iter(scope)  # each `in` reads on behind the last name found
    return all(name in rest for name in names)


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
        values = [
            item.value for item in definitions if ".".join(item.path) == value.name
        ]
        if len(values) != 1:
            break
        value = values[0]
    return value


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
        if count == int(count) and count >= fewest:
            return f"{int(count)} {unit}s"
    return f"{seconds:.15g} seconds"
