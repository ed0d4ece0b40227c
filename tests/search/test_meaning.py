"""Finding by meaning: what lies near is found beside what shares words, in the question's scope, and kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from mkdocs_cited.model.options import Local
from mkdocs_cited.model.source import Hit, Page, Scope
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.meaning import ByMeaning, Encoder
from tests.search import tiny


def index() -> Index:
    """Pages of words that the tiny encoder knows, and one that only full text does."""
    made = Index.open(None)
    made.sync(
        (Page(f"{name}.md", f"{name}/", name, locale=locale), f"<h1>{name}</h1><p>{text}</p>")
        for name, locale, text in (
            ("logs", "en", "logs can be on for seven days"),
            ("keys", "en", "every key is a token of thirty files"),
            ("errors", "en", "ECONNRESET tells that a peer went away"),
            ("de", "de", "keep every backup day by day"),
        )
    )
    return made


@pytest.fixture
def encoder(tmp_path: Path) -> Encoder:
    tiny.encoder(tmp_path / "tiny")
    return Encoder(Local(encoder=tiny.NAME, folder="tiny"), tmp_path)


def found(encoder: Encoder, query: str, *, include: tuple[str, ...] = ()) -> list[Hit]:
    scoped = Scope(include=include, locale="en")
    return list(ByMeaning(index(), encoder).search(query, scope=scoped, limit=10))


def test_what_lies_near_is_found_though_full_text_leaves_it_out(encoder: Encoder) -> None:
    """`be on for` are words that full text leaves out of questions; the encoder sees them."""
    query = "can it be on for the backup"
    assert [hit.passage.page.src for hit in index().search(query, scope=Scope(locale="en"), limit=10)] == []
    best = found(encoder, query)[0]
    assert best.passage.page.src == "logs.md"
    assert 0 < best.relevance <= 1


def test_common_words_crowd_out_nothing_that_lies_near(encoder: Encoder) -> None:
    """However many pages full text finds, half of what is looked at is what lies nearest."""
    near = (Page("logs.md", "logs/", "logs", locale="en"), "<h1>logs</h1><p>logs can be on for seven days</p>")
    crowd = [
        (Page(f"{n}.md", f"{n}/", "ECONNRESET", locale="en"), f"<h1>ECONNRESET</h1><p>ECONNRESET ends session {n}</p>")
        for n in range(12)
    ]
    made = Index.open(None)
    made.sync([*crowd, near])
    corpus = ByMeaning(made, encoder)
    hits = corpus.search("ECONNRESET session for", scope=Scope(locale="en"), limit=4)
    assert len(hits) == 4
    assert "logs.md" in {hit.passage.page.src for hit in hits}


def test_rare_words_are_found_though_the_encoder_does_not_know_them(encoder: Encoder) -> None:
    """Messages and identifiers come by full text."""
    assert found(encoder, "ECONNRESET?")[0].passage.page.src == "errors.md"


def test_pages_in_other_languages_are_not_found(encoder: Encoder) -> None:
    """However near they are."""
    assert "de.md" not in {hit.passage.page.src for hit in found(encoder, "keep a backup day by day")}


def test_a_page_that_is_left_out_is_not_found(encoder: Encoder) -> None:
    """The scope holds for what meaning finds."""
    assert "logs.md" not in {hit.passage.page.src for hit in found(encoder, "can it be on for", include=("!logs.md",))}


def test_vectors_are_made_once(encoder: Encoder, tmp_path: Path) -> None:
    """Of passages that are known, none is made again: only what is new is counted."""
    told: list[tuple[int, int]] = []
    ByMeaning(index(), encoder, progress=lambda *now: told.append(now)).search("keys", scope=Scope(), limit=3)
    assert told[-1] == (4, 4)
    again = Encoder(Local(encoder=tiny.NAME, folder="tiny"), tmp_path)
    ByMeaning(index(), again, progress=lambda *now: told.append(now)).search("keys", scope=Scope(), limit=3)
    assert len(told) == told.index((4, 4)) + 1


def test_pages_come_in_the_order_of_words_and_meaning_together(encoder: Encoder) -> None:
    """What one of them finds well stands before what neither does."""
    pages = [hit.passage.page.src for hit in found(encoder, "ECONNRESET, can logs be on for days")]
    assert set(pages[:2]) == {"errors.md", "logs.md"}
