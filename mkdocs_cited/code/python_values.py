"""What Python expressions come to without running them: literals, arithmetic, `timedelta`, defaults of fields."""

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
)
from mkdocs_cited.code.literals import arithmetic, number

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.LShift: "<<", ast.Pow: "**",
}  # fmt: skip
_UNITS = {
    "weeks": 604800,
    "days": 86400,
    "hours": 3600,
    "minutes": 60,
    "seconds": 1,
    "milliseconds": 0.001,
}
_CONVERSIONS = frozenset(
    (
        "int",
        "float",
        "str",
        "bool",
        "list",
        "tuple",
        "set",
        "frozenset",
        "Path",
        "Decimal",
    )
)
"""Calls whose value is that of their only argument."""
_TRANSLATIONS = frozenset(("_", "gettext", "gettext_lazy"))
_COLLECTIONS = frozenset(("list", "tuple", "set", "frozenset"))
_LOOKUPS = frozenset(("getattr", "get", "getenv"))
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
        inner = value_of(node.operand, depth + 1)
        if isinstance(inner, (int, float)):
            return -inner
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


def given(node: ast.expr) -> ast.expr | None:
    """The default in the call that declares a field or a parameter: `Field(30)`, `field(default=30)`,
    `Option(30, "--ttl")`; the expression itself where it is no such call; nothing where the call has no default."""
    if not isinstance(node, ast.Call):
        return node
    default = keyword(node, "default")
    if default is not None and not _is_of_python(node):
        return default
    factory = keyword(node, "default_factory")
    if factory is not None:
        if isinstance(factory, ast.Lambda):
            return factory.body
        return ast.Call(factory, [], [])
    if called(node) in ("Field", "Option", "Argument", "Query", "Form", "Header"):
        if node.args and not text_of(node.args[0]).startswith("-"):
            return node.args[0]
        return None
    if called(node) == "field" and not node.args:
        return None
    return node


def _is_of_python(call: ast.Call) -> bool:
    """True if a call is one of Python's own, `max(xs, default=0)`, whose default stands for no setting."""
    return isinstance(call.func, ast.Name) and hasattr(builtins, call.func.id)


def option_value(call: ast.Call) -> tuple[Value, tuple[Value, ...]]:
    """Default and choices of an option as argparse, click, typer and plumbum declare it."""
    default = keyword(call, "default")
    action = text_of(keyword(call, "action"))
    flag = keyword(call, "is_flag")
    choices: tuple[Value, ...] = ()
    for name in ("choices", "type"):
        node = keyword(call, name)
        if isinstance(node, ast.Call) and called(node) == "Choice" and node.args:
            node = node.args[0]
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            found = value_of(node)
            choices = found.values if isinstance(found, Items) else ()
    value: Value = None
    if default is not None:
        value = value_of(default)
    elif (
        called(call) == "Option"
        and call.args
        and not text_of(call.args[0]).startswith("-")
    ):
        value = value_of(call.args[0])
    elif action == "store_true":
        value = False
    elif action == "store_false":  # its default is that of another name
        value = Computed()
    # of plumbum
    elif called(call) == "Flag" or (
        isinstance(flag, ast.Constant) and flag.value is True
    ):
        value = False
    return value, choices


def flags_of(call: ast.Call) -> tuple[str, ...]:
    """The flags that a call declares: `"-p", "--port"`, `["-p", "--port"]`, `"--on/--off"`, whose second comes last."""
    written = []
    for node in call.args:
        elements = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
        written += [text_of(item) for item in elements]
    switches = [text.partition("/") for text in written]
    found = [on.strip() for on, _, _ in switches] + [
        off.strip() for _, _, off in switches
    ]
    return tuple(flag for flag in found if _FLAG.fullmatch(flag))


def called(call: ast.Call) -> str:
    """The last name of what is called: `get` of `os.environ.get(…)`."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return getattr(call.func, "id", "")


def keyword(node: ast.expr, name: str) -> ast.expr | None:
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


def is_empty(node: ast.expr) -> bool:
    """True if it is `...`, which stands for a value."""
    return isinstance(node, ast.Constant) and node.value is ...


def _constant(node: ast.Constant) -> Value:
    value = node.value
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
    name = called(node)
    if name == "timedelta":
        return _timedelta(node, depth)
    if name == "dict" and not node.args:
        return Entries(
            tuple(
                (item.arg or "", value_of(item.value, depth + 1))
                for item in node.keywords
            )
        )
    if name in _COLLECTIONS and not node.args:
        return Items(())
    if name in _TRANSLATIONS and len(node.args) == 1:
        return value_of(node.args[0], depth + 1)
    if name in _CONVERSIONS and len(node.args) == 1 and not node.keywords:
        inner = value_of(node.args[0], depth + 1)
        if isinstance(inner, str) and name in ("int", "float"):
            return number(inner)
        if isinstance(inner, str) and name in ("bool", *_COLLECTIONS):
            return Computed()
        return inner
    default = keyword(node, "default")
    if default is not None and not _is_of_python(node):
        return value_of(default, depth + 1)
    if name in _LOOKUPS and len(node.args) > 1:
        return value_of(node.args[-1], depth + 1)
    return Computed()


def _timedelta(node: ast.Call, depth: int) -> Value:
    seconds = 0.0
    pairs = [("days", item) for item in node.args[:1]]
    pairs += [(item.arg or "", item.value) for item in node.keywords]
    for unit, item in pairs:
        amount = value_of(item, depth + 1)
        if unit not in _UNITS or not isinstance(amount, (int, float)):
            return Computed()
        seconds += amount * _UNITS[unit]
    return Duration(seconds)
