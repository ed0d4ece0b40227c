"""A command renders nothing where what pages are made from is as it was in the last build or command."""

from __future__ import annotations

import datetime
import json
import logging
import os
import re
import shutil
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from mkdocs_cited.mkdocs_host import inputs
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
HOOK = """
from pathlib import Path

def on_page_markdown(markdown, page, **_):
    return markdown + "\\n\\nThe limit is " + (Path(__file__).parent / "limit.txt").read_text() + " requests.\\n"
"""


@pytest.fixture
def site(project: Project) -> Project:
    """A site whose pages are made from more than their own files, by plugins that are known."""
    theme = {"name": "material", "custom_dir": "overrides", "font": False}
    plugins = ["search", "meta", "tags", "blog", {"minify": {"minify_html": True}}, {"cited": {}}]
    snippets = {"pymdownx.snippets": {"base_path": [str(project.root / "parts")], "check_paths": True}}
    project.configure(theme=theme, plugins=plugins, markdown_extensions=[*EXTENSIONS, snippets])
    written = (project.root / "mkdocs.yml").read_text(encoding="utf-8")
    project.write("mkdocs.yml", re.sub(r"'!!([\w.]+)'", r"!!python/name:\1 ''", written))
    project.write("overrides/.icons/own/key.svg", "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0'/></svg>")
    project.write("parts/rate.txt", "The rate of requests is 60.\n")
    project.write("docs/blog/.authors.yml", "authors: {ann: {name: Ann, description: Writer, avatar: a.png}}\n")
    project.write("docs/.meta.yml", "author: Ann\n")
    project.page("blog/index.md", "# Blog\n")
    project.page("blog/posts/one.md", BLOG)
    project.page("rates.md", '# Rates\n\n:own-key: It is so.\n\n--8<-- "rate.txt"\n')
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
    assert SAME in said(site)
    (site.root / ".cache/plugin/cited/mkdocs.store").unlink()
    assert "no build has stored them" in said(site)
    (site.root / ".cache/plugin/cited/mkdocs.store").unlink()
    site.build()
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
    "a new page": (lambda site: site.page("more.md", "# More\n"), "`docs/more.md` is new"),
    "a page less": (lambda site: (site.root / "docs/rates.md").unlink(), "`docs/rates.md` is gone"),
    "a snippet": (lambda site: site.write("parts/rate.txt", "The rate is 61.\n"), "`parts/rate.txt` has changed"),
    "a page's defaults": (lambda site: site.write("docs/.meta.yml", "author: Bob\n"), "`docs/.meta.yml` has changed"),
    "an icon": (lambda site: site.write("overrides/.icons/own/key.svg", "<svg/>"), "key.svg` has changed"),
    "the configuration": (
        lambda site: site.write("mkdocs.yml", (site.root / "mkdocs.yml").read_text().replace("Try", "Other", 1)),
        "`mkdocs.yml` has changed",
    ),
    "an option's variable": (
        lambda site: site.monkeypatch.setenv("MKDOCS_CITED_EXCLUDE", "[rates.md]"), "the options have changed",
    ),
    "a package": (lambda site: installed(site), "a package, or a variable of the configuration, has changed"),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_what_changed_is_rendered_and_named(site: Project, what: str) -> None:
    """Everything that a page may depend on."""
    change, why = CHANGES[what]
    site.monkeypatch.chdir(site.root)
    site.build()
    change(site)
    output = said(site)
    assert SAME not in output
    assert why in output


def test_records_are_no_pages(site: Project) -> None:
    """What a command writes into them renders nothing."""
    site.build()
    site.cited("update")
    assert SAME in said(site)


def test_a_variable_that_the_configuration_names(small: Project) -> None:
    """Its value is part of the configuration."""
    written = (small.root / "mkdocs.yml").read_text(encoding="utf-8")
    small.write("mkdocs.yml", f"{written}copyright: !ENV [SITE_WORD, none]\n")
    small.lies_for_a_while()
    small.build()
    assert SAME in said(small)
    small.monkeypatch.setenv("SITE_WORD", "a word")
    assert "a variable of the configuration" in said(small)


