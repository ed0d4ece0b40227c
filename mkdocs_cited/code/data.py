"""The definitions of files of data: YAML, JSON with comments and TOML.

An entry is a key. A mapping that has a default besides (`{type: integer, default: 5}`, as JSON Schema, OpenAPI, actions
and lists of options write it) is a field with that default.
"""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import yaml
from msgspec.structs import replace

from mkdocs_cited.base.bounded_yaml import compose, where
from mkdocs_cited.code.interface import (
    Computed,
    Definition,
    Entries,
    Items,
    Kind,
    Value,
    is_too_long,
    number,
    one_line,
    scalar,
)

_MOST_CHARACTERS = 400_000
"""Of a YAML or JSON file: libyaml reads a megabyte a second."""
_DOCUMENT = re.compile(r"^---(?:[ \t].*)?$\n?", re.MULTILINE)
_FILLED_IN = re.compile(r"\$[{(]|\{[{%]|<%")
"""Placeholders of templates, whose values stand elsewhere."""
_GIVEN = re.compile(r"\$\{([A-Za-z_][\w.]*)(?::(?![?+])[-=]?|[-=])([^{}]*)\}")
"""A variable and its default: `${PORT:-80}`, in Spring `${PORT:80}`."""
_COMMENTED = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?')
_SCHEMAS = frozenset(("properties", "definitions", "$defs"))
"""Keys of a JSON Schema whose mappings describe a setting, and are no value of it."""
_TABLE = re.compile(r"[ \t]*\[(\[?)[ \t]*([^\]\n#]+?)[ \t]*\]\]?[ \t]*(?:#.*)?")
_KEY = re.compile(
    r"[ \t]*((?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|\"[^\"\n]*\"))*)[ \t]*="
)
_PART = re.compile(r"[\w-]+|\"[^\"\n]*\"|'[^'\n]*'")
_LONG_TEXT = re.compile(r"'''.*?(?:'''|\Z)|\"\"\".*?(?:\"\"\"|\Z)", re.DOTALL)


def yaml_keys(text: str, file: str) -> Iterator[Definition]:
    """Every key of every document of a YAML file; aliases and merged keys are followed.

    Raises:
        ValueError: a document does not parse, once the others are read.
    """
    fault = None
    starts = [0, *(match.end() for match in _DOCUMENT.finditer(text))]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        part = _DOCUMENT.sub("", text[start:end])
        above = text.count("\n", 0, start)
        try:
            root = _root(part, above)
        except ValueError as error:
            fault = error
            continue
        yield from _Document(part, file, above).keys(root)
    if fault:
        raise fault


def json_keys(text: str, file: str) -> Iterator[Definition]:
    """Every key of a JSON file. JSON is YAML, but for tabs and for the comments that editors allow."""
    plain = _COMMENTED.sub(_without_comment, text).replace("\t", " ")
    yield from yaml_keys(plain, file)


def _root(text: str, above: int) -> yaml.Node | None:
    """The root of a document of YAML.

    Raises:
        ValueError: it does not parse.
    """
    try:
        return compose(text, most_characters=_MOST_CHARACTERS)
    except yaml.YAMLError as error:
        at, problem = where(text, error)
        line = above + text.count("\n", 0, at) + 1
        raise ValueError(f"{problem} (line {line})") from None


def _without_comment(match: re.Match[str]) -> str:
    """Blanks in the place of a comment; a text as it is."""
    if match[0].startswith('"'):
        return match[0]
    return re.sub(r"[^\n]", " ", match[0])


