"""The database outlives builds, versions and other processes, and never changes what is found."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from importlib import metadata
from multiprocessing.queues import Queue
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mkdocs_cited.model.source import Hit, Page, Scope
from mkdocs_cited.search import store
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.store import Store
from mkdocs_cited.sources.from_files import document_of
from tests import forks

WORDS = ["rotate", "keys", "every", "ninety", "days", "limits", "requests", "minute", "install", "with", "pip"]


def site(*texts: str) -> list[tuple[Page, str]]:
    return [
        (Page(f"p{number}.md", f"p{number}/", f"Page {number}"), f'<h2 id="s">About {text}</h2><p>{text} is here.</p>')
        for number, text in enumerate(texts)
    ]


def found(index: Index, query: str) -> list[Hit]:
    return list(index.search(query, scope=Scope(), limit=50))


SITES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=6)


@given(st.lists(SITES, min_size=2, max_size=3), st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join))
@settings(max_examples=30, deadline=None)
def test_history_leaves_no_trace(history: list[list[str]], query: str) -> None:
    """After any series of builds, every result is that of a cold build: same passages, order, figures and reasons."""
    with TemporaryDirectory() as folder:
        for texts in [*history, history[-1]]:
            warm = Index.open(Path(folder))
            warm.sync(site(*texts))
            hits, pages = found(warm, query), warm.pages()
            warm.close()
    cold = Index.open(None)
    cold.sync(site(*history[-1]))
    assert hits == found(cold, query)
    assert pages == cold.pages()


@given(st.text(max_size=60))
@settings(deadline=None)
def test_any_text_is_a_question(query: str) -> None:
    """No quote, operator, surrogate or control character reaches SQLite as syntax; relevance stays within 0…1."""
    index = Index.open(None)
    index.sync(
        [*site("rotate keys", "limits", query.replace("<", "")), (Page("zh.md", "zh/", "密钥"), "<p>轮换密钥。</p>")]
    )
    assert all(0 <= hit.relevance <= 1 for hit in found(index, query))


def test_an_edit_writes_one_page() -> None:
    """However large the site is."""
    texts = [f"thing{number}" for number in range(105)]
    index = Index.open(None)
    assert index.sync(site(*texts)) == len(texts)
    assert [hit.passage.page.src for hit in found(index, texts[-1])] == [f"p{len(texts) - 1}.md"]
    assert index.sync(site(*texts[:-1], "another")) == 1


def test_a_question_of_ten_thousand_characters_is_answered_in_time() -> None:
    """Only its rarest words are searched for."""
    index = Index.open(None)
    index.sync(site("rotate keys", "limits"))
    assert found(index, "keys " + " ".join(f"word{number}" for number in range(1500)))[0].passage.page.src == "p0.md"


def test_chinese_questions_find_chinese_pages() -> None:
    """Text without spaces is matched by pairs of characters; question words say nothing."""
    index = Index.open(None)
    pages = [("keys", "密钥", "你可以在设置页面轮换密钥。"), ("limits", "限制", "每分钟最多六十个请求。")]
    index.sync((Page(f"{src}.md", f"{src}/", title, "zh"), f"<p>{text}</p>") for src, title, text in pages)
    hits = index.search("如何轮换密钥？", scope=Scope(locale="zh"), limit=5)
    assert [hit.passage.page.src for hit in hits] == ["keys.md"]
    assert hits[0].relevance > 0.6


@pytest.mark.parametrize("question", ["mapStateToProps", "map state", "--dry-run", "dry run", "max_sources", "sources"])
def test_identifiers_are_found_whole_and_by_their_parts(question: str) -> None:
    """Flags, snake case and camel case."""
    index = Index.open(None)
    index.sync(site("mapStateToProps", "--dry-run", "max_sources", "nothing"))
    expected = {"m": "p0.md", "-": "p1.md", "d": "p1.md", "s": "p2.md"}
    first = found(index, question)[0].passage.page.src
    assert first == ("p2.md" if question == "max_sources" else expected[question[0]])


@pytest.mark.parametrize("name", ["FORMAT", "__version__"])
def test_another_version_is_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """What other releases have stored is thrown away, not read."""
    Index.open(tmp_path).sync(site("keys"))
    monkeypatch.setattr(store, name, "another")
    assert Index.open(tmp_path).sync(site("keys")) == 1


def test_another_version_of_a_library_that_cuts_text_is_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old and new passages in one index would be found side by side."""
    Index.open(tmp_path).sync(site("keys"))
    known = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "99" if name == "PyStemmer" else known(name))
    assert Index.open(tmp_path).sync(site("keys")) == 1


