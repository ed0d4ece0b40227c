"""Plugins that take pages apart, join them or make them small: answers are there, nothing breaks, in commands too."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from mkdocs.config.base import load_config

from mkdocs_cited.mkdocs_host.adapter import project_of
from tests.projects import Project

POST = """
    ---
    date: 2026-01-02
    answers:
      - question: How long is a key valid?
        id: valid
      - question: How often does the client retry a failed request?
        id: retry
    ---
    # One

    First words.

    <!-- answer: valid -->

    <!-- more -->

    <!-- answer: retry -->
"""
COMMANDS = (("check",), ("status",), ("find", "key"), ("ask", "How long is a key valid?"), ("update",))


@pytest.fixture
def site(project: Project) -> Project:
    """A site with all of them, and a post of a blog with two answers."""
    project.page("faq.md", "---\ntitle: FAQ\nanswers:\n  - question: How long is a key valid?\n---\n# FAQ\n")
    project.page("blog/index.md", "# Blog\n")
    project.page("blog/posts/one.md", POST)
    project.page("js/a.js", "function  a ( ) { return  1 ; }\n")
    minified = {"minify_html": True, "minify_js": True, "js_files": ["js/a.js"], "cache_safe": True}
    rss = {"use_git": False, "match_path": ".*", "date_from_meta": {"as_creation": "date"}}
    ours = {"cited": {"severity": {"unreviewed-quote": "info"}}}
    project.configure(
        theme={"name": "material"},
        extra_javascript=["js/a.js"],
        plugins=["search", "blog", ours, {"minify": minified}, {"rss": rss}, "print-site"],
    )
    return project


def test_a_build(site: Project) -> None:
    """Answers stand in pages and in the page to print; scripts are made small as ever."""
    result = site.build("--strict")
    assert result.code == 0, result.output
    assert list((site.root / "site/js").glob("a.*.min.js"))
    for path in ("faq/index.html", "print_page/index.html", "blog/2026/01/02/one/index.html"):
        assert "A key is valid for 90 days." in site.html(path), path


def test_an_excerpt(site: Project) -> None:
    """A list of posts shows nothing of ours but a comment."""
    assert site.build("--strict").code == 0
    assert "fn:cited" not in site.html("blog/index.html")


def test_a_feed(site: Project) -> None:
    """RSS summarises a page by its Markdown, before there are answers: no question is there without one."""
    assert site.build("--strict").code == 0
    items = ET.fromstring(site.html("feed_rss_created.xml")).iter("item")  # noqa: S314 -- our own build's
    said = {item.findtext("title"): item.findtext("description") or "" for item in items}
    assert said["FAQ"] == "<h1>FAQ</h1>"
    assert "<p>First words.</p>" in said["One"]


def test_the_page_to_print(site: Project) -> None:
    """Numbers lead to footnotes of the same page, where each id stands once."""
    assert site.build("--strict").code == 0
    html = site.html("print_page/index.html")
    ids = re.findall(r'\sid="?([^"\s>]+)', html)
    numbers = re.findall(r'<a class="?cited-ref"? href="?#([^"\s>]+)', html)
    assert [ids.count(number) for number in numbers] == [1]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_command(site: Project, command: tuple[str, ...]) -> None:
    """Plugins are started as `mkdocs build` starts them."""
    result = site.cited(*command)
    assert result.code == 0, result.output


def test_a_plugin_with_citations_of_its_own(project: Project) -> None:
    """What reads `[@smith04]` in Markdown, as mkdocs-bibtex does, takes no mark of ours; code shows them as ever."""
    project.page(
        "index.md", "# Home\n\nA key is valid for 30 days [@guide/install.md#keys]. Woof [@smith04].\n\n`[@a.md#b]`\n"
    )
    taking = r"""
        import re

        def on_page_markdown(markdown, **_):
            return re.sub(r"\[@[^\]]*\]", "(1)", markdown)
        """
    project.write("taking.py", taking)
    project.configure(hooks=["taking.py"])
    result = project.build("--strict")
    assert (result.code, "altered-number" in result.output) == (1, True), result.output
    assert "Woof (1)." in project.html("index.html")
    assert "<code>[@a.md#b]</code>" in project.html("index.html")


def test_what_makes_a_pdf(project: Project) -> None:
    """Its links are ids and nothing else (`Links.with_fragments`)."""
    config = load_config(str(project.root / "mkdocs.yml"))
    assert not project_of(config).makes_pdf
    config.plugins["to-pdf"] = config.plugins["search"]
    assert project_of(config).makes_pdf


def test_a_plugin_that_fails(project: Project) -> None:
    """Its error is named with its place, and is no traceback of ours."""
    project.write("hook.py", "def on_page_content(html, **_):\n    return html.nothing\n")
    project.configure(hooks=["hook.py"])
    project.page("faq.md", "---\nanswers:\n  - question: How long is a key valid?\n---\n# FAQ\n")
    result = project.cited("check")
    assert result.code == 3
    assert "the site could not be built: AttributeError: 'str' object has no attribute 'nothing'" in result.output
    assert "hook.py, line 2" in result.output


def test_a_hook_that_cannot_be_loaded(project: Project) -> None:
    """It is named like any other that fails: the configuration is read before anything is built."""
    project.write("hook.py", "raise RuntimeError('boom')\n")
    project.configure(hooks=["hook.py"])
    result = project.cited("check")
    assert (result.code, "RuntimeError: boom" in result.output, "hook.py, line 1" in result.output) == (3, True, True)
