"""What the readers of languages with a tree-sitter grammar share: one walk, which hands each node to its handler."""

from __future__ import annotations

import ast
import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

from mkdocs_cited.code.interface import (
    Computed,
    Definition,
    Items,
    Kind,
    Reader,
    Reference,
    Value,
    one_line,
)
from mkdocs_cited.code.literals import arithmetic, number

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


_NOTHING = ("nil", "None", "null", "undefined")
"""How languages write that there is no value."""
_DEEPEST = 50


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


class Grammar(Struct, frozen=True):
    """How a language writes values, by the types of nodes."""

    text: Callable[[str], Value]
    """The value of a literal text."""
    others: Mapping[str, Callable[[Node, int], Value]]
    """What has a reader of its own, which is given how deep it lies."""
    numbers: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    wrappers: tuple[str, ...] = ()
    """What has the value of what it holds."""
    suffix: re.Pattern[str] = re.compile(r"(?!)")
    """What a number ends with that says its type."""


def value_in(node: Node, grammar: Grammar, depth: int) -> Value:
    """The value of an expression; values nest, so this calls itself.

    Args:
        depth: how many expressions it lies in.
    """
    kind, written, inner = node.type, text_of(node), node.named_children
    if kind in grammar.numbers:
        found = number(grammar.suffix.sub("", written))
        if found is None:
            return Computed()
        return found
    if kind in grammar.texts:
        return grammar.text(written)
    if written in ("true", "false"):
        return written == "true"
    if written in _NOTHING:
        return None
    if depth > _DEEPEST:
        return Computed()
    other = grammar.others.get(kind)
    if other:
        return other(node, depth)
    if kind in grammar.names:
        return Reference(written)
    if kind in grammar.wrappers and inner:
        return value_in(inner[0], grammar, depth + 1)
    if kind in grammar.lists:
        return Items(
            tuple(
                value_in(item, grammar, depth + 1)
                for item in inner
                if item.type != "comment"
            )
        )
    if kind == "unary_expression" and written.startswith("-"):
        return arithmetic(0, "-", value_in(inner[-1], grammar, depth + 1))
    if kind == "binary_expression":
        left, right = (
            value_in(side, grammar, depth + 1) for side in (inner[0], inner[-1])
        )
        return arithmetic(left, text_of(field(node, "operator")), right)
    return Computed()


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


def literal_text(written: str) -> Value:
    """The text of a literal in a notation that Python shares; computed where it shares none."""
    try:
        return str(ast.literal_eval(written))
    except (SyntaxError, ValueError):
        return Computed()
