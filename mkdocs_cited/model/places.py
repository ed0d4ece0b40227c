"""Finds an option in a configuration: its file and line, for messages. Read only once something is
wrong."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from mkdocs_cited.base.bounded_yaml import compose
from mkdocs_cited.base.values import replace
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
            return replace(
                Place(name),
                line=node.start_mark.line + 1,
                column=node.start_mark.column + 1,
            )
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
        pairs = dict(_steps(node))
        if step not in pairs:
            break
        last, node = pairs[step]
    return last


def _steps(
    node: yaml.Node | None,
) -> Iterator[tuple[Step, tuple[yaml.Node, yaml.Node]]]:
    """Every step that leads further from a node: where it is, and what it leads to."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield str(key.value), (key, value)
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield number, (item, item)
            for key, value in item.value if isinstance(item, yaml.MappingNode) else ():
                yield (str(key.value), str(value.value)), (item, item)


def _value(node: yaml.Node | None, key: str) -> yaml.Node | None:
    found = dict(_steps(node)).get(key) if isinstance(node, yaml.MappingNode) else None
    if found:
        return found[1]
    return None
