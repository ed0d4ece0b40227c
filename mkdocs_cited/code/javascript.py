"""The definitions of a JavaScript or TypeScript file: constants, entries of objects, `x.port ?? 80`, options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from mkdocs_cited.code.interface import Computed, Entries, Kind, Value
from mkdocs_cited.code.literals import arithmetic
from mkdocs_cited.code.trees import (
    Found,
    Grammar,
    Handler,
    TreeReader,
    field,
    literal_text,
    text_of,
    unquoted,
    value_in,
)

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_WRAPPED = (
    "as_expression",
    "satisfies_expression",
    "parenthesized_expression",
    "non_null_expression",
)
_CONVERSIONS = ("Number", "parseInt", "parseFloat", "String", "Boolean", "BigInt")
_LITERALS = (
    "string",
    "template_string",
    "number",
    "true",
    "false",
    "null",
    "undefined",
    "array",
    "object",
)
_FLAG = re.compile(r"(?:(-\w), *)?(--[\w-]+)")


class TypeScript(TreeReader):
    """Reads TypeScript with tree-sitter-typescript."""

    scopes: ClassVar[Mapping[str, str]] = {
        "variable_declarator": "name",
        "function_declaration": "name",
        "class_declaration": "name",
        "method_definition": "name",
        "pair": "key",
        "enum_declaration": "name",
        "public_field_definition": "name",
    }

    def parser(self) -> Parser:
        """A parser of TypeScript."""
        import tree_sitter_typescript
        from tree_sitter import Language, Parser

        return Parser(Language(tree_sitter_typescript.language_typescript()))

    def handlers(self) -> Mapping[str, Handler]:
        """What defines names in JavaScript and TypeScript."""
        return {
            "variable_declarator": _declared,
            "public_field_definition": _declared,
            "pair": _pair,
            "object": _described,
            "object_assignment_pattern": _pattern,
            "required_parameter": _parameter,
            "assignment_pattern": _pattern,
            "binary_expression": _fallback,
            "ternary_expression": _chosen,
            "assignment_expression": _assigned,
            "call_expression": _option,
        }


class JavaScript(TypeScript):
    """Reads JavaScript, JSX and TSX."""

    def parser(self) -> Parser:
        """A parser of TSX, of which JavaScript is a part."""
        import tree_sitter_typescript
        from tree_sitter import Language, Parser

        return Parser(Language(tree_sitter_typescript.language_tsx()))


def _declared(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`const TTL = 5`, and fields of classes."""
    name, value = field(node, "name"), field(node, "value")
    if (
        name is None
        or value is None
        or name.type not in ("identifier", "property_identifier")
    ):
        return
    kind = Kind.FIELD if node.type == "public_field_definition" else Kind.CONSTANT
    yield Found(text_of(name), value_of(value), value, kind)


