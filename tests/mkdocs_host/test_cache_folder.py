"""Processes that share a cache, or die while they write into it, cost time and no answer; and it does not grow."""

from __future__ import annotations

import shutil
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests import forks
from tests.projects import Project

FAQ = "---\nanswers:\n  - {question: How long is a key valid?, id: valid}\n---\n# FAQ\n"
CACHE = ".cache/plugin/cited"


@pytest.fixture
def site(project: Project) -> Project:
    """A site of some pages."""
    for number in range(20):
        project.page(f"p{number}.md", f"# Part {number}\n\nThe key of part {number} is valid for {number + 2} days.\n")
    project.page("faq.md", FAQ)
    return project


def started(project: Project) -> BaseProcess:
    """A build in a process of its own."""
    return forks.started(forks.MKDOCS, ["build", "-q"], project.root)


def files(project: Project) -> dict[str, int]:
    """Name → size of each file of the cache."""
    folder = project.root / CACHE
    return {path.name: path.stat().st_size for path in folder.rglob("*") if path.is_file()} if folder.is_dir() else {}


def edited(project: Project, src: str, text: str) -> None:
    """Write a page as a person does, who needs longer than the clock of files lags: what changes just as pages are
    read is not trusted, and they are not kept."""
    project.page(src, text)
    time.sleep(0.06)


def test_builds_that_are_killed(site: Project) -> None:
    """As soon as there is a cache, and a moment later: the next build and the next command are what they would be."""
    site.taken("faq.md")
    assert site.build().code == 0
    wanted, said = (site.tree()["answers/faq/valid.md"], site.answers()), site.cited("check").output
    for wait in (0.0, 0.02, 0.1):
        for path in sorted((site.root / CACHE).iterdir()):
            path.unlink()
        process = started(site)
        deadline = time.monotonic() + 60
        while not any(name.endswith(".sqlite3") for name in files(site)) and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(wait)
        process.kill()
        process.join()
        assert site.build().code == 0
        assert (site.tree()["answers/faq/valid.md"], site.answers()) == wanted
        assert site.cited("check").output == said


def test_builds_at_the_same_time(site: Project) -> None:
    """Each ends well, and a command afterwards finds what is in the pages."""
    builds = [started(site) for _ in range(2)]
    for build in builds:
        build.join()
    assert [build.exitcode for build in builds] == [0, 0]
    assert "valid for 9 days" in site.cited("find", "key of part 7").output
    assert site.cited("check").code == 0


def test_a_cache_does_not_grow(site: Project) -> None:
    """However often pages are edited, it is about as large as one that was just made."""
    for number in range(10):
        edited(
            site, "p3.md", f"# Part 3\n\nThe key of part 3 is valid for {number} days, or {number + 1} on request.\n"
        )
        assert site.build().code == 0
    worn = files(site)
    shutil.rmtree(site.root / ".cache/plugin/cited")
    assert site.build().code == 0
    fresh = files(site)
    assert sum(worn.values()) < 1.5 * sum(fresh.values()) + 100_000
    assert {Path(name).suffix for name in worn} >= {Path(name).suffix for name in fresh}
