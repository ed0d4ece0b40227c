"""The keys of data files (YAML, JSON, TOML, `.env`) with their values and lines, each under its dotted path.

Files are parsed, within bounds, and never executed.
"""

from __future__ import annotations

import datetime
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import yaml
from msgspec import Struct

from mkdocs_cited.base.bounded_yaml import TooMuchError, compose, merged_items
from mkdocs_cited.base.values import replace

MOST_NAMES = 50_000
"""Keys of one file that can be addressed."""
TWICE = "It is set more than once."
UNSURE = "It depends on a condition."
COMPUTED = "It is computed at run time."
UNLIKE = "Not every program reads it alike."
_MOST_CHARACTERS = 2_000_000
_DOCUMENT = re.compile(r"^---(?:[ \t].*)?$\n?", re.MULTILINE)
_SETTING = re.compile(
    r"""^[ \t]*(?:unset[ \t]+(\w+)|(?:(?:export|readonly|declare)(?:[ \t]+-\w+)?[ \t]+)?([A-Za-z_][\w.]*)[ \t]*(\+?)="""
    r"""[ \t]*(?:"((?:[^"\\]|\\.)*+)"|'([^']*+)'|([^\n]*?))[ \t]*(?:[ \t]#.*)?)$""",
    re.MULTILINE,
)
_SHELL = re.compile(r"^[ \t]*(?:if|for|while|until|case)[ \t(]|^[^#\n]*(?:<<|\(\)[ \t]*\{)", re.MULTILINE)
"""From here on, a file of settings is a program."""
_EXPANDED = re.compile(r"[$`\\]")
_JOINED = re.compile(r"[$`\\\"'<>]|[ ;][ \t]*\w+=")
"""What programs that read such files take for different things."""
_FILLED_IN = re.compile(r"\$[{(]|\{[{%]|<%")
"""Placeholders of templates."""
_AMBIGUOUS = re.compile(r"[-+]?(?:0\d+|\d+(?::\d+)+)")
"""`010` is 8 in YAML 1.1, and 10 in YAML 1.2."""
_STANDARD = frozenset(f"tag:yaml.org,2002:{name}" for name in "map seq str int float bool null timestamp merge".split())
_LONG_TEXT = re.compile(r"'''.*?(?:'''|\Z)|\"\"\".*?(?:\"\"\"|\Z)", re.DOTALL)
_COMMENTED = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?')
_TABLE = re.compile(r"^[ \t]*\[(\[?)[ \t]*([^\]\n#]+?)[ \t]*\]\]?[ \t]*(?:#.*)?$")
_KEY = re.compile(
    r"^[ \t]*((?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*'))*)[ \t]*="
)
_PART = re.compile(r"[\w-]+|\"[^\"\n]*\"|'[^'\n]*'")

Path = tuple[str, ...]


class Entry(Struct, frozen=True):
    """Something in a file that has a name."""

    name: str
    """As it is shown: `cache.ttl`."""
    lines: tuple[int, int]
    value: str = ""
    """As the file writes it, without quotes; empty for what holds others."""
    says: str = ""
    """A sentence with `{name}` and `{value}`; empty for the usual one."""
    note: str = ""
    """What the file says of it besides: a docstring, a help text."""


def entries_of_data(text: str, suffix: str) -> dict[Path, Entry]:
    """The keys of a data file by their paths; nothing where it does not parse.

    Args:
        suffix: `.toml`, `.json`, `.env`; all else is read as YAML.
    """
    found: dict[Path, Entry] = {}
    try:
        each = {".toml": _toml, ".env": _env, ".json": _json}.get(suffix, _yaml)(text)
        for path, entry in each:
            add(found, path, replace(entry, value="", note=COMPUTED) if _FILLED_IN.search(entry.value) else entry)
            if len(found) >= MOST_NAMES:
                break
    except (yaml.YAMLError, TooMuchError, tomllib.TOMLDecodeError, ValueError, RecursionError):
        return {}
    return found


def add(found: dict[Path, Entry], path: Path, entry: Entry) -> None:
    """Put a name into those that were found; one that is set twice, and differently, has no value of its own."""
    given = found.setdefault(path, entry)
    if given.value != entry.value:
        found[path] = replace(entry, value="", note=TWICE)


