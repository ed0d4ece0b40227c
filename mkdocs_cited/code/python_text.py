"""The text of a Python file that can be cited besides its values: docstrings and statements.

Statements are written as Python's own parser writes them, so that a comment or another layout is no change. Names and
values are read in `code`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from contextlib import suppress
from textwrap import dedent
from typing import Any

from msgspec import Struct

from mkdocs_cited.code.python import FUNCTIONS, UNPARSABLE, Place, first_target, walk
from mkdocs_cited.code.python_values import text_of

_NAMED = (ast.ClassDef, *FUNCTIONS)
_CHANGES = {*dir(MutableMapping), *dir(MutableSequence)} - {
    *dir(Mapping),
    *dir(Sequence),
}
"""The methods that change a mapping or list: `update`, `append`."""


class Block(Struct, frozen=True):
    """A module, class or function, or an assignment to a name outside functions."""

    lines: tuple[int, int]
    """First and last one, from 1, decorators included."""
    head: tuple[int, int]
    """The lines above the body of a class or function."""
    note: str
    """Its docstring."""


class PythonText:
    """One file; without blocks where it does not parse."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self.blocks: dict[tuple[str, ...], list[Block]] = {}
        """In the order of the file; the module has no name."""
        self.set_again: set[tuple[str, ...]] = set()
        """The names that the file gives a value in another way than `NAME = value`: `NAME += 1`, `global NAME`,
        `Cache.size = 16`, `NAME["key"] = 16`, `NAME.update(…)`, `for NAME in …`, an import, or under a condition. What
        `import *` brings is not known."""
        plain: set[ast.AST] = set()
        with suppress(*UNPARSABLE):
            for node, place in walk(text):
                path = _path(node, place)
                if path is not None:
                    self.blocks.setdefault(path, []).append(_block(node))
                if (
                    isinstance(node, (ast.Assign, ast.AnnAssign))
                    and not place.is_conditional
                ):
                    plain.add(first_target(node))
                elif node not in plain or isinstance(
                    node, (ast.Attribute, ast.Subscript)
                ):
                    self.set_again.update(_set(node, place))

    def is_set_again(self, path: tuple[str, ...]) -> bool:
        """True if a name, what it is in, or a part of what it holds, is set again."""
        for other in self.set_again:
            length = min(len(path), len(other))
            if path[:length] == other[:length]:
                return True
        return False

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
        except UNPARSABLE:
            return ""
        if is_indented:
            written = dedent(written.partition("\n")[2])
        return written.strip("\n")


def _path(node: ast.AST, place: Place) -> tuple[str, ...] | None:
    """The path of a block; nothing for what is none."""
    if isinstance(node, ast.Module):
        return ()
    if isinstance(node, _NAMED):
        return (*place.block, node.name)
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and not place.in_function:
        target = first_target(node)
        if isinstance(target, ast.Name) and node.value is not None:
            return (*place.block, target.id)
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


def _set(node: ast.AST, place: Place) -> list[tuple[str, ...]]:
    """The names that a node gives a value."""
    if isinstance(node, ast.Global):
        return [(name,) for name in node.names]
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return [tuple(ast.unparse(node).split("."))]
    if isinstance(node, ast.Attribute) and node.attr in _CHANGES:
        return [tuple(ast.unparse(node.value).split("."))]
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        key = node.slice.value if isinstance(node.slice, ast.Constant) else ""
        path = tuple(ast.unparse(node.value).split("."))
        return [(*path, str(key)) if key else path]
    if place.in_function:
        return []
    if isinstance(node, ast.alias):
        return [(*place.block, node.asname or node.name)]
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return [(*place.block, node.id)]
    return []


def _is_text(item: ast.AST) -> bool:
    """True if a statement is a text alone, such as a docstring."""
    return isinstance(item, ast.Expr) and bool(text_of(item.value))
