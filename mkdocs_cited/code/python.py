"""The definitions of a Python file: constants, fields, parameters, options, entries, names in calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.code.interface import (
    Definition,
    Items,
    Kind,
    Reference,
    Value,
    one_line,
)
from mkdocs_cited.code.python_values import (
    called,
    choices_of,
    flags_of,
    given,
    keyword,
    option_value,
    text_of,
    value_of,
)

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What Python's parser raises."""
_CONDITIONS = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.Try,
    ast.TryStar,
    ast.Match,
)
_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_SETS = ("Enum", "Choices")
"""How the names of base classes end whose members are a set of values."""
_BY_NAME = frozenset(
    "getattr get getenv setdefault getint getboolean getfloat getlist config".split()
)
"""Calls that take a name and its default one after the other."""
_CHANGING = frozenset("replace add register setattr set put".split())
"""Calls that take a name and another value than its default."""


class Place(Struct, frozen=True):
    """Where a node lies."""

    scope: tuple[str, ...] = ()
    """What it lies in, outermost first: classes, functions, names with a value, entries of dicts."""
    block: tuple[str, ...] = ()
    """The classes and functions alone."""
    in_function: bool = False
    is_conditional: bool = False
    """Whether it may not be run: under an `if`, in a loop and so on."""
    prefix: str | None = None
    """What the variables of a class of settings begin with; nothing outside such a class."""

    def within(self, name: str) -> Place:
        """A place in the value of a name."""
        if not name:
            return self
        return replace(self, scope=(*self.scope, name), prefix=None)

    def inside(self, name: str) -> Place:
        """A place in the body of a class or function."""
        return replace(self.within(name), block=(*self.block, name))


def walk(text: str) -> Iterator[tuple[ast.AST, Place]]:
    """The nodes of a file from top to bottom. Raises one of `UNPARSABLE` where it does not parse."""
    todo: list[tuple[ast.AST, Place]] = [(ast.parse(text), Place())]
    while todo:
        node, place = todo.pop()
        yield node, place
        todo += reversed(list(_inside(node, place)))


