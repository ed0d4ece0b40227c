"""Reads languages that have a grammar of tree-sitter: a query for each, `go.scm`, names what defines something.

A query's captures:

- `@scope` is what holds definitions, `@name` in it what it is called.
- `@definition` is what defines a `@name`; a capture called like a `Kind` is the value.
- `@also` is another name, `@inside` what the name is a member of.
- `@described` is a literal with a name and a default, each under a key of its own; a setting says of which kind.
- `@same` is what a `@definition` without a name has the value of: `Some(5)` that of `5`.
- `@type` is the type of a member that nothing sets.

Its settings: one that is called like a capture is a regular expression with a group, for what is meant within the
capture's text; `long` puts `--` before the name, `short` `-` before other names, `flag` makes a flag of the name;
`typed` reads a text as the value that it stands for; `within` is a word of a scope that it must lie in, `outermost` one
that lies in none; `known` leaves out what only a run can tell.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module, resources
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.code.interface import (
    Computed,
    Definition,
    Entries,
    Items,
    Kind,
    Reference,
    Value,
    arithmetic,
    number,
    one_line,
    quantity,
    scalar,
    typed,
)

if TYPE_CHECKING:
    from tree_sitter import Node

LANGUAGES = {
    "go": ("tree_sitter_go", "language", "go.scm"),
    "rust": ("tree_sitter_rust", "language", "rust.scm"),
    "typescript": ("tree_sitter_typescript", "language_typescript", "typescript.scm"),
    "tsx": ("tree_sitter_typescript", "language_tsx", "typescript.scm"),
    "java": ("tree_sitter_java", "language", "java.scm"),
    "csharp": ("tree_sitter_c_sharp", "language", "csharp.scm"),
}
"""Name of a language → module and function of its grammar, and its query."""
_NUMBERS = frozenset(
    "int_literal float_literal integer_literal number decimal_integer_literal hex_integer_literal real_literal "
    "decimal_floating_point_literal".split()
)
_NUMBER_TYPE = re.compile(r"_?(?:[ui](?:8|16|32|64|128|size)|f32|f64)$|[lLmM]$")
_TEXTS = frozenset(
    "char_literal interpreted_string_literal raw_string_literal string string_literal template_string "
    "character_literal".split()
)
_CONSTANTS: Mapping[str, Value] = {
    "true": True, "false": False, "nil": None, "None": None, "null": None, "undefined": None,
}  # fmt: skip
_NAMES = frozenset(
    "identifier scoped_identifier member_expression selector_expression field_access member_access_expression".split()
)
_WRAPPERS = frozenset(
    "as_expression literal_element non_null_expression parenthesized_expression reference_expression "
    "satisfies_expression argument".split()
)
"""What has the value of the first thing that it holds."""
_LISTS = frozenset(
    "array array_expression literal_value array_initializer initializer_expression collection_expression".split()
)
_CALLS = frozenset(("call_expression", "method_invocation", "invocation_expression"))
_FROM = re.compile("from_?|of")
_EMPTY = re.compile(
    r"vec!\s*[\[(]\s*[\])]|(?:String|Vec|HashMap|BTreeMap|HashSet)::(?:new|default)\(\)"
)
_ZEROS: Mapping[str, Value] = {
    "bool": False, "string": "", "int": 0, "int32": 0, "int64": 0, "uint": 0, "float64": 0, "time.Duration": 0,
    "duration": 0,
}  # fmt: skip
"""What a member of a type of Go is that nothing sets."""
_DEEPEST = 50
"""Expressions that a value may lie in."""
_DEEPEST_MATCH = 500
"""Depth at which a definition may begin: a chain of thousands of calls would take the square of its length."""


class Match(Struct, frozen=True):
    """A match of a pattern of a query."""

    node: Node
    """The scope or the definition."""
    captures: Mapping[str, list[Node]]
    settings: Mapping[str, str | None]

    def texts(self, capture: str) -> Iterator[tuple[str, Node]]:
        """The texts that the nodes of a capture have or, where a setting says so, those that they hold."""
        pattern = self.settings.get(capture)
        for node in self.captures.get(capture, ()):
            if pattern is None:
                yield unquoted(node), node
            else:
                for found in re.findall(pattern, text_of(node)):
                    yield found, node


class TreeReader:
    """Reads with a grammar of tree-sitter, which parses what it can of a broken file."""

    def __init__(self, language: str) -> None:
        """`language` is a name in `LANGUAGES`."""
        from tree_sitter import Language, Parser, Query

        module, function, query = LANGUAGES[language]
        grammar = Language(getattr(import_module(module), function)())
        source = resources.files(__package__).joinpath(query)
        self._parser = Parser(grammar)
        self._query = Query(grammar, source.read_text("utf-8"))

    def read(self, text: str, file: str) -> Iterator[Definition]:
        """The definitions of a file."""
        matches = self._matches(text)
        values = Values(matches)
        scopes: list[tuple[int, str]] = []
        """End and name of each scope that a match lies in."""
        for match in matches:
            while scopes and scopes[-1][0] <= match.node.start_byte:
                scopes.pop()
            if "scope" in match.captures:
                for name, _ in match.texts("name"):
                    scopes.append((match.node.end_byte, name))
                continue
            scope = [name for _, name in scopes]
            for owner, _ in match.texts("inside"):
                scope += re.findall(r"[\w$]+", owner)
            if "outermost" in match.settings and scopes:
                continue
            within = match.settings.get("within") or ""
            if within not in ".".join(scope).lower():
                continue
            for found in _found(match, values):
                yield replace(found, scope=tuple(scope), file=file)

    def _matches(self, text: str) -> list[Match]:
        """The matches of the query, those that hold others before them."""
        from tree_sitter import QueryCursor

        tree = self._parser.parse(text.encode("utf-8", "replace"))
        matches = []
        described: set[int] = set()
        cursor = QueryCursor(self._query)
        cursor.set_max_start_depth(_DEEPEST_MATCH)
        for pattern, captures in cursor.matches(tree.root_node):
            node = (captures.get("scope") or captures["definition"])[0]
            if "described" in captures and node.id in described:
                continue  # a key that stands there many times
            if "described" in captures:
                described.add(node.id)
            matches.append(Match(node, captures, self._query.pattern_settings(pattern)))
        return sorted(matches, key=_position)


def _position(match: Match) -> tuple[int, int, bool]:
    """Sorts what holds others before them, and a definition before the scope that it is itself."""
    return match.node.start_byte, -match.node.end_byte, "scope" in match.captures


def _found(match: Match, values: Values) -> Iterator[Definition]:
    """What a match defines."""
    for node in match.captures.get("described", ()):
        yield from _described(node, values, Kind(match.settings["described"] or ""))
    name = next((text for text, _ in match.texts("name")), "")
    if not name:
        return
    also = [text for text, _ in match.texts("also")]
    if "short" in match.settings:
        also = [f"-{text}" for text in also]
    if "flag" in match.settings:
        also.insert(0, name)
        name = name.replace("_", "-")
    if "long" in match.settings or "flag" in match.settings:
        name = f"--{name}"
    for kind in Kind:
        for written, node in match.texts(kind.value):
            if kind.value in match.settings:
                value = _in_attribute(written)
            elif kind is Kind.UNSET:
                value = _ZEROS.get(next(match.texts("type"))[0])
            else:
                value = values.of(node)
            if "typed" in match.settings:
                value = typed(value)
            if "known" in match.settings and isinstance(value, Computed):
                continue
            yield _made(name, value, kind, node, also)


def _described(node: Node, values: Values, kind: Kind) -> Iterator[Definition]:
    """What a literal describes: `{name: "port", default: 80}`,
    `&cli.IntFlag{Name: "port", Value: 80, Sources: cli.EnvVars("PORT")}`."""
    given = {}
    for key, value in entries(node):
        given[key.lower()] = value
    name = unquoted(given.get("name"))
    struct = text_of(field(node.parent, "type")).rpartition(".")[2]
    if struct.endswith("Flag"):
        written = given.get("value", node)
        stated = _ZEROS.get(struct.removesuffix("Flag").lower())
        if "value" in given:
            stated = values.of(written)
        also = [f"--{text}" for text in _quoted(given.get("aliases"))]
        also += _quoted(given.get("sources")) + _quoted(given.get("envvars"))
        yield _made(f"--{name}", stated, kind, written, also)
    elif name and "default" in given:
        default = given["default"]
        yield _made(name, typed(values.of(default)), kind, default, ())


def _made(
    name: str, value: Value, kind: Kind, node: Node, also: Sequence[str]
) -> Definition:
    """A definition, without its scope and file; its place is that of the node that writes the value."""
    return Definition(
        name=name,
        scope=(),
        value=value,
        kind=kind,
        file="",
        line=node.start_point[0] + 1,
        end_line=node.end_point[0] + 1,
        text=one_line(text_of(node)),
        also=tuple(also),
    )


def _of_name(name: str) -> Value:
    """A name refers to a value; `time.Second` is one."""
    unit = quantity(f"1 {name.removeprefix('time.')}")
    if name.startswith("time.") and unit is not None:
        return unit
    return Reference(name)


class Values:
    """Reads expressions."""

    def __init__(self, matches: Sequence[Match]) -> None:
        """`matches` tell which expressions have the value of another."""
        self._same: dict[int, Node] = {}
        for match in matches:
            for node in match.captures.get("same", ()):
                self._same[match.node.id] = node

    def of(self, node: Node, depth: int = 0) -> Value:
        """The value of an expression. Values nest, so this calls itself.

        Args:
            depth: how many expressions it lies in.
        """
        while node.id in self._same:
            node = self._same[node.id]
        written = text_of(node)
        if node.type in _NUMBERS:
            found = number(_NUMBER_TYPE.sub("", written))
            if found is None:
                return Computed()
            return found
        if node.type in _TEXTS:
            return _text(written)
        if written in _CONSTANTS:
            return _CONSTANTS[written]
        if _EMPTY.fullmatch(written):
            return Items(())
        if node.type in _NAMES:
            return _of_name(written)
        if depth < _DEEPEST:
            return self._of_several(node, depth + 1)
        return Computed()

    def _of_several(self, node: Node, depth: int) -> Value:
        """The value of an expression that holds others."""
        node_type = node.type
        if node_type in _LISTS:
            return self._of_elements(node, depth)
        if node_type == "object":
            return self._of_entries(node, depth)
        if node_type == "composite_literal":
            return self._of_literal(node, depth)
        if not node.named_children:
            return Computed()
        first, last = node.named_children[0], node.named_children[-1]
        if node_type in _WRAPPERS:
            return self.of(first, depth)
        if node_type.endswith("unary_expression") and text_of(node).startswith("-"):
            return arithmetic(0, "-", self.of(last, depth))
        if node_type == "binary_expression":
            operator = text_of(field(node, "operator"))
            return arithmetic(self.of(first, depth), operator, self.of(last, depth))
        if node_type in _CALLS:
            return self._of_call(node, depth)
        return Computed()

    def _of_call(self, node: Node, depth: int) -> Value:
        """A length of time, a size, a list: `Duration::from_secs(5)`, `TimeSpan.FromSeconds(5)`, `List.of("a")`."""
        called = text_of(node).partition("(")[0]
        type_name, _, unit = called.replace("::", ".").partition(".")
        given = field(node, "arguments")
        if given and type_name in ("List", "Set") and unit == "of":
            return self._of_elements(given, depth)
        is_amount = type_name in ("Duration", "TimeSpan", "ByteSize")
        if not is_amount or not given or not given.named_children:
            return Computed()
        amount = self.of(given.named_children[0], depth)
        return quantity(f"{amount} {_FROM.sub('', unit.lower())}") or Computed()

    def _of_literal(self, node: Node, depth: int) -> Value:
        """A list or mapping of Go; only a run can tell what a struct is."""
        body = field(node, "body")
        element_types = {item.type for item in body.named_children} if body else set()
        type_name = text_of(field(node, "type"))
        if body and type_name.startswith("map["):
            return self._of_entries(body, depth)
        if body and (type_name.startswith("[") or element_types == {"literal_element"}):
            return self._of_elements(body, depth)
        return Computed()

    def _of_elements(self, node: Node, depth: int) -> Value:
        """A list."""
        values = []
        for item in node.named_children:
            if item.type != "comment":
                values.append(self.of(item, depth))
        return Items(tuple(values))

    def _of_entries(self, node: Node, depth: int) -> Value:
        """A mapping."""
        pairs = []
        for name, value in entries(node):
            pairs.append((name, self.of(value, depth)))
        return Entries(tuple(pairs))


def entries(node: Node) -> Iterator[tuple[str, Node]]:
    """The names and values of a mapping or struct."""
    for item in node.named_children:
        key, value = field(item, "key"), field(item, "value")
        if key and value:
            yield unquoted(key), value


def text_of(node: Node | None) -> str:
    """The source text of a node; empty without one."""
    if node is None or node.text is None:
        return ""
    return node.text.decode("utf-8", "replace")


def unquoted(node: Node | None) -> str:
    """The source text of a name or a literal text, without its quotes."""
    return text_of(node).strip("\"'`")


def field(node: Node | None, name: str) -> Node | None:
    """What a field of a node has."""
    if node is None:
        return None
    return node.child_by_field_name(name)


def _quoted(node: Node | None) -> list[str]:
    """The literal texts within an expression."""
    return re.findall(r'"([^"]+)"', text_of(node))


def _text(literal: str) -> Value:
    """The text of a literal; computed where its notation is none of Python's."""
    if literal.startswith("`") and "${" not in literal:
        return literal[1:-1]
    if literal.startswith("r"):
        return literal.strip("r#")[1:-1]
    try:
        return str(ast.literal_eval(literal.replace("\n", "\\n")))
    except (SyntaxError, ValueError):
        return Computed()


def _in_attribute(written: str) -> Value:
    """The value that an attribute writes; a word without quotes is the name of a value."""
    value = scalar(written.strip('"'))
    if isinstance(value, str) and not written.startswith('"'):
        return Reference(value)
    return value
