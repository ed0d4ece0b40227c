"""The definitions of a Python file: constants, fields, parameters, options, entries, names in calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.code.interface import (
    Definition,
    Items,
    Kind,
    Reader,
    Reference,
    Value,
    one_line,
)
from mkdocs_cited.code.python_values import (
    called,
    flags_of,
    given,
    is_empty,
    keyword,
    option_value,
    text_of,
    value_of,
)

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_BY_NAME = frozenset(
    (
        "getattr",
        "get",
        "getenv",
        "setdefault",
        "getint",
        "getboolean",
        "getfloat",
        "getlist",
        "config",
    )
)
"""Calls that take a name and its default one after the other."""


class _Place(Struct, frozen=True):
    """Where a node lies."""

    scope: tuple[str, ...] = ()
    in_function: bool = False
    prefix: str | None = None
    """What the variables of a class of settings begin with; nothing outside such a class."""


class Python(Reader):
    """Reads with Python's own parser."""

    def read(self, text: str, file: str) -> Iterator[Definition]:
        """The definitions of a file."""
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        yield from _Walk(text, file).definitions(tree)


class _Walk:
    """One file, read from top to bottom."""

    def __init__(self, text: str, file: str) -> None:
        self._lines = text.split("\n")
        self._file = file

    def definitions(self, tree: ast.Module) -> Iterator[Definition]:
        """What each statement and expression defines."""
        todo: list[tuple[ast.AST, _Place]] = [(tree, _Place())]
        while todo:
            node, place = todo.pop()
            inner = place
            if isinstance(node, ast.ClassDef):
                yield from self._of_class(node, place)
                inner = _Place((*place.scope, node.name), prefix=_settings_prefix(node))
            elif isinstance(node, _FUNCTIONS):
                inner = _Place((*place.scope, node.name), in_function=True)
                yield from self._parameters(node, inner)
            elif (
                isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None
            ):
                target = _target(node)
                if target:
                    yield from self._assigned(node, target, place)
                    inner = _Place(
                        (*place.scope, target), in_function=place.in_function
                    )
            elif isinstance(node, ast.Call):
                yield from self._call(node, place)
            elif isinstance(node, ast.Dict):
                todo += reversed(list(self._entry_places(node, place)))
                yield from self._entries(node, place)
                continue
            todo += [
                (child, inner) for child in reversed(list(ast.iter_child_nodes(node)))
            ]

    def _of_class(self, node: ast.ClassDef, place: _Place) -> Iterator[Definition]:
        """An enumeration as the set of its members' values; a class that describes a setting, with `name` and
        `default`."""
        described = {}
        for item in node.body:
            if isinstance(item, ast.Assign):
                described[_target(item)] = item.value
        name = text_of(described.get("name"))
        if name and "default" in described:
            default = described["default"]
            yield self._made(name, place, value_of(default), Kind.OPTION, default)
        bases = [ast.unparse(base) for base in node.bases]
        if not any(base.endswith(("Enum", "Choices")) for base in bases):
            return
        values = []
        for item in node.body:
            if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
                value = value_of(item.value)
                # Django's `"key", _("label")`
                if isinstance(value, Items) and value.values:
                    value = value.values[0]
                values.append(value)
        yield self._made(node.name, place, Items(tuple(values)), Kind.CONSTANT, node)

    def _assigned(
        self, node: ast.Assign | ast.AnnAssign, target: str, place: _Place
    ) -> Iterator[Definition]:
        """`NAME = value` outside functions, and `self.name = value` in them."""
        default = given(node.value) if node.value is not None else None
        if (
            node.value is None
            or default is None
            or (place.in_function and not _is_own(node))
        ):
            return
        kind = Kind.CONSTANT
        scope = place.scope
        if place.in_function:
            scope = scope[:-1]
            kind = Kind.FIELD
        elif isinstance(node, ast.AnnAssign) and scope:
            kind = Kind.FIELD
        annotation = node.annotation if isinstance(node, ast.AnnAssign) else None
        also: tuple[str, ...] = ()
        if place.prefix is not None:
            also = (f"{place.prefix}{target}".upper(),)
        alias = text_of(keyword(node.value, "alias")) or text_of(
            keyword(node.value, "validation_alias")
        )
        if alias:
            also = (*also, alias)
        if default is not node.value:
            kind = Kind.FIELD
        made = self._made(
            target, _Place(scope), value_of(default), kind, node, written=default
        )
        yield replace(made, also=also, choices=_literal(annotation))
        if isinstance(node.value, ast.Call) and place.scope and not place.in_function:
            yield from self._keywords(node.value, _Place((*place.scope, target)))

    def _keywords(self, call: ast.Call, place: _Place) -> Iterator[Definition]:
        """The plain keywords of a field's call: `max_length=200`."""
        for item in call.keywords:
            if (
                item.arg
                and item.arg != "default"
                and isinstance(item.value, ast.Constant)
            ):
                yield self._made(
                    item.arg, place, value_of(item.value), Kind.KEY, item.value
                )

    def _parameters(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, place: _Place
    ) -> Iterator[Definition]:
        """Parameters with their defaults."""
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        without = len(positional) - len(arguments.defaults)
        pairs = list(zip(positional[without:], arguments.defaults, strict=True))
        for parameter, default in zip(
            arguments.kwonlyargs, arguments.kw_defaults, strict=True
        ):
            if default is not None:
                pairs.append((parameter, default))
        for parameter, default in pairs:
            value = given(default)
            if value is None:
                continue
            if parameter.arg == "default":  # what calls without a default return
                yield self._made(
                    node.name, place, value_of(value), Kind.CONSTANT, value
                )
            made = self._made(
                parameter.arg,
                place,
                value_of(value),
                Kind.PARAMETER,
                parameter,
                written=value,
            )
            last = default.end_lineno or parameter.lineno
            yield replace(made, end_line=last, choices=_literal(parameter.annotation))

    def _call(self, node: ast.Call, place: _Place) -> Iterator[Definition]:
        """An option, or a name with its default."""
        texts = [text_of(item) for item in node.args]
        if called(node) in _BY_NAME:
            texts = [text_of(item) or _constant_name(item) for item in node.args]
        flags = flags_of(node)
        default = keyword(node, "default")
        if flags:
            yield from self._option(node, flags, place)
            return
        name = ""
        if default is not None:
            name = text_of(keyword(node, "name"))
        for position, text in enumerate(texts):
            if name or not _NAME.fullmatch(text):
                continue
            if default is not None:
                name = text
            elif position + 1 < len(node.args) and _takes_default(node, text):
                name = text
                default = node.args[position + 1]
            elif _VARIABLE.fullmatch(text) and len(node.args) + len(node.keywords) == 1:
                value = None
                if called(node) not in _BY_NAME:
                    value = Reference(f"{called(node)}()")
                yield self._made(text, place, value, Kind.LOOKUP, node)
                return
            elif called(node) in _BY_NAME and _VARIABLE.fullmatch(text):
                yield self._made(text, place, None, Kind.LOOKUP, node)
                return
        if name and default is not None and _NAME.fullmatch(name):
            yield self._made(name, place, value_of(default), Kind.LOOKUP, default)
        if called(node) == "dict":
            for item in node.keywords:
                if item.arg:
                    yield self._made(
                        item.arg, place, value_of(item.value), Kind.KEY, item.value
                    )

    def _option(
        self, node: ast.Call, flags: tuple[str, ...], place: _Place
    ) -> Iterator[Definition]:
        """An option of a command line under its first long flag."""
        name = next((flag for flag in flags if flag.startswith("--")), flags[0])
        default, choices = option_value(node)
        variables = keyword(node, "envvar")
        also = [flag for flag in flags if flag != name]
        also += [
            text
            for text in (text_of(variables), text_of(keyword(node, "dest")))
            if text
        ]
        made = self._made(name, place, default, Kind.OPTION, node)
        yield replace(
            made,
            text=self._source(keyword(node, "default")),
            also=tuple(also),
            choices=choices,
        )

    def _entries(self, node: ast.Dict, place: _Place) -> Iterator[Definition]:
        """The entries of a dict that have a text for a key."""
        for key, value in zip(node.keys, node.values, strict=True):
            name = text_of(key)
            if name and key is not None and not is_empty(value):
                yield self._made(name, place, value_of(value), Kind.KEY, value)

    def _entry_places(
        self, node: ast.Dict, place: _Place
    ) -> Iterator[tuple[ast.AST, _Place]]:
        for key, value in zip(node.keys, node.values, strict=True):
            name = text_of(key)
            scope = (*place.scope, name) if name else place.scope
            yield value, _Place(scope, in_function=place.in_function)

    def _made(
        self,
        name: str,
        place: _Place,
        value: Value,
        kind: Kind,
        node: ast.stmt | ast.expr | ast.arg,
        *,
        written: ast.expr | None = None,
    ) -> Definition:
        """A definition at a node.

        Args:
            written: the expression of its value, where the node is none.
        """
        if written is None and isinstance(node, ast.expr):
            written = node
        return Definition(
            name=name,
            scope=place.scope,
            value=value,
            kind=kind,
            file=self._file,
            line=node.lineno,
            end_line=node.end_lineno or node.lineno,
            text=self._source(written),
        )

    def _source(self, node: ast.expr | None) -> str:
        """The source text of an expression, on one line."""
        if node is None or node.end_lineno is None or node.end_col_offset is None:
            return ""
        lines = [
            line.encode() for line in self._lines[node.lineno - 1 : node.end_lineno]
        ]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return one_line(b"\n".join(lines).decode("utf-8", "replace"))


