"""A corpus without an index says of single pages what the index says, and makes one when somebody ranks."""

from __future__ import annotations

import pytest

from mkdocs_cited.model.source import Page, Scope, SourceType
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.on_demand import OnDemand
from mkdocs_cited.search.stored_rows import Content
from mkdocs_cited.sources.from_html import extract
from tests.search.test_index import INSTALL, KEYS

NOTE = Page("notes/on call.md", "", "On call", type=SourceType.NOTE)
DOCUMENTS: list[tuple[Page, Content | None]] = [
    INSTALL,
    KEYS,
    (NOTE, extract(NOTE, "<h2 id=night>Night</h2><p>Call Ann. She knows.</p>")),
]


class Made:
    """Makes an index, and counts."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Index:
        self.times += 1
        index = Index.open(None)
        index.sync(DOCUMENTS)
        return index


@pytest.fixture
def made() -> Made:
    return Made()


def test_single_pages_need_no_index(made: Made) -> None:
    """Pages, sections, anchors and passages are those of an index; what is not there is not there."""
    corpus, index = OnDemand(DOCUMENTS, made), Made()()
    assert corpus.pages() == index.pages()
    for src in (*(page.src for page, _ in DOCUMENTS), "gone.md", ""):
        assert list(corpus.anchors(src)) == list(index.anchors(src))
        for anchor in ("", "install", "pip", "upgrade", "conda", "rotate", "night", "gone"):
            assert list(corpus.section(src, anchor)) == list(index.section(src, anchor)), (src, anchor)
        for passage in index.section(src, ""):
            assert corpus.passage(passage.id) == passage
    assert corpus.passage("keys.md#rotate~gone") is None
    assert corpus.passage("nothing") is None
    assert made.times == 0


def test_an_index_is_made_once(made: Made) -> None:
    """The first search makes it, and all that is asked afterwards is asked there."""
    corpus = OnDemand(DOCUMENTS, made)
    (hit,) = corpus.search("rotate keys", scope=Scope(), limit=1)
    assert corpus.passage(hit.passage.id) == hit.passage
    assert corpus.with_hash(hit.passage.hash) == (hit.passage,)
    assert [word.word for word in corpus.asked("rotate keys", "en")] == ["rotate", "keys"]
    assert corpus.section("keys.md", "rotate") == (hit.passage,)
    assert made.times == 1


def test_a_page_that_was_not_rendered_is_the_index_s(made: Made) -> None:
    """`--dirty` renders what changed; of the others, the index knows what they said."""
    (page, _) = KEYS
    corpus = OnDemand([INSTALL, (page, None)], made)
    assert [passage.text for passage in corpus.section("keys.md", "rotate")] == [
        "Keys are rotated every 90 days with max_age."
    ]
    assert made.times == 1


def test_of_two_documents_of_one_path_the_first_counts(made: Made) -> None:
    """As in an index: a page of static-i18n and the one that stands in for its translation."""
    page, html = KEYS
    corpus = OnDemand([(page, html), (page, "<p>Another text.</p>")], made)
    assert "90 days" in corpus.section("keys.md", "")[0].text
