"""YAML read within bounds and with places, and written so that every text comes back. Its meaning is not asked here."""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.constructor import ConstructorError, SafeConstructor
from yaml.resolver import Resolver

from mkdocs_cited.base.text import encodable

MOST_CHARACTERS = 200_000
"""Longest text that is parsed, unless the caller says otherwise."""
MOST_NODES = 100_000
"""Most nodes, aliases counted as often as they are used: what an alias bomb runs into."""
MOST_NESTING = 100
"""Deepest nesting of lists and mappings: what is deeper would exhaust Python's stack."""

# What MkDocs parses with: the two disagree on `{question: Why?, id: why}`, which only libyaml accepts.
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MERGE = "tag:yaml.org,2002:merge"
_NOT_PRINTABLE = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
_ODD = re.compile(
    "[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010fffd]"
)
"""What YAML cannot show as it is: it takes NEL, LS and PS for line ends, and escapes control characters and marks."""


_CONFLICT = re.compile(r"^<{7} ", re.MULTILINE)
UNFINISHED_MERGE = "it has the markers of an unfinished merge"
"""The problem of text that git could not merge."""


class TooMuchError(ValueError):
    """The YAML is longer, deeper or larger than anything a person writes."""


class _Composer(Composer, Resolver):
    """Makes nodes of the parser's events, and counts them while it does."""

    def __init__(self, text: str, most_nodes: int, unique_keys: bool) -> None:
        Composer.__init__(self)
        Resolver.__init__(self)
        parser = _Loader(text)
        self.check_event = parser.check_event
        self.peek_event = parser.peek_event
        self.get_event = parser.get_event
        self.most_nodes = most_nodes
        self.unique_keys = unique_keys
        self.count = 0
        self.depth = 0
        self.sizes: dict[int, int] = {}
        """Nodes in each node that is complete, by its `id()`."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """The next node, or the one that an alias names."""
        before = self.count
        is_alias = self.check_event(yaml.AliasEvent)
        self.count += 1
        self.depth += 1
        if self.depth > MOST_NESTING:
            raise TooMuchError(
                f"the values are nested more than {MOST_NESTING} levels deep"
            )
        node = super().compose_node(parent, index)
        self.depth -= 1
        if is_alias:
            # one that is not complete holds itself
            self.count += self.sizes.get(id(node), self.most_nodes)
        else:
            self.sizes[id(node)] = self.count - before
        if self.count > self.most_nodes:
            raise TooMuchError(
                f"it holds more than {self.most_nodes:,} values, aliases written out"
            )
        return node

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        """The next mapping, with the keys that `<<` merges into it (YAML 1.1) before its own, which win."""
        node = super().compose_mapping_node(anchor)
        own, merged, names = [], [], set[str]()
        for key, value in node.value:
            if key.tag == _MERGE:
                merged += _mappings(value)
                continue
            if self.unique_keys and str(key.value) in names:
                problem = f"the key `{key.value}` appears twice"
                raise ConstructorError(None, None, problem, key.start_mark)
            names.add(str(key.value))
            own.append((key, value))
        node.value = own
        for mapping in merged:
            new = [pair for pair in mapping.value if str(pair[0].value) not in names]
            names.update(str(key.value) for key, _ in new)
            node.value = [*new, *node.value]
        return node


def _mappings(value: yaml.Node) -> list[Any]:
    """The mappings behind a `<<`, the first of which wins: PyYAML 6.0.4 lets the last one win."""
    nodes: list[Any] = [value]
    if isinstance(value, yaml.SequenceNode):
        nodes = value.value
    for node in nodes:
        if not isinstance(node, yaml.MappingNode):
            problem = "`<<` is for merging mappings"
            raise ConstructorError(None, None, problem, node.start_mark)
    return nodes


def compose(
    text: str,
    *,
    most_characters: int = MOST_CHARACTERS,
    most_nodes: int = MOST_NODES,
    unique_keys: bool = False,
) -> yaml.Node | None:
    """The root node of one YAML document, merged keys in their places; nothing for an empty one. Marks count code
    points in `text`.

    Args:
        text: the document.
        most_characters: of the text.
        most_nodes: in it.
        unique_keys: whether a key that is twice in a mapping is an error; else the last one counts.

    Raises:
        TooMuchError: the text is beyond the bounds of this module.
        yaml.YAMLError: it is not YAML; `where()` gives the place.
    """
    if len(text) > most_characters:
        raise TooMuchError(
            f"{len(text):,} characters; at most {most_characters:,} are read"
        )
    return _Composer(text, most_nodes, unique_keys).get_single_node()


class NoValueError(ValueError):
    """A node has no value: an unknown tag, an impossible date, an unhashable key, `!!bool maybe`."""

    def __init__(self, problem: str, at: int) -> None:
        super().__init__(problem)
        self.at = at
        """Offset of the node, in code points."""


def value_of(node: yaml.Node) -> Any:
    """The node's plain Python value.

    Raises:
        NoValueError: it has none.
    """
    return _Constructor().construct_object(node, deep=True)


class _Constructor(SafeConstructor):
    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except NoValueError:
            raise
        except Exception as error:  # PyYAML raises whatever its types do
            problem = f"a value cannot be read ({error})"
            problem = getattr(error, "problem", None) or problem
            mark = getattr(error, "problem_mark", None) or node.start_mark
            raise NoValueError(problem, mark.index) from None


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
    conflict = _CONFLICT.search(text)
    if conflict:
        return conflict.start(), UNFINISHED_MERGE
    strange = _NOT_PRINTABLE.search(text)
    if isinstance(error, yaml.reader.ReaderError) and strange:
        problem = f"the character U+{ord(strange[0]):04X} is not allowed"
        return strange.start(), problem
    start = getattr(error, "context_mark", None)
    mark = getattr(error, "problem_mark", None) or start
    if not isinstance(error, yaml.MarkedYAMLError) or mark is None:
        return 0, str(error)
    if start and mark.index >= len(text) and "quoted scalar" in (error.context or ""):
        return start.index, "the quotes are never closed"
    return min(mark.index, len(text)), error.problem or str(error)


def end_of(node: yaml.Node) -> int:
    """Where the last character of a node's text ends, in code points: parsers say so of scalars and of what is in
    brackets, and reckon what follows a block (blank lines, comments) to it."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        if isinstance(node, yaml.MappingNode):
            last = last[1]
        node = last
    return int(node.end_mark.index)


class _Dumper(yaml.SafeDumper):
    """Writes text on one line where that is exact, and code on its own lines; never aliases."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    value = encodable(value)
    style = None
    if _ODD.search(value):
        style = '"'
    elif "\n" in value:
        style = "|"
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _represent_flow(dumper: yaml.SafeDumper, value: Flow) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=True)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(Flow, _represent_flow)
