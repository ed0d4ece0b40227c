"""The definitions of a Go file: constants, literals of structs and maps, flags, settings with a default."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from mkdocs_cited.code.interface import (
    Computed,
    Duration,
    Entries,
    Items,
    Kind,
    Reference,
    Value,
)
from mkdocs_cited.code.literals import arithmetic, scalar
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

_UNITS = {
    "Nanosecond": 1e-9, "Microsecond": 1e-6, "Millisecond": 1e-3, "Second": 1.0, "Minute": 60.0, "Hour": 3600.0,
}  # fmt: skip
_FLAG = re.compile(r"(?:String|Bool|Int|Uint|Float|Duration)\w*")
"""Functions of the packages flag and pflag, which end with the type: `StringVarP`, `Int64`, `StringSlice`."""
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_CONVERSION = re.compile(
    r"(?:^|\.)(?:\w*Duration|u?int\d*|float\d*|string|new|To|Ptr|Pointer|\w*Ptr)$"
)
"""Functions that return what they are given."""
_TAG_DEFAULT = re.compile(r'\b(?:default|envDefault):"([^"]*)"')
_TAG_NAME = re.compile(r'\b(?:yaml|json|toml|mapstructure|env|envconfig):"([^",]+)')
_NAME = re.compile(r"[A-Za-z][\w.-]*")
_BY_NAME = re.compile(
    r"env\w*\.(?!set)\w+|(?:\w+\.)*(?!set)\w*(?:env|default)\w*", re.IGNORECASE
)
"""Functions that take a name and its default one after the other."""
_ZEROS: Mapping[str, Value] = {
    "bool": False, "string": "", "int": 0, "int32": 0, "int64": 0, "uint": 0, "float64": 0, "time.Duration": 0,
    "duration": 0,
}  # fmt: skip
"""What a member of a type is that nothing sets."""


class Go(TreeReader):
    """Reads Go with tree-sitter-go."""

    scopes: ClassVar[Mapping[str, str]] = {
        "function_declaration": "name",
        "method_declaration": "name",
        "type_spec": "name",
        "composite_literal": "type",
        "const_spec": "name",
        "var_spec": "name",
        "keyed_element": "key",
    }

    def parser(self) -> Parser:
        """A parser of Go."""
        import tree_sitter_go
        from tree_sitter import Language, Parser

        return Parser(Language(tree_sitter_go.language()))

    def handlers(self) -> Mapping[str, Handler]:
        """What defines names in Go."""
        return {
            "const_spec": _spec,
            "var_spec": _spec,
            "keyed_element": _element,
            "literal_value": _option,
            "call_expression": _call,
            "field_declaration": _tagged,
            "assignment_statement": _assigned,
            "short_var_declaration": _short,
        }


def _spec(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`const TTL = 5`, also with several names."""
    names = node.children_by_field_name("name")
    values = field(node, "value")
    if values is None or len(names) != len(values.named_children):
        return
    for name, value in zip(names, values.named_children, strict=True):
        yield Found(text_of(name), value_of(value), value, Kind.CONSTANT)


