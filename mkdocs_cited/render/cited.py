"""Which passage a number of an answer stands for, and whether it may be shown."""

from __future__ import annotations

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.source import Passage, Source, SourceType


def cited_passage(answer: Answer, source: Source) -> tuple[Passage, str]:
    """The passage that a source's number stands for, with the quote: the source's own, or one of its context."""
    citation = next((item for item in answer.citations if item.sid == source.sid), None)
    if citation is None:
        return source.passage, ""
    around = {passage.id: passage for passage in source.context}
    return around.get(citation.passage, source.passage), citation.quote


def is_private(passage: Passage) -> bool:
    """Whether it is from a maintainers' note, of which only the name may ever be published."""
    return SourceType.NOTE in (passage.type, passage.page.type)
