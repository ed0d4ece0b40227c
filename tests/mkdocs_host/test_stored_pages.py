"""A command renders nothing where what pages are made from is as it was in the last command."""

from __future__ import annotations

import datetime
import json
import logging
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from mkdocs_cited.mkdocs_host.logger import log
from tests.installed import install
from tests.projects import Project

SAME = "nothing is rendered"
EXTENSIONS = [
    "admonition", "attr_list", "def_list", "footnotes", "tables", "pymdownx.superfences", {"toc": {"permalink": True}},
    {"pymdownx.emoji": {
        "emoji_index": "!!material.extensions.emoji.twemoji", "emoji_generator": "!!material.extensions.emoji.to_svg",
    }},
]  # fmt: skip
BLOG = "---\ndate: 2024-01-31\nauthors: [ann]\ntags: [news]\n---\n# News\n\nThe rate is 60.\n\n<!-- more -->\n\nMore.\n"


@pytest.fixture
def site(project: Project) -> Project:
    """A site whose pages are made from more than their own files, by plugins that are known."""
    theme = {"name": "material", "font": False}
    plugins = ["search", "meta", "tags", "blog", {"minify": {"minify_html": True}}, {"cited": {}}]
    snippets = {"pymdownx.snippets": {"base_path": [str(project.root / "parts")], "check_paths": True}}
    project.configure(theme=theme, plugins=plugins, markdown_extensions=[*EXTENSIONS, snippets])
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
    before = log.logger.level
    log.logger.addHandler(handler)
    log.logger.setLevel(logging.DEBUG)
    try:
        lines.append(project.cited(command, *words).output)
    finally:
        log.logger.setLevel(before)
        log.logger.removeHandler(handler)
    return " ".join(" ".join(lines).split())


def test_a_command_after_a_build_or_a_command_renders_nothing(site: Project) -> None:
    """And finds the same, on any of several days; so do the others."""
    rendered = site.cited("check", "--json").output
    site.cited("check")  # a plugin of this process has set a variable of the environment
    assert SAME in said(site)
    for file in (site.root / ".cache/plugin/cited").glob("mkdocs.sqlite3*"):
        file.unlink()
    assert "no build has stored them" in said(site)
    assert SAME in said(site)
    assert json.loads(site.cited("check", "--json").output)["findings"] == json.loads(rendered)["findings"]
    for command in ("check", "status", "prune", "review", "update"):
        assert SAME in said(site, command, *(["--dry-run"] if command == "update" else [])), command
    assert SAME in said(site, "ask", "What is the rate of requests?")
    assert SAME in said(site, "verify", "The rate is 60 requests.")


def installed(site: Project) -> None:
    """Install another package."""
    install(site.root / "packages", "another", {})
    site.monkeypatch.syspath_prepend(site.root / "packages")


