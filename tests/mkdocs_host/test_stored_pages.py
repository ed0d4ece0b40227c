"""A command renders nothing where what pages are made from is as it was in the last command."""

from __future__ import annotations

import datetime
import json
import logging
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from mkdocs_cited.mkdocs_host import log
from tests.projects import Project

SAME = "nothing is rendered"
EXTENSIONS = [
    "admonition", "attr_list", "def_list", "footnotes", "tables", "pymdownx.superfences", {"toc": {"permalink": True}},
    {"pymdownx.emoji": {
        "emoji_index": "!!material.extensions.emoji.twemoji", "emoji_generator": "!!material.extensions.emoji.to_svg",
    }},
]  # fmt: skip
BLOG = "---\ndate: 2024-01-31\nauthors: [ann]\ntags: [news]\n---\n# News\n\nThe rate is 60.\n\n<!-- more -->\n\nMore.\n"


@pytest.fixture(autouse=True)
def _repository(project: Project) -> None:
    """Git tells which files a page may include."""
    subprocess.run(["git", "init", "-q"], cwd=project.root, check=True)


@pytest.fixture
def site(project: Project) -> Project:
    """A site whose pages are made from more than their own files, by plugins that are known."""
    theme = {"name": "material", "font": False}
    plugins = ["search", "meta", "tags", "blog", {"minify": {"minify_html": True}}, {"cited": {}}]
    snippets = {"pymdownx.snippets": {"base_path": [str(project.root / "parts")], "check_paths": True}}
    project.configure(
        theme=theme, plugins=plugins, markdown_extensions=[*EXTENSIONS, snippets], hooks=["hook.py"], watch=["parts"]
    )
    project.write("hook.py", "A = 1\n")
    written = (project.root / "mkdocs.yml").read_text(encoding="utf-8")
    project.write("mkdocs.yml", re.sub(r"'!!([\w.]+)'", r"!!python/name:\1 ''", written))
    project.write("parts/rate.txt", "The rate of requests is 60.\n")
    project.write("docs/blog/.authors.yml", "authors: {ann: {name: Ann, description: Writer, avatar: a.png}}\n")
    project.write("docs/.meta.yml", "author: Ann\n")
    project.page("blog/index.md", "# Blog\n")
    project.page("blog/posts/one.md", BLOG)
    project.page("rates.md", '# Rates\n\n--8<-- "rate.txt"\n')
    project.page("faq.md", "---\nanswers:\n  - {question: What is the rate of requests?, id: rate}\n---\n# FAQ\n")
    project.lies_for_a_while()  # files that have just changed are not trusted
    return project


@pytest.fixture
def small(project: Project) -> Project:
    """A site with one question."""
    project.page("faq.md", "---\nanswers:\n  - {question: How do I rotate an API key?, id: rotate}\n---\n# FAQ\n")
    project.lies_for_a_while()
    return project


def said(project: Project, command: str = "find", *words: str) -> str:
    """What a command says and what the host logs meanwhile, in one line."""
    words = words or (("What is the rate of requests?",) if command == "find" else ())
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    try:
        lines.append(project.cited(command, *words).output)
    finally:
        log.setLevel(before)
        log.removeHandler(handler)
    return " ".join(" ".join(lines).split())


def test_a_command_after_a_build_or_a_command_renders_nothing(site: Project) -> None:
    """And finds the same, on any of several days; so do the others."""
    rendered = site.cited("check", "--json").output
    assert SAME in said(site)
    for file in (site.root / ".cache/plugin/cited").glob("mkdocs.sqlite3*"):
        file.unlink()
    assert SAME not in said(site)
    assert SAME in said(site)
    assert json.loads(site.cited("check", "--json").output)["findings"] == json.loads(rendered)["findings"]
    for command in ("check", "status", "prune", "review", "update"):
        assert SAME in said(site, command, *(["--dry-run"] if command == "update" else [])), command
    assert SAME in said(site, "ask", "What is the rate of requests?")
    assert SAME in said(site, "verify", "The rate is 60 requests.")


