"""What an answer is expected to hold, and globs of pages, as declarations write them; what is wrong with either.

Whether an answer holds what is expected is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

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

_PAGE_TIP = "write `{page: guide/keys.md}`"
_WILDCARDS = 4
"""Most runs of `*` in one glob; matching grows with a power of their number."""


class MisreadError(ValueError):
    """Something in a declaration cannot be read, or used."""

    def __init__(
        self,
        node: yaml.Node,
        message: str,
        tip: str = EXPECT_TIP,
        slug: str = "invalid-declaration",
    ) -> None:
        super().__init__(message)
        self.node, self.message, self.tip, self.slug = node, message, tip, slug


def expectations(node: yaml.Node, place_of: PlaceOf) -> tuple[Expectation, ...]:
    """What a value of `expect` asks for: `true` or `false`, one text, or a list of texts, patterns and pages.

    Scalars count as they are written, so that `900` and `1.10` need no quotes.

    Raises:
        MisreadError: a part of it asks for nothing that an answer could hold.
    """
    if node.tag == "tag:yaml.org,2002:bool":
        wanted = Expected.NO_ANSWER
        if node.value.lower() in ("true", "yes", "on"):
            wanted = Expected.ANSWER
        return (Expectation(wanted, "", place_of(node)),)
    if not isinstance(node, yaml.SequenceNode):
        return (_expectation(node, place_of),)
    if not 0 < len(node.value) <= MOST:
        message = f"`expect` lists {len(node.value):,} things; 1 to {MOST} are read"
        raise MisreadError(node, message)
    return tuple(_expectation(item, place_of) for item in node.value)


def _expectation(node: yaml.Node, place_of: PlaceOf) -> Expectation:
    if isinstance(node, yaml.MappingNode):
        return Expectation(Expected.PAGE, _page(node), place_of(node))
    if not isinstance(node, yaml.ScalarNode):
        raise MisreadError(node, "`expect` has a list within its list")
    if len(node.value) > MOST_CHARACTERS:
        raise MisreadError(node, f"`expect`: at most {MOST_CHARACTERS:,} characters")
    kind, value = Expected.TEXT, collapse(node.value)
    problem = ""
    if node.value.startswith(PATTERN):
        kind, value = Expected.PATTERN, node.value.removeprefix(PATTERN).strip()
        problem = pattern_problem(value)
    if not value:
        problem = "it is empty"
    if problem:
        tip = "write a word of the answer, or a pattern in the syntax of RE2"
        message = f"`{node.value[:80]}` cannot be looked for: {problem}"
        raise MisreadError(node, message, tip)
    return Expectation(kind, value, place_of(node))


def _page(node: yaml.MappingNode) -> str:
    """The page, glob of pages or section that `{page: …}` names."""
    keys = [key for key, _, _ in items(node)]
    page = items(node)[0][2] if keys == ["page"] else node
    if not isinstance(page, yaml.ScalarNode):
        message = "a mapping under `expect` names a page and nothing else"
        raise MisreadError(node, message, _PAGE_TIP)
    name = str(page.value).strip()
    problem = glob_problem(name.partition("#")[0])
    if problem:
        message = f"`{name[:80]}` is not a page: {problem}"
        raise MisreadError(page, message, _PAGE_TIP)
    return name


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
