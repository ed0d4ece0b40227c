"""The table of contents that a writer may have at hand."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.source import Page, Scope, SourceType
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.outline import Heading, near, outline
from mkdocs_cited.search.select import found_sections, scope_of

START = (
    Page("start.md", "start/", "Start"),
    "<h1 id=start>Start</h1><p>Begin here.</p><h2 id=pip>Install with pip</h2><p>Run <code>pip install acme</code>.</p>"
    "<h3 id=extras>Extras</h3><h2 id=why>Why is it slow?</h2><p>It is not.</p>",
)
KEYS = (Page("guide/keys.md", "guide/keys/", "API keys"), "<h2 id=rotate>Rotate a key</h2><p>Press Rotate.</p>")
OLD = (Page("old.md", "old/", "Old", type=SourceType.ARCHIVE), "<h2 id=gone>Gone</h2><p>Gone.</p>")
NOTE = (Page("notes/keys.md", "", "Maintainers", "", SourceType.NOTE), "<h2 id=rota>Rota of keys</h2><p>Rotate it.</p>")


def corpus() -> Index:
    index = Index.open(None)
    index.sync([KEYS, START, OLD, NOTE])
    return index


def pages_near(question: Declaration, index: Index) -> Iterator[tuple[Heading, ...]]:
    return near(found_sections(question, index), index, scope_of(question))


def test_it_follows_the_navigation() -> None:
    """Each page with its headings, each with its address; a page's own heading is not said twice, and what may not be
    used for an answer is left out."""
    lines = outline(corpus(), Scope(asked_on=("start.md", "Why is it slow?")), ("start.md",))
    assert [(line.level, line.where, line.title) for line in lines] == [
        (0, "start.md", "Start"),
        (2, "start.md#pip", "Install with pip"),
        (3, "start.md#extras", "Extras"),
        (0, "guide/keys.md", "API keys"),
        (2, "guide/keys.md#rotate", "Rotate a key"),
    ]


def test_the_pages_near_a_question_come_nearest_first_with_all_their_headings() -> None:
    """Without notes."""
    question = Declaration("faq.md", "q", "How do I rotate a key?", Place("docs/faq.md"), queries=("pip",))
    pages = [[line.where for line in page] for page in pages_near(question, corpus())]
    assert pages == [
        ["guide/keys.md", "guide/keys.md#rotate"],
        ["start.md", "start.md#pip", "start.md#extras", "start.md#why"],
    ]


def test_of_pages_with_equal_headings_the_first_stands_for_all() -> None:
    """Such as the same page of another version."""
    index = Index.open(None)
    copies = [(Page(f"v{number}/keys.md", f"v{number}/keys/", "API keys"), KEYS[1]) for number in (1, 2)]
    index.sync(copies)
    question = Declaration("faq.md", "q", "How do I rotate a key in v2?", Place("docs/faq.md"))
    assert [page[0].where for page in pages_near(question, index)] == ["v2/keys.md"]
