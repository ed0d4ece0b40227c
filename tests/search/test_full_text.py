"""Where SQLite comes without FTS5, the same passages are found in the same order."""

from __future__ import annotations

import shutil
import sqlite3
from functools import partial
from pathlib import Path

import markdown
import pytest

from mkdocs_cited.model.source import Hit, Page, Scope
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.store import SyncCounts, connection_to
from tests.projects import Project

DOCS = Path(__file__).parents[2] / "example_site" / "docs"
QUESTIONS = (
    "How do I suppress a finding?", "What is a passage?", "Which options are there?", "cite_threshold", "records_dir",
    "Does it need a key?", "How often may a model be asked?", "the", "answer", "claims that nobody has confirmed yet",
    "How can I run it on another generator than MkDocs, without rendering pages twice?", "nothing zyzzyva at all",
)  # fmt: skip


def site() -> list[tuple[Page, str | None]]:
    """Pages of our own documentation."""
    pages = [*sorted(DOCS.glob("*.md")), *sorted((DOCS / "guide").glob("*.md"))]
    return [
        (
            Page(src := path.relative_to(DOCS).as_posix(), src.removesuffix(".md") + "/", path.stem),
            markdown.markdown(path.read_text(encoding="utf-8"), extensions=["tables", "toc", "fenced_code"]),
        )
        for path in pages
    ]


def without_fts5(path: Path | None) -> sqlite3.Connection:
    """A connection by which no table of FTS5 is made."""

    def allowed(action: int, one: str | None, module: str | None, *_: str | None) -> int:
        is_table = action in (sqlite3.SQLITE_CREATE_VTABLE, sqlite3.SQLITE_DROP_VTABLE)
        return sqlite3.SQLITE_DENY if is_table and module == "fts5" else sqlite3.SQLITE_OK

    connection = connection_to(path)
    connection.set_authorizer(allowed)
    return connection


@pytest.fixture(scope="module")
def both() -> tuple[Index, Index]:
    """The same pages in either way."""
    fast, plain = Index.open(None), Index.open(None, connect=without_fts5)
    for index in (fast, plain):
        index.sync(site())
    assert (fast.has_fts5, plain.has_fts5) == (True, False)
    return fast, plain


def found(index: Index, question: str, scope: Scope) -> list[Hit]:
    return list(index.search(question, scope=scope, limit=200))


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("include", [(), ("guide/*.md",)])
def test_the_same_order(both: tuple[Index, Index], question: str, include: tuple[str, ...]) -> None:
    """With the same relevance and the same reasons, on the whole site and on a part of it."""
    fast, plain = both
    scope = Scope(include=include)
    assert found(plain, question, scope) == found(fast, question, scope)
    assert plain.asked(question, "en") == fast.asked(question, "en")


def test_it_is_kept_and_brought_up_to_date(tmp_path: Path) -> None:
    """Like the other: unchanged pages cost a hash, what is gone cannot be found."""
    pages = site()[:4]
    assert Index.open(tmp_path, connect=without_fts5).sync(pages) == SyncCounts(written=4)
    index = Index.open(tmp_path, connect=without_fts5)
    assert index.sync(pages[1:]) == SyncCounts(unchanged=3, removed=1)
    fresh = Index.open(None)
    fresh.sync(pages[1:])
    for question in QUESTIONS:
        assert found(index, question, Scope()) == found(fresh, question, Scope())


def test_an_index_of_another_sqlite_is_made_anew(tmp_path: Path) -> None:
    """Whichever came first: neither reads the other's tables."""
    pages = site()[:2]
    for connect in (connection_to, without_fts5, connection_to):
        assert Index.open(tmp_path, connect=connect).sync(pages) == SyncCounts(written=2)
        assert Index.open(tmp_path, connect=connect).sync(pages) == SyncCounts(unchanged=2)


def test_a_build_says_what_it_lacks_and_gives_the_same_answers(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once: what is missing, what that costs, and which Python has it. With FTS5, it says nothing."""
    project.page("faq.md", "---\nanswers:\n  - {id: valid, question: How long is a key valid?}\n---\n# FAQ\n")
    usual = project.build("--strict")
    assert "FTS5" not in usual.output
    wanted = project.answers()
    for name in (".cache", "answers"):
        shutil.rmtree(project.root / name)
    monkeypatch.setattr(Index, "open", partial(Index.open, connect=without_fts5))
    result = project.build()
    assert (usual.code, result.code) == (0, 0)
    assert project.answers() == wanted
    (said,) = [line for line in result.output.splitlines() if "FTS5" in line]
    assert said.startswith("INFO")
    for part in ("SQLite of this Python", "the same results in more time", "conda, Debian and most others build it"):
        assert part in said
