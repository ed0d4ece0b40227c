"""One passage, one number; numbers are contiguous by first appearance; nothing unused is kept."""

from __future__ import annotations

from mkdocs_cited.answer_text.citing import Quote, Registry, renumber
from mkdocs_cited.answer_text.markdown import MARKER
from mkdocs_cited.model.answer import Citation, Draft
from mkdocs_cited.model.source import Page, Passage, Source, Via
from tests.corpora import extract

PASSAGES = extract(Page("a.md", "a/", "A"), "".join(f"<p>Passage number {n}.</p>" for n in range(6)))


def source(sid: int, passage: Passage) -> Source:
    return Source(sid, passage, Via.RETRIEVAL)


def markers(content: str) -> list[tuple[int, int, int]]:
    return [(int(match[1]), match.start(), match.end()) for match in MARKER.finditer(content)]


def draft(content: str) -> Draft:
    sources = tuple(source(sid, passage) for sid, passage in enumerate(PASSAGES, start=1))
    citations = tuple(Citation(item.sid, item.passage.id, item.passage.text) for item in sources)
    return Draft(content, citations, sources, "test")


def test_a_passage_has_one_number() -> None:
    """However often and however it comes in, it keeps the first number it got."""
    registry = Registry()
    added = [(7, 0), (9, 1), (3, 0), (0, 1), (5, 2)]
    sids = [registry.cite(Quote.whole(PASSAGES[number]), source(sid, PASSAGES[number])) for sid, number in added]
    assert sids == [1, 2, 1, 2, 3]
    assert [item.sid for item in registry.sources] == [1, 2, 3]


def test_numbers_follow_first_appearance_and_the_unused_go() -> None:
    """`[^4]` that comes first becomes `[^1]`; what nothing cites is dropped with its citation."""
    text = "B[^4]. A[^2][^4]."
    done = renumber(draft(text))
    assert done.content == "B[^1]. A[^2][^1]."
    assert [item.passage for item in done.sources] == [PASSAGES[3], PASSAGES[1]]
    assert [(item.sid, item.passage) for item in done.citations] == [(1, PASSAGES[3].id), (2, PASSAGES[1].id)]


def test_markers_in_code_are_text() -> None:
    text = "`[^5]` A[^5]."
    assert renumber(draft(text)).content == "`[^5]` A[^1]."