def _inside(node: ast.AST, place: Place) -> Iterator[tuple[ast.AST, Place]]:
    """What a node holds, each with where it lies."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            yield value, place.within(text_of(key))
        return
    if isinstance(node, ast.ClassDef):
        prefix = _settings_prefix(node)
        place = replace(place.inside(node.name), in_function=False, prefix=prefix)
    elif isinstance(node, FUNCTIONS):
        place = replace(place.inside(node.name), in_function=True)
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        place = place.within(_target(node))
    elif isinstance(node, _CONDITIONS):
        place = replace(place, is_conditional=True)
    if isinstance(node, ast.AnnAssign) and node.value is None:  # it sets no name
        yield node.annotation, place
        return
    for child in ast.iter_child_nodes(node):
        yield child, place


def definitions(text: str, file: str) -> Iterator[Definition]:
    """The definitions of a file, from top to bottom. Raises one of `UNPARSABLE` where it does not parse."""
    reader = _Reader(text, file)
    for node, place in walk(text):
        yield from reader.defined(node, place)


class _Reader:
    """What the nodes of one file define."""

    def __init__(self, text: str, file: str) -> None:
        self._lines = text.encode("utf-8", "replace").split(b"\n")
        self._file = file

    def defined(self, node: ast.AST, place: Place) -> Iterator[Definition]:
        """What a statement or expression defines."""
        if isinstance(node, ast.ClassDef):
            yield from self._class(node, place.scope)
        elif isinstance(node, FUNCTIONS):
            yield from self._parameters(node, (*place.scope, node.name))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            yield from self._assigned(node, place)
        elif isinstance(node, ast.Call):
            yield from self._call(node, place.scope)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                is_given = not isinstance(value, ast.Constant) or value.value is not ...
                if text_of(key) and is_given:
                    yield self._made(text_of(key), place.scope, Kind.KEY, value)

    def _class(
        self, node: ast.ClassDef, scope: tuple[str, ...]
    ) -> Iterator[Definition]:
        """An enumeration as the set of its members' values; a class that describes a setting, with `name` and
        `default`."""
        members = {}
        for item in node.body:
            if isinstance(item, ast.Assign):
                members[_target(item)] = item.value
        name = text_of(members.get("name"))
        if name and "default" in members:
            yield self._made(name, scope, Kind.OPTION, members["default"])
        if not any(ast.unparse(base).endswith(_SETS) for base in node.bases):
            return
        values = []
        for member in members.values():
            value = value_of(member)
            # Django's `"key", _("label")`
            if isinstance(value, Items) and value.values:
                value = value.values[0]
            values.append(value)
        allowed = Items(tuple(values))
        yield self._made(node.name, scope, Kind.CONSTANT, None, at=node, value=allowed)

    def _assigned(
        self, node: ast.Assign | ast.AnnAssign, place: Place
    ) -> Iterator[Definition]:
        """`NAME = value` outside functions, and `self.name = value` in them."""
        target, value = _target(node), node.value
        default = given(value)
        if not target or default is None:
            return
        if place.in_function and not _is_own(node):
            return
        scope, kind = place.scope, Kind.CONSTANT
        annotation = node.annotation if isinstance(node, ast.AnnAssign) else None
        if place.in_function:
            scope = scope[:-1]
        if place.in_function or (annotation and scope) or default is not value:
            kind = Kind.FIELD
        also = [text_of(keyword(value, name)) for name in ("alias", "validation_alias")]
        if place.prefix is not None:
            also.insert(0, f"{place.prefix}{target}".upper())
        yield self._made(
            target,
            scope,
            kind,
            default,
            at=node,
            also=_names(also),
            choices=_literal(annotation),
            help=text_of(keyword(value, "help")),
            declared=_with_figures(value),
        )
        if isinstance(value, ast.Call) and place.scope and not place.in_function:
            for name, argument in _keywords(value):
                if name != "default" and isinstance(argument, ast.Constant):
                    yield self._made(name, (*scope, target), Kind.KEY, argument)

    def _parameters(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        scope: tuple[str, ...],
    ) -> Iterator[Definition]:
        """Parameters with their defaults."""
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        first = len(positional) - len(arguments.defaults)
        parameters = positional[first:] + arguments.kwonlyargs
        defaults = arguments.defaults + arguments.kw_defaults
        for parameter, default in zip(parameters, defaults, strict=True):
            value = given(default)
            if default is None or value is None:
                continue
            if parameter.arg == "default":  # what calls without a default return
                yield self._made(f"{node.name}()", scope, Kind.CONSTANT, value)
            yield self._made(
                parameter.arg,
                scope,
                Kind.PARAMETER,
                value,
                at=parameter,
                end_line=default.end_lineno or parameter.lineno,
                choices=_literal(parameter.annotation),
                help=text_of(keyword(default, "help")),
                declared=_with_figures(default),
            )

    def _call(self, node: ast.Call, scope: tuple[str, ...]) -> Iterator[Definition]:
        """An option, or a name with its default."""
        if flags_of(node):
            yield self._option(node, scope)
            return
        setting = _lookup(node)
        if setting:
            name, value, written = setting
            yield self._made(name, scope, Kind.LOOKUP, written, value=value)
        if called(node) == "dict":
            for key, argument in _keywords(node):
                yield self._made(key, scope, Kind.KEY, argument)

    def _option(self, node: ast.Call, scope: tuple[str, ...]) -> Definition:
        """An option of a command line under its first long flag."""
        flags = flags_of(node)
        name = next((flag for flag in flags if flag.startswith("--")), flags[0])
        others = [flag for flag in flags if flag != name]
        others += [text_of(keyword(node, other)) for other in ("envvar", "dest")]
        return self._made(
            name,
            scope,
            Kind.OPTION,
            keyword(node, "default"),
            at=node,
            value=option_value(node),
            also=_names(others),
            choices=choices_of(node),
            help=text_of(keyword(node, "help")),
        )

    def _made(
        self,
        name: str,
        scope: tuple[str, ...],
        kind: Kind,
        written: ast.expr | None,
        **details: Any,
    ) -> Definition:
        """A definition.

        Args:
            written: the expression of its value.
            details: other fields of `Definition`; `at` is the node that defines it, where it is not the value.
        """
        node = details.pop("at", written)
        if "value" not in details and written is not None:
            details["value"] = value_of(written)
        details.setdefault("end_line", node.end_lineno)
        return Definition(
            name=name,
            scope=scope,
            kind=kind,
            file=self._file,
            line=node.lineno,
            text=self._source(written),
            **details,
        )

    def _source(self, node: ast.expr | None) -> str:
        """The source text of an expression, on one line; empty without one."""
        if node is None or node.end_lineno is None:
            return ""
        lines = self._lines[node.lineno - 1 : node.end_lineno]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return one_line(b"\n".join(lines).decode("utf-8", "replace"))


def _names(written: list[str]) -> tuple[str, ...]:
    """Names, each once, without empty ones."""
    return tuple(dict.fromkeys(filter(None, written)))


def _with_figures(value: ast.expr | None) -> str:
    """A call with several figures, as Python writes it; empty for anything else."""
    if not isinstance(value, ast.Call):
        return ""
    figures = 0
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            figures += 1
    if figures > 1:
        return one_line(ast.unparse(value))
    return ""


def _keywords(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """A call's arguments that have a name."""
    for item in call.keywords:
        if item.arg is not None:
            yield item.arg, item.value


