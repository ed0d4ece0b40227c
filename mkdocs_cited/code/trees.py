"""What the readers of languages with a tree-sitter grammar share: one walk, which hands each node to its handler."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

from mkdocs_cited.code.interface import Computed, Definition, Kind, Reader, Value, one_line

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


class Found(Struct, frozen=True):
    """A name and its value, as a handler finds them."""

    name: str
    value: Value
    node: Node
    """What writes the value; its first line is where it is."""
    kind: Kind
    also: tuple[str, ...] = ()
    choices: tuple[Value, ...] = ()
    inside: tuple[str, ...] = ()
    """What it lies in, within the scope of the node that was handled."""


Handler = Callable[["Node", tuple[str, ...]], Iterator[Found]]
"""Takes a node and its scope."""


class TreeReader(Reader):
    """Reads with a grammar of tree-sitter, which parses what it can of a broken file."""

    scopes: ClassVar[Mapping[str, str]] = {}
    """Type of a node that holds definitions → field of its name."""

    def __init__(self) -> None:
        self._parser = self.parser()
        self._handlers = self.handlers()

    @abstractmethod
    def parser(self) -> Parser:
        """A parser of the language."""

    @abstractmethod
    def handlers(self) -> Mapping[str, Handler]:
        """Type of a node → what finds definitions in it."""

    def read(self, text: str, file: str) -> Iterator[Definition]:
        """The definitions of a file."""
        tree = self._parser.parse(text.encode("utf-8", "replace"))
        todo: list[tuple[Node, tuple[str, ...]]] = [(tree.root_node, ())]
        while todo:
            node, scope = todo.pop()
            handler = self._handlers.get(node.type)
            if handler:
                for found in handler(node, scope):
                    yield Definition(
                        name=found.name,
                        scope=(*scope, *found.inside),
                        value=found.value,
                        kind=found.kind,
                        file=file,
                        line=found.node.start_point[0] + 1,
                        end_line=found.node.end_point[0] + 1,
                        text=one_line(text_of(found.node)),
                        also=found.also,
                        choices=found.choices,
                    )
            named = self.scopes.get(node.type)
            holder = node.child_by_field_name(named) if named else None
            if holder is not None:
                scope = (*scope, unquoted(holder))
            todo += [(child, scope) for child in reversed(node.named_children)]


def text_of(node: Node | None) -> str:
    """The source text of a node; empty without one."""
    if node is None or node.text is None:
        return ""
    return node.text.decode("utf-8", "replace")


def unquoted(node: Node | None) -> str:
    """The source text of a name or a literal text, without its quotes."""
    return text_of(node).strip("\"'`")


def field(node: Node | None, *names: str) -> Node | None:
    """The descendant that these fields lead to."""
    for name in names:
        node = node.child_by_field_name(name) if node is not None else None
    return node


def arithmetic(left: Value, operator: str, right: Value) -> Value:
    """What two plain numbers come to; sums of texts too."""
    if isinstance(left, str) and isinstance(right, str) and operator == "+":
        return left + right
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return Computed()
    if operator == "*":
        return left * right
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "/" and right and left % right == 0:
        return left // right
    if operator == "<<" and isinstance(left, int) and isinstance(right, int) and 0 <= right < 64:
        return left << right
    return Computed()


def literal_text(written: str) -> Value:
    """The text of a literal in a notation that Python shares; computed where it shares none."""
    try:
        return str(ast.literal_eval(written))
    except (SyntaxError, ValueError):
        return Computed()
