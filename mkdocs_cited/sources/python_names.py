"""What a Python file declares, by name: constants, signatures, parameters, docstrings, options of command lines.

The file is parsed (`ast`) and never imported or executed.
"""

from __future__ import annotations

import ast
import inspect
import operator
import re
from collections.abc import Callable, Iterator
from typing import Any

from mkdocs_cited.base.text import collapse
from mkdocs_cited.base.values import replace
from mkdocs_cited.sources.values import COMPUTED, MOST_NAMES, TWICE, UNSURE, Entry, Path, add

_OPTIONS = frozenset(("option", "Option", "argument", "Argument", "add_argument"))
"""What click, typer and argparse call the declaration of an option."""
_UNITS = ("weeks", "days", "hours", "minutes", "seconds", "milliseconds")
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}  # fmt: skip
_OWN = frozenset(("self", "cls"))
_THROUGH = frozenset(("__class__", "__dict__", "__defaults__", "__kwdefaults__"))
"""Attributes by which code reaches what a class or function holds."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = ast.Module | ast.ClassDef | _Function


def entries_of_python(text: str) -> dict[Path, Entry]:
    """The names of a Python file by their paths (`Cache.get.ttl`), its docstring under none; nothing where it does not
    parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[Path, Entry] = {}
    if note := ast.get_docstring(tree):
        found[()] = Entry("", (1, 1), note=note)
    again, replaced = set(_set_again(tree)), set[Path]()
    todo: list[tuple[Path, _Scope]] = [((), tree)]
    while todo and len(found) < MOST_NAMES:
        path, node = todo.pop()
        inner: dict[str, ast.ClassDef | _Function] = {}
        for item, sure in _statements(node):
            if isinstance(item, (ast.ClassDef, *_FUNCTIONS)):
                if inner.setdefault(item.name, item) is not item:
                    replaced.add((*path, item.name))
            elif isinstance(item, ast.ImportFrom) and item.names[0].name == "*":
                again.update(found)
            again.update((*path, name) for name in _bound(item))
            for name, entry in _declared(item, node, path):
                certain = sure or not isinstance(item, (ast.Assign, ast.AnnAssign))
                add(found, (*path, name), entry if certain else replace(entry, value="", note=UNSURE))
        for name, entry in _parameters(node, path) if isinstance(node, _FUNCTIONS) else ():
            add(found, (*path, name), entry)
        for name, item in inner.items():
            last = max(item.lineno, item.body[0].lineno - 1)
            made = Entry(".".join((*path, name)), (item.lineno, last), note=ast.get_docstring(item) or "")
            if found.setdefault((*path, name), made) is not made:
                again.add((*path, name))
        todo += [((*path, name), item) for name, item in reversed(inner.items())]
    for path, entry in found.items():
        over = {path[:end] for end in range(1, len(path) + 1)}
        if path in again or (entry.value and over & (again | replaced)):
            found[path] = replace(entry, value="", note=TWICE)
    return found


def paragraphs(note: str) -> Iterator[str]:
    """The paragraphs of a docstring or help text."""
    return filter(None, map(collapse, re.split(r"\n[ \t]*\n", note)))


def _set_again(tree: ast.Module) -> Iterator[Path]:
    """What the code gives a value from another place: `global TTL`, `Cache.size = 16`, `self.size = 16`,
    `setattr(Cache, "size", 16)`, `globals()["TTL"] = 5`."""
    todo: list[tuple[ast.AST, Path]] = [(tree, ())]
    while todo:
        node, owner = todo.pop()
        if isinstance(node, ast.Global):
            yield from ((name,) for name in node.names)
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield from _reached(node, owner)
        elif isinstance(node, ast.Call) and _name(node) == "setattr" and len(node.args) > 1:
            yield from _reached(ast.Attribute(node.args[0], _text(node.args[1])), owner)
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            yield (_text(node.slice),)
        owner = (*owner, node.name) if isinstance(node, ast.ClassDef) else owner
        todo += [(inner, owner) for inner in ast.iter_child_nodes(node)]


def _reached(node: ast.expr, owner: Path) -> tuple[Path, ...]:
    """The paths that an attribute may have, as code in the class `owner` writes it."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    first = getattr(node, "id", "self")  # `type(self).size`
    path = tuple(name for name in names if name not in _THROUGH)
    return ((*owner, *path),) if first in _OWN else ((first, *path), (*owner, first, *path))


def _statements(node: _Scope) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements of a module, class or function, and whether each is reached in any case."""
    todo = [(item, True) for item in reversed(node.body)]
    while todo:
        item, sure = todo.pop()
        yield item, sure
        if isinstance(item, (ast.ClassDef, *_FUNCTIONS)):
            continue
        sure = sure and isinstance(item, (ast.With, ast.AsyncWith))
        for part in (*getattr(item, "cases", ())[::-1], *getattr(item, "handlers", ())[::-1], item):
            for name in ("finalbody", "orelse", "body"):
                todo += [(inner, sure) for inner in reversed(getattr(part, name, ()))]


def _bound(item: ast.stmt) -> Iterator[str]:
    """The names that a statement gives a value otherwise than by `NAME = value`."""
    if isinstance(item, (ast.ClassDef, *_FUNCTIONS)):
        return
    if isinstance(item, (ast.Import, ast.ImportFrom)):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in item.names)
    plain = item.targets if isinstance(item, ast.Assign) else [item.target] if isinstance(item, ast.AnnAssign) else []
    todo: list[ast.AST] = [item]
    while todo:
        for node in ast.iter_child_nodes(todo.pop()):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node not in plain:
                yield node.id
            if not isinstance(node, ast.stmt):
                todo.append(node)


