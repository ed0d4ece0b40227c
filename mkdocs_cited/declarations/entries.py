"""Turns entries of `answers:` into declarations, and everything that is wrong with them into findings.

A good entry next to a bad one still works; an unknown key is reported and otherwise ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Annotated, Any

import msgspec
import yaml
from msgspec import Struct

from mkdocs_cited.base.bounded_yaml import value_of
from mkdocs_cited.base.text import collapse, did_you_mean, shorten, slugify
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.front_matter import FrontMatter, items
from mkdocs_cited.declarations.values import (
    EXPECT_TIP,
    MisreadError,
    expectations,
    glob_problem,
    in_words,
    is_clean,
    is_date,
)
from mkdocs_cited.model.declaration import (
    AnswerFormat,
    Declaration,
    Length,
    Suppression,
    Target,
)
from mkdocs_cited.model.finding import CATALOGUE, Finding, Place, found

MOST_QUESTION = 2_000
"""Longest question or phrasing, in characters."""
MOST_TEXT = 100_000
"""Longest authored text, in characters."""
MOST_ENTRIES = 1_000
"""Most answers of one page."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
Filled = Annotated[str, msgspec.Meta(pattern=r"\S")]
Question = Annotated[str, msgspec.Meta(pattern=r"\S", max_length=MOST_QUESTION)]


