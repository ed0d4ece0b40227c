"""The index holds what it was given, finds it, and costs nothing when nothing changed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mkdocs_cited.model.source import Page, Scope, SourceType
from mkdocs_cited.search.index import Index
from mkdocs_cited.sources.files import Repository
from mkdocs_cited.sources.from_files import document_of

INSTALL = (
    Page("guide/install.md", "guide/install/", "Install"),
    """<h1 id="install">Install</h1><p>You need Python.</p>
    <h2 id="pip">With pip</h2><p>Run this command to install it from the registry:</p>
    <pre><code class="language-bash">pip install example</code></pre>
    <h3 id="upgrade">Upgrade</h3><p>Pass the flag <code>--upgrade</code> to get the newest version.</p>
    <h2 id="conda">With conda</h2><p>There is a conda package, too.</p>""",
)
KEYS = (
    Page("keys.md", "keys/", "API keys"),
    """<h1 id="api-keys">API keys</h1><h2 id="rotate">Rotate a key</h2>
    <p>Keys are rotated every 90 days with <code>max_age</code>.</p>""",
)
EVERYWHERE = Scope()


@pytest.fixture
def index() -> Index:
    index = Index.open(None)
    index.sync([INSTALL, KEYS])
    return index


def test_a_warm_sync_writes_nothing(tmp_path: Path) -> None:
    """The second build of an unchanged site finds everything in place."""
    assert Index.open(tmp_path).sync([INSTALL, KEYS]) == 2
    assert Index.open(tmp_path).sync([INSTALL, KEYS]) == 0


def test_an_edit_writes_one_page_and_a_removed_page_vanishes(tmp_path: Path) -> None:
    """A build pays for what changed, and what is gone cannot be found."""
    Index.open(tmp_path).sync([INSTALL, KEYS])
    edited = (INSTALL[0], INSTALL[1].replace("conda", "mamba"))
    index = Index.open(tmp_path)
    assert index.sync([edited]) == 2
    assert [page.src for page in index.pages()] == ["guide/install.md"]
    assert index.search("rotate keys", scope=EVERYWHERE, limit=5) == ()
    assert index.search("mamba package", scope=EVERYWHERE, limit=1)[0].passage.section.anchor == "mamba"


def test_all_of_a_file_counts(tmp_path: Path) -> None:
    """Also what is over its rows, though no row has changed."""
    page = Page("limits.md", "", "limits.md", type=SourceType.FILE, file="limits.md")
    for head in ("Default", "Maximum"):
        text = f"| Name | {head} |\n|---|---|\n| timeout | 30 s |\n"
        index = Index.open(tmp_path)
        index.sync([(page, document_of(page, text, ".md"))])
        assert index.section("limits.md", "")[0].header == ("Name", head)


def test_a_name_in_code_says_the_same_of_a_file_that_is_searched(tmp_path: Path) -> None:
    """Whether or not `extra_sources` names the file."""
    text = 'class Cache:\n    """Keeps keys."""\n    size = 10\n'
    (tmp_path / "a.py").write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    page = Page("a.py", "", "a.py", type=SourceType.FILE, file="a.py")
    said = []
    for documents in ([], [(page, document_of(page, text, ".py"))]):
        index = Index.open(None)
        index.repository = Repository(tmp_path)
        index.sync(documents)
        said.append([passage.text for passage in index.section("a.py", "Cache")])
    assert said[0] == said[1]
    assert said[0][:2] == ["Keeps keys.", "Cache.size is 10"]


def test_a_section_holds_the_sections_below_it(index: Index) -> None:
    """Citing a heading reaches everything under it; an empty anchor is the whole page."""
    assert [passage.text for passage in index.section("guide/install.md", "pip")] == [
        "Run this command to install it from the registry:",
        "pip install example",
        "Pass the flag --upgrade to get the newest version.",
    ]
    assert len(index.section("guide/install.md", "")) == 5
    assert index.section("guide/install.md", "nowhere") == ()
    assert index.section("nowhere.md", "") == ()
    assert list(index.anchors("guide/install.md")) == ["install", "pip", "upgrade", "conda"]


def test_passages_are_found_by_id_and_by_content(index: Index) -> None:
    """What an answer cites is found again, under its id or, once it moved, under its hash."""
    (passage,) = index.section("keys.md", "rotate")
    assert index.passage(passage.id) == passage
    assert index.passage("keys.md#rotate~nothing") is None


@pytest.mark.parametrize(
    "question", ["How do I rotate an API key?", "max_age", "--upgrade", 'a "b" OR NEAR(*) AND -c:^']
)
def test_any_question_can_be_asked(index: Index, question: str) -> None:
    """Operators and quotes of the query language mean nothing in a question."""
    hits = index.search(question, scope=EVERYWHERE, limit=5)
    assert all(0 <= hit.relevance <= 1 for hit in hits)


def test_scopes_keep_pages_out(index: Index) -> None:
    """Globs, languages and superseded pages."""
    assert {h.passage.page.src for h in index.search("key", scope=Scope(include=("keys.md",)), limit=9)} == {"keys.md"}
    assert index.search("key", scope=Scope(include=("!keys.md",)), limit=9) == ()
    assert index.search("key", scope=Scope(locale="de"), limit=9) == ()
    old = Page("old.md", "old/", "Old keys", type=SourceType.ARCHIVE)
    index.sync([(old, "<p>Keys of old.</p>")])
    assert index.search("keys", scope=EVERYWHERE, limit=9) == ()
    assert index.search("keys", scope=Scope(include=("old.md",)), limit=9) != ()


def test_a_release_note_or_post_has_the_date_on_which_git_first_had_it(tmp_path: Path) -> None:
    """Where it has none of its own, and whatever its name was then; a shallow clone does not know it."""
    origin = tmp_path / "origin"
    (origin / "docs/blog").mkdir(parents=True)
    pages = []
    for name, published in (
        ("docs/v2.4.md", ""), ("docs/keys.md", ""), ("docs/blog/a.md", "2026-01-02"), ("docs/blog/b.md", "2026-01-03"),
        ("docs/blog/new.md", ""),
    ):  # fmt: skip
        src = name.removeprefix("docs/")
        pages.append((Page(src, src, src, published=published, file=name), "<p>It is so.</p>"))
        was = "docs/old.md" if name.endswith("new.md") else name
        (origin / was).write_text(f"It is so in {name}.\n", encoding="utf-8")

    def git(*arguments: str, at: Path = origin) -> None:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        when = {"GIT_AUTHOR_DATE": f"{day}T12:00:00Z", "GIT_COMMITTER_DATE": f"{day}T12:00:00Z"}
        subprocess.run(["git", *who, *arguments], cwd=at, env={**os.environ, **when}, check=True, capture_output=True)

    day = "2025-05-06"
    git("init")
    git("add", ".")
    git("commit", "-m", "First")
    day = "2026-07-08"
    git("mv", "docs/old.md", "docs/blog/new.md")
    git("commit", "-m", "Move")
    git("clone", "--depth", "1", origin.as_uri(), str(tmp_path / "shallow"))
    dates = {}
    for root in (origin, tmp_path / "shallow"):
        index = Index.open(None)
        index.sync(pages)
        index.repository = Repository(root)
        dates[root.name] = {page.src: index.date(page) for page, _ in pages}
        index.close()
    own = {"keys.md": "", "blog/a.md": "2026-01-02", "blog/b.md": "2026-01-03"}
    assert dates["origin"] == {**own, "v2.4.md": "2025-05-06", "blog/new.md": "2025-05-06"}
    assert dates["shallow"] == {**own, "v2.4.md": "", "blog/new.md": ""}