def _short(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`ttl := 5`."""
    left, right = field(node, "left"), field(node, "right")
    if (
        left is not None
        and right is not None
        and len(left.named_children) == len(right.named_children) == 1
    ):
        value = right.named_children[0]
        yield Found(text_of(left), value_of(value), value, Kind.CONSTANT)


def _element(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`Field: value` and `"key": value` of a literal."""
    if len(node.named_children) == 2:
        key, value = node.named_children
        yield Found(unquoted(key), value_of(value), value, Kind.FIELD)


def _option(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """An option that a literal describes: `&cli.IntFlag{Name: "port", Value: 80, Sources: cli.EnvVars("PORT")}`, or a
    setting: `{Name: "port", Default: 80}`."""
    given: dict[str, Node] = {}
    for element in node.named_children:
        if element.type == "keyed_element" and len(element.named_children) == 2:
            given[text_of(element.named_children[0])] = element.named_children[1]
    if "Name" not in given:
        return
    if "Default" in given:
        default = given["Default"]
        yield Found(
            unquoted(given["Name"]), _typed(value_of(default)), default, Kind.OPTION
        )
    kind = text_of(field(node.parent, "type")).rpartition(".")[2]
    if not kind.endswith("Flag"):
        return
    value = given.get("Value")
    aliases = [f"--{text}" for text in _texts(given.get("Aliases"))]
    variables = _texts(given.get("Sources")) or _texts(given.get("EnvVars"))
    shown = value if value is not None else node
    stated = _ZEROS.get(kind.removesuffix("Flag").lower())
    if value is not None:
        stated = value_of(value)
    yield Found(
        f"--{unquoted(given['Name'])}",
        stated,
        shown,
        Kind.OPTION,
        also=(*aliases, *variables),
    )


def _call(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """Flags (`flag.Int("port", 80, "usage")`, `app.Flag("port", "usage").Default("80")`), `SetDefault("port", 80)`."""
    called = field(node, "function")
    function = text_of(called).rpartition(".")[2].strip()
    arguments = field(node, "arguments")
    given = list(arguments.named_children) if arguments is not None else []
    if function == "Default" and given:
        receiver = field(node, "function", "operand")
        while receiver is not None and receiver.type == "call_expression":
            names = _texts(field(receiver, "arguments"))
            if text_of(field(receiver, "function")).endswith("Flag") and names:
                yield Found(
                    f"--{names[0]}", _typed(value_of(given[0])), given[0], Kind.OPTION
                )
            receiver = field(receiver, "function", "operand")
        return
    if function == "SetDefault" and len(given) == 2:
        yield Found(unquoted(given[0]), value_of(given[1]), given[1], Kind.LOOKUP)
        return
    if _names_a_setting(node):
        yield Found(_setting_name(given[0]), value_of(given[1]), given[1], Kind.LOOKUP)
        return
    if (
        not _FLAG.fullmatch(function)
        or called is None
        or called.type != "selector_expression"
    ):
        return
    positions = []
    for position, item in enumerate(given[:3]):
        if item.type.endswith("string_literal"):
            positions.append(position)
    if not positions or len(given) < positions[0] + 3:
        return
    start = positions[0]
    has_short = function.endswith("P")
    place = start + (2 if has_short else 1)
    if place < len(given) - 1 and _NAME.fullmatch(unquoted(given[start])):
        also = (f"-{unquoted(given[start + 1])}",) if has_short else ()
        yield Found(
            f"--{unquoted(given[start])}",
            value_of(given[place]),
            given[place],
            Kind.OPTION,
            also,
        )


def _tagged(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """A field whose tag has its default: `Port int `default:"80"``."""
    tag = field(node, "tag")
    default = _TAG_DEFAULT.search(text_of(tag))
    names = tuple(_TAG_NAME.findall(text_of(tag)))
    kind = text_of(field(node, "type"))
    if tag is not None and default:
        yield Found(
            text_of(field(node, "name")),
            scalar(default[1]),
            tag,
            Kind.FIELD,
            also=names,
        )
    elif names and (kind in _ZEROS or kind.startswith(("*", "[]", "map["))):
        yield Found(
            text_of(field(node, "name")), _ZEROS.get(kind), node, Kind.UNSET, also=names
        )


def _assigned(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`c.Port = 80` in a function that sets defaults."""
    method = node.parent
    while method is not None and method.type not in (
        "method_declaration",
        "function_declaration",
    ):
        method = method.parent
    if "default" not in text_of(field(method, "name")).lower():
        return
    left, right = field(node, "left"), field(node, "right")
    if (
        left is None
        or right is None
        or len(left.named_children) != 1
        or len(right.named_children) != 1
    ):
        return
    target = left.named_children[0]
    if target.type == "selector_expression":
        owner = tuple(re.findall(r"\w+", text_of(field(method, "receiver")))[1:2])
        name = text_of(field(target, "field"))
        yield Found(
            name, value_of(right.named_children[0]), right, Kind.FIELD, inside=owner
        )


def value_of(node: Node, depth: int = 0) -> Value:
    """The value of an expression."""
    return value_in(node, _GRAMMAR, depth)


def _selected(node: Node, depth: int) -> Value:
    """`time.Second`, or a name of another package."""
    text = text_of(node)
    unit = _UNITS.get(text.removeprefix("time."))
    if unit and text.startswith("time."):
        return Duration(unit)
    return Reference(text)


def _unary(node: Node, depth: int) -> Value:
    """`-5`, and `&x`, whose value is that of `x`."""
    value = value_of(node.named_children[-1], depth + 1)
    if text_of(node).startswith("&"):
        return value
    if text_of(node).startswith("-"):
        return arithmetic(0, "-", value)
    return Computed()


def _called(node: Node, depth: int) -> Value:
    """A conversion has the value of what it converts: `Duration(5 * time.Second)`, `ptr.To(5)`, `[]byte("x")`; a
    look-up has its default."""
    arguments = field(node, "arguments")
    called = field(node, "function")
    given = arguments.named_children if arguments is not None else []
    if called is not None and _names_a_setting(node):
        return value_of(given[1], depth + 1)
    if called is None or len(given) != 1:
        return Computed()
    if called.type == "func_literal" or _CONVERSION.search(text_of(called)):
        return value_of(given[0], depth + 1)
    return Computed()


def _names_a_setting(call: Node) -> bool:
    """True if a call takes a name and its default: `env.Int("APP_PORT", 80)`, `EnvOr(portVariable, 80)`."""
    arguments = field(call, "arguments")
    given = arguments.named_children if arguments is not None else []
    if len(given) < 2 or not _BY_NAME.fullmatch(text_of(field(call, "function"))):
        return False
    return bool(_VARIABLE.fullmatch(_setting_name(given[0]))) or given[0].type in (
        "identifier",
        "selector_expression",
    )


def _setting_name(node: Node) -> str:
    """The name that a literal is, or the constant that holds it."""
    return unquoted(node).rpartition(".")[2]


def _composite(node: Node, depth: int) -> Value:
    body = field(node, "body")
    children = body.named_children if body is not None else []
    kind = field(node, "type")
    if kind is not None and kind.type in ("slice_type", "array_type"):
        return Items(
            tuple(
                value_of(item, depth + 1) for item in children if item.type != "comment"
            )
        )
    if kind is not None and kind.type == "map_type":
        pairs = []
        for item in children:
            if item.type == "keyed_element" and len(item.named_children) == 2:
                key, value = item.named_children
                pairs.append((unquoted(key), value_of(value, depth + 1)))
        return Entries(tuple(pairs))
    is_list = bool(children) and all(
        item.type == "literal_element" for item in children
    )
    if is_list:
        return Items(tuple(value_of(item, depth + 1) for item in children))
    return Computed()


def _texts(node: Node | None) -> list[str]:
    """The literal texts within an expression."""
    return re.findall(r'"([^"]+)"', text_of(node))


def _text(literal: str) -> Value:
    if literal.startswith("`"):
        return literal[1:-1]
    return literal_text(literal)


def _typed(value: Value) -> Value:
    """A flag's default that is written as a text, whatever its type."""
    if isinstance(value, str):
        return scalar(value)
    return value


_GRAMMAR = Grammar(
    text=_text,
    others={
        "selector_expression": _selected,
        "unary_expression": _unary,
        "call_expression": _called,
        "composite_literal": _composite,
    },
    numbers=("int_literal", "float_literal"),
    texts=("interpreted_string_literal", "raw_string_literal"),
    names=("identifier",),
    wrappers=("parenthesized_expression", "literal_element"),
    lists=("literal_value",),
)