def test_a_database_of_somebody_else_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that came with a repository could hold anything."""
    Index.open(tmp_path / "cache").sync(site("keys"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another home"))
    monkeypatch.setattr(store, "_secret", lambda: "another")
    assert Index.open(tmp_path / "cache").sync(site("keys")) == 1


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    """The build goes on in memory."""
    (tmp_path / "file").write_text("in the way")
    index = Index.open(tmp_path / "file" / "cache")
    assert index.sync(site("keys")) == 1


def test_languages_keep_to_themselves(tmp_path: Path) -> None:
    """Builds of two languages in one folder do not undo each other's work."""
    Index.open(tmp_path, "en").sync(site("keys"))
    Index.open(tmp_path, "de").sync(site("schlüssel"))
    assert Index.open(tmp_path, "en").sync(site("keys")) == 0


def test_dirty_builds_keep_what_was_not_rendered() -> None:
    """A page without HTML keeps its passages; one that was never seen has none."""
    index = Index.open(None)
    pages = site("rotate keys", "limits")
    index.sync(pages)
    assert index.sync([(pages[0][0], None), pages[1], (Page("new.md", "new/", "New"), None)]) == 1
    assert found(index, "rotate")[0].passage.page.src == "p0.md"
    assert index.section("new.md", "") == ()


def test_files_and_pages_stand_side_by_side() -> None:
    """Passages that were cut elsewhere are stored as they are, lines included."""
    page = Page("CHANGELOG.md", "", "Changelog")
    document = document_of(page, "---\na: b\n---\nFive retries.", ".md")
    index = Index.open(None)
    index.sync([(page, document)])
    (passage,) = document.passages
    assert passage.lines == (4, 4)
    assert index.passage(passage.id) == passage


def _build(folder: Path, text: str, times: int, done: Queue[bool]) -> None:
    good = True
    for number in range(times):
        index = Index.open(folder)
        index.sync(site(text, f"{text} again {number}"))
        good = good and {hit.passage.page.src for hit in found(index, text)} == {"p0.md", "p1.md"}
        good = good and all(text in hit.passage.text for hit in found(index, text))
        index.close()
    done.put(good)


def test_two_processes_see_their_own_site(tmp_path: Path) -> None:
    """Builds at the same time in one folder do not mind each other, and each finds what it was given."""
    done: Queue[bool] = forks.CONTEXT.Queue()
    builds = [forks.CONTEXT.Process(target=_build, args=(tmp_path, text, 8, done)) for text in ("keys", "limits")]
    for build in builds:
        build.start()
    for build in builds:
        build.join()
    assert [done.get() for _ in builds] == [True, True]
    Index.open(tmp_path).sync(site("last"))
    assert Index.open(tmp_path).sync(site("last")) == 0


@pytest.mark.parametrize(
    "damaged", [lambda data: data[:9000], lambda data: b"", lambda data: b"no database" * 1000, lambda data: data[:50]]
)
def test_a_damaged_file_is_made_again(tmp_path: Path, damaged: Callable[[bytes], bytes]) -> None:
    """Whatever has happened to it."""
    pages = site("rotate keys", "limits")
    index = Index.open(tmp_path)
    index.sync(pages)
    index.close()
    file = tmp_path / "site.sqlite3"
    file.write_bytes(damaged(file.read_bytes()))
    index = Index.open(tmp_path)
    index.sync(pages)
    assert found(index, "rotate keys")[0].passage.text == "rotate keys is here."


def test_a_file_that_cannot_be_written_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build goes on in memory, and what was stored before is there for the next one."""
    pages = site("rotate keys", "limits")
    Index.open(tmp_path).sync(pages)

    failures = [sqlite3.OperationalError("database or disk is full")]

    def full(*_: object) -> None:
        if failures:
            raise failures.pop()

    with monkeypatch.context() as patched:
        index = Index.open(tmp_path)
        patched.setattr(Store, "_remove", full)
        assert index.sync(pages[:1]) == 1
        assert found(index, "rotate keys")[0].passage.page.src == "p0.md"
    assert Index.open(tmp_path).sync(pages) == 0
