"""Finds an option in a configuration: its file and line, for messages. Read only once something is
wrong."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from pathlib import Path

import yaml

from mkdocs_cited.base.bounded_yaml import compose
from mkdocs_cited.model.finding import Place

OWN = "cited.yml"
"""The configuration of a site that is not MkDocs': options are right under `cited`."""
MOST_PARENTS = 10
"""Configurations that inherit from one another (`INHERIT`)."""

Step = str | int | tuple[str, str]
"""A key, a number in a list, or the entry of a list that has this value under this key."""


def place_of(file: Path, name: str, *path: Step) -> Place:
    """Where an option is, or as much of the way to it as there is; the file's first line where nothing of it is
    there.

    Args:
        file: the configuration; those that it inherits from are read, too.
        name: what messages call it.
        path: from the options on: `"anthropic", "model"`.
    """
    return found_place(file, name, *path) or Place(name)


def found_place(file: Path, name: str, *path: Step) -> Place | None:
    """The same; nothing where no configuration has the first step."""
    for _ in range(MOST_PARENTS):
        root = _root(file)
        node = walked(_options(root, file.name), path)
        if node is not None:
            mark = node.start_mark
            return Place(name, mark.line + 1, mark.column + 1)
        parent = _value(root, "INHERIT")
        if not isinstance(parent, yaml.ScalarNode):
            return None
        file = file.parent / parent.value
        name = posixpath.normpath(posixpath.join(posixpath.dirname(name), parent.value))
    return None


def _root(file: Path) -> yaml.Node | None:
    if file.suffix not in (".yml", ".yaml"):
        return None
    try:
        return compose(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, yaml.YAMLError):
        return None


def _options(root: yaml.Node | None, name: str) -> yaml.Node | None:
    """The options of cited in a configuration."""
    if name == OWN:
        return _value(root, "cited")
    plugins = _value(root, "plugins")
    entries = plugins.value if isinstance(plugins, yaml.SequenceNode) else [plugins]
    return next(filter(None, (_value(entry, "cited") for entry in entries)), None)


def walked(node: yaml.Node | None, path: Sequence[Step]) -> yaml.Node | None:
    """The node of the last step that is there: of a key, the key."""
    last = None
    for step in path:
        there = _step(node, step)
        if there is None:
            break
        last, node = there
    return last


def _step(node: yaml.Node | None, step: Step) -> tuple[yaml.Node, yaml.Node] | None:
    """Where a step from a node is, and what it leads to; of a key that is there twice, the last one."""
    if isinstance(node, yaml.MappingNode):
        for key, value in reversed(node.value):
            if key.value == step:
                return key, value
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            if number == step or (isinstance(step, tuple) and _has(item, *step)):
                return item, item
    return None


def _has(node: yaml.Node, key: str, value: str) -> bool:
    """True if a mapping has a value under a key."""
    there = _value(node, key)
    return there is not None and there.value == value


def _value(node: yaml.Node | None, key: str) -> yaml.Node | None:
    there = _step(node, key)
    if there:
        return there[1]
    return None
