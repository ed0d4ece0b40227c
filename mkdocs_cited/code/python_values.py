"""What Python expressions come to without running them: literals, arithmetic, `timedelta`, defaults of calls."""

from __future__ import annotations

import ast
import builtins
import re

from mkdocs_cited.code.interface import (
    Computed,
    Duration,
    Entries,
    Items,
    Reference,
    Value,
    arithmetic,
    is_too_long,
    number,
    quantity,
)

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.LShift: "<<", ast.Pow: "**",
}  # fmt: skip
_COLLECTIONS = frozenset(("list", "tuple", "set", "frozenset"))
_CONVERSIONS = _COLLECTIONS.union(
    "int float str bool Path Decimal _ gettext gettext_lazy".split()
)
"""Calls whose value is that of their only argument."""
_LOOKUPS = frozenset(("getattr", "get", "getenv"))
_DECLARING = frozenset(("Field", "Option", "Argument", "Query", "Form", "Header"))
"""Calls that declare a field or parameter, and have its default first."""
_FLAG = re.compile(r"--?[A-Za-z0-9][\w.-]*")
_DEEPEST = 50


def value_of(node: ast.expr, depth: int = 0) -> Value:
    """The value of an expression.

    Args:
        depth: how many expressions it lies in; values nest, so this calls itself.
    """
    if depth > _DEEPEST:
        return Computed()
    if isinstance(node, ast.Constant):
        return _constant(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return arithmetic(0, "-", value_of(node.operand, depth + 1))
    if isinstance(node, ast.BinOp):
        left, right = value_of(node.left, depth + 1), value_of(node.right, depth + 1)
        return arithmetic(left, _SIGNS.get(type(node.op), ""), right)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return Items(tuple(value_of(item, depth + 1) for item in node.elts))
    if isinstance(node, ast.Dict):
        return _entries(node, depth)
    if isinstance(node, (ast.Name, ast.Attribute)):
        return Reference(ast.unparse(node))
    if isinstance(node, ast.Call):
        return _call(node, depth)
    return Computed()


def given(node: ast.expr | None) -> ast.expr | None:
    """The default in the call that declares a field or a parameter: `Field(30)`, `field(default=30)`,
    `Option(30, "--ttl")`; the expression itself where it is no such call; nothing where the call has no default."""
    if not isinstance(node, ast.Call):
        return node
    default, factory = keyword(node, "default"), keyword(node, "default_factory")
    if default is not None and not _is_of_python(node):
        return default
    if isinstance(factory, ast.Lambda):
        return factory.body
    if factory is not None:
        return ast.Call(factory, [], [])
    first = node.args[0] if node.args else None
    if called(node) not in _DECLARING:
        if called(node) == "field" and not first:
            return None
        return node
    if first and not text_of(first).startswith("-"):
        return first
    return None


def _is_of_python(call: ast.Call) -> bool:
    """True if a call is one of Python's own, `max(xs, default=0)`, whose default stands for no setting."""
    return isinstance(call.func, ast.Name) and hasattr(builtins, call.func.id)


def option_value(call: ast.Call) -> Value:
    """The default of an option as argparse, click, typer and plumbum declare it."""
    default = given(call)
    action = text_of(keyword(call, "action"))
    flag = keyword(call, "is_flag")
    if default is not None and default is not call:
        return value_of(default)
    if action == "store_false":  # its default is that of another name
        return Computed()
    is_switch = isinstance(flag, ast.Constant) and flag.value is True
    if action == "store_true" or called(call) == "Flag" or is_switch:
        return False
    return None


def choices_of(call: ast.Call) -> tuple[Value, ...]:
    """What an option may be: `choices=["a", "b"]`, `type=click.Choice(["a", "b"])`."""
    for name in ("choices", "type"):
        node = keyword(call, name)
        if isinstance(node, ast.Call) and called(node) == "Choice" and node.args:
            node = node.args[0]
        value = Computed() if node is None else value_of(node)
        if isinstance(value, Items):
            return value.values
    return ()


def flags_of(call: ast.Call) -> tuple[str, ...]:
    """The flags that a call declares: `"-p", "--port"`, `["-p", "--port"]`, `"--on/--off"`, whose second comes last."""
    first: list[str] = []
    second: list[str] = []
    for argument in call.args:
        elements = getattr(argument, "elts", [argument])
        for element in elements:
            on, _, off = text_of(element).partition("/")
            first.append(on.strip())
            second.append(off.strip())
    return tuple(flag for flag in first + second if _FLAG.fullmatch(flag))


def called(call: ast.Call) -> str:
    """The last name of what is called: `get` of `os.environ.get(…)`."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return getattr(call.func, "id", "")


def keyword(node: ast.AST | None, name: str) -> ast.expr | None:
    """A call's argument of this name."""
    if isinstance(node, ast.Call):
        for item in node.keywords:
            if item.arg == name:
                return item.value
    return None


def text_of(node: ast.AST | None) -> str:
    """A literal text; empty for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ""


def _constant(node: ast.Constant) -> Value:
    value = node.value
    if is_too_long(value):
        return Computed()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return Computed()


def _entries(node: ast.Dict, depth: int) -> Value:
    pairs = []
    for key, value in zip(node.keys, node.values, strict=True):
        if not isinstance(key, ast.Constant):
            return Computed()
        pairs.append((str(key.value), value_of(value, depth + 1)))
    return Entries(tuple(pairs))


def _call(node: ast.Call, depth: int) -> Value:
    """Conversions, `timedelta`, and calls whose value is a default where nothing is set."""
    name, default = called(node), given(node)
    if default is None:
        return Computed()
    if default is not node:
        return value_of(default, depth + 1)
    if name == "timedelta":
        return _timedelta(node, depth)
    if name == "dict" and not node.args:
        pairs = []
        for item in node.keywords:
            pairs.append((item.arg or "", value_of(item.value, depth + 1)))
        return Entries(tuple(pairs))
    if name in _COLLECTIONS and not node.args:
        return Items(())
    if name in _LOOKUPS and len(node.args) > 1:
        return value_of(node.args[-1], depth + 1)
    if name not in _CONVERSIONS or len(node.args) != 1 or node.keywords:
        return Computed()
    value = value_of(node.args[0], depth + 1)
    if isinstance(value, str) and name in ("int", "float"):
        return number(value)
    if isinstance(value, str) and (name == "bool" or name in _COLLECTIONS):
        return Computed()
    return value


def _timedelta(node: ast.Call, depth: int) -> Value:
    seconds = 0.0
    lengths = [("days", item) for item in node.args[:1]]
    lengths += [(item.arg or "", item.value) for item in node.keywords]
    for unit, item in lengths:
        length = quantity(f"{value_of(item, depth + 1)} {unit}")
        if not isinstance(length, Duration):
            return Computed()
        seconds += length.seconds
    return Duration(seconds)
