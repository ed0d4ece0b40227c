"""The definitions of a Rust file: constants, literals of structs in defaults, attributes of clap and serde."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from mkdocs_cited.code.interface import (
    Computed,
    Duration,
    Items,
    Kind,
    Reference,
    Value,
)
from mkdocs_cited.code.literals import number, scalar
from mkdocs_cited.code.trees import (
    Found,
    Grammar,
    Handler,
    TreeReader,
    field,
    literal_text,
    text_of,
    value_in,
)

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_SECONDS = {
    "nanos": 1e-9,
    "micros": 1e-6,
    "millis": 1e-3,
    "secs": 1.0,
    "mins": 60.0,
    "hours": 3600.0,
    "days": 86400.0,
}
_BYTES = {
    "b": 1,
    "kb": 1000,
    "mb": 1000**2,
    "gb": 1000**3,
    "kib": 1024,
    "mib": 1024**2,
    "gib": 1024**3,
}
_SUFFIX = re.compile(r"_?(?:[ui](?:8|16|32|64|128|size)|f32|f64)$")
_WRAPPERS = frozenset(
    (
        "Some",
        "String::from",
        "Cow::Borrowed",
        "PathBuf::from",
        "Box::new",
        "Arc::new",
        "Ok",
    )
)
"""Calls whose value is that of their argument."""
_CONVERSIONS = frozenset(
    ("to_string", "into", "to_owned", "clone", "unwrap", "expect", "to_vec")
)
_ATTRIBUTE = re.compile(
    r'\b(default_value_t|default_value|default|env|rename)\s*=\s*("(?:[^"\\]|\\.)*"|[\w:.-]+)'
)
_LONG = re.compile(r'\blong\b(?:\s*=\s*"([^"]+)")?')


class Rust(TreeReader):
    """Reads Rust with tree-sitter-rust."""

    scopes: ClassVar[Mapping[str, str]] = {
        "impl_item": "type",
        "mod_item": "name",
        "struct_item": "name",
        "function_item": "name",
        "const_item": "name",
        "static_item": "name",
        "struct_expression": "name",
        "field_initializer": "field",
    }

    def parser(self) -> Parser:
        """A parser of Rust."""
        import tree_sitter_rust
        from tree_sitter import Language, Parser

        return Parser(Language(tree_sitter_rust.language()))

    def handlers(self) -> Mapping[str, Handler]:
        """What defines names in Rust."""
        return {
            "const_item": _constant,
            "static_item": _constant,
            "function_item": _function,
            "field_initializer": _initializer,
            "field_declaration": _declared,
            "call_expression": _fallback,
            "let_declaration": _local,
        }


def _constant(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`const TTL: u64 = 5;`."""
    value = field(node, "value")
    if value is not None:
        yield Found(text_of(field(node, "name")), value_of(value), value, Kind.CONSTANT)


