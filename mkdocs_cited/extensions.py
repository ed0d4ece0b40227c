"""Entry points: how providers, reviewers and reporters, ours and other people's, are found by name and loaded."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TypeVar

from mkdocs_cited.errors import UsageError
from mkdocs_cited.settings import did_you_mean

Kind = TypeVar("Kind")


def names(group: str) -> tuple[str, ...]:
    """The names that are offered in an entry-point group, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=group)}))


def load(group: str, name: str, kind: type[Kind]) -> type[Kind]:
    """The class that is offered under a name. Only that one is imported.

    Raises:
        UsageError: nothing has this name, it cannot be imported, or it is not a subclass of `kind`.
    """
    what = kind.__name__.lower()
    points = [point for point in entry_points(group=group) if point.name == name]
    if not points:
        raise UsageError(f"there is no {what} `{name}`", tip=did_you_mean(name, names(group)))
    try:
        loaded = points[0].load()
    except Exception as error:
        raise UsageError(
            f"the {what} `{name}` cannot be loaded from `{points[0].value}`: {error}",
            tip="install what it needs, or name another",
        ) from error
    if not (isinstance(loaded, type) and issubclass(loaded, kind)):
        raise UsageError(
            f"`{points[0].value}` is not a {what}",
            tip=f"a subclass of `{kind.__module__}.{kind.__qualname__}` is needed",
        )
    return loaded