def _declared(item: ast.stmt, around: _Scope, path: Path) -> Iterator[tuple[str, Entry]]:
    """What a statement gives a value or a default."""
    if isinstance(item, (ast.Assign, ast.AnnAssign)) and item.value is not None and not isinstance(around, _FUNCTIONS):
        for target in item.targets if isinstance(item, ast.Assign) else [item.target]:
            if isinstance(target, ast.Name):
                given, says = _default(item.value)
                value = _value(given)
                note = "" if value else COMPUTED
                yield target.id, Entry(".".join((*path, target.id)), _lines(item), value, says if value else "", note)
    elif isinstance(item, ast.Expr) or (isinstance(item, ast.Assign) and isinstance(item.value, ast.Call)):
        yield from _option(item.value, path)


def _parameters(node: _Function, path: Path) -> Iterator[tuple[str, Entry]]:
    """Parameters with defaults; those that a decorator of click or a type of typer declares as options."""
    for decorator in node.decorator_list:
        yield from _option(decorator, path)
    given = {item.arg for call in node.decorator_list if isinstance(call, ast.Call) for item in call.keywords}
    arguments, positional = node.args, [*node.args.posonlyargs, *node.args.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    parameters = zip(
        [*positional, *arguments.kwonlyargs], [*defaults, *arguments.defaults, *arguments.kw_defaults], strict=True
    )
    for parameter, default in parameters:
        calls: list[ast.AST] = [default] if default is not None else []
        if isinstance(parameter.annotation, ast.Subscript):  # `Annotated[int, typer.Option(…)]`
            calls += ast.walk(parameter.annotation.slice)
        option = next((call for call in calls if _is_option(call)), None)
        plain = default if default is not None and not _is_option(default) else None
        if isinstance(option, ast.Call):
            yield parameter.arg, _described(option, path, parameter.arg, plain)
        elif plain is not None:
            value = "" if parameter.arg in given else _value(plain)
            yield parameter.arg, _by_default(parameter.arg, path, (parameter.lineno, _lines(plain)[1]), value)


def _default(value: ast.expr) -> tuple[ast.expr, str]:
    """What a field is by default, as dataclasses, pydantic and others declare it: `Field(30)`, `field(default=30)`."""
    if isinstance(value, ast.Call):
        given = next((item.value for item in value.keywords if item.arg == "default"), None)
        if given is None and _name(value) == "Field" and value.args:
            given = value.args[0]
        if given is not None:
            return given, "{name} is {value} by default"
    return value, ""


def _is_option(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _name(node) in _OPTIONS


def _option(node: ast.AST, path: Path) -> Iterator[tuple[str, Entry]]:
    """An option that click or argparse declares, under its longest flag, with `_` for `-`."""
    if isinstance(node, ast.Call) and _is_option(node):
        names = [name for name in (_text(item) for item in node.args) if name]
        flag = max(names, key=lambda name: (name.startswith("--"), len(name)), default="")
        if flag:
            yield flag.partition("/")[0].lstrip("-").replace("-", "_"), _described(node, path, flag, None)
    elif isinstance(node, ast.Call) and _name(node) == "set_defaults":
        for given in node.keywords:
            if given.arg:
                yield given.arg, _by_default(given.arg, path, _lines(node), _value(given.value))


def _described(call: ast.Call, path: Path, name: str, default: ast.expr | None) -> Entry:
    """An option with its default and its help. `typer.Option(30, "--ttl")` has its default in front."""
    keywords = {item.arg: item.value for item in call.keywords}
    front = call.args[0] if call.args and _name(call) in ("Option", "Argument") else None
    if front is not None and _text(front).startswith("-"):
        front = None
    given = default or keywords.get("default") or front
    flags = [text for text in map(_text, call.args) if text.startswith("-")]
    shown = max(flags, key=len) if flags else name
    switch = _text(keywords.get("action")) == "store_true" or _value(keywords.get("is_flag", call)) == "True"
    value = _value(given) if given is not None else "False" if switch else ""
    notes = (inspect.cleandoc(_text(keywords.get("help"))), COMPUTED if given is not None and not value else "")
    return replace(_by_default(shown, path, _lines(call), value), note="\n\n".join(filter(None, notes)))


def _by_default(name: str, path: Path, lines: tuple[int, int], value: str) -> Entry:
    """A parameter or option; without a value where that is known at run time only."""
    of = f"{name} of {'.'.join(path)}" if path else name
    return Entry(of, lines, value, "{name} is {value} by default" if value else "", "" if value else COMPUTED)


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _lines(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.lineno, node.end_lineno or node.lineno


def _text(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _value(node: ast.expr) -> str:
    """A value in words: a text without quotes, arithmetic with its result, a `timedelta` as what it lasts; empty where
    only a run can tell."""
    if text := _text(node):
        return text
    if isinstance(node, ast.Call) and _name(node) == "timedelta" and not node.args:
        parts = [(item.arg, _number(item.value)) for item in node.keywords]
        if parts and all(unit in _UNITS and number is not None for unit, number in parts):
            return " ".join(f"{number:g} {unit}" for unit, number in parts)
    try:
        written = ast.unparse(node)
        number = _number(node) if isinstance(node, ast.BinOp) else None
        if number is not None:
            return f"{number:.15g} ({written})"
        return written[:500] if ast.literal_eval(node) is not ... else ""
    except (ValueError, TypeError, SyntaxError, RecursionError):  # Python 3.14 parses what it cannot unparse
        return ""


def _number(node: ast.expr, depth: int = 0) -> float | None:
    """What arithmetic of plain numbers comes to."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS and depth < 20:
        left, right = _number(node.left, depth + 1), _number(node.right, depth + 1)
        if left is not None and right is not None:
            try:
                return float(_OPERATORS[type(node.op)](left, right))
            except (ZeroDivisionError, OverflowError):
                return None
    return None