class _Suppression(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of `suppress` as it is written."""

    slug: str = ""
    reason: str = ""
    expires: str = ""


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
    "cite": (
        bool | Annotated[list[Filled], msgspec.Meta(max_length=200)],
        "write a list of targets, `cite: [guide/keys.md#rotate]`, or `false`",
    ),
    "target": (Target, "write one of `markdown`, `json`, `yaml`"),
    "schema": (
        dict[str, Any],
        "write the JSON schema as a mapping: `schema: {type: object, …}`",
    ),
    "expect": (
        bool | str | int | float | list[bool | str | int | float | dict[str, Any]],
        EXPECT_TIP,
    ),
    "suppress": (
        list[_Suppression],
        "write a list: `suppress: [{slug: partial-claim, reason: why}]`",
    ),
}
"""Every key of an entry: its type, and what to write."""


class Context(Struct, frozen=True):
    """What an entry is read with, besides itself."""

    page: str
    """Path of the page under `docs_dir`."""
    locale: str
    providers: Collection[str]
    """Names of the providers that are installed; empty when they are not known."""
    matter: FrontMatter
    """Where the entry is."""
    keys: Collection[str] = tuple(TYPES)
    """Those that an entry may have here."""


class Entry:
    """Reads one entry of `answers:`. Its declaration if it can be used, its id as far as it could be told, and what is
    wrong."""

    def __init__(self, node: yaml.Node, context: Context) -> None:
        self.context = context
        self.place = context.matter.place(node)
        self.id = ""
        self.declaration: Declaration | None = None
        self.findings: list[Finding] = []
        self._broken = False
        if isinstance(node, yaml.MappingNode):
            self._mapping(node)
        else:
            self._wrong(
                node,
                "an entry of `answers` is not a mapping",
                "write `- question: How do I …?`",
            )

    def _mapping(self, node: yaml.MappingNode) -> None:
        values, nodes = self._values(node)
        if "question" not in nodes:
            self._wrong(node, "an answer has no `question`", TYPES["question"][1])
        question = collapse(values.get("question", ""))
        self.id = self._identity(values, nodes, question)
        options = self._options(values, nodes)
        if self.id:
            self.findings = [
                replace(item, answer=f"{self.context.page}#{self.id}")
                for item in self.findings
            ]
        if not self._broken:
            page, locale = self.context.page, self.context.locale
            self.declaration = Declaration(
                page, self.id, question, self.place, locale, **options
            )

    def _wrong(self, node: yaml.Node, message: str, tip: str) -> None:
        """Report something that the entry cannot be used with."""
        self._broken = True
        self._report(node, message, tip)

    def _values(
        self, node: yaml.MappingNode
    ) -> tuple[dict[str, Any], dict[str, yaml.Node]]:
        """The value of every known key that has its type, and the node of each key."""
        values: dict[str, Any] = {}
        nodes: dict[str, yaml.Node] = {}
        for key, key_node, value in items(node):
            if key == "answer":
                self._wrong(
                    key_node,
                    "`answer` is not a key of an answer",
                    "write `text` for an answer of your own",
                )
            elif key not in self.context.keys:
                tip = did_you_mean(key, self.context.keys)
                of = "an answer"
                if key in TYPES:
                    of = "a question in this file"
                self._report(
                    key_node,
                    f"`{key[:80]}` is not a key of {of}",
                    tip,
                    "unknown-option",
                )
                nodes.setdefault(key, value)
            elif key in nodes:
                self._wrong(
                    key_node,
                    f"`{key}` appears twice in this answer",
                    "delete one of them",
                )
            else:
                nodes[key] = value
                self._read(key, value, values)
        return values, nodes

    def _identity(
        self, values: dict[str, Any], nodes: Mapping[str, yaml.Node], question: str
    ) -> str:
        """The id, given or made from the question; empty when neither can be had."""
        given = values.get("id")
        if given is None:
            if question and "id" not in nodes:
                return slugify(question)
            return ""
        if not _ID.fullmatch(given):
            tip = f"write `id: {slugify(given)[:60]}`: ASCII letters, digits, `-` and `_`, at most 100"
            self._wrong(nodes["id"], f"`{given[:80]}` cannot be an id", tip)
            return ""
        return str(given)

    def _options(
        self, values: dict[str, Any], nodes: Mapping[str, yaml.Node]
    ) -> dict[str, Any]:
        """The declaration's other fields."""
        made: dict[str, Any] = {}
        for key, value in values.items():
            try:
                made |= self._option(key, value, nodes[key])
            except MisreadError as error:
                self._wrong(error.node, error.message, error.tip)
        self._provider(made, values, nodes)
        if "schema" in values and values.get("target") not in (
            Target.JSON,
            Target.YAML,
        ):
            self._wrong(
                nodes["schema"],
                "`schema` needs an answer in JSON or YAML",
                "add `target: json`, or delete it",
            )
        return made

    def _option(self, key: str, value: Any, node: yaml.Node) -> dict[str, Any]:
        """The fields that a key's value makes."""
        match key:
            case "provider" | "format" | "length" | "target":
                return {key: value}
            case "queries":
                return {key: tuple(dict.fromkeys(map(collapse, value)))}
            case "sources":
                return {key: self._sources(value, node)}
            case "text":
                place, verbatim = _text_place(node, self.context.matter)
                return {
                    key: value.strip("\n").rstrip(),
                    "text_place": place,
                    "text_verbatim": verbatim,
                }
            case "cite":
                if isinstance(value, bool):
                    return {"cited": value}
                return {key: tuple(map(str.strip, value))}
            case "schema":
                return {key: _canonical(value, node)}
            case "expect":
                return {key: expectations(node, self.context.matter.place)}
            case "suppress":
                return {key: self._suppressions(value, node)}
        return {}

    def _read(self, key: str, node: yaml.Node, values: dict[str, Any]) -> None:
        kind, tip = TYPES[key]
        try:
            written = msgspec.to_builtins(value_of(node))
            values[key] = msgspec.convert(written, kind)
        except (msgspec.ValidationError, ValueError, RecursionError) as error:
            self._wrong(node, f"`{key}`: {shorten(in_words(error), 200)}", tip)
            return
        if not is_clean(written):
            del values[key]
            self._wrong(
                node,
                f"`{key}` has a control character or half a character",
                "delete it",
            )

    def _sources(self, value: list[str], node: yaml.Node) -> tuple[str, ...]:
        for glob, item in zip(value, node.value, strict=True):
            problem = glob_problem(glob)
            if problem:
                self._wrong(
                    item,
                    f"`{glob[:80]}` is not a glob of pages: {problem}",
                    TYPES["sources"][1],
                )
        return tuple(value)

    def _provider(
        self,
        made: dict[str, Any],
        values: dict[str, Any],
        nodes: Mapping[str, yaml.Node],
    ) -> None:
        provider, known = made.get("provider", ""), self.context.providers
        if provider and known and provider not in known:
            tip = did_you_mean(provider, tuple(sorted(known)))
            self._wrong(
                nodes["provider"],
                f"`{provider[:80]}` is not an installed provider",
                tip,
            )
        elif "text" in values and provider not in ("", "authored"):
            tip = "delete one of the two"
            self._wrong(
                nodes["provider"],
                f"`text` is your own answer, so `{provider[:80]}` has nothing to write",
                tip,
            )
        elif provider == "authored" and "text" not in nodes:
            self._wrong(
                nodes["provider"],
                "`provider: authored` needs the author's `text`",
                TYPES["text"][1],
            )
        elif "text" in values:
            made["provider"] = "authored"

    def _suppressions(
        self, value: list[_Suppression], node: yaml.Node
    ) -> tuple[Suppression, ...]:
        """What is wrong with one leaves the answer usable, but silences nothing."""
        made = []
        for item, inner in zip(value, node.value, strict=True):
            slug, day = shorten(item.slug, 80), shorten(item.expires, 80)
            if item.slug not in CATALOGUE:
                tip = "write `slug: partial-claim`"
                if item.slug:
                    tip = did_you_mean(item.slug, CATALOGUE)
                self._report(
                    inner, f"a suppression names no finding of cited: `{slug}`", tip
                )
            elif not item.reason.strip():
                tip = "write why: `reason: the figure is rounded on purpose`"
                self._report(inner, "a suppression has no `reason`", tip)
            elif item.expires and not is_date(item.expires):
                tip = "write year, month and day: `expires: 2027-01-31`"
                self._report(inner, f"`{day}` is not a date", tip)
            else:
                place = self.context.matter.place(inner)
                made.append(
                    Suppression(
                        item.slug,
                        collapse(item.reason),
                        expires=item.expires,
                        place=place,
                    )
                )
        return tuple(made)

    def _report(
        self, node: yaml.Node, message: str, tip: str, slug: str = "invalid-declaration"
    ) -> None:
        self.findings.append(
            found(slug, self.context.matter.place(node), message, tip=tip)
        )


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
        raise MisreadError(
            node, f"`schema` is not JSON: {error}", "write keys and dates in quotes"
        ) from None


def _text_place(node: yaml.Node, matter: FrontMatter) -> tuple[Place, bool]:
    """Where the first line of a text is, and whether its lines are lines of the file."""
    place = matter.place(node)
    if not isinstance(node, yaml.ScalarNode) or node.style not in ("|", ">"):
        return Place(place.file, place.line, place.column), False
    block = matter.source.text[
        matter.start + node.start_mark.index : matter.start + node.end_mark.index
    ]
    below = block.split("\n")[1:]
    above = next((number for number, line in enumerate(below) if line.strip()), 0)
    indent = len(below[above]) - len(below[above].lstrip(" "))
    # YAML ends lines at NEL, LS and PS as well; a file does not.
    verbatim = node.style == "|" and not any(
        char in block for char in "\x85\u2028\u2029"
    )
    return Place(place.file, place.line + 1 + above, indent + 1), verbatim