STRANGERS: dict[str, tuple[Callable[[Project], object], tuple[str, ...], str]] = {
    "a hook": (lambda site: site.configure(hooks=["hook.py"]), (), "what the hook `hook.py` reads is not known"),
    "a plugin": (
        lambda site: site.configure(plugins=["print-site", "cited"]), (), "what the plugin `print-site` reads",
    ),
    "an extension": (
        lambda site: site.monkeypatch.setattr(inputs, "EXTENSIONS", ()), (), "what the extension `toc` reads",
    ),
    "snippets of other hosts": (
        lambda site: site.configure(markdown_extensions=[{"pymdownx.snippets": {"url_download": True}}]), (),
        "the extension `pymdownx.snippets`",
    ),
    "an option on the command line": (
        lambda site: None, ("--no-directory-urls",), "a build with `use_directory_urls` on its command line",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", STRANGERS)
def test_what_nobody_knows_is_rendered_each_time(small: Project, what: str) -> None:
    """And why is said: nothing has changed. The option `inputs` says what else is read, or that nothing is."""
    change, flags, why = STRANGERS[what]
    small.write("hook.py", "def on_page_markdown(markdown, **_): return markdown\n")
    change(small)
    small.lies_for_a_while()
    output = " ".join(small.build("-v", *flags).output.split())
    assert "the next command renders the pages again" in output
    assert why in output
    assert SAME not in said(small)


def test_a_hook_whose_files_are_named(small: Project) -> None:
    """Its pages are rendered again when one of them changes."""
    small.configure({"inputs": ["hooks/*.txt"]}, hooks=["hooks/hook.py"])
    small.write("hooks/hook.py", HOOK)
    small.write("hooks/limit.txt", "60")
    small.lies_for_a_while()
    small.build()
    assert SAME in said(small)
    small.write("hooks/limit.txt", "61")
    output = said(small, "find", "limit of requests")
    assert "hooks/limit.txt` has changed" in output
    assert "61 requests" in output
    small.lies_for_a_while()
    said(small)
    small.write("hooks/hook.py", HOOK + "\n")
    assert "hooks/hook.py` has changed" in said(small)
    small.configure({"inputs": []}, hooks=["hooks/hook.py"])
    small.lies_for_a_while()
    small.build()
    small.write("hooks/limit.txt", "62")
    assert SAME in said(small)


@pytest.mark.parametrize("kind", ["OF_PROJECT", "OF_PAGES"])
def test_plugins_that_read_the_project_and_git(small: Project, kind: str) -> None:
    """A commit renders, and so does a file that macros may include; nothing else does."""
    small.monkeypatch.setattr(inputs, kind, (*getattr(inputs, kind), "mkdocs_print_site_plugin."))
    small.configure(plugins=["search", "print-site", {"cited": {}}])
    small.write("main.py", "def define_env(env): ...\n")
    small.belongs_to_ann()
    small.git("commit", "-q", "--allow-empty", "-m", "one")
    small.lies_for_a_while()
    small.build()
    assert SAME in said(small)
    small.write("main.py", "def define_env(env): pass\n")
    assert (SAME in said(small)) is (kind == "OF_PAGES")
    small.lies_for_a_while()
    said(small)
    small.git("commit", "-q", "--allow-empty", "-m", "two")
    assert "git has checked out another commit" in said(small)


def test_a_page_that_changes_while_the_site_is_built(site: Project) -> None:
    """What was edited a moment ago may be read before or after it: nobody can tell."""
    os.utime(site.root / "mkdocs.yml", (time.time() + 600,) * 2)  # however long the build takes
    output = site.build("-v").output
    assert "has just changed" in " ".join(output.split())
    assert SAME not in said(site)


def test_a_project_with_too_many_files(small: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pages are rendered each time, and the option that helps is named."""
    monkeypatch.setattr(inputs, "MOST_FILES", 2)
    output = " ".join(small.build("-v").output.split())
    assert "the project has more than 2 files (name those that count: `inputs`)" in output
    assert SAME not in said(small)


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
