"""Which definitions of a file an address names: `cache.ttl`, `/paths/~1keys`, `--port`, `$PORT`, `Phase.*`."""

from __future__ import annotations

from collections.abc import Sequence

from mkdocs_cited.code.interface import Definition, Kind

Keys = tuple[str, ...]
"""Names from the outermost to the one that is meant."""


def pointer(path: Keys) -> str:
    """A path as a JSON Pointer (RFC 6901), which names it whatever its keys hold."""
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in path)


def path_of(address: str) -> Keys:
    """The path that a JSON Pointer names."""
    return tuple(key.replace("~1", "/").replace("~0", "~") for key in address[1:].split("/"))


def named(definitions: Sequence[Definition], address: str) -> list[Definition]:
    """The definitions that an address names: those that it names exactly, else those that end with it."""
    if address.startswith("/"):
        return [item for item in definitions if item.path == path_of(address)]
    if address.startswith("$"):
        return _variables(definitions, address[1:])
    exact = [item for item in definitions if ".".join(item.path) == address]
    if exact:
        return exact
    *scope, name = address.split(".")
    plain = [item for item in definitions if _is_called(item, name) and list(item.scope) == scope]
    return plain or [item for item in definitions if _is_called(item, name) and _leads_to(scope, item.scope)]


def _variables(definitions: Sequence[Definition], name: str) -> list[Definition]:
    """A variable of the environment, or another name in a call: `os.getenv("PORT")`, `f("PORT", default=80)`."""
    calls = [item for item in definitions if item.kind is Kind.LOOKUP and item.name == name]
    return calls or [item for item in definitions if name == item.name or name in item.also]


def _is_called(item: Definition, name: str) -> bool:
    """Whether a definition has a name; an option has that of its variable, too: `--dry-run`, `dry_run`."""
    if name == item.name or name in item.also:
        return True
    return item.kind is Kind.OPTION and _variable_of(item.name) == _variable_of(name)


def _variable_of(flag: str) -> str:
    return flag.lstrip("-").replace("-", "_")


def _leads_to(names: Sequence[str], scope: Keys) -> bool:
    """Whether names are in a scope, in its order: `Settings` in `Settings.cache`."""
    rest = iter(scope)
    return all(name in rest for name in names)
