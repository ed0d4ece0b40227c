"""Reads what a declaration expects of its answer. Whether an answer holds it is not asked here."""

from __future__ import annotations

from collections.abc import Callable

import yaml

from mkdocs_cited.base import patterns
from mkdocs_cited.base.text import collapse, did_you_mean
from mkdocs_cited.declarations.front_matter import items
from mkdocs_cited.declarations.values import glob_problem, is_clean
from mkdocs_cited.model.declaration import Expectation, Expected
from mkdocs_cited.model.finding import Place

TIP = "write what the answer must hold, `expect: [90 days, 're:[Rr]otat', {page: guide/keys.md}]`, or `true` or `false`"
PATTERN = "re:"
"""What an expected pattern starts with."""
MOST = 50
"""Most expectations of one answer."""
MOST_CHARACTERS = 1_000
"""Longest expected text."""

_FLAGS = {"true": Expected.ANSWER, "false": Expected.NO_ANSWER}
PlaceOf = Callable[[yaml.Node], Place]


class MisreadError(ValueError):
    """Something under `expect` cannot be an expectation."""

    def __init__(self, node: yaml.Node, message: str, tip: str = TIP) -> None:
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
            raise MisreadError(node, f"`expect` lists {len(node.value):,} things; 1 to {MOST} are read")
        return tuple(_expectation(item, place_of) for item in node.value)
    if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:bool":
        return (
            Expectation(_FLAGS["true" if node.value.lower() in ("true", "yes", "on") else "false"], "", place_of(node)),
        )
    return (_expectation(node, place_of),)


def _expectation(node: yaml.Node, place_of: PlaceOf) -> Expectation:
    if isinstance(node, yaml.MappingNode):
        return Expectation(Expected.PAGE, _page(node), place_of(node))
    if not isinstance(node, yaml.ScalarNode):
        raise MisreadError(node, "`expect` holds a list within its list")
    if not is_clean(node.value) or len(node.value) > MOST_CHARACTERS:
        raise MisreadError(node, f"`expect`: at most {MOST_CHARACTERS:,} characters are read, none of them for control")
    if not node.value.startswith(PATTERN):
        text = collapse(node.value)
        if not text:
            raise MisreadError(node, "`expect` holds an empty text", "write a word of the answer, or delete it")
        return Expectation(Expected.TEXT, text, place_of(node))
    pattern = node.value.removeprefix(PATTERN).strip()
    wrong = patterns.problem(pattern) if pattern else "it is empty"
    if wrong:
        tip = "write it in the syntax of RE2, without back-references and lookaround"
        raise MisreadError(node, f"the pattern `{pattern[:80]}` cannot be used: {wrong}", tip)
    return Expectation(Expected.PATTERN, pattern, place_of(node))


def _page(node: yaml.MappingNode) -> str:
    """The page, glob of pages or section that `{page: …}` names."""
    values = {key: value for key, _, value in items(node)}
    for key, key_node, _ in items(node):
        if key != "page":
            raise MisreadError(
                key_node, f"`{key[:80]}` is not what an answer can be expected to have", did_you_mean(key, ("page",))
            )
    page = values.get("page")
    if not isinstance(page, yaml.ScalarNode):
        raise MisreadError(node, "`expect` names no page", "write `{page: guide/keys.md}`")
    name = str(page.value).strip()
    if problem := glob_problem(name.partition("#")[0]):
        raise MisreadError(page, f"`{name[:80]}` is not a page: {problem}", "write `{page: guide/keys.md}`")
    return name
