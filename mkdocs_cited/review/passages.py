"""How a finding names the passages that explain it."""

from __future__ import annotations

from mkdocs_cited.model.finding import Place, Related
from mkdocs_cited.model.source import Passage, SourceType


def related(message: str, passage: Passage) -> Related:
    """A passage as the second place of a finding. A note lends its name alone."""
    page = passage.page
    if page.type is SourceType.NOTE:
        return Related(f"{message}, a note: {page.title}")
    place = Place(page.file or page.src, passage.lines[0], end_line=passage.lines[1]) if passage.lines[0] else None
    return Related(message, place, passage.id, passage.text, passage.url)


def label(passage: Passage) -> str:
    """How a message names a passage: its page's file and heading, or the name of a note."""
    page = passage.page
    if page.type is SourceType.NOTE:
        return f"the note {page.title}"
    return f"{page.src}#{passage.section.anchor}" if passage.section.anchor else page.src
