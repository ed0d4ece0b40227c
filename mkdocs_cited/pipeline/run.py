"""What one run of the stages may do: change records, ask models, write at all. What it does is not said here."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct, field

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.settings import UpdateMode


class Run(Struct, frozen=True):
    """What one run may do."""

    update: UpdateMode
    """When records may change."""
    writes: bool = True
    """Whether anything may be written into the repository at all: not by `check`, `ask`, `--dry-run`."""
    calls_models: bool = True
    """Whether models may be asked: not during `serve`, unless the options say so."""
    batches: Path | None = None
    """Folder where batches are kept, when requests of models go in batches: at half the price, within a day."""
    only: frozenset[str] = frozenset()
    """Keys or ids of the answers that may change; empty for all."""
    order: tuple[str, ...] = ()
    """Paths of the site's pages as its navigation has them."""
    today: str = field(default_factory=lambda: datetime.date.today().isoformat())
    progress: Callable[[Answer], None] | None = None
    """Called as each answer is settled, from the thread that settled it."""
    encoding: Callable[[int, int], None] | None = None
    """Told (passages done, passages in all) while a local model makes vectors."""
    rewrote: Callable[[str], None] | None = None
    """Told the key of each answer whose recorded text gave way to a new one, from the thread that settled it."""

    @property
    def finds_by_meaning(self) -> bool:
        """Whether a local model may help to find: where answers are written, never where records are only checked."""
        return self.update != "never"

    def may_change(self, declaration: Declaration) -> bool:
        """Whether this answer's text may change in this run."""
        named = not self.only or declaration.key in self.only or declaration.id in self.only
        return named and self.update != "never"
