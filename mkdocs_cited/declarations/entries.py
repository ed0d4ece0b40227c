"""Turns entries of `answers:` into declarations, and everything that is wrong with them into findings.

A good entry next to a bad one still works; an unknown key is reported and otherwise ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any

import msgspec
import yaml
from msgspec import Struct

from mkdocs_cited.base.bounded_yaml import value_of
from mkdocs_cited.base.text import collapse, did_you_mean, shorten, slugify
from mkdocs_cited.declarations.front_matter import FrontMatter, items
from mkdocs_cited.declarations.values import (
    EXPECT_TIP,
    MisreadError,
    expectations,
    glob_problem,
)
from mkdocs_cited.model.declaration import (
    AUTHORED,
    AnswerFormat,
    Declaration,
    Length,
    Target,
)
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.settings import in_words

MOST_QUESTION = 2_000
"""Longest question or phrasing, in characters."""
MOST_TEXT = 100_000
"""Longest authored text, in characters."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
# Markdown renderers use control characters as placeholders, and neither YAML nor JSON can carry half a pair.
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_BLOCK_START = re.compile(r"[^\n]*\n(?: *\n)*( *)")
"""What is before the first character of a text that is indented below its key; the group is its indentation."""
Question = Annotated[str, msgspec.Meta(pattern=r"\S", max_length=MOST_QUESTION)]

TYPES: dict[str, tuple[Any, str]] = {
    "question": (Question, "write `question: How do I …?`"),
    "id": (str, "write a word such as `id: rate-limits`"),
    "queries": (
        Annotated[list[Question], msgspec.Meta(max_length=50)],
        "write a list: `queries: [requests per minute, throttling]`",
    ),
    "sources": (
        Annotated[list[str], msgspec.Meta(max_length=200)],
        'write a list of globs: `sources: [api/*.md, "!api/legacy.md"]`',
    ),
    "provider": (str, "write the name of a provider: `provider: quote`"),
    "text": (
        Annotated[str, msgspec.Meta(pattern=r"\S", max_length=MOST_TEXT)],
        "write `text: >` and the text indented below",
    ),
    "format": (AnswerFormat, "write one of `prose`, `steps`, `list`, `table`"),
    "length": (Length, "write one of `short`, `normal`, `full`"),
    "target": (Target, "write one of `markdown`, `json`, `yaml`"),
    "schema": (
        dict[str, Any],
        "write the JSON schema as a mapping: `schema: {type: object, …}`",
    ),
    "expect": (Any, EXPECT_TIP),
}
"""Every key of an entry: its type, and what to write."""
OF_A_FILE = tuple(key for key in TYPES if key not in ("target", "schema"))
"""The keys of an entry in a file of questions."""
_ELSEWHERE = {
    "answer": "write `text` for an answer of your own",
    "cite": "write each citation into `text`: `[@guide/keys.md#rotate]`",
    "suppress": "write it under the option `suppress` in mkdocs.yml",
}
"""Keys that are none, though they look like it → what to write instead."""


class Context(Struct, frozen=True):
    """What an entry is read with, besides itself."""

    page: str
    """Path of the page under `docs_dir`."""
    locale: str
    providers: Collection[str]
    """Names of the providers that are installed; empty when they are not known."""
    matter: FrontMatter
    """Where the entry is."""
    in_file: bool = False
    """Whether it is in a file of questions, where a question alone is an entry."""


class Entry(Struct, frozen=True):
    """An entry of `answers:`."""

    place: Place
    id: str = ""
    """As far as it could be told."""
    declaration: Declaration | None = None
    """Nothing where the entry cannot be used."""
    findings: tuple[Finding, ...] = ()


def read_entry(node: yaml.Node, context: Context) -> Entry:
    """Read one entry of `answers:`."""
    nodes, problems = _nodes(node, context)
    fields: dict[str, Any] = {}
    for key, value in nodes.items():
        try:
            fields |= _fields(key, value, context)
        except MisreadError as error:
            problems.append(error)
    problems += _contradictions(node, nodes, fields)
    question = fields.pop("question", "")
    name = fields.pop("id", "")
    if question and "id" not in nodes:
        name = slugify(question)
    if "text" in fields:
        fields["provider"] = AUTHORED
    findings = []
    is_usable = True
    for problem in problems:
        is_usable = is_usable and problem.slug == "unknown-option"
        place = context.matter.place(problem.node)
        findings.append(
            found(
                problem.slug,
                place,
                problem.message,
                tip=problem.tip,
                answer=f"{context.page}#{name}" if name else "",
            )
        )
    declaration = None
    place = context.matter.place(node)
    if is_usable:
        declaration = Declaration(
            context.page, name, question, place, context.locale, **fields
        )
    return Entry(place, name, declaration, tuple(findings))


def _nodes(
    node: yaml.Node, context: Context
) -> tuple[dict[str, yaml.Node], list[MisreadError]]:
    """The value of each known key, and what is wrong with the others."""
    if context.in_file and isinstance(node, yaml.ScalarNode):
        return {"question": node}, []
    if not isinstance(node, yaml.MappingNode):
        message = "an entry of `answers` is not a mapping"
        return {}, [MisreadError(node, message, "write `- question: How do I …?`")]
    known = OF_A_FILE if context.in_file else tuple(TYPES)
    nodes: dict[str, yaml.Node] = {}
    problems = []
    for key, key_node, value in items(node):
        if key in nodes:
            message = f"`{key}` appears twice in this answer"
            problems.append(MisreadError(key_node, message, "delete one of them"))
        elif key in known:
            nodes[key] = value
        elif key in _ELSEWHERE:
            message = f"`{key}` is not a key of an answer"
            problems.append(MisreadError(key_node, message, _ELSEWHERE[key]))
        else:
            where = "an answer"
            if key in TYPES:
                where = "a question in this file"
            message = f"`{key[:80]}` is not a key of {where}"
            tip = did_you_mean(key, known)
            problems.append(MisreadError(key_node, message, tip, "unknown-option"))
    return nodes, problems


