"""The table of contents that a writer may have at hand."""

from __future__ import annotations

from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.source import Page, Scope, SourceType
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.select import near, outline

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


def test_near_headings_come_best_first() -> None:
    """Those of the sections that the question finds, without notes, as many as are asked for."""
    question = Declaration("faq.md", "q", "How do I rotate a key?", Place("docs/faq.md"), queries=("pip",))
    found = near(question, corpus(), 5)
    assert [line.where for line in found] == ["guide/keys.md#rotate", "start.md#pip"]
    assert near(question, corpus(), 1) == found[:1]
