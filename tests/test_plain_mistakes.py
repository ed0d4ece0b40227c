"""What people get wrong in files by hand, and what a machine may lack: a place and a next step, never a traceback."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mkdocs_cited.declarations import read_page
from mkdocs_cited.model.source import Page
from mkdocs_cited.sources.from_files import document_of
from tests.corpora import extract
from tests.projects import Project

QUESTION = "How often does the client retry a failed request?"
FAQ = f"---\nanswers:\n  - {{question: '{QUESTION}', id: retries}}\n---\n# FAQ\n"


def said(text: str) -> list[str]:
    """What reading a page finds, as `line: message`."""
    read = read_page("faq.md", "faq.md", text.encode())
    return [f"{finding.place.line}: {finding.message}" for finding in read.findings]


@pytest.mark.parametrize("key", ["sources: [a.md]", "queries: [a]", "question: Why?", "id: a", "text: x"])  # fmt: skip
def test_a_key_that_stands_twice(key: str) -> None:
    """Is named with its second line, whatever its values are."""
    name = key.partition(":")[0]
    for second in (key, f"{name}: [a, b, c]", f"{name}:"):
        page = f"---\nanswers:\n  - question: Why not?\n    {key}\n    {second}\n---\n"
        line = 4 if name == "question" else 5
        assert f"{line}: `{name}` appears twice in this answer" in said(page)


@pytest.mark.parametrize("merged", ["sources: [a.md, b.md]", "queries: [a, b]"])
def test_what_is_merged_in(merged: str) -> None:
    """`<<` brings keys that an entry does not have itself, as YAML says."""
    page = (
        f"---\nshared: &shared\n  {merged}\nanswers:\n  - <<: *shared\n    question: Why?\n"
        f"  - <<: [*shared, *shared]\n    question: Why not?\n    sources: [c.md]\n---\n"
    )
    read = read_page("faq.md", "faq.md", page.encode())
    assert not read.findings
    assert [item.sources for item in read.declarations][1] == ("c.md",)
    first = read.declarations[0]
    assert first.sources or first.queries


MISFITS = (
    "!!bool maybe", '!!int ""', "!!float x", "!!timestamp x", "!!binary é", "!!int '0x'", "!!set {[]: x}", "!!omap x",
    "!!pairs [x]", "!!null x", "!!python/none x",
)  # fmt: skip


@pytest.mark.parametrize("value", MISFITS)
def test_a_tag_that_does_not_fit(value: str) -> None:
    """Is a mistake at its place."""
    for key in ("question", "sources", "queries", "expect"):
        page = f"---\nanswers:\n  - question: Why?\n    {key}: {value}\n---\n"
        read_page("faq.md", "faq.md", page.encode())
    assert said(f"---\nanswers:\n  - question: {value}\n---\n") or value == "!!null x"


@contextmanager
def fifo(path: Path) -> Iterator[None]:
    """A pipe that nobody writes into; a reader that would wait for ever is let go after a while."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    release = threading.Timer(20, lambda: os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK)))
    release.start()
    try:
        yield
    finally:
        release.cancel()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_in_the_place_of_a_file(project: Project) -> None:
    """Nobody waits for it, and it is named."""
    project.configure({"extra_sources": [{"glob": "notes/*"}]})
    project.page("faq.md", FAQ)
    with fifo(project.root / "notes/pipe.md"), fifo(project.root / "answers/faq/retries.md"):
        project.write("cited-baseline.yml", "version: 1\nfindings: []\n")
        result = project.build()
        assert result.code == 1
        assert "`notes/pipe.md` of `extra_sources` is left out" in " ".join(result.output.split())
        (project.root / "cited-baseline.yml").unlink()
        with fifo(project.root / "cited-baseline.yml"):
            result = project.build()
    assert (result.code, "baseline" in result.output) == (1, True)


def test_a_file_in_the_place_of_the_cache(project: Project) -> None:
    """With a record to write, the command names it, and says what to do."""
    project.page("faq.md", FAQ)
    project.write(".cache", "in the way")
    result = project.cited("accept", "faq.md", "--by", "Ann")
    assert (result.code, ".cache" in result.output, "cannot be locked" in result.output) == (3, True, True)


BOMB = "&a0 [x, x]\n" + "".join(f"k{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))


@pytest.mark.parametrize("key", ["author", "authors", "status", "lang", "date", "updated"])
def test_an_alias_bomb_in_front_matter(project: Project, key: str) -> None:
    """Costs what its text costs: MkDocs shares what aliases name, and nobody here writes it out."""
    project.page("guide/bomb.md", f"---\nk0: {BOMB}{key}: *a11\n---\n# Bomb\n\nThe client is quick.\n")
    project.page("faq.md", FAQ)
    assert project.build().code == 0


def test_what_took_the_square_of_its_length() -> None:
    """Sizes at which each once took from half a minute to hours."""
    page = Page("a.yml", "", "a")
    assert document_of(page, "".join(f"key{n}: {n}\n" for n in range(30_000)), ".yml").passages
    assert document_of(page, "[\n" + '{"a": 1},\n' * 50_000 + "]", ".json").passages
    attributes = " ".join(f"a{n}='{n}'" for n in range(60_000))
    assert [item.text for item in extract(page, f"<p {attributes}>It is so.</p>")] == ["It is so."]


def test_code_in_an_element_in_a_block() -> None:
    """Holds no sign of ours, however a highlighter nests it."""
    for html in ("<pre><span><code>x = 1</code></span></pre>", "<pre><code>x <code>=</code> 1</code></pre>"):
        assert [item.text for item in extract(Page("a.md", "a/", "a"), html)] == ["x = 1"]
