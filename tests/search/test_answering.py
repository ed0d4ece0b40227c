"""Whether an answer answers its question: by what it speaks of, and by its kind."""

from __future__ import annotations

import pytest

from mkdocs_cited.model.answer import Fit
from mkdocs_cited.model.source import Page, Source, Via
from mkdocs_cited.search.answering import check
from mkdocs_cited.search.index import Index

HTML = """<h1 id="sessions">Sessions</h1>
<h2 id="expiry">Expiry</h2><p>A session ends after 30 minutes without a request. An idle session is gone.</p>"""
STORAGE = (
    """<h1 id="storage">Storage</h1><p>The server stores its data in PostgreSQL, and a backup runs each night.</p>"""
)


@pytest.fixture(scope="module")
def index() -> Index:
    others = [(Page(f"{n}.md", f"{n}/", f"Page {n}"), f"<h1>Page {n}</h1><p>Subject {n} alone.</p>") for n in range(9)]
    index = Index.open(None)
    pages = [(Page("sessions.md", "sessions/", "Sessions"), HTML), (Page("storage.md", "storage/", "Storage"), STORAGE)]
    index.sync([*pages, *others])
    return index


@pytest.mark.parametrize(
    ("question", "anchor", "answer", "fit"),
    [
        ("How long may a session be idle?", "expiry", "A session ends after 30 minutes.[^1]", Fit.YES),
        ("How many minutes may a session be idle?", "storage", "It ends some time later.[^1]", Fit.NO),
        ("What ends an idle session without a request?", "storage", "The data is in PostgreSQL.[^1]", Fit.NO),
        ("Where is PostgreSQL?", "expiry", "It ends.[^1]", Fit.PART),  # one word is too little to say no by
    ],
)
def test_fit(index: Index, question: str, anchor: str, answer: str, fit: Fit) -> None:
    asked = index.asked(question, "en")
    source = Source(1, index.section("storage.md" if anchor == "storage" else "sessions.md", anchor)[0], Via.RETRIEVAL)
    assert check(asked, answer, (source,)).fit is fit


def test_what_is_missing_is_named(index: Index) -> None:
    """The words of the question that neither the answer nor its headings hold, the weightiest first."""
    asked = index.asked("Is a backup of the server encrypted?", "en")
    source = Source(1, index.section("storage.md", "storage")[0], Via.RETRIEVAL)
    judged = check(asked, "A backup of the server runs each night.[^1]", (source,))
    assert judged.missing == ("encrypted",)
    assert asked.unknown == ("encrypted",)
