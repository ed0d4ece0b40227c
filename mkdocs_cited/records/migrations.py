"""Lifts records of older formats to the present one, a version at a time. One function a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Step = Callable[[dict[str, Any]], dict[str, Any]]
"""From the front matter of one version to that of the next; it may change what it is given."""


def _from_0(front: dict[str, Any]) -> dict[str, Any]:
    """A record without a version was begun by hand: a question and a text. Nothing vouches for it yet."""
    return {key: value for key, value in front.items() if key in ("question", "provider", "citations")}


def _from_1(front: dict[str, Any]) -> dict[str, Any]:
    """Citations may say what a footnote shows of them: nothing is missing where they do not."""
    return front


STEPS: Mapping[int, Step] = {0: _from_0, 1: _from_1}
"""Version → the step that leads to the next one."""


class NewerError(ValueError):
    """Raised for a record in a format that only later releases know."""


def migrate(front: dict[str, Any], current: int, steps: Mapping[int, Step] = STEPS) -> dict[str, Any]:
    """The front matter in the present format, without its `version`.

    Raises:
        NewerError: its version is later than `current`.
        ValueError: its version is not a whole number, or no step leads on from it.
    """
    version = front.get("version", 0)
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise ValueError(f"has the version `{version!s:.40}`, which is not a whole number")
    if version > current:
        raise NewerError(f"has version {version}; this release of mkdocs-cited reads up to {current}")
    front = {key: value for key, value in front.items() if key != "version"}
    for step in range(version, current):
        if step not in steps:
            raise ValueError(f"has version {version}, which is no longer read")
        front = steps[step](front)
    return front
