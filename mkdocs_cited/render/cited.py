"""What a citation stands for: its passage, words about its page, and whether it may be shown."""

from __future__ import annotations

from mkdocs_cited.model.answer import PERSON, Answer
from mkdocs_cited.model.source import Page, Passage, Source, SourceType
from mkdocs_cited.render.labels import Labels


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


def byline(page: Page, labels: Labels) -> str:
    """Author and date of a page, as far as they are known."""
    date = labels("updated", date=page.modified[:10]) if page.modified else page.published[:10]
    return ", ".join(filter(None, (page.author, date)))


def last_review(answer: Answer) -> tuple[str, tuple[str, ...]]:
    """ISO 8601 date of the last review of an answer, and the people who took part in one; no names for a program."""
    judged = [item.judgement for item in answer.claims]
    prefix = f"{PERSON}:"
    names = {item.reviewer.removeprefix(prefix) for item in judged if item.reviewer.startswith(prefix)}
    dates = [*(item.date for item in judged), answer.accepted_on, answer.written_on]
    return max(dates), tuple(sorted({*names, *filter(None, (answer.accepted_by,))}))