def _fields(key: str, node: yaml.Node, context: Context) -> dict[str, Any]:
    """The declaration's fields that the value of a key makes.

    Raises:
        MisreadError: it has another type, or says nothing that can be used.
    """
    kind, tip = TYPES[key]
    try:
        value = msgspec.convert(msgspec.to_builtins(value_of(node)), kind)
    except msgspec.ValidationError as error:
        problem = in_words(str(error).partition(" - at ")[0])
        message = f"`{key}`: {shorten(problem, 200)}"
        raise MisreadError(node, message, tip) from None
    if any(_FORBIDDEN.search(text) for text in _texts(node)):
        message = f"`{key}` has a control character or half a character"
        raise MisreadError(node, message, "delete it")
    match key:
        case "question":
            return {key: collapse(value)}
        case "id":
            return {key: _id(value, node)}
        case "queries":
            return {key: tuple(dict.fromkeys(map(collapse, value)))}
        case "sources":
            return {key: _sources(node)}
        case "provider":
            return {key: _provider(value, node, context.providers)}
        case "text":
            place, is_verbatim = _text_place(node, context.matter)
            text = value.strip("\n").rstrip()
            return {key: text, "text_place": place, "text_verbatim": is_verbatim}
        case "schema":
            return {key: _canonical(value, node)}
        case "expect":
            return {key: expectations(node, context.matter.place)}
    return {key: value}


def _contradictions(
    node: yaml.Node, nodes: Mapping[str, yaml.Node], fields: Mapping[str, Any]
) -> Iterator[MisreadError]:
    """What is wrong between the keys of an entry."""
    if isinstance(node, yaml.MappingNode) and "question" not in nodes:
        yield MisreadError(node, "an answer has no `question`", TYPES["question"][1])
    provider = fields.get("provider", "")
    if "text" in fields and provider not in ("", AUTHORED):
        message = (
            f"`text` is your own answer, so `{provider[:80]}` has nothing to write"
        )
        yield MisreadError(nodes["provider"], message, "delete one of the two")
    if provider == AUTHORED and "text" not in nodes:
        message = "`provider: authored` needs the author's `text`"
        yield MisreadError(nodes["provider"], message, TYPES["text"][1])
    if "schema" in fields and fields.get("target") not in (Target.JSON, Target.YAML):
        message = "`schema` needs an answer in JSON or YAML"
        tip = "add `target: json`, or delete it"
        yield MisreadError(nodes["schema"], message, tip)


def _texts(node: yaml.Node) -> Iterator[str]:
    """Every text in a value."""
    if isinstance(node, yaml.ScalarNode):
        yield node.value
        return
    for part in node.value:
        for inner in part if isinstance(part, tuple) else (part,):
            yield from _texts(inner)


def _id(value: str, node: yaml.Node) -> str:
    if _ID.fullmatch(value):
        return value
    tip = f"write `id: {slugify(value)[:60]}`: ASCII letters, digits, `-` and `_`, at most 100"
    raise MisreadError(node, f"`{value[:80]}` cannot be an id", tip)


def _sources(node: yaml.Node) -> tuple[str, ...]:
    globs = []
    for item in node.value:
        problem = glob_problem(item.value)
        if problem:
            message = f"`{item.value[:80]}` is not a glob of pages: {problem}"
            raise MisreadError(item, message, TYPES["sources"][1])
        globs.append(item.value)
    return tuple(globs)


def _provider(value: str, node: yaml.Node, known: Collection[str]) -> str:
    if not known or value in known:
        return value
    message = f"`{value[:80]}` is not an installed provider"
    raise MisreadError(node, message, did_you_mean(value, sorted(known)))


def _canonical(schema: dict[str, Any], node: yaml.Node) -> str:
    try:
        return json.dumps(
            schema,
            sort_keys=True,
            ensure_ascii=False,
            allow_nan=False,
            separators=(",", ":"),
        )
    except (TypeError, ValueError) as error:
        message = f"`schema` is not JSON: {error}"
        tip = "write keys and dates in quotes"
        raise MisreadError(node, message, tip) from None


def _text_place(node: yaml.Node, matter: FrontMatter) -> tuple[Place, bool]:
    """Where the first line of a text is, and whether its lines are lines of the file."""
    place = matter.place(node)
    written = matter.text_of(node)
    block = _BLOCK_START.match(written)
    style = node.style if isinstance(node, yaml.ScalarNode) else ""
    if block is None or style not in ("|", ">"):
        return Place(place.file, place.line, place.column), False
    first = Place(place.file, place.line + block[0].count("\n"), len(block[1]) + 1)
    # YAML ends lines at NEL, LS and PS as well; a file does not.
    is_verbatim = style == "|" and not re.search("[\x85\u2028\u2029]", written)
    return first, is_verbatim
