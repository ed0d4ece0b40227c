"""What is read from `.cache` is what was written there, or it is built again at once: nobody sees the difference."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from mkdocs_cited.base.values import replace
from mkdocs_cited.mkdocs_host import build_cache
from mkdocs_cited.mkdocs_host.installed import software
from mkdocs_cited.mkdocs_host.kept_answers import KeptAnswer, KeptAnswers
from mkdocs_cited.mkdocs_host.kept_readings import KeptReadings
from mkdocs_cited.mkdocs_host.outcome import Outcome
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Page, Scope
from mkdocs_cited.render.links import Spot
from mkdocs_cited.render.publish import Said
from mkdocs_cited.search.index import Index
from tests.projects import Project

T = TypeVar("T")
FAQ = """
    ---
    answers:
      - {question: How do I rotate an API key?, id: keys}
      - {question: How often does the client retry a failed request?, id: retries}
    ---
    # FAQ
"""


@pytest.fixture
def built(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose caches are warm, and whose reports are all of one moment."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    project.page("faq.md", FAQ)
    project.configure({"render": {"report": "cited/report.html"}})
    assert project.build("--strict").code == 0  # which writes the records
    shutil.rmtree(project.root / ".cache")
    assert project.build("--strict").code == 0
    assert project.build("--strict").code == 0
    return project


def site(project: Project) -> dict[str, bytes]:
    """The built site, without what MkDocs itself dates."""
    files = {path: data for path, data in project.tree().items() if path.startswith("site/")}
    return {path: re.sub(rb"Build Date UTC : .*|<lastmod>.*?</lastmod>|\x1f\x8b[^$]*", b"", data)
            for path, data in files.items()}  # fmt: skip


def cut(data: bytes, dice: Random) -> bytes:
    return data[: dice.randrange(len(data))]


def flipped(data: bytes, dice: Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]


def respelt(data: bytes, dice: Random) -> bytes:
    """Words changed for others of the same length: no format notices."""
    return (
        data.replace(b"supported", b"unchecked")
        .replace(b"Restart", b"Destroy")
        .replace(b"5 times", b"9 times")
        .replace(b"API", b"KEY")
    )


def kept_answers(path: Path) -> tuple[str, dict[str, KeptAnswer]]:
    """The answers that a build has kept, and their key."""
    name = path.read_bytes()[: build_cache.DIGEST].decode()
    kept = build_cache.recall(path, name, dict[str, KeptAnswer])
    assert kept is not None
    return name, kept


def outcome_of(project: Project) -> tuple[str, Outcome]:
    """What a build has kept of what it came to, and its key."""
    names: list[str] = []
    recall = build_cache.recall_own

    def heard(path: Path, wanted: str, kind: type[T]) -> T | None:
        if kind is Outcome:
            names.append(wanted)
        return recall(path, wanted, kind)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_cache, "recall_own", heard)
        assert project.build("--strict").code == 0
    outcome = recall(project.root / ".cache/plugin/cited/en.outcome", names[-1], Outcome)
    assert outcome is not None
    return names[-1], outcome


DAMAGE: tuple[Callable[[bytes, Random], bytes], ...] = (cut, flipped, flipped, flipped, respelt)


@pytest.mark.parametrize("name", ["readings", "en.outcome", "en.said", "en.build", "en.sqlite3"])
def test_a_damaged_cache_changes_nothing(built: Project, name: str) -> None:
    """The same site comes of it, and the next build finds the cache mended."""
    path, wanted = built.root / ".cache/plugin/cited" / name, site(built)
    dice = Random(name)
    for damage in DAMAGE:
        good = path.read_bytes()
        path.write_bytes(damage(good, dice))
        if name != "en.outcome":  # each is asked only where the one before does not answer
            path.with_name("en.outcome").unlink()
        if name == "en.sqlite3":
            path.with_name("en.build").unlink()
        assert path.read_bytes() != good
        result = built.build("--strict")
        assert (result.code, site(built)) == (0, wanted), result.output
        if name != "en.sqlite3":
            assert path.read_bytes() == good


@pytest.mark.parametrize(
    "name",
    ["readings", "en.outcome", "en.said", "en.build", "en.sqlite3", "en.sqlite3.seal", "index.lock", "records.lock"],
)
def test_a_folder_in_the_place_of_a_cache(built: Project, name: str) -> None:
    """Costs time, no answer."""
    wanted = site(built)
    for path in (built.root / ".cache/plugin/cited").glob("en.*"):
        path.unlink()
    (built.root / ".cache/plugin/cited" / name).unlink(missing_ok=True)
    (built.root / ".cache/plugin/cited" / name / "x").mkdir(parents=True)
    result = built.build("--strict")
    assert (result.code, site(built)) == (0, wanted), result.output


def test_no_html_of_a_memo_reaches_a_page(built: Project) -> None:
    """Who may write into the folder can make a whole cache, digest and all: its text passes the sanitiser."""
    path = built.root / ".cache/plugin/cited/en.build"
    name, kept = kept_answers(path)
    evil = "<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1))"
    for key, item in kept.items():
        kept[key] = replace(item, answer=replace(item.answer, content=evil, question=evil, reason=evil))
    build_cache.keep(path, name, kept)
    path.with_name("en.outcome").unlink()
    assert built.build("--strict").code == 0
    for page in ("faq/index.html", "cited/report.html"):
        html = built.html(page)
        assert "&lt;script&gt;alert(1)" in html
        assert not re.search(r"<script>alert|<img src=.?x|href=.?javascript:", html)


def test_what_pages_said_that_came_with_a_project(built: Project, tmp_path: Path) -> None:
    """It holds HTML and places in HTML, and is believed under a signature of this user only."""
    folder, wanted = built.root / ".cache/plugin/cited", site(built)
    path, name = folder / "en.said", build_cache.key(software(folder))
    kept = build_cache.recall_own(path, name, Said)
    assert kept is not None
    assert kept.spots
    evil = Said(spots=dict.fromkeys(kept.spots, Spot("evil", 0, ":~:text=evil", "", "")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
        build_cache.keep_own(path, name, evil)
        assert build_cache.recall_own(path, name, Said) == evil
    path.with_name("en.outcome").unlink()
    assert (built.build("--strict").code, site(built)) == (0, wanted)
    build_cache.keep_own(path, name, evil)  # what it says is used
    path.with_name("en.outcome").unlink()
    assert built.build("--strict").code == 0
    assert "text=evil" in built.html("faq/index.html")


def test_readings_that_came_with_a_project(built: Project, tmp_path: Path) -> None:
    """They hold Markdown, and are believed under a signature of this user only."""
    folder, wanted = built.root / ".cache/plugin/cited", site(built)
    path, name = folder / "readings", build_cache.key(software(folder))
    kept = build_cache.recall_own(path, name, KeptReadings)
    assert kept is not None
    evil = KeptReadings({key: replace(item, markdown="Evil.") for key, item in kept.readings.items()})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
        build_cache.keep_own(path, name, evil)
        assert build_cache.recall_own(path, name, KeptReadings) == evil
    assert (built.build("--strict").code, site(built)) == (0, wanted)
    build_cache.keep_own(path, name, evil)  # what they say is used
    assert built.build("--strict").code == 0
    assert "Evil." in built.html("faq/index.html")


def hooked(project: Project, text: str) -> None:
    project.write("hook.py", text)
    project.configure(hooks=["hook.py"])


READ: dict[str, Callable[[Project], object]] = {
    "a declaration": lambda project: project.page("faq.md", FAQ.replace("How often does", "How many times does")),
    "the text": lambda project: project.page("faq.md", FAQ + "\n    <!-- answer: keys -->\n\n    More.\n"),
    "the path": lambda project: (project.root / "docs/faq.md").rename(project.root / "docs/asked.md"),
    "the level of headings": lambda project: project.configure({"heading": 3}),
    "the extensions": lambda project: project.configure(markdown_extensions=["tables"]),
    "what another plugin declares": lambda project: hooked(
        project, "def on_page_markdown(markdown, page, **_): page.meta.get('answers', []).clear()\n"
    ),
    "what another plugin writes": lambda project: hooked(
        project, "def on_page_markdown(markdown, **_): return markdown + '\\n<!-- answer: keys -->\\n\\nMore.\\n'\n"
    ),
}


@pytest.mark.parametrize("change", READ.values(), ids=READ)
def test_what_a_page_declares_is_read_again(built: Project, change: Callable[[Project], object]) -> None:
    """Whenever anything that it depends on has changed: the build behind it comes to what one without a cache does."""
    before = site(built)
    change(built)
    built.build()
    warm = site(built)
    shutil.rmtree(built.root / ".cache")
    built.build()
    assert warm == site(built) != before


@pytest.mark.parametrize("brought", ["a key", "no key", "a key that others may read"])
def test_an_outcome_that_came_with_a_project(built: Project, brought: str, tmp_path: Path) -> None:
    """HTML is believed only where this user's own build has signed it; anybody else's is made anew."""
    path, wanted = built.root / ".cache/plugin/cited/en.outcome", site(built)
    name, kept = outcome_of(built)
    evil = replace(kept, pages=dict.fromkeys(kept.pages, "<script>alert(1)</script>"))
    other = tmp_path / "other"
    built.monkeypatch.setenv("XDG_STATE_HOME", str(other))
    build_cache.keep_own(path, name, evil)
    assert build_cache.recall_own(path, name, Outcome) == evil
    match brought:
        case "a key":  # this user has another
            built.monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "own"))
        case "no key":
            (other / "mkdocs-cited/key").unlink()
            (other / "mkdocs-cited").chmod(0o500)
        case _:
            (other / "mkdocs-cited/key").chmod(0o644)
    assert build_cache.recall_own(path, name, Outcome) is None
    assert (built.build("--strict").code, site(built)) == (0, wanted)


def test_an_outcome_holds_for_its_inputs(built: Project) -> None:
    """Under another key, the same bytes are nothing; and one without answers to give costs nobody a build."""
    path = built.root / ".cache/plugin/cited/en.outcome"
    name, _ = outcome_of(built)
    assert build_cache.recall_own(path, name[::-1], Outcome) is None


def test_a_memo_that_nobody_could_have_kept(built: Project) -> None:
    """Well-formed values that do not fit together are as good as none."""
    path, wanted = built.root / ".cache/plugin/cited/en.build", site(built)
    name, kept = kept_answers(path)
    strange = {
        key: replace(item, answer=replace(item.answer, key="nowhere.md#x", page="nowhere.md"))
        for key, item in kept.items()
    }
    for answers in ({}, strange, {"nowhere.md#x": next(iter(kept.values()))}):
        build_cache.keep(path, name, answers)
        path.with_name("en.outcome").unlink()
        result = built.build("--strict")
        assert (result.code, site(built)) == (0, wanted), result.output


def test_a_memo_that_breaks_what_reads_it(built: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is kept: a build that fails by it goes on without it, and once."""
    path, wanted = built.root / ".cache/plugin/cited/en.build", site(built)
    path.with_name("en.outcome").unlink()

    def recall(self: KeptAnswers, declaration: Declaration) -> Answer | None:
        if path.is_file():
            raise IndexError(declaration.key)
        return None

    monkeypatch.setattr(KeptAnswers, "recall", recall)
    result = built.build("--strict")
    assert (result.code, site(built)) == (0, wanted), result.output
    assert path.is_file()