def _function(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """A function that only returns a value, as serde's `default = "function"` wants it."""
    body = field(node, "body")
    if body is not None and len(body.named_children) == 1:
        value = body.named_children[0]
        found = value_of(value)
        if not isinstance(found, Computed):
            yield Found(text_of(field(node, "name")), found, value, Kind.CONSTANT)


def _initializer(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`field: value` of a struct, in what makes defaults."""
    value = field(node, "value")
    if value is not None and any("default" in part.lower() for part in scope):
        yield Found(text_of(field(node, "field")), value_of(value), value, Kind.FIELD)


def _declared(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """A field with its default in an attribute: `#[arg(long, default_value = "80")]`, `#[serde(default = "port")]`."""
    written = ""
    place = node
    before = node.prev_named_sibling
    while before is not None and before.type in (
        "attribute_item",
        "line_comment",
        "block_comment",
    ):
        if before.type == "attribute_item":
            written += text_of(before)
            if "default" in text_of(before):
                place = before
        before = before.prev_named_sibling
    given = dict(_ATTRIBUTE.findall(written))
    default = (
        given.get("default_value_t")
        or given.get("default_value")
        or given.get("default")
    )
    if not default:
        return
    name = text_of(field(node, "name"))
    also = []
    for key in ("env", "rename"):
        if key in given:
            also.append(given[key].strip('"'))
    value: Value
    if default.startswith('"'):
        value = scalar(default.strip('"'))
        if "default" in given:
            value = Reference(default.strip('"'))
    else:
        found = number(_SUFFIX.sub("", default))
        value = Reference(default) if found is None else found
        if default in ("true", "false"):
            value = default == "true"
    long = _LONG.search(written)
    if long:
        flag = f"--{long[1] or name.replace('_', '-')}"
        yield Found(flag, value, place, Kind.OPTION, also=(name, *also))
    else:
        yield Found(name, value, place, Kind.FIELD, also=tuple(also))


def _fallback(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`config.port.unwrap_or(80)`, `builder.set_default("port", 80)`."""
    receiver = field(node, "function", "value")
    arguments = field(node, "arguments")
    given = arguments.named_children if arguments is not None else []
    if text_of(field(node, "function", "field")) == "set_default" and len(given) == 2:
        yield Found(
            text_of(given[0]).strip('"'), value_of(given[1]), given[1], Kind.LOOKUP
        )
        return
    if (
        text_of(field(node, "function", "field")) != "unwrap_or"
        or receiver is None
        or arguments is None
    ):
        return
    if receiver.type == "field_expression" and arguments.named_children:
        value = arguments.named_children[0]
        yield Found(
            text_of(field(receiver, "field")), value_of(value), value, Kind.LOOKUP
        )


def _local(node: Node, scope: tuple[str, ...]) -> Iterator[Found]:
    """`let port = options.and_then(…).unwrap_or(80);`."""
    value = field(node, "value")
    function = field(value, "function", "field")
    arguments = field(value, "arguments")
    if (
        text_of(function) == "unwrap_or"
        and arguments is not None
        and arguments.named_children
    ):
        default = arguments.named_children[0]
        yield Found(
            text_of(field(node, "pattern")), value_of(default), default, Kind.LOOKUP
        )


def value_of(node: Node, depth: int = 0) -> Value:
    """The value of an expression."""
    return value_in(node, _GRAMMAR, depth)


def _macro(node: Node, depth: int) -> Value:
    """`vec![]`."""
    if re.fullmatch(r"vec!\s*[\[(]\s*[\])]", text_of(node)):
        return Items(())
    return Computed()


def _called(node: Node, depth: int) -> Value:
    """What conversions and constructors return: `"x".to_string()`, `Some(5)`, `Duration::from_secs(5)`."""
    function, arguments = field(node, "function"), field(node, "arguments")
    if function is None or arguments is None:
        return Computed()
    given = arguments.named_children
    if function.type == "field_expression":
        receiver = field(function, "value")
        is_conversion = text_of(field(function, "field")) in _CONVERSIONS
        if is_conversion and receiver is not None:
            return value_of(receiver, depth + 1)
        return Computed()
    name = text_of(function)
    unit = name.rpartition("from_")[2]
    value = value_of(given[0], depth + 1) if len(given) == 1 else Computed()
    if (
        name.startswith("Duration::from_")
        and unit in _SECONDS
        and isinstance(value, (int, float))
    ):
        return Duration(round(value * _SECONDS[unit], 9))
    size = name.rpartition("::")[2]
    if name.startswith("ByteSize") and size in _BYTES and isinstance(value, int):
        return value * _BYTES[size]
    if name in _WRAPPERS or name.startswith("NonZero"):
        return value
    if (
        not given
        and function.type in ("identifier", "scoped_identifier")
        and not name.endswith(("::new", "::default"))
    ):
        return Reference(name)
    if re.fullmatch(r"(?:String|Vec|HashMap|BTreeMap|HashSet)::(?:new|default)", name):
        return Items(())
    return Computed()


def _text(literal: str) -> Value:
    if literal.startswith("r"):
        return literal[literal.index('"') + 1 : literal.rindex('"')]
    plain = re.sub(
        r"\\u\{([0-9a-fA-F]+)\}", lambda match: chr(int(match[1], 16)), literal
    )
    return literal_text(plain.replace("\n", "\\n"))


_GRAMMAR = Grammar(
    text=_text,
    others={"call_expression": _called, "macro_invocation": _macro},
    numbers=("integer_literal", "float_literal"),
    texts=("string_literal", "raw_string_literal", "char_literal"),
    names=("identifier", "scoped_identifier"),
    wrappers=("reference_expression", "parenthesized_expression"),
    lists=("array_expression",),
    suffix=_SUFFIX,
)