def _target(node: ast.Assign | ast.AnnAssign) -> str:
    """The one name that a statement gives a value; empty for several, and for an element."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if len(targets) != 1:
        return ""
    target = targets[0]
    if isinstance(target, ast.Name):
        return target.id
    if isinstance(target, ast.Attribute):
        return target.attr
    if isinstance(target, ast.Subscript):
        return text_of(target.slice)
    return ""


def _is_own(node: ast.Assign | ast.AnnAssign) -> bool:
    """True if it is `self.name = …`."""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    return (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    )


def _constant_name(node: ast.expr) -> str:
    """The name of a constant, whose value may be the name of a setting; empty for anything else."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        name = ast.unparse(node).rpartition(".")[2]
        if name.isupper():
            return name
        return ""
    return ""


def _takes_default(node: ast.Call, name: str) -> bool:
    """True if the argument behind a name is its default."""
    function = called(node)
    if isinstance(node.args[-1], ast.Set):  # what it may be
        return False
    if function in _BY_NAME:
        return True
    return bool(_VARIABLE.fullmatch(name)) and function not in (
        "replace",
        "add",
        "register",
        "setattr",
        "set",
        "put",
    )


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
    for item in node.body:
        inner = (
            item.body
            if isinstance(item, ast.ClassDef) and item.name == "Config"
            else [item]
        )
        for statement in inner:
            if isinstance(statement, ast.Assign):
                if _target(statement) == "env_prefix":
                    return text_of(statement.value)
                prefix = keyword(statement.value, "env_prefix")
                if prefix is not None:
                    return text_of(prefix)
    is_settings = any(ast.unparse(base).endswith("Settings") for base in node.bases)
    if is_settings:
        return ""
    return None