def test_a_seal_tells_one_flipped_bit(tmp_path: Path) -> None:
    """Wherever it is in an index: in a text, in the full text's own tables, in what no page uses."""
    pages = [
        (Page(f"p{n}.md", f"p{n}/", f"Page {n}"), f"<h2>Keys</h2><p>Key {n} is valid for {n} days.</p>")
        for n in range(9)
    ]
    index = Index.open(tmp_path)
    index.sync(pages)
    wanted = index.search("key valid days", scope=Scope(), limit=9)
    index.close()
    path, dice = tmp_path / "site.sqlite3", Random(5)
    for _ in range(40):
        path.write_bytes(flipped(path.read_bytes(), dice))
        mended = Index.open(tmp_path)
        assert mended.sync(pages).written == 9
        assert mended.search("key valid days", scope=Scope(), limit=9) == wanted
        mended.close()
        again = Index.open(tmp_path)
        assert again.sync(pages).unchanged == 9
        again.close()
    with sqlite3.connect(path) as database:  # as who knows how: a proper write, and no seal for it
        database.execute("UPDATE passages SET hash = 'x'")
    database.close()
    assert Index.open(tmp_path).sync(pages).written == 9


def test_a_seal_holds_for_the_file_that_was_looked_at(tmp_path: Path) -> None:
    """One that was touched, or copied, is read and believed; one that only looks as old as before is not."""
    pages = [(Page("p.md", "p/", "Page"), "<p>A key is valid for 9 days.</p>")]
    path = tmp_path / "one" / "site.sqlite3"
    for _ in range(3):  # made, read a moment later, and looked at
        index = Index.open(path.parent)
        index.sync(pages)
        index.close()
        time.sleep(0.05)
    copied = Path(shutil.copytree(path.parent, tmp_path / "two"))
    os.utime(path)
    for folder in (path.parent, copied):
        index = Index.open(folder)
        assert index.sync(pages).unchanged == 1
        index.close()
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b"valid for 9", b"valid for 8"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert Index.open(path.parent).sync(pages).written == 1


def test_a_cache_that_would_be_too_large(built: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left out, the log says so and what that means, and the build comes to the same."""
    wanted = site(built)
    monkeypatch.setattr(build_cache, "MOST_BYTES", 2000)
    shutil.rmtree(built.root / ".cache")
    result = built.build("--strict")
    assert "en.build is left out of the cache: it would have 0 MB" in result.output, result.output
    assert not (built.root / ".cache/plugin/cited/en.build").exists()
    assert site(built) == wanted
