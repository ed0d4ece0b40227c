"""YAML read within bounds and with places, and written so that every text comes back. Its meaning is not asked here."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Any

import yaml
from yaml.constructor import SafeConstructor

from mkdocs_cited.base.text import encodable

MOST_CHARACTERS = 200_000
"""Longest text that is parsed, unless the caller says otherwise."""
MOST_NODES = 100_000
"""Most nodes, aliases counted as often as they are used: what an alias bomb runs into."""
MOST_NESTING = 200
"""Deepest nesting of lists and mappings; the recursion behind libyaml has no guard of its own."""

# What MkDocs parses with: the two disagree on `{question: Why?, id: why}`, which only libyaml accepts.
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOT_PRINTABLE = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
_INDENTS = re.compile(r"^ *(?:[-?:][ \t]+)*", re.MULTILINE)

# What YAML cannot show as it is: it takes NEL, LS and PS for line ends, and escapes control characters and marks.
_ODD = re.compile(
    "[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010fffd]"
)
_INVISIBLE = re.compile(r"\A[ \n]| (?=\n|\Z)|\n\Z")
"""White space that people would not see in a literal block, or that it could not keep."""


class TooMuchError(ValueError):
    """The YAML is longer, deeper or larger than anything a person writes."""


def compose(
    text: str, *, most_characters: int = MOST_CHARACTERS, most_nodes: int = MOST_NODES
) -> yaml.Node | None:
    """The root node of one YAML document; nothing for an empty one. Marks count code points in `text`.

    Raises:
        TooMuchError: the text is beyond the bounds of this module.
        yaml.YAMLError: it is not YAML; `where()` gives the place.
    """
    if len(text) > most_characters:
        raise TooMuchError(
            f"{len(text):,} characters; at most {most_characters:,} are read"
        )
    _check_bounds(text, most_nodes)
    root: yaml.Node | None = _Loader(text).get_single_node()
    if root is not None and _count(root, {}) > most_nodes:
        raise TooMuchError(f"the aliases expand to more than {most_nodes:,} values")
    return root


def value_of(node: yaml.Node) -> Any:
    """The node's plain Python value.

    Raises:
        ValueError: it has none: an unknown tag, an impossible date, an unhashable key, `!!bool maybe`, `!!int ''`.
    """
    try:
        # it writes merged keys into what it is given
        return SafeConstructor().construct_document(_copied(node, {}))
    except (
        LookupError,
        AttributeError,
    ) as error:  # `!!bool maybe`, `!!int ""`, `!!timestamp x`
        raise ValueError(
            f"a value is not of the type that its tag names ({error})"
        ) from None
    except Exception as error:  # PyYAML raises whatever its types do
        raise ValueError(getattr(error, "problem", None) or str(error)) from None


def plain(value: Any) -> Any:
    """A value with dates as the texts that were written: the only type of YAML that nobody means to write."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value


def duplicate_key(node: yaml.Node) -> yaml.Node | None:
    """The first key of a mapping, or of a mapping within it, that appears there before; YAML would take the last."""
    names = set[str]()
    for part in node.value if isinstance(node, yaml.CollectionNode) else ():
        inner = part
        if isinstance(part, tuple):
            key, inner = part
            if str(key.value) in names:
                return key  # type: ignore[no-any-return]  # PyYAML has no types
            names.add(str(key.value))
        found = duplicate_key(inner)
        if found is not None:
            return found
    return None


def merged_items(node: yaml.MappingNode) -> list[tuple[yaml.Node, yaml.Node]]:
    """Keys and values of a mapping with those that `<<` merges into it (YAML 1.1), unless it has them itself."""
    own = [
        (key, value)
        for key, value in node.value
        if key.value != "<<" or not isinstance(key, yaml.ScalarNode)
    ]
    known = {key.value for key, _ in own if isinstance(key, yaml.ScalarNode)}
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode) and key.value == "<<":
            for mapping in (
                value.value if isinstance(value, yaml.SequenceNode) else [value]
            ):
                if isinstance(mapping, yaml.MappingNode):
                    new = [pair for pair in mapping.value if pair[0].value not in known]
                    known |= {
                        pair[0].value
                        for pair in new
                        if isinstance(pair[0], yaml.ScalarNode)
                    }
                    own += new
    return own


