"""How much of the text around a source its writer sees: whole passages, within the share of the budget."""

from __future__ import annotations

from typing import Literal

from mkdocs_cited.model.source import Corpus, Passage
from mkdocs_cited.settings import Settings

MOST = 10_000
"""Characters of context in all: a writer that quotes needs less of it than a model."""
LEAST_SHARE = 600
"""Characters that every source may have, whatever the budget."""


def share_of(settings: Settings, sources: int) -> int:
    """Characters of context for each of so many sources."""
    return max(LEAST_SHARE, min(MOST, settings.context_budget) // max(1, sources))


def context_of(
    passage: Passage, corpus: Corpus, extent: Literal["passage", "section", "page"], share: int
) -> tuple[Passage, ...]:
    """The passage with those around it in its section or page, in page order: nearest first until `share` characters
    are spent. What is cited is always there, however long it is.
    """
    if extent == "passage":
        return (passage,)
    around = corpus.section(passage.page.src, passage.section.anchor if extent == "section" else "")
    if extent == "section":
        around = [item for item in around if item.section.position == passage.section.position]
    taken, left = {passage.id: passage}, share - len(passage.text)
    # Of two that are as near, the one before comes first: it leads in.
    for item in sorted(around, key=lambda item: (abs(item.position - passage.position), item.position)):
        if item.id not in taken and len(item.text) <= left:
            taken[item.id] = item
            left -= len(item.text)
    return tuple(sorted(taken.values(), key=lambda item: item.position))