class _Document:
    """One document of YAML."""

    def __init__(self, text: str, file: str, above: int) -> None:
        """`above` is how many lines of the file are above it."""
        self._text = text
        self._file = file
        self._above = above

    def keys(self, root: yaml.Node | None) -> Iterator[Definition]:
        """Its keys, and the settings that mappings describe."""
        todo: list[tuple[tuple[str, ...], yaml.Node, yaml.Node]] = []
        if root is not None:
            todo.append(((), root, root))
        while todo:
            path, key, node = todo.pop()
            inside = list(_inside(node))
            if path:
                kind, value = Kind.KEY, _value(node)
                if isinstance(value, Entries) and _SCHEMAS.intersection(path[-2:-1]):
                    kind, value = Kind.UNSET, Computed()
                yield self._made(path, kind, value, key, node)
                yield from self._described(path, inside)
            for name, key, node in reversed(inside):
                todo.append(((*path, name), key, node))

    def _described(
        self, path: tuple[str, ...], inside: list[tuple[str, yaml.Node, yaml.Node]]
    ) -> Iterator[Definition]:
        """The setting that a mapping describes: `{name: port, default: 80, enum: [80, 8080]}`."""
        given = {name: value for name, _, value in inside}
        default = given.get("default")
        if default is None:
            return
        named = given.get("name")
        if isinstance(named, yaml.ScalarNode):
            path = (*path[:-1], str(named.value))
        made = self._made(path, Kind.FIELD, _value(default), default, default)
        allowed = _value(given["enum"]) if "enum" in given else None
        if isinstance(allowed, Items):
            made = replace(made, choices=allowed.values)
        yield made

    def _made(
        self,
        path: tuple[str, ...],
        kind: Kind,
        value: Value,
        key: yaml.Node,
        node: yaml.Node,
    ) -> Definition:
        """A definition from its key to the end of its value."""
        first = key.start_mark.line + 1 + self._above
        last = node.end_mark.line + self._above
        if node.end_mark.column:
            last += 1
        written = self._text[node.start_mark.index : node.end_mark.index]
        given = _GIVEN.fullmatch(written.strip("\"'"))
        return Definition(
            name=path[-1],
            scope=path[:-1],
            value=value,
            kind=kind,
            file=self._file,
            line=first,
            end_line=max(first, last),
            text=one_line(written),
            also=given.groups()[:1] if given else (),
        )


def _inside(node: yaml.Node) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    """Name, key and value of what a mapping holds; of a list, its elements under their numbers."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                yield key.value, key, value
    elif isinstance(node, yaml.SequenceNode):
        for place, item in enumerate(node.value):
            yield str(place), item, item


def _value(node: yaml.Node) -> Value:
    """The value of a node. Values nest, so this calls itself; `compose()` bounds how deeply."""
    if isinstance(node, yaml.SequenceNode):
        return Items(tuple(_value(item) for item in node.value))
    if isinstance(node, yaml.MappingNode):
        return Entries(tuple((name, _value(value)) for name, _, value in _inside(node)))
    written = str(node.value)
    given = _GIVEN.fullmatch(written)
    if given:
        return scalar(given[2])
    if _FILLED_IN.search(written) or not node.tag.startswith("tag:yaml.org,2002:"):
        return Computed()
    kind = node.tag.rpartition(":")[2]
    if kind == "null":
        return None
    if kind == "bool":
        return written.lower() in ("true", "yes", "on")
    if kind in ("int", "float"):
        found = number(written)
        if found is None:
            return Computed()
        return found
    return written


def toml_keys(text: str, file: str) -> Iterator[Definition]:
    """The keys of a TOML file; elements of lists under their number."""
    lines = _toml_lines(text)
    root = _plain(tomllib.loads(text))
    todo: list[tuple[tuple[str, ...], Value, int]] = [((), root, 1)]
    while todo:
        path, value, line = todo.pop()
        line = lines.get(path, line)
        if path:
            name, scope = path[-1], path[:-1]
            yield Definition(name, scope, value, Kind.KEY, file, line, line)
        inside: list[tuple[Any, Value]] = []
        if isinstance(value, Entries):
            inside = list(value.pairs)
        elif isinstance(value, Items):
            inside = list(enumerate(value.values))
        for name, item in reversed(inside):
            todo.append(((*path, str(name)), item, line))


def _plain(value: Any) -> Value:
    """A value of TOML; values nest, so this calls itself."""
    if isinstance(value, dict):
        return Entries(tuple((name, _plain(item)) for name, item in value.items()))
    if isinstance(value, list):
        return Items(tuple(_plain(item) for item in value))
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if is_too_long(value):
        return Computed()
    found: Value = value
    return found


def _toml_lines(text: str) -> dict[tuple[str, ...], int]:
    """Where the tables and keys begin that a file writes out."""
    lines: dict[tuple[str, ...], int] = {}
    counts: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    text = _LONG_TEXT.sub(lambda match: "\n" * match[0].count("\n"), text)
    for line, written in enumerate(text.split("\n"), 1):
        header = _TABLE.fullmatch(written)
        key = _KEY.match(written)
        if header:
            table = ()
            for name in _PART.findall(header[2]):
                if table in counts:
                    table = (*table, str(counts[table]))
                table = (*table, name.strip("\"'"))
            if header[1]:
                counts[table] = counts.get(table, -1) + 1
                table = (*table, str(counts[table]))
            lines.setdefault(table, line)
        elif key:
            names = [part.strip("\"'") for part in _PART.findall(key[1])]
            lines.setdefault((*table, *names), line)
    return lines