CHANGES: dict[str, Callable[[Project], object]] = {
    "a page": lambda site: site.page("rates.md", "# Rates\n\nNone.\n"),
    "a new page": lambda site: site.page("more.md", "# More\n"),
    "a page less": lambda site: (site.root / "docs/rates.md").unlink(),
    "what is watched": lambda site: site.write("parts/rate.txt", "The rate is 61.\n"),
    "a hook": lambda site: site.write("hook.py", "A = 2\n"),
    "the configuration": lambda site: site.write(
        "mkdocs.yml", (site.root / "mkdocs.yml").read_text().replace("Try", "Other", 1)
    ),
    "a variable that a hook may read": lambda site: site.monkeypatch.setenv("DAYS", "60"),
    "an older file": lambda site: os.utime(site.root / "docs/rates.md", (1, 1)),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_changed_is_rendered(site: Project, what: str) -> None:
    """Everything that a page may depend on."""
    site.monkeypatch.chdir(site.root)
    said(site)
    assert SAME in said(site)
    CHANGES[what](site)
    assert SAME not in said(site)


def test_records_are_no_pages(site: Project) -> None:
    """What a command writes into them renders nothing."""
    said(site)
    site.cited("update")
    assert SAME in said(site)


def test_pages_are_rendered_where_that_is_asked_for(small: Project) -> None:
    """`--render`, though nothing has changed."""
    said(small)
    assert SAME in said(small, "check")
    assert SAME not in said(small, "check", "--render")


def test_a_page_that_changes_while_the_site_is_built(site: Project) -> None:
    """It may be read before or after it: nobody can tell."""
    os.utime(site.root / "mkdocs.yml", (time.time() + 600,) * 2)  # however long the build takes
    said(site)
    assert SAME not in said(site)


def test_a_suppression_expires_though_nothing_has_changed(small: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The day is no part of what is stored, and is looked at each time."""
    small.authored(
        "guide/install.md#with-pip", wrong=["The client retries a failed request 7 times before it gives up."]
    )
    slugs = ("altered-number", "contradicted-claim")
    silenced = [{"slug": slug, "reason": "Known.", "expires": "2200-01-31"} for slug in slugs]
    small.configure({"suppress": silenced})
    small.lies_for_a_while()
    assert small.cited("check").code == 0
    assert SAME in said(small, "check")
    later = SimpleNamespace(date=SimpleNamespace(today=lambda: datetime.date(2200, 2, 1)))
    monkeypatch.setattr("mkdocs_cited.pipeline.run.datetime", later)
    assert SAME in said(small, "check")
    assert small.cited("check").code == 1


def test_two_configurations_in_a_folder(small: Project) -> None:
    """Each has its own pages."""
    other = (small.root / "mkdocs.yml").read_text(encoding="utf-8").replace("site_name: Try", "site_name: Two")
    small.write("mkdocs.two.yml", other)
    small.lies_for_a_while()
    said(small)
    words = ("find", "-f", str(small.root / "mkdocs.two.yml"), "rate")  # the last `-f` counts
    assert SAME not in said(small, *words)
    assert SAME in said(small, *words)
    assert SAME in said(small)


def test_a_command_finds_the_configuration_where_it_runs(small: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `-f`, in one folder and then in another of the same process."""
    other = small.root.parent / "other"
    shutil.copytree(small.root, other)
    (other / "docs/faq.md").write_text("# FAQ\n", encoding="utf-8")
    for folder, answers in ((small.root, 1), (other, 0), (small.root, 1)):
        monkeypatch.chdir(folder)
        assert len(json.loads(small.cited_here("check", "--json").output)["answers"]) == answers


@pytest.mark.parametrize("is_repository", [True, False])
def test_what_a_page_includes_may_be_anywhere_in_the_repository(project: Project, *, is_repository: bool) -> None:
    """Above the folder of mkdocs.yml, and not committed yet; where there is no repository, pages are rendered."""
    if not is_repository:
        shutil.rmtree(project.root / ".git")
    snippets = {"pymdownx.snippets": {"base_path": [str(project.root)]}}
    project.configure(markdown_extensions=[*EXTENSIONS[:5], snippets])
    project.write("kept.md", "Logs are kept for 30 days.\n")
    project.page("logs.md", '# Logs\n\n--8<-- "kept.md"\n')
    project.page("facts.md", "# Facts\n\nLogs are kept for 30 days [@logs.md].\n")
    project.lies_for_a_while()
    assert project.cited("check", "--strict").code == 0
    project.write("kept.md", "Logs are kept for 60 days.\n")
    assert project.cited("check", "--strict").code == 1


@pytest.mark.parametrize("where", ["built", "part"])
def test_what_a_page_includes_may_be_no_file_that_git_lists(project: Project, where: str) -> None:
    """One that is ignored, since something makes it; one of a submodule."""
    project.configure(markdown_extensions=[{"pymdownx.snippets": {"base_path": [str(project.root)]}}])
    project.write(".gitignore", "/built/\n")
    project.write(f"{where}/kept.md", "Logs are kept for 30 days.\n")
    if where == "part":
        subprocess.run(["git", "init", "-q"], cwd=project.root / where, check=True)
    project.page("logs.md", f'# Logs\n\n--8<-- "{where}/kept.md"\n')
    project.page("facts.md", "# Facts\n\nLogs are kept for 30 days [@logs.md].\n")
    project.lies_for_a_while()
    assert project.cited("check", "--strict").code == 0
    assert SAME in said(project, "check")
    project.write(f"{where}/kept.md", "Logs are kept for 60 days.\n")
    assert project.cited("check", "--strict").code == 1
