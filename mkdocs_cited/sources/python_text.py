"""The text of a Python file that can be cited besides its values: docstrings, signatures, and statements one by one.

A statement is written as Python's own parser writes it, so that a comment or another layout is no change. Names and
values are read in `code`.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Collection, Iterator
from functools import cached_property

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
_BODIES = ("body", "handlers", "orelse", "finalbody", "cases")
_LONGEST = 4_000
"""Characters of one statement that are cited."""

_Part = (
    ast.Module
    | ast.ClassDef
    | ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.Assign
    | ast.AnnAssign
)


class Line(Struct, frozen=True):
    """A statement, or the first line of one that holds others."""

    text: str
    lines: tuple[int, int]


class PythonText:
    """One file; without parts where it does not parse."""

    def __init__(self, text: str) -> None:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            tree = ast.Module([], [])
        self._tree = tree

    @cached_property
    def parts(self) -> dict[Keys, list[_Part]]:
        """The module under no name, classes, functions and assignments to a name under theirs, in order."""
        found: dict[Keys, list[_Part]] = {}
        if self._tree.body:
            found[()] = [self._tree]
        todo: list[tuple[ast.stmt, Keys, bool]] = [
            (item, (), False) for item in reversed(self._tree.body)
        ]
        while todo:
            item, scope, in_function = todo.pop()
            inner, name = scope, ""
            if isinstance(item, _NAMED):
                name = item.name
                inner = (*scope, name)
            elif isinstance(item, (ast.Assign, ast.AnnAssign)) and not in_function:
                name = _target(item)
            if name and isinstance(item, (*_NAMED, ast.Assign, ast.AnnAssign)):
                found.setdefault((*scope, name), []).append(item)
            inside = in_function or isinstance(item, _FUNCTIONS)
            todo += [(below, inner, inside) for below in reversed(list(_below(item)))]
        return found

    @cached_property
    def set_again(self) -> frozenset[Keys]:
        """The names that the file gives a value in another way than `NAME = value`: `NAME += 1`, `global NAME`,
        `Cache.size = 16`, `for NAME in …`, an import, or under a condition. What `import *` brings is not known."""
        return frozenset(_set_again(self._tree))

    def notes(self, path: Keys) -> Iterator[str]:
        """The docstrings of a part."""
        for part in self.parts.get(path, ()):
            if isinstance(part, (ast.Module, *_NAMED)):
                yield ast.get_docstring(part) or ""

    def head(self, path: Keys) -> tuple[int, int]:
        """First and last line of a part's head."""
        return heading_lines(self.parts[path][0])

    def help_at(self, line: int) -> str:
        """The text `help=` of the call that begins in a line; empty without one."""
        for call in self._calls.get(line, ()):
            for keyword in call.keywords:
                text = keyword.value
                if (
                    keyword.arg == "help"
                    and isinstance(text, ast.Constant)
                    and isinstance(text.value, str)
                ):
                    return inspect.cleandoc(text.value)
        return ""

    def bounded_at(self, line: int, default: str) -> str:
        """The call that begins in a line and has a default and other figures, such as bounds: `Field(3, ge=0, le=10)`;
        empty without one."""
        for call in self._calls.get(line, ()):
            figures = 0
            for node in ast.walk(call):
                if isinstance(node, ast.Constant) and isinstance(
                    node.value, (int, float)
                ):
                    figures += 1
            if figures > 1 and default in _written(call):
                return _written(call)
        return ""

    @cached_property
    def _calls(self) -> dict[int, list[ast.Call]]:
        """First line → the calls that begin there."""
        found: dict[int, list[ast.Call]] = {}
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call):
                found.setdefault(node.lineno, []).append(node)
        return found

    def lines(self, path: Keys, without: Collection[int] = ()) -> Iterator[Line]:
        """The statements of a part, docstrings left out; of a list or mapping, its elements.

        Args:
            path: of the part.
            without: lines; an element that has one of them is left out.
        """
        for part in self.parts.get(path, ()):
            if isinstance(part, ast.Module):
                for item in part.body:
                    yield from _statements(item)
            elif isinstance(part, (ast.Assign, ast.AnnAssign)):
                for line in _assigned(part):
                    first, last = line.lines
                    if not any(first <= left_out <= last for left_out in without):
                        yield line
            elif isinstance(part, _NAMED):
                yield from _statements(part)


