"""The table of contents that a writer may have at hand."""

from __future__ import annotations

from mkdocs_cited.model.source import Page, Scope, SourceType
from mkdocs_cited.providers.anthropic.prompt import outline
from mkdocs_cited.search.index import Index

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
    used for an answer, or has no text, is left out."""
    lines = outline(corpus(), Scope(asked_on=("start.md", "Why is it slow?")), ("start.md",))
    assert [(line.level, line.where, line.title) for line in lines] == [
        (0, "start.md", "Start"),
        (2, "start.md#pip", "Install with pip"),
        (0, "guide/keys.md", "API keys"),
        (2, "guide/keys.md#rotate", "Rotate a key"),
    ]