def _pair(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`key: value`; `key: {type: 'int', default: 80}` describes a setting."""
    key, value = field(node, "key"), field(node, "value")
    if key is None or value is None:
        return
    is_schema = (
        value.type == "call_expression"
        and text_of(field(value, "function", "property")) == "default"
    )
    yield Found(
        unquoted(key), value_of(value), value, Kind.FIELD if is_schema else Kind.KEY
    )
    entries = _entries(value)
    if "default" in entries:
        yield Found(
            unquoted(key), value_of(entries["default"]), entries["default"], Kind.FIELD
        )


def _described(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`{name: 'port', default: 80}`."""
    entries = _entries(node)
    name = entries.get("name")
    if name is not None and name.type == "string" and "default" in entries:
        yield Found(
            unquoted(name), value_of(entries["default"]), entries["default"], Kind.FIELD
        )


def _pattern(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`{port = 80}` of a parameter or a declaration."""
    left, right = field(node, "left"), field(node, "right")
    if left is not None and right is not None and "identifier" in left.type:
        yield Found(text_of(left), value_of(right), right, Kind.PARAMETER)


def _parameter(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`port = 80` of a function in TypeScript."""
    name, value = field(node, "pattern"), field(node, "value")
    if name is not None and value is not None and name.type == "identifier":
        yield Found(text_of(name), value_of(value), value, Kind.PARAMETER)


def _fallback(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`options.port ?? 80`, `process.env.PORT || 80`."""
    left, right = field(node, "left"), field(node, "right")
    if (
        left is None
        or right is None
        or text_of(field(node, "operator")) not in ("??", "||")
    ):
        return
    while left.type in _WRAPPED and left.named_children:
        left = left.named_children[0]
    if left.type == "member_expression" and right.type in _LITERALS:
        yield _member(left, right, Kind.LOOKUP)


def _member(left: Node, right: Node, kind: Kind) -> Found:
    """A property of an object, and what it is or would be."""
    owner = re.findall(r"[\w$]+", text_of(field(left, "object")))
    name = text_of(field(left, "property"))
    return Found(name, value_of(right), right, kind, inside=tuple(owner))


def _chosen(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`port != null ? port : 80`, either way round."""
    condition, one, other = (
        field(node, name) for name in ("condition", "consequence", "alternative")
    )
    if one is None or other is None:
        return
    given, default = (other, one) if one.type in _LITERALS else (one, other)
    if (
        default.type in _LITERALS
        and given.type == "identifier"
        and text_of(given) in text_of(condition).split()
    ):
        yield Found(text_of(given), value_of(default), default, Kind.LOOKUP)


def _assigned(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`defaults.port = 80`, and `port = 80` of a variable of the module, which has several values then."""
    left, right = field(node, "left"), field(node, "right")
    if left is None or right is None:
        return
    if left.type == "identifier" and not scope:
        yield Found(text_of(left), value_of(right), right, Kind.CONSTANT)
    if left.type == "member_expression" and right.type in _LITERALS:
        found = _member(left, right, Kind.KEY)
        if any("default" in part.lower() for part in found.inside):
            yield found


def _option(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`.option('-p, --port <n>', 'help', 80)` of commander and cac, `.option('port', {default: 80})` of yargs."""
    if not text_of(field(node, "function", "property")).lower().endswith("option"):
        return
    arguments = field(node, "arguments")
    given = list(arguments.named_children) if arguments is not None else []
    if len(given) < 2 or given[0].type != "string":
        return
    flag = _FLAG.match(unquoted(given[0]))
    entries = _entries(given[-1])
    default = entries.get("default")
    if (
        flag
        and len(given) == 3
        and given[2].type in _LITERALS
        and given[2].type != "object"
    ):
        default = given[2]
    if default is not None:
        name = flag[2] if flag else f"--{unquoted(given[0])}"
        short = (flag[1],) if flag and flag[1] else ()
        yield Found(name, value_of(default), default, Kind.OPTION, also=short)


def value_of(node: Node, depth: int = 0) -> Value:
    """The value of an expression."""
    return value_in(node, _GRAMMAR, depth)


def _binary(node: Node, depth: int) -> Value:
    """What an operator gives; of `a ?? 5`, what is behind it."""
    left, right = node.named_children[0], node.named_children[-1]
    operator = text_of(field(node, "operator"))
    if operator in ("??", "||"):
        return value_of(right, depth + 1)
    return arithmetic(value_of(left, depth + 1), operator, value_of(right, depth + 1))


def _object(node: Node, depth: int) -> Value:
    """`{key: value}`."""
    return Entries(
        tuple(
            (name, value_of(value, depth + 1)) for name, value in _entries(node).items()
        )
    )


def _called(node: Node, depth: int) -> Value:
    """What conversions return, `Number("5")`, and schemas where nothing is set: `z.number().default(5)`."""
    arguments = field(node, "arguments")
    given = arguments.named_children if arguments is not None else []
    if len(given) != 1:
        return Computed()
    if (
        text_of(field(node, "function")) in _CONVERSIONS
        or text_of(field(node, "function", "property")) == "default"
    ):
        return value_of(given[0], depth + 1)
    return Computed()


def _entries(node: Node) -> dict[str, Node]:
    """The entries of an object with their names."""
    found: dict[str, Node] = {}
    if node.type != "object":
        return found
    for pair in node.named_children:
        value = field(pair, "value")
        if pair.type == "pair" and value is not None:
            found[unquoted(field(pair, "key"))] = value
    return found


def _text(literal: str) -> Value:
    if literal.startswith("`") and "${" in literal:
        return Computed()
    quote = '"""'
    if not literal.startswith("`"):
        quote = literal[0]
    return literal_text(f"{quote}{literal[1:-1]}{quote}")


_GRAMMAR = Grammar(
    text=_text,
    others={
        "binary_expression": _binary,
        "call_expression": _called,
        "object": _object,
    },
    numbers=("number",),
    texts=("string", "template_string"),
    names=("identifier", "member_expression"),
    wrappers=_WRAPPED,
    lists=("array",),
)
