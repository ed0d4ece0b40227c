"""What pages declare, kept for the next build: the declarations of a page that has not changed are not read again.

They hold Markdown, to be put into pages as it is, so that they are believed as an outcome is: those that this user has
signed.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from mkdocs_cited.mkdocs_host import build_cache
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding


class Reading(Struct, frozen=True):
    """What one page says about answers, and what becomes of it."""

    declarations: tuple[Declaration, ...]
    findings: tuple[Finding, ...]
    appended: tuple[str, ...] = ()
    """Keys of the answers that no marker places."""
    markdown: str | None = None
    """The page's Markdown with a place for each of these; nothing where it stays as it is."""


class KeptReadings(Struct, frozen=True):
    """Those of one build, as they are kept."""

    readings: dict[str, Reading]


class Readings:
    """Those of one build, in one language."""

    def __init__(self, file: build_cache.File, name: str) -> None:
        """
        Args:
            file: where they are kept.
            name: stands for all that any of them depends on besides its page.
        """
        self._file, self._name = file, name
        kept = file.recall(name, KeptReadings)
        self._before = kept.readings if kept else {}
        self._now: dict[str, Reading] = {}

    def of(self, page: tuple[Any, ...], read: Callable[[], Reading]) -> Reading:
        """The reading of a page: the one that was kept, or a new one.

        Args:
            page: everything that it depends on; what the aliases of YAML share is written once.
            read: reads it.
        """
        try:
            key = build_cache.key([pickle.dumps(page)])
        except Exception:  # some other plugin's object, whatever that is
            return read()
        self._now[key] = reading = self._before.get(key) or read()
        return reading

    def keep(self) -> None:
        """Keep those of this build, in place of the last one's."""
        if self._now.keys() != self._before.keys():
            self._file.keep(self._name, KeptReadings(self._now))