def _set_again(tree: ast.Module) -> Iterator[Keys]:
    todo: list[tuple[ast.AST, Keys, bool]] = [(tree, (), False)]
    conditional: set[ast.AST] = set()
    while todo:
        node, scope, in_function = todo.pop()
        if isinstance(node, _CONDITIONS) or node in conditional:
            conditional.update(ast.iter_child_nodes(node))
        plain: ast.AST | None = None
        if isinstance(node, ast.Global):
            yield from ((name,) for name in node.names)
        elif isinstance(node, ast.alias) and not in_function:
            yield (*scope, node.asname or node.name)
        elif (
            isinstance(node, ast.Name)
            and not isinstance(node.ctx, ast.Load)
            and not in_function
        ):
            yield (*scope, node.id)
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield tuple(_written(node).split("."))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node not in conditional:
            plain = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(node, ast.ClassDef):
            scope = (*scope, node.name)
        in_function = in_function or isinstance(node, (*_FUNCTIONS, ast.Lambda))
        children = []
        for inner in ast.iter_child_nodes(node):
            if inner is not plain or not isinstance(plain, ast.Name):
                children.append(inner)
        todo += [(inner, scope, in_function) for inner in children]


def heading_lines(part: _Part) -> tuple[int, int]:
    """First and last line of a class's or function's head, or of an assignment."""
    if isinstance(part, ast.Module):
        return 1, 1
    if isinstance(part, _NAMED):
        return part.lineno, max(part.lineno, part.body[0].lineno - 1)
    return part.lineno, part.end_lineno or part.lineno


def _target(item: ast.Assign | ast.AnnAssign) -> str:
    """The name that an assignment gives a value."""
    target = item.targets[0] if isinstance(item, ast.Assign) else item.target
    if isinstance(target, ast.Name):
        return target.id
    return ""


def _below(item: ast.stmt) -> Iterator[ast.stmt]:
    """The statements in another."""
    for name in _BODIES:
        for inner in getattr(item, name, ()):
            if isinstance(inner, ast.stmt):
                yield inner
            else:  # a handler or a case
                yield from inner.body


def _statements(part: ast.stmt) -> Iterator[Line]:
    """What a class or function says line by line, from its decorators on."""
    todo: list[ast.stmt] = [part]
    while todo:
        item = todo.pop()
        if _is_text(item):
            continue
        inner = list(_below(item))
        if isinstance(item, _NAMED):
            for decorator in item.decorator_list:
                yield Line(f"@{_written(decorator)}", _span(decorator))
        yield _head(item, inner)
        todo += reversed(inner)


def _head(item: ast.stmt, inner: list[ast.stmt]) -> Line:
    """A statement, of one that holds others its first line."""
    first, last = _span(item)
    if not inner:
        return Line(_written(item), (first, last))
    lines = _written(item).split("\n")
    head = next(line for line in lines if not line.startswith("@"))
    return Line(head, (first, max(first, inner[0].lineno - 1)))


def _assigned(part: ast.Assign | ast.AnnAssign) -> Iterator[Line]:
    """An assignment by the elements of its list or mapping; as one where there is none."""
    value = part.value
    if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        for element in value.elts:
            yield Line(_written(element), _span(element))
    elif isinstance(value, ast.Dict):
        for key, entry in zip(value.keys, value.values, strict=True):
            name = "**"
            if key is not None:
                name = f"{_written(key)}: "
            yield Line(name + _written(entry), _span(entry))
    elif value is not None:
        yield Line(f"{_target(part)} = {_written(value)}", _span(part))


def _is_text(item: ast.stmt) -> bool:
    """True if a statement is a text alone, such as a docstring."""
    return (
        isinstance(item, ast.Expr)
        and isinstance(item.value, ast.Constant)
        and isinstance(item.value.value, str)
    )


def _span(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.lineno, node.end_lineno or node.lineno


def _written(node: ast.AST) -> str:
    """Source text of a node in one way of writing; empty for what Python parses and cannot write."""
    try:
        return ast.unparse(node)[:_LONGEST]
    except (ValueError, RecursionError):
        return ""
