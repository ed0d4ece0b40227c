"""Nothing is written outside of the project, whatever pages, options and links say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.files import inside
from tests.projects import Project

OUT = [
    "../x",
    "a/../../x",
    "/x",
    "//host/x",
    "C:/x",
    "c:x",
    "..\\x",
    "a\\..\\..\\x",
    "",
    ".",
    "x\0y",
    "\x1b[8mx",
    "x" * 2_000,
]


@pytest.mark.parametrize("path", OUT)
def test_what_leads_out_or_is_no_path(tmp_path: Path, path: str) -> None:
    """Is refused, in the ways of every system."""
    with pytest.raises(UsageError, match="reports: "):
        inside(tmp_path, path, what="reports")


def test_what_stays_inside(tmp_path: Path) -> None:
    """Is the real path below the folder, there or not."""
    assert inside(tmp_path, "a/b..md", what="reports") == (tmp_path / "a/b..md").resolve()


def test_a_link_that_leads_out(tmp_path: Path) -> None:
    """Is followed before it is believed."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project/out").symlink_to(tmp_path)
    with pytest.raises(CitedError, match="through a link"):
        inside(tmp_path / "project", "out/x", what="reports")


def outside(project: Project) -> set[str]:
    """What stands beside the project."""
    return {path.relative_to(project.root.parent).as_posix() for path in project.root.parent.rglob("*")
            if project.root not in (path, *path.parents)}  # fmt: skip


@pytest.mark.parametrize("lang", ["../../../../x", "/x/y", "de/../../../x", "[../x]", "..", "x\x00y"])
def test_the_language_of_a_page_names_no_file(project: Project, lang: str) -> None:
    """A page's `lang` is a language, or nothing."""
    question = "How do I rotate an API key?"
    project.page("faq.md", f"---\nlang: '{lang}'\nanswers:\n  - question: {question}\n---\n# FAQ\n".encode())
    before = outside(project)
    assert project.build().code in (0, 1)
    assert project.build().code in (0, 1)
    assert outside(project) == before
    stored = {path.name for path in (project.root / ".cache/plugin/cited").glob("*")}
    assert {name for name in stored if not name.startswith("mkdocs.")} <= {".gitignore", "records.lock"}


@pytest.mark.parametrize(
    "options",
    [
        {"reports": {"sarif": "../out.sarif"}},
        {"reports": {"json": "/mkdocs-cited-out.json"}},
        {"render": {"report": "../../out.html"}},
        {"records_dir": "../answers"},
    ],
)
def test_an_option_that_leads_out(project: Project, options: dict[str, Any]) -> None:
    """Is named before anything is built, and nothing is written."""
    project.configure(options)
    project.page("faq.md", "---\nanswers:\n  - question: How do I rotate an API key?\n---\n# FAQ\n")
    before = outside(project)
    result = project.build()
    assert result.code == 1
    assert next(iter(options)) in result.output
    assert "leads out of the" in result.output
    assert outside(project) == before
    assert not (project.root / "site/cited.json").exists()


def test_a_report_behind_a_link(project: Project) -> None:
    """A folder of the project that is a link to elsewhere is no way out; the build says so, and writes the rest."""
    (project.root.parent / "elsewhere").mkdir()
    (project.root / "out").symlink_to(project.root.parent / "elsewhere")
    project.configure({"reports": {"sarif": "out/cited.sarif", "json": "cited-report.json"}})
    project.page("faq.md", "---\nanswers:\n  - question: How do I rotate an API key?\n---\n# FAQ\n")
    result = project.build()
    assert (result.code, "through a link" in result.output) == (1, True)
    assert list((project.root.parent / "elsewhere").iterdir()) == []
    assert (project.root / "cited-report.json").is_file()
    assert "key" in project.html("cited.json")


def test_a_report_that_cannot_be_written(project: Project) -> None:
    """A folder stands in its place: the build names it, and ends without a traceback."""
    project.configure({"reports": {"sarif": "docs"}})
    project.page("faq.md", "---\nanswers:\n  - question: How do I rotate an API key?\n---\n# FAQ\n")
    result = project.build()
    assert (result.code, "docs: cannot be written" in result.output) == (1, True)
