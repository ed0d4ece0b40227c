"""A build leaves what commands need: the first one renders nothing, where the build knew all that its pages are of."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

import pytest

from mkdocs_cited.mkdocs_host.installed import software
from mkdocs_cited.mkdocs_host.observing import GRAIN
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


def rendered(project: Project, command: str = "find", *words: str) -> bool:
    """Whether a command renders the pages."""
    words = words or (("What is the rate of requests?",) if command == "find" else ())
    return SAME not in project.cited(command, "-v", *words).output


def test_the_first_command_after_a_build_renders_nothing(site: Project) -> None:
    """Nor does a check check again; both say what they would have said without."""
    result = site.build("-v")
    assert "the rendered pages are kept" in result.output
    assert not rendered(site)
    assert "answering took" not in site.cited("check", "-v").output
    left = site.cited("check", "--json").output
    found = site.cited("find", "What is the rate of requests?", "--json").output
    for path in (site.root / ".cache/plugin/cited").iterdir():
        path.unlink()
    assert rendered(site)
    assert json.loads(site.cited("check", "--json").output)["findings"] == json.loads(left)["findings"]
    assert site.cited("find", "What is the rate of requests?", "--json").output == found
    for path in (site.root / ".cache/plugin/cited").iterdir():
        path.unlink()
    site.build()  # which goes by the record, and compares nothing
    assert not rendered(site)
    assert "answering took" in site.cited("check", "-v").output
    assert json.loads(site.cited("check", "--json").output)["findings"] == json.loads(left)["findings"]


CHANGES: dict[str, tuple[str, str]] = {
    "a page": ("docs/rates.md", "# Rates\n\nNone.\n"),
    "a new page": ("docs/more.md", "# More\n"),
    "a post": ("docs/blog/posts/one.md", BLOG.replace("60", "61")),
    "a snippet": ("parts/rate.txt", "The rate of requests is 61.\n"),
    "a page's defaults": ("docs/.meta.yml", "author: Bob\n"),
    "the authors of the blog": (
        "docs/blog/.authors.yml",
        "authors: {ann: {name: Bob, description: B, avatar: a}}\n",
    ),
    "an icon": ("overrides/.icons/own/key.svg", "<svg xmlns='http://www.w3.org/2000/svg'><path d='M1 1'/></svg>"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_changed_since_the_build(site: Project, what: str) -> None:
    """Whatever pages can have been made from."""
    site.build()
    site.write(*CHANGES[what])
    assert rendered(site)


STRANGERS: dict[str, tuple[Callable[[Project], object], tuple[str, ...], str]] = {
    "a hook": (lambda site: site.configure(hooks=["hook.py"]), (), "what a hook reads"),
    "a plugin": (lambda site: site.configure(plugins=["print-site", "cited"]), (), "the plugin `print-site`"),
    "an extension": (
        lambda site: site.configure(markdown_extensions=["mkdocs_cited.extension"]), (), "extension `mkdocs_cited.ext",
    ),
    "an extension that reads from anywhere": (
        lambda site: site.configure(markdown_extensions=["pymdownx.b64"]), (), "the extension `pymdownx.b64`",
    ),
    "snippets from anywhere": (
        lambda site: site.configure(markdown_extensions=[{"pymdownx.snippets": {"restrict_base_path": False}}]), (),
        "the extension `pymdownx.snippets`",
    ),
    "an option on the command line": (
        lambda site: None, ("--no-directory-urls",), "a build with `use_directory_urls` on its command line",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", STRANGERS)
def test_what_nobody_knows_is_left_to_the_commands(project: Project, what: str) -> None:
    """They see for themselves what is read."""
    change, flags, why = STRANGERS[what]
    project.write("hook.py", "def on_page_markdown(markdown, **_): return markdown\n")
    project.page("faq.md", "---\nanswers:\n  - {question: How do I rotate an API key?, id: rotate}\n---\n# FAQ\n")
    change(project)
    project.lies_for_a_while()
    output = project.build("-v", *flags).output
    assert "no page is kept for the next command" in output
    assert why in " ".join(output.split())
    assert rendered(project)


def test_a_page_that_changes_while_the_site_is_built(site: Project) -> None:
    """What was edited a moment ago may be read before or after it: nobody can tell."""
    site.write("mkdocs.yml", (site.root / "mkdocs.yml").read_bytes())
    output = site.build("-v").output
    assert "has just changed" in " ".join(output.split())
    assert rendered(site)


def test_what_a_check_found_is_forgotten_with_what_it_was_found_under(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other options, other packages, another day: the pages may be the same, and what is found is not."""
    project.authored("guide/install.md#with-pip", retries=["The client retries a failed request 7 times."])

    def ends_with(code: int) -> None:
        for _ in range(3):  # as pages are rendered and, once nobody has just edited them, as they are kept
            assert project.cited("check").code == code

    project.lies_for_a_while()
    project.build()
    ends_with(1)
    assert "answering took" not in project.cited("check", "-v").output
    project.configure({"severity": {"altered-number": "warning", "contradicted-claim": "warning"}})
    project.lies_for_a_while()
    ends_with(0)
    assert "answering took" not in project.cited("check", "-v").output
    install(project.root / "packages", "another", {})
    monkeypatch.syspath_prepend(project.root / "packages")
    software.cache_clear()  # as in a process of its own
    assert "answering took" in project.cited("check", "-v").output


def test_a_check_that_renders_leaves_what_it_found(project: Project) -> None:
    """Like one of pages that were kept: the next command that needs it checks nothing."""
    project.authored("guide/install.md#with-pip", retries=["The client retries a failed request 7 times."])
    time.sleep(3 * GRAIN / 1e9)  # files that have just changed are not trusted
    first = project.cited("check", "-v")
    assert "the rendered pages are kept" in first.output
    assert "answering took" in first.output
    second = project.cited("check", "-v")
    assert "answering took" not in second.output
    assert second.code == first.code == 1