def _lookup(call: ast.Call) -> tuple[str, Value, ast.expr] | None:
    """The setting that a call reads: its name, its default, and what writes that."""
    is_by_name = called(call) in _BY_NAME
    default = keyword(call, "default")
    names = [_name_in(item, or_constant=is_by_name) for item in call.args]
    if default is not None:
        for name in (text_of(keyword(call, "name")), *names):
            if _NAME.fullmatch(name):
                return name, value_of(default), default
        return None
    for position, name in enumerate(names):
        following = call.args[position + 1 :]
        if _NAME.fullmatch(name) and following and _takes_default(call, name):
            return name, value_of(following[0]), following[0]
        if _VARIABLE.fullmatch(name) and is_by_name:
            return name, None, call
        if _VARIABLE.fullmatch(name) and len(call.args) + len(call.keywords) == 1:
            return name, Reference(f"{called(call)}()"), call
    return None


def first_target(node: ast.Assign | ast.AnnAssign) -> ast.expr:
    """What a statement gives a value; of several, the first."""
    if isinstance(node, ast.Assign):
        return node.targets[0]
    return node.target


def _target(node: ast.Assign | ast.AnnAssign) -> str:
    """The one name that a statement gives a value; empty for several, and for an element."""
    target = first_target(node)
    if isinstance(node, ast.Assign) and len(node.targets) > 1:
        return ""
    if isinstance(target, ast.Name):
        return target.id
    if isinstance(target, ast.Attribute):
        return target.attr
    if isinstance(target, ast.Subscript):
        return text_of(target.slice)
    return ""


def _is_own(node: ast.Assign | ast.AnnAssign) -> bool:
    """True if it is `self.name = …`."""
    target = first_target(node)
    return isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self"


def _name_in(argument: ast.expr, *, or_constant: bool) -> str:
    """The literal text that an argument is; or the name of the constant, whose value may be the name of a setting."""
    if or_constant and isinstance(argument, (ast.Name, ast.Attribute)):
        name = ast.unparse(argument).rpartition(".")[2]
        if name.isupper():
            return name
    return text_of(argument)


def _takes_default(call: ast.Call, name: str) -> bool:
    """True if the argument behind a name is its default."""
    if isinstance(call.args[-1], ast.Set):  # what it may be
        return False
    if called(call) in _BY_NAME:
        return True
    return bool(_VARIABLE.fullmatch(name)) and called(call) not in _CHANGING


def _literal(annotation: ast.expr | None) -> tuple[Value, ...]:
    """The values of `Literal["a", "b"]`, also inside `X | None` and `Annotated[X, …]`."""
    if annotation is None:
        return ()
    for node in ast.walk(annotation):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith(
            "Literal"
        ):
            value = value_of(node.slice)
            if isinstance(value, Items):
                return value.values
            return (value,)
    return ()


def _settings_prefix(node: ast.ClassDef) -> str | None:
    """What the variables of a class of settings begin with (pydantic's `env_prefix`); nothing for another class."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign) and _target(inner) == "env_prefix":
            return text_of(inner.value)
        prefix = keyword(inner, "env_prefix")
        if prefix is not None:
            return text_of(prefix)
    if any(ast.unparse(base).endswith("Settings") for base in node.bases):
        return ""
    return None
