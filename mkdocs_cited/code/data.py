"""The definitions of files of configuration: YAML, JSON with comments, TOML, INI and `.env`.

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

from mkdocs_cited.base.bounded_yaml import TooMuchError, compose
from mkdocs_cited.code.interface import (
    Computed,
    Definition,
    Entries,
    Items,
    Kind,
    Reader,
    Value,
    one_line,
)
from mkdocs_cited.code.literals import number, scalar

_MOST_CHARACTERS = 400_000
"""Of a YAML or JSON file: libyaml reads a megabyte a second."""
_DOCUMENT = re.compile(r"^---(?:[ \t].*)?$\n?", re.MULTILINE)
_FILLED_IN = re.compile(r"\$[{(]|\{[{%]|<%")
"""Placeholders of templates, whose values stand elsewhere."""
_COMMENTED = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?')
_SCHEMAS = (("properties",), ("definitions",), ("$defs",))
"""What the mappings in a JSON Schema lie in that describe a setting, and are no value of it."""
_TABLE = re.compile(r"[ \t]*\[(\[?)[ \t]*([^\]\n#]+?)[ \t]*\]\]?[ \t]*(?:#.*)?")
_KEY = re.compile(
    r"[ \t]*((?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|\"[^\"\n]*\"))*)[ \t]*="
)
_PART = re.compile(r"[\w-]+|\"[^\"\n]*\"|'[^'\n]*'")
_LONG_TEXT = re.compile(r"'''.*?(?:'''|\Z)|\"\"\".*?(?:\"\"\"|\Z)", re.DOTALL)
_SETTING = re.compile(
    r"[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*(.*?)[ \t]*"
)
_SECTION = re.compile(r"[ \t]*\[([^\]\n]+)\][ \t]*")
_COMMENT = re.compile(r"(?:^|\s)[#;].*$")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'")


class Yaml(Reader):
    """Every key of every document of a YAML file; aliases and merged keys are followed."""

    def read(self, text: str, file: str) -> Iterator[Definition]:
        """The definitions of a file; none where a part does not parse."""
        starts = [0, *(match.end() for match in _DOCUMENT.finditer(text))]
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
            part = _DOCUMENT.sub("", text[start:end])
            above = text.count("\n", 0, start)
            if part.strip():
                yield from _yaml_definitions(part, file, above)


class Json(Yaml):
    """JSON is YAML, but for tabs and for the comments that editors allow."""

    def read(self, text: str, file: str) -> Iterator[Definition]:
        """The definitions of a file."""

        def blank(match: re.Match[str]) -> str:
            if match[0].startswith('"'):
                return match[0]
            return re.sub(r"[^\n]", " ", match[0])

        plain = _COMMENTED.sub(blank, text).replace("\t", " ")
        yield from _yaml_definitions(plain, file, 0)


class Toml(Reader):
    """The keys of a TOML file; elements of lists of tables under their number."""

    def read(self, text: str, file: str) -> Iterator[Definition]:
        """The definitions of a file."""
        try:
            root = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError):
            return
        lines = _toml_lines(text)
        todo: list[tuple[tuple[str, ...], Any, int]] = [((), root, 1)]
        while todo:
            path, value, line = todo.pop()
            line = lines.get(path, line)
            if path:
                parsed = _plain(value)
                yield Definition(
                    path[-1],
                    path[:-1],
                    parsed,
                    Kind.KEY,
                    file,
                    line,
                    line,
                    one_line(str(value)),
                )
            inner: list[tuple[str, Any]] = []
            if isinstance(value, dict):
                inner = list(value.items())
            elif isinstance(value, list):
                inner = [
                    (str(place), item)
                    for place, item in enumerate(value)
                    if isinstance(item, dict)
                ]
            for name, item in reversed(inner):
                todo.append(((*path, name), item, line))


class Ini(Reader):
    """The settings of an INI file under their sections."""

    def read(self, text: str, file: str) -> Iterator[Definition]:
        """The definitions of a file."""
        scope: tuple[str, ...] = ()
        for line, written in enumerate(text.split("\n"), 1):
            if written.lstrip().startswith(("#", ";")):
                continue
            section = _SECTION.fullmatch(written)
            setting = _SETTING.fullmatch(written)
            if section:
                scope = (section[1],)
            elif setting:
                yield _setting(setting, scope, file, line)


class Env(Reader):
    """The variables of a `.env` file."""

    def read(self, text: str, file: str) -> Iterator[Definition]:
        """The definitions of a file."""
        quote = ""
        for line, written in enumerate(text.split("\n"), 1):
            if quote:  # a text of several lines
                if quote in written:
                    quote = ""
                continue
            setting = _SETTING.fullmatch(written)
            if not setting or written.lstrip().startswith("#"):
                continue
            first = setting[2][:1]
            if first in ("'", '"') and setting[2].count(first) == 1:
                quote = first
            else:
                yield _setting(setting, (), file, line)


def _setting(
    match: re.Match[str], scope: tuple[str, ...], file: str, line: int
) -> Definition:
    name, written = match[1], match[2]
    quoted = _QUOTED.match(written)
    value = scalar(_COMMENT.sub("", written))
    if quoted:
        value = quoted[1] or quoted[2] or ""
    if _FILLED_IN.search(written) or ("$" in written and not written.startswith("'")):
        value = Computed()
    return Definition(name, scope, value, Kind.KEY, file, line, line, one_line(written))


def _yaml_definitions(text: str, file: str, above: int) -> Iterator[Definition]:
    """The keys of one document.

    Args:
        above: lines of the file above it.
    """
    try:
        root = compose(text, most_characters=_MOST_CHARACTERS)
    except (yaml.YAMLError, TooMuchError, ValueError, RecursionError):
        return
    todo: list[tuple[tuple[str, ...], yaml.Node, yaml.Node]] = []
    if root is not None:
        todo.append(((), root, root))
    while todo:
        path, key, node = todo.pop()
        first = key.start_mark.line + 1 + above
        last = node.end_mark.line + above + (1 if node.end_mark.column else 0)
        if path:
            written = one_line(text[node.start_mark.index : node.end_mark.index])
            held, kind = _yaml_value(node), Kind.KEY
            if isinstance(node, yaml.MappingNode) and path[-2:-1] in _SCHEMAS:
                held, kind = Computed(), Kind.UNSET
            yield Definition(
                path[-1], path[:-1], held, kind, file, first, max(first, last), written
            )
        entries: list[tuple[yaml.Node, yaml.Node]] = []
        if isinstance(node, yaml.MappingNode):
            entries = node.value
            field = _field(path, entries)
            if field:
                name, default, choices = field
                written = one_line(
                    text[default.start_mark.index : default.end_mark.index]
                )
                line = default.start_mark.line + 1 + above
                yield Definition(
                    name,
                    path[:-1],
                    _yaml_value(default),
                    Kind.FIELD,
                    file,
                    line,
                    line,
                    written,
                    choices=choices,
                )
        for name_node, value in reversed(entries):
            if isinstance(name_node, yaml.ScalarNode):
                todo.append(((*path, name_node.value), name_node, value))
        if isinstance(node, yaml.SequenceNode):
            elements = [
                ((*path, str(place)), item, item)
                for place, item in enumerate(node.value)
            ]
            todo += reversed(elements)


def _field(
    path: tuple[str, ...], entries: list[tuple[yaml.Node, yaml.Node]]
) -> tuple[str, yaml.Node, tuple[Value, ...]] | None:
    """Name, default and choices where a mapping describes a setting: `{name: port, default: 80}`."""
    named = {
        key.value: value for key, value in entries if isinstance(key, yaml.ScalarNode)
    }
    if "default" not in named or not path:
        return None
    name = path[-1]
    given = named.get("name")
    if isinstance(given, yaml.ScalarNode):
        name = str(given.value)
    allowed = _yaml_value(named["enum"]) if "enum" in named else None
    return name, named["default"], allowed.values if isinstance(allowed, Items) else ()


def _yaml_value(node: yaml.Node) -> Value:
    """The value of a node. Values nest, so this calls itself; `compose()` bounds how deeply."""
    if isinstance(node, yaml.SequenceNode):
        return Items(tuple(_yaml_value(item) for item in node.value))
    if isinstance(node, yaml.MappingNode):
        pairs = []
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                pairs.append((key.value, _yaml_value(value)))
        return Entries(tuple(pairs))
    written = str(node.value)
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


def _plain(value: Any) -> Value:
    """A value of TOML; values nest, so this calls itself."""
    if isinstance(value, dict):
        return Entries(tuple((name, _plain(item)) for name, item in value.items()))
    if isinstance(value, list):
        return Items(tuple(_plain(item) for item in value))
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (bool, int, float, str)):
        return value
    return Computed()


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
