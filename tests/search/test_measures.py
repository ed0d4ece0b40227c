"""Questions for a figure are found by what they ask of: pages say `90 days`, not `long`."""

from __future__ import annotations

import pytest

from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Page, Scope
from mkdocs_cited.search.index import Index

HTML = """
<h1 id="client">Client</h1><p>The client retries a failed request 5 times. It waits 2 seconds between tries.</p>
<h2 id="keys">Keys</h2><p>A key is valid for 90 days.</p>
"""


@pytest.mark.parametrize(
    ("question", "locale", "answer"),
    [
        ("How long is a key valid?", "en", "A key is valid"),
        ("How often is a failed request retried?", "en", "The client retries"),
        ("How many seconds does it wait between tries?", "en", "The client retries"),
    ],
)
def test_figures_are_found(question: str, locale: str, answer: str) -> None:
    """On a site of one page, relevant enough with the default threshold."""
    index = Index.open(None)
    index.sync([(Page("client.md", "client/", "Client"), HTML)])
    best = index.search(question, scope=Scope(locale=locale), limit=1)[0]
    assert best.passage.text.startswith(answer)
    assert best.relevance >= Settings().cite_threshold