class Flow(list[Any]):
    """A list that `dump()` writes on one line."""


def dump(value: Any) -> str:
    """A value of plain types as YAML: keys in their order, one line for a text however long, its own lines for code.
    Halves of characters, which UTF-8 cannot hold, are replaced."""
    return yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=float("inf")
    )


def where(text: str, error: yaml.YAMLError) -> tuple[int, str]:
    """Offset in `text` and description of a problem that `compose()` raised."""
    if isinstance(error, yaml.reader.ReaderError):
        match = _NOT_PRINTABLE.search(text)
        if match:
            return (
                match.start(),
                f"the character U+{ord(match[0]):04X} is not allowed",
            )
        return (0, str(error))
    if not isinstance(error, yaml.MarkedYAMLError):
        return 0, str(error)
    mark = error.problem_mark or error.context_mark
    if (
        error.context_mark
        and "quoted scalar" in (error.context or "")
        and mark
        and mark.index >= len(text)
    ):
        return error.context_mark.index, "the quotes are never closed"
    return (min(mark.index, len(text)) if mark else 0), error.problem or str(error)


def end_of(node: yaml.Node) -> int:
    """Where the last character of a node's text ends, in code points: parsers say so of scalars and of what is in
    brackets, and reckon what follows a block (blank lines, comments) to it."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        node = (
            node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
        )
    return int(node.end_mark.index)


def _copied(node: yaml.Node, copies: dict[int, yaml.Node]) -> yaml.Node:
    """The same nodes once more, aliases still one."""
    if isinstance(node, yaml.ScalarNode):
        return node
    if id(node) not in copies:
        copy = copies[id(node)] = type(node)(
            node.tag, [], node.start_mark, node.end_mark
        )
        for part in node.value:
            pair = isinstance(part, tuple)
            copy.value.append(
                tuple(_copied(item, copies) for item in part)
                if pair
                else _copied(part, copies)
            )
    return copies[id(node)]


def _count(node: yaml.Node, seen: dict[int, float]) -> float:
    """How many nodes there are when every alias is written out; infinite when one holds itself."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    if id(node) not in seen:
        seen[id(node)] = float("inf")
        inner = (
            [part for pair in node.value for part in pair]
            if isinstance(node, yaml.MappingNode)
            else node.value
        )
        seen[id(node)] = 1 + sum(_count(part, seen) for part in inner)
    return seen[id(node)]


def _check_bounds(text: str, most_nodes: int) -> None:
    """Refuse what nests too deeply or holds too much, before anything recurses into it or makes a tree of it."""
    widest = max(len(match[0]) for match in _INDENTS.finditer(text))
    many = (
        text.count(",") + text.count("\n") + text.count(": ") + text.count("- ")
        > most_nodes
    )
    if not many and text.count("[") + text.count("{") + widest <= MOST_NESTING:
        return  # no nesting without a bracket, a dash or a deeper line
    depth = nodes = 0
    deep = TooMuchError(f"the values are nested more than {MOST_NESTING} levels deep")
    try:
        for event in yaml.parse(text, Loader=_Loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(
                event, yaml.CollectionEndEvent
            )
            nodes += isinstance(
                event, (yaml.ScalarEvent, yaml.CollectionStartEvent, yaml.AliasEvent)
            )
            if depth > MOST_NESTING:
                raise deep
            if nodes > most_nodes:
                raise TooMuchError(f"it holds more than {most_nodes:,} values")
    except yaml.YAMLError as error:  # libyaml has a bound of its own since 0.2.6, and reads ahead of its events
        raise deep if "nesting depth" in str(error) else error from None


class _Dumper(yaml.SafeDumper):
    """Writes text on one line where that is exact, and code on its own lines; never aliases."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    value = encodable(value)
    style = None
    odd = not value.replace("\n", "").isprintable() and bool(_ODD.search(value))
    if "\n" in value or odd:
        style = "|"
        if odd or _INVISIBLE.search(value):
            style = '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(
    Flow,
    lambda to, value: to.represent_sequence(
        "tag:yaml.org,2002:seq", value, flow_style=True
    ),
)