def _env(text: str) -> Iterator[tuple[Path, Entry]]:
    line, at = 1, 0
    program = shell.start() if (shell := _SHELL.search(text)) else len(text)
    for match in _SETTING.finditer(text):
        line, at = line + text.count("\n", at, match.start()), match.start()
        unset, name, adds, double, single, bare = match.groups("")
        note = TWICE if adds or unset else UNSURE if at >= program else ""
        if _EXPANDED.search(double) or _JOINED.search(bare):
            note = note or (COMPUTED if set("$`") & set(double + bare) else UNLIKE)
        value = "" if note else double or single or bare
        yield (name or unset,), Entry(name or unset, (line, line + match[0].count("\n")), value, "", note)


def _json(text: str) -> Iterator[tuple[Path, Entry]]:
    """JSON is YAML, but for tabs and for the comments that editors allow."""
    text = _COMMENTED.sub(lambda match: match[0] if match[0][0] == '"' else re.sub(r"[^\n]", " ", match[0]), text)
    return _yaml(text.replace("\t", " "))


def _yaml(text: str) -> Iterator[tuple[Path, Entry]]:
    """Every key of every document; of one that two documents have, the first counts."""
    starts = [0, *(match.end() for match in _DOCUMENT.finditer(text))]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        part = _DOCUMENT.sub("", text[start:end])
        root = compose(part, most_characters=_MOST_CHARACTERS) if part.strip() else None
        if root is not None:
            yield from _nodes(root, text.count("\n", 0, start))


def _nodes(root: yaml.Node, above: int) -> Iterator[tuple[Path, Entry]]:
    todo: list[tuple[Path, yaml.Node, yaml.Node, str]] = [((), root, root, "")]
    while todo:
        path, key, node, note = todo.pop()
        inner: list[tuple[str, yaml.Node, yaml.Node]] = []
        if isinstance(node, yaml.MappingNode):
            pairs = merged_items(node)
            inner = [(str(name.value), name, value) for name, value in pairs if isinstance(name, yaml.ScalarNode)]
        elif isinstance(node, yaml.SequenceNode):
            inner = [(str(number), value, value) for number, value in enumerate(node.value)]
        if node.tag not in _STANDARD:
            note = note or COMPUTED
        elif node.tag.endswith(":int") and _AMBIGUOUS.fullmatch(node.value):
            note = note or UNLIKE
        times = Counter(name for name, _, value in inner if isinstance(value, yaml.CollectionNode))
        todo += [
            ((*path, name), at, value, note or (TWICE if times[name] > 1 else "")) for name, at, value in inner[::-1]
        ]
        if path:
            first, end = key.start_mark.line + 1, node.end_mark
            last = max(first, end.line + (1 if end.column else 0))
            value = node.value if isinstance(node, yaml.ScalarNode) and not note else ""
            yield path, Entry(".".join(path), (first + above, last + above), value, "", note)


def _toml(text: str) -> Iterator[tuple[Path, Entry]]:
    lines = _lines_of_toml(text)
    written = text.rstrip().split("\n")
    starts = sorted({*lines.values(), len(written) + 1})
    todo: list[tuple[Path, Any]] = [((), tomllib.loads(text))]
    while todo:
        path, value = todo.pop()
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        todo += reversed([((*path, str(name)), item) for name, item in inner])
        if path:
            known = next((path[:n] for n in range(len(path), 0, -1) if path[:n] in lines), None)
            first = lines[known] if known else 1
            last = next((start for start in starts if start > first), first + 1) - 1
            while last > first and not written[last - 1].strip():
                last -= 1
            if isinstance(value, dict):
                below = [line for other, line in lines.items() if other[: len(path)] == path]
                last = max([first, *below])
            yield path, Entry(".".join(path), (first, last), _plain(value))


def _lines_of_toml(text: str) -> dict[Path, int]:
    """Where the tables and keys begin that a file writes out."""
    lines: dict[Path, int] = {}
    table: Path = ()
    counts: dict[Path, int] = {}
    text = _LONG_TEXT.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, line in enumerate(text.split("\n"), 1):
        if header := _TABLE.match(line):
            table = ()
            for name in _PART.findall(header[2]):
                table = (*table, str(counts[table])) if table in counts else table
                table = (*table, name.strip("\"'"))
            if header[1]:
                counts[table] = counts.get(table, -1) + 1
                table = (*table, str(counts[table]))
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, *(part.strip("\"'") for part in _PART.findall(key[1]))), number)
    return lines


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value) if isinstance(value, (str, int, float)) else ""
