"""Families of implementations, found by name: ours, and other people's by entry point; each is loaded when needed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from msgspec import Struct

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import did_you_mean

Kind = TypeVar("Kind")


class Family(Struct, Generic[Kind], frozen=True):
    """Implementations of one interface."""

    what: str
    """What one is called in messages: `provider`."""
    group: str
    """Entry-point group in which other packages offer theirs."""
    kind: str
    """The interface, as `module:class`: each is a subclass of it. Naming the members does not import it."""
    ours: Mapping[str, str]
    """Name → `module:class` of those that come with the package; no other package can take their names."""

    def names(self) -> tuple[str, ...]:
        """Every name, sorted."""
        return tuple(sorted({*self.ours, *entry_points(group=self.group).names}))

    def get(self, name: str) -> type[Kind]:
        """The class of this name. Only that one is imported.

        Raises:
            UsageError: nothing has this name, it cannot be imported, or it is not a subclass of the interface.
        """
        point = self.check(name)
        try:
            loaded = point.load()
        except Exception as error:
            raise UsageError(
                f"the {self.what} `{name}` cannot be loaded from `{point.value}`: {error}",
                tip="install what it needs, or name another",
            ) from error
        kind = EntryPoint(self.what, self.kind, self.group).load()
        if not (isinstance(loaded, type) and issubclass(loaded, kind)):
            raise UsageError(
                f"`{point.value}` is not a {self.what}",
                tip=f"a subclass of `{kind.__module__}.{kind.__name__}` is needed",
            )
        return loaded

    def check(self, name: str) -> EntryPoint:
        """Where the one of this name is; it is not loaded.

        Raises:
            UsageError: there is none.
        """
        if name in self.ours:
            return EntryPoint(name, self.ours[name], self.group)
        for point in entry_points(group=self.group, name=name):
            return point
        raise UsageError(
            f"there is no {self.what} `{name}`",
            tip=did_you_mean(name, self.names()),
        )