CHANGES: dict[str, tuple[Callable[[Project], object], str]] = {
    "a page": (lambda site: site.page("rates.md", "# Rates\n\nNone.\n"), "`docs/rates.md` has changed"),
    "a page of the same length": (
        lambda site: site.page("blog/posts/one.md", BLOG.replace("60", "61")), "`docs/blog/posts/one.md` has changed",
    ),
    "a new page": (lambda site: site.page("more.md", "# More\n"), "`docs/more.md` is new or gone"),
    "a page less": (lambda site: (site.root / "docs/rates.md").unlink(), "`docs/rates.md` is gone"),
    "a snippet": (lambda site: site.write("parts/rate.txt", "The rate is 61.\n"), "`parts/rate.txt` has changed"),
    "a page's defaults": (lambda site: site.write("docs/.meta.yml", "author: Bob\n"), "`docs/.meta.yml` has changed"),
    "the configuration": (
        lambda site: site.write("mkdocs.yml", (site.root / "mkdocs.yml").read_text().replace("Try", "Other", 1)),
        "`mkdocs.yml` has changed",
    ),
    "an option's variable": (
        lambda site: site.monkeypatch.setenv("MKDOCS_CITED_EXCLUDE", "[rates.md]"), "the options have changed",
    ),
    "a package": (lambda site: installed(site), "a package or a variable of the environment has changed"),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_what_changed_is_rendered_and_named(site: Project, what: str) -> None:
    """Everything that a page may depend on."""
    change, why = CHANGES[what]
    site.monkeypatch.chdir(site.root)
    said(site)
    change(site)
    output = said(site)
    assert SAME not in output
    assert why in output


def test_records_are_no_pages(site: Project) -> None:
    """What a command writes into them renders nothing."""
    said(site)
    site.cited("update")
    assert SAME in said(site)


def test_a_variable_that_the_configuration_names(small: Project) -> None:
    """Its value is part of the configuration."""
    written = (small.root / "mkdocs.yml").read_text(encoding="utf-8")
    small.write("mkdocs.yml", f"{written}copyright: !ENV [SITE_WORD, none]\n")
    small.lies_for_a_while()
    said(small)
    assert SAME in said(small)
    small.monkeypatch.setenv("SITE_WORD", "a word")
    assert "a variable of the environment" in said(small)


READS: dict[str, tuple[str, Callable[[Project], object], str]] = {
    "a file beside the docs": (
        "text = pathlib.Path('../project/data.txt').read_text()",
        lambda site: site.write("data.txt", "61"), "`data.txt` has changed",
    ),
    "a file outside of the project": (
        "text = pathlib.Path('../data.txt').read_text()",
        lambda site: site.write("../data.txt", "61"), "data.txt` has changed",
    ),
    "a hidden file": (
        "text = pathlib.Path('.data').read_text()",
        lambda site: site.write(".data", "61"), "`.data` has changed",
    ),
    "a file that is not there yet": (
        "import contextlib\n    with contextlib.suppress(OSError): text = pathlib.Path('later.txt').read_text()",
        lambda site: site.write("later.txt", "61"), "`later.txt` is new",
    ),
    "a folder": (
        "import glob\n    text = str(glob.glob('data/*'))", lambda site: site.write("data/b.txt", "61"),
        "`data/b.txt` is new or gone",
    ),
    "a variable": (
        "import os\n    text = os.environ.get('RATE', '60')", lambda site: site.monkeypatch.setenv("RATE", "61"),
        "a variable of the environment has changed",
    ),
    "a module": (
        "import sys; sys.path.insert(0, '.'); import own_rate as own\n    text = own.RATE",
        lambda site: site.write("own_rate.py", "RATE = '6161'\n"), "`own_rate.py` has changed",
    ),
    "another program": (
        "import subprocess\n    text = subprocess.run(['echo', '60'], capture_output=True, text=True).stdout",
        lambda site: None, "no build has stored them",
    ),
    "the network": (
        "import socket, contextlib\n    with contextlib.suppress(OSError): socket.create_connection(('::1', 9), 1)",
        lambda site: None, "no build has stored them",
    ),
    "git": (
        "import subprocess\n    text = subprocess.run(['git', 'log'], capture_output=True, text=True).stdout",
        lambda site: site.git("commit", "-q", "--allow-empty", "-m", "two"), "git has checked out another commit",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", READS)
def test_what_any_hook_reads_counts(small: Project, what: str) -> None:
    """Whatever it is that reads, and wherever from: no list of plugins, and nothing that an author has to name."""
    code, change, why = READS[what]
    hook = f"def on_page_markdown(markdown, **_):\n    text = '60'\n    {code}\n    return markdown + text\n"
    small.write("hook.py", f"import pathlib\n{hook}")
    for name in ("data.txt", "../data.txt", ".data", "data/a.txt"):
        small.write(name, "60")
    small.write("own_rate.py", "RATE = '60'\n")
    small.monkeypatch.setattr(sys, "path", [*sys.path])
    small.monkeypatch.delitem(sys.modules, "own_rate", raising=False)
    small.monkeypatch.chdir(small.root)
    small.belongs_to_ann()
    small.git("commit", "-q", "--allow-empty", "-m", "one")
    small.configure(hooks=["hook.py"])
    small.lies_for_a_while()
    os.utime(small.root / "../data.txt", (time.time() - 5,) * 2)
    said(small)
    seen = why != "no build has stored them"
    assert (SAME in said(small)) is seen
    change(small)
    output = said(small)
    assert SAME not in output
    assert why in output


def test_pages_are_rendered_where_that_is_asked_for(small: Project) -> None:
    """`--render`, though nothing has changed."""
    said(small)
    assert SAME in said(small, "check")
    assert SAME not in said(small, "check", "--render")


def test_a_page_that_changes_while_the_site_is_built(site: Project) -> None:
    """What was edited a moment ago may be read before or after it: nobody can tell."""
    os.utime(site.root / "mkdocs.yml", (time.time() + 600,) * 2)  # however long the build takes
    assert "has just changed" in said(site)
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
        assert len(json.loads(small.cited_here("status", "--json").output)) == answers
