"""The text of a Python file that can be cited besides its values: docstrings and statements.

Statements are written as Python's own parser writes them, so that a comment or another layout is no change. Names and
values are read in `code`.
"""

from __future__ import annotations

import ast
from collections import Counter
from textwrap import dedent
from typing import Any

from msgspec import Struct

from mkdocs_cited.sources.definitions import Keys

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NAMED = (ast.ClassDef, *_FUNCTIONS)
_CONDITIONS = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.Try,
    ast.TryStar,
    ast.Match,
)
_UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


class Block(Struct, frozen=True):
    """A module, class or function, or an assignment to a name outside functions."""

    lines: tuple[int, int]
    """First and last one, from 1, decorators included."""
    head: tuple[int, int]
    """The lines above the body of a class or function."""
    note: str
    """Its docstring."""


class _Place(Struct, frozen=True):
    """Where a node lies."""

    scope: Keys = ()
    in_function: bool = False
    is_conditional: bool = False


class PythonText:
    """One file; without blocks where it does not parse."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self.blocks: dict[Keys, list[Block]] = {}
        """In the order of the file; the module has no name."""
        self.times_set: Counter[Keys] = Counter()
        """How often the file gives a name a value, by assignments, imports, loops and so on; twice where it may not.
        What `import *` brings is not known."""
        try:
            tree = ast.parse(text)
        except _UNPARSABLE:
            return
        todo: list[tuple[ast.AST, _Place]] = [(tree, _Place())]
        while todo:
            node, place = todo.pop()
            name = _name(node, place)
            if name is not None:
                self.blocks.setdefault(name, []).append(_block(node))
            for path in _set(node, place):
                self.times_set[path] += 1 + place.is_conditional
            if isinstance(node, ast.AnnAssign) and node.value is None:
                continue
            inner = _Place(
                (*place.scope, node.name) if isinstance(node, _NAMED) else place.scope,
                place.in_function or isinstance(node, (*_FUNCTIONS, ast.Lambda)),
                place.is_conditional or isinstance(node, _CONDITIONS),
            )
            for child in reversed(list(ast.iter_child_nodes(node))):
                todo.append((child, inner))

    def statements(self, lines: tuple[int, int]) -> str:
        """The statements in lines, without comments and docstrings; empty where they are not whole."""
        source = "\n".join(self._lines[lines[0] - 1 : lines[1]])
        is_indented = source[:1].isspace()
        if is_indented:
            source = f"if True:\n{source}"
        try:
            tree = ast.parse(source)
            for node in ast.walk(tree):
                body = getattr(node, "body", None)
                if isinstance(body, list):
                    body[:] = [item for item in body if not _is_text(item)]
            written = ast.unparse(tree)
        except _UNPARSABLE:
            return ""
        if is_indented:
            written = dedent(written.partition("\n")[2])
        return written.strip("\n")


def _name(node: ast.AST, place: _Place) -> Keys | None:
    """The path of a block; nothing for what is none."""
    if isinstance(node, ast.Module):
        return ()
    if isinstance(node, _NAMED):
        return (*place.scope, node.name)
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and not place.in_function:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name) and node.value is not None:
            return (*place.scope, target.id)
    return None


def _block(node: Any) -> Block:
    """The block that a node is."""
    if isinstance(node, ast.Module):
        return Block((1, 1), (1, 1), ast.get_docstring(node) or "")
    first, last = node.lineno, node.end_lineno
    if not isinstance(node, _NAMED):
        return Block((first, last), (first, last), "")
    for decorator in node.decorator_list:
        first = min(first, decorator.lineno)
    head = (node.lineno, max(node.lineno, node.body[0].lineno - 1))
    return Block((first, last), head, ast.get_docstring(node) or "")


def _set(node: ast.AST, place: _Place) -> list[Keys]:
    """The names that a node gives a value."""
    if isinstance(node, ast.Global):
        return [(name,) for name in node.names]
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return [tuple(ast.unparse(node).split("."))]
    if place.in_function:
        return []
    if isinstance(node, ast.alias):
        return [(*place.scope, node.asname or node.name)]
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return [(*place.scope, node.id)]
    return []


def _is_text(item: ast.AST) -> bool:
    """True if a statement is a text alone, such as a docstring."""
    return (
        isinstance(item, ast.Expr)
        and isinstance(item.value, ast.Constant)
        and isinstance(item.value.value, str)
    )
