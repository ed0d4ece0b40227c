"""Values of a declaration, what an answer is expected to hold among them, and what is wrong with one in plain words.

Whether an answer holds what is expected is not asked here.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from typing import Any

import yaml

from mkdocs_cited.base.text import collapse, pattern_problem
from mkdocs_cited.declarations.front_matter import items
from mkdocs_cited.model.declaration import Expectation, Expected
from mkdocs_cited.model.finding import Place

EXPECT_TIP = (
    "write what it must contain, "
    "`expect: [90 days, 're:[Rr]otat', {page: guide/keys.md}]`, or `true` or `false`"
)
PATTERN = "re:"
"""What an expected pattern starts with."""
MOST = 50
"""Most expectations of one answer."""
MOST_CHARACTERS = 1_000
"""Longest expected text."""

PlaceOf = Callable[[yaml.Node], Place]

# Markdown renderers use control characters as placeholders, and neither YAML nor JSON can carry half a pair.
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_TYPES = re.compile(r"`([\w| ]+)`")
_NAMES = {
    "str": "a text", "array": "a list", "object": "a mapping", "int": "a number", "float": "a number",
    "bool": "`true` or `false`", "null": "nothing",
}  # fmt: skip
_WILDCARDS = 4
"""Most runs of `*` in one glob; matching grows with a power of their number."""


class MisreadError(ValueError):
    """Something under `expect` cannot be an expectation."""

    def __init__(self, node: yaml.Node, message: str, tip: str = EXPECT_TIP) -> None:
        super().__init__(message)
        self.node, self.message, self.tip = node, message, tip


def expectations(node: yaml.Node, place_of: PlaceOf) -> tuple[Expectation, ...]:
    """What a value of `expect` asks for: `true` or `false`, one text, or a list of texts, patterns and pages.

    Scalars count as they are written, so that `900` and `1.10` need no quotes.

    Raises:
        MisreadError: a part of it asks for nothing that an answer could hold.
    """
    if isinstance(node, yaml.SequenceNode):
        if not 0 < len(node.value) <= MOST:
            raise MisreadError(
                node, f"`expect` lists {len(node.value):,} things; 1 to {MOST} are read"
            )
        return tuple(_expectation(item, place_of) for item in node.value)
    if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:bool":
        wanted = (
            Expected.ANSWER
            if node.value.lower() in ("true", "yes", "on")
            else Expected.NO_ANSWER
        )
        return (Expectation(wanted, "", place_of(node)),)
    return (_expectation(node, place_of),)


def _expectation(node: yaml.Node, place_of: PlaceOf) -> Expectation:
    if isinstance(node, yaml.MappingNode):
        return Expectation(Expected.PAGE, _page(node), place_of(node))
    if not isinstance(node, yaml.ScalarNode):
        raise MisreadError(node, "`expect` has a list within its list")
    if not is_clean(node.value) or len(node.value) > MOST_CHARACTERS:
        raise MisreadError(
            node,
            f"`expect`: at most {MOST_CHARACTERS:,} characters, and no control characters",
        )
    if not node.value.startswith(PATTERN):
        text = collapse(node.value)
        if not text:
            raise MisreadError(
                node,
                "`expect` has an empty text",
                "write a word of the answer, or delete it",
            )
        return Expectation(Expected.TEXT, text, place_of(node))
    pattern = node.value.removeprefix(PATTERN).strip()
    wrong = "it is empty"
    if pattern:
        wrong = pattern_problem(pattern)
    if wrong:
        tip = "write it in the syntax of RE2, without back-references and lookaround"
        raise MisreadError(
            node, f"the pattern `{pattern[:80]}` cannot be used: {wrong}", tip
        )
    return Expectation(Expected.PATTERN, pattern, place_of(node))


def _page(node: yaml.MappingNode) -> str:
    """The page, glob of pages or section that `{page: …}` names."""
    values = {key: value for key, _, value in items(node)}
    page = values.get("page")
    if list(values) != ["page"] or not isinstance(page, yaml.ScalarNode):
        raise MisreadError(
            node,
            "a mapping under `expect` names a page and nothing else",
            "write `{page: guide/keys.md}`",
        )
    name = str(page.value).strip()
    problem = glob_problem(name.partition("#")[0])
    if problem:
        raise MisreadError(
            page,
            f"`{name[:80]}` is not a page: {problem}",
            "write `{page: guide/keys.md}`",
        )
    return name


def is_clean(value: Any) -> bool:
    """True if no text in a value has a control character or half a character."""
    if isinstance(value, str):
        return not _FORBIDDEN.search(value)
    parts = (
        (*value, *value.values())
        if isinstance(value, dict)
        else value
        if isinstance(value, list)
        else ()
    )
    return all(map(is_clean, parts))


def in_words(error: Exception) -> str:
    """What msgspec says of a value that has another type."""
    message = (
        str(error)
        .partition(" - at ")[0]
        .replace(r" matching regex '\\S'", " that is not empty")
    )
    message = _TYPES.sub(
        lambda m: " or ".join(
            dict.fromkeys(_NAMES.get(n, n) for n in m[1].split(" | "))
        ),
        message,
    )
    return message[:1].lower() + message[1:]


def glob_problem(glob: str) -> str:
    """Why a glob can name no page; empty when it can."""
    pattern = glob.removeprefix("!")
    if not pattern.strip():
        return "it is empty"
    if "\\" in pattern:
        return "paths are written with `/`"
    if ".." in pattern.split("/"):
        return "it leads out of the docs folder"
    if len(pattern) > 300 or len(re.findall(r"\*+", pattern)) > _WILDCARDS:
        return f"at most 300 characters and {_WILDCARDS} wildcards are read"
    return ""


def is_date(text: str) -> bool:
    """True if a text is an ISO 8601 date."""
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True
