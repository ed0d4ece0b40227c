"""The values that a stretch is made of."""

from __future__ import annotations

from msgspec import Struct

from mkdocs_cited.answer_text.quoting import Quote
from mkdocs_cited.model.source import PassageKind


class Part(Struct, frozen=True):
    """Quotes that belong together: one run of prose, one list with what stands in it, one table, one code block."""

    quotes: tuple[Quote, ...]
    title: str = ""
    """Heading over a part that nothing else leads into."""
    cut: bool = False
    """Whether steps at its end are left out, since they are too many."""

    @property
    def kind(self) -> PassageKind:
        return self.quotes[0].passage.kind
