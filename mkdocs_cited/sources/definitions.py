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
"""Names from the outermost to the one that is meant."""


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
    exact = []
    for item in definitions:
        if ".".join(item.path) == address:
            exact.append(item)
    if exact:
        return exact
    *scope, name = address.split(".")
    plain = [
        item
        for item in definitions
        if _is_called(item, name) and list(item.scope) == scope
    ]
    return plain or [
        item
        for item in definitions
        if _is_called(item, name) and _leads_to(scope, item.scope)
    ]


def _variables(definitions: Sequence[Definition], name: str) -> list[Definition]:
    """A variable of the environment, or another name in a call: `os.getenv("PORT")`, `f("PORT", default=80)`."""
    calls = [
        item for item in definitions if item.kind is Kind.LOOKUP and item.name == name
    ]
    return calls or [
        item for item in definitions if name == item.name or name in item.also
    ]


def _is_called(item: Definition, name: str) -> bool:
    """True if a definition has a name; an option has that of its variable, too: `--dry-run`, `dry_run`."""
    if name == item.name or name in item.also:
        return True
    return item.kind is Kind.OPTION and _variable_of(item.name) == _variable_of(name)


def _variable_of(flag: str) -> str:
    return flag.lstrip("-").replace("-", "_")


def _leads_to(names: Sequence[str], scope: Keys) -> bool:
    """True if names are in a scope, in its order: `Settings` in `Settings.cache`."""
    rest = iter(scope)
    return all(name in rest for name in names)


_DAY = 86400
_FEW_DAYS = 3
_UNITS = (
    (_DAY, "day"),
    (3600, "hour"),
    (60, "minute"),
    (1, "second"),
    (0.001, "millisecond"),
)
_MOST_HOPS = 5
"""Names that are followed from one to the next: `A = B`, `B = C`."""


def resolved(value: Value, definitions: Sequence[Definition]) -> Value:
    """The value, or what the name that it refers to has in its file."""
    for _ in range(_MOST_HOPS):
        if not isinstance(value, Reference):
            return value
        named = []
        for item in definitions:
            if ".".join(item.path) == value.name:
                named.append(item)
        if len(named) != 1:
            return value
        value = named[0].value
    return value


def is_known(value: Value) -> TypeGuard[bool | int | float | str | Duration | None]:
    """Whether it is one value that the file states: no list or mapping, and nothing that only a run can tell."""
    return not isinstance(value, (Computed, Reference, Items, Entries))


def in_words(value: Value, *, python: bool = False) -> str:
    """A value as people write it; lists with commas. Empty for what only a run can tell. Values nest, so this calls
    itself.

    Args:
        python: whether yes, no and nothing are written as Python does.
    """
    if isinstance(value, Computed):
        return ""
    if isinstance(value, Reference):
        return value.name
    if isinstance(value, Duration):
        return _duration(value.seconds)
    if isinstance(value, Items):
        return ", ".join(in_words(item, python=python) for item in value.values)
    if isinstance(value, Entries):
        return ", ".join(name for name, _ in value.pairs)
    if value is None or isinstance(value, bool):
        if python:
            return str(value)
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        return f"{value:.15g}"
    return str(value)


def _duration(seconds: float) -> str:
    """A length of time in the largest unit that leaves no rest."""
    for size, unit in _UNITS:
        count = seconds / size
        if size == _DAY and count < _FEW_DAYS:  # people say 24 and 48 hours
            continue
        if count >= 1 and count == int(count):
            if count == 1:
                return f"{int(count)} {unit}"
            return f"{int(count)} {unit}s"
    return f"{seconds:.15g} seconds"
