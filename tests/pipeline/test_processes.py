"""Many answers that are only looked at are settled by several processes, and nobody sees a difference but the time."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from mkdocs_cited.mkdocs_host.site import load
from mkdocs_cited.pipeline import pipeline, processes
from tests.installed import install
from tests.projects import Project

PROVIDER = """
import multiprocessing
import os
from mkdocs_cited.model.answer import Abstention
from mkdocs_cited.providers.interface import Provider

KEPT = lambda: None  # which no process could send to another


class Telling(Provider):
    id = "telling"

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.kept = KEPT

    def write(self, request):
        if request.declaration.id == "fatal" and multiprocessing.parent_process():
            os._exit(9)
        return Abstention(f"says process {os.getpid()}", ())
"""
RIGHT, WRONG = "The client retries a failed request 5 times.", "The client retries a failed request 7 times."


@pytest.fixture
def site(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A site with a handful of answers, right ones and wrong ones, on a machine with two cores that finds five many."""
    monkeypatch.setattr(pipeline, "MANY", 5)
    monkeypatch.setattr(processes, "SHARE", 2)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    packages = tmp_path / "packages"
    install(packages, "telling", {"mkdocs_cited.providers": {"telling": "telling_provider:Telling"}})
    (packages / "telling_provider.py").write_text(PROVIDER, encoding="utf-8")
    monkeypatch.syspath_prepend(packages)
    sys.modules.pop("telling_provider", None)  # that of a test before, whose file is gone
    project.authored("guide/install.md#with-pip", **{f"a{n}": [WRONG if n % 3 == 0 else RIGHT] for n in range(9)})
    return project


def asked(site: Project, *ids: str) -> None:
    """Questions that a provider of another package answers."""
    entries = "".join(f"  - {{id: {name}, question: What of {name}?, provider: telling}}\n" for name in ids)
    site.page("other.md", f"---\nanswers:\n{entries}---\n# Other\n")


def found(site: Project) -> dict[str, Any]:
    """What a check finds, without what was kept of the one before."""
    for path in (site.root / ".cache").rglob("*.check"):
        path.unlink()
    data: dict[str, Any] = json.loads(site.cited("check", "--json").output)
    return {key: value for key, value in data.items() if key != "made"}


def test_the_report_is_the_same(site: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers, findings, their order and the notices; alone, too, where a system cannot coordinate processes."""
    several = found(site)
    assert several["findings"]
    monkeypatch.setattr(pipeline, "MANY", 1000)
    assert found(site) == several
    monkeypatch.setattr(pipeline, "MANY", 5)

    def refused(*_: Any) -> None:
        raise OSError("no semaphores here")

    monkeypatch.setattr(processes, "ProcessPoolExecutor", refused)
    assert found(site) == several


def test_other_processes_settle(site: Project) -> None:
    """With the providers of other packages, whatever these hold; each answer once, and all of them are told of."""
    asked(site, "b", "c", "d", "e", "f")
    report = load(site.root / "mkdocs.yml").check()
    said = [answer.reason for answer in report.answers if answer.page == "other.md"]
    assert len(said) == 5
    assert all(reason.startswith("says process ") for reason in said)
    assert f"says process {os.getpid()}" not in said


def test_a_build_needs_no_other_process(site: Project) -> None:
    """It may write records, and one process writes."""
    asked(site, "b", "c", "d", "e", "f")
    site.build()
    said = {answer["reason"] for answer in site.answers().values() if answer["page"] == "other.md"}
    assert said == {f"says process {os.getpid()}"}


def test_a_process_that_dies_is_never_a_pass(site: Project) -> None:
    """It ends the command, which says what can be done."""
    asked(site, "fatal")
    result = site.cited("check")
    assert result.code == 3
    assert "has died" in result.output
    assert "--shard" in result.output


def test_a_process_that_cannot_start_is_not_waited_for(site: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much it would have been sent."""
    site.page("long.md", "# Long\n\n" + "This page is long. " * 20_000)
    started = site.write("started.py", "import os\nos._exit(7)\n")
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None)
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(started), raising=False)
    result = site.cited("check")
    assert result.code == 3
    assert "has died" in result.output
