"""The value of an answer that is data, JSON or YAML: plain, within bounds, and safe to write down again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import Any

import yaml

from mkdocs_cited.base.bounded_yaml import MOST_NESTING, compose, value_of
from mkdocs_cited.model.declaration import Target

MOST_CHARACTERS = 200_000
"""Of an answer that is read as data; a longer one is only text."""
MOST_VALUES = 10_000
"""Texts, numbers, lists and mappings of one answer, aliases counted as often as they are used."""


def read_value(content: str, target: str) -> Any:
    """The value, of JSON's types only: dates as text, sets as lists, keys as text, no half characters.

    Raises:
        ValueError: it cannot be read, or is longer, deeper or larger than an answer is.
    """
    if len(content) > MOST_CHARACTERS:
        raise ValueError(f"it has more than {MOST_CHARACTERS:,} characters")
    try:
        if target == Target.JSON:
            value = json.loads(content)
        else:
            root = compose(content, most_characters=MOST_CHARACTERS)
            value = value_of(root) if root is not None else None
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error)) from None
    return _Plain().of(value, MOST_NESTING)


class _Plain:
    """Turns one value into JSON's types, and counts what it holds."""

    def __init__(self) -> None:
        self.left = MOST_VALUES

    def of(self, value: Any, depth: int) -> Any:
        self.left -= 1
        if self.left < 0 or depth < 0:
            raise ValueError(f"it holds more than {MOST_VALUES:,} values, or is nested more than {MOST_NESTING} deep")
        if value is None or isinstance(value, (bool, int, float)):
            return value
        if isinstance(value, Mapping):
            return {self._text(key): self.of(item, depth - 1) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.of(item, depth - 1) for item in value]
        if isinstance(value, Set):
            return [self.of(item, depth - 1) for item in sorted(value, key=str)]
        return self._text(value)

    @staticmethod
    def _text(value: Any) -> str:
        return str(value).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
