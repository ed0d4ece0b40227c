"""On Zensical, which runs no plugins: real builds keep places and marks, and `check --site` tells of what they lack."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mkdocs_cited.base.html import original
from tests.projects import Project

FAQ = """
    ---
    title: FAQ
    answers:
      - question: How long is a key valid?
      - id: why
        question: Why {{ this }}?
        text: The client waits 2 seconds between tries [@guide/install.md#with-pip].
      - question: What colour does a key have in winter?
    ---
    # FAQ

    <!-- answer: why -->

    The end.
"""
CONFIG = """
    site_name: Try
    site_url: https://example.org/try/
    theme:
      name: material
    markdown_extensions:
      - attr_list
      - toc: {permalink: true}
      - pymdownx.superfences
      - mkdocs_cited.extension
      - pymdownx.emoji:
          emoji_index: !!python/name:zensical.extensions.emoji.twemoji
"""
TOML = """
    [project]
    site_name = "Try"
    site_url = "https://example.org/try/"

    [project.markdown_extensions]
    attr_list = {}
    "mkdocs_cited.extension" = {}

    [project.plugins.cited]
    heading = 3
"""


def zensical(project: Project, *options: str, code: int = 0) -> str:
    """`zensical build` in the folder of the project, which exits with `code`; what it says."""
    path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-W", "ignore", "-m", "zensical", "build", *options]
    done = subprocess.run(
        command, cwd=project.root, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def site(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project of Zensical's, in whose folder the commands run."""
    monkeypatch.chdir(project.root)
    project.write("mkdocs.yml", CONFIG)
    project.page("faq.md", FAQ)
    return project


def cited(project: Project, command: str, *options: str) -> tuple[int, str]:
    """A command on the built site: how it ends, and what it says on one line."""
    result = project.cited_here(command, "--site", "site", *options)
    return result.code, " ".join(result.output.split())


def test_marks_are_kept_for_what_is_published(site: Project) -> None:
    """No reader sees them; `publish` writes what comes in their places, and questions that have none at the end."""
    said = "The client waits 2 seconds between tries [@guide/install.md#with-pip]."
    site.page("faq.md", FAQ.replace("The end.", f"{said}\n\n    The end."))
    zensical(site)
    html = site.html("faq/index.html")
    assert "[@guide" not in html
    code, said = cited(site, "check")
    assert (code, said.count("error missing-answer")) == (1, 4)
    code, said = cited(site, "publish")
    assert code == 0, said
    published = site.html("faq/index.html")
    assert '<h2 id="how-long-is-a-key-valid">How long is a key valid?' in published
    assert original(published) == html
    assert published.index('data-cited-answer="faq.md#why"') < published.index("The end.")
    assert published.index("The end.") < published.index('data-cited-answer="faq.md#claims"')
    assert re.search(
        r'tries<!--cited[^<>]*--><sup[^<>]*><a class="cited-ref[^"]*" href="#fn:cited-claims-\d"', published
    )
    assert (anchor := re.search(r'href="../guide/install/#(cited-[a-z2-7]+):~:text=', published))
    assert f' id="{anchor[1]}"' in site.html("guide/install/index.html")
    assert "What colour does a key have in winter?" in published
    code, said = cited(site, "check")
    assert "missing-answer" not in said
    assert "nothing in the site changed" in cited(site, "publish")[1]


def test_a_question_is_added_before_the_site_is_built(site: Project) -> None:
    """Nothing but the page is read; what needs the built site says how it is built."""
    (site.root / "mkdocs.yml").unlink()
    site.write("zensical.toml", '[project]\nsite_name = "Try"\n')
    added = site.cited_here("add", "Who paints the moon?")
    assert added.code == 0, added.output
    steps = [
        "wrote docs/faq.md",
        "the site does not have it yet",
        "  → zensical build",
        "  → mkdocs-cited review faq.md",
    ]
    assert added.output.splitlines()[-4:] == steps
    for command in ("review", "check", "publish"):
        early = site.cited_here(command)
        assert (early.code, "→ build the site first: `zensical build`" in early.output) == (2, True), command
    zensical(site)
    assert "Who paints the moon?" in site.cited_here("check").output


def test_an_option_of_the_extension_is_an_error_that_says_where_options_go(site: Project) -> None:
    site.write("mkdocs.yml", CONFIG.replace("mkdocs_cited.extension", "mkdocs_cited.extension: {heading: 3}"))
    said = zensical(site, "--strict", code=1)
    assert "ValueError: `mkdocs_cited.extension` in `markdown_extensions` has no option `heading`" in said
    assert "write the options of cited below `plugins`" in said


def test_a_page_that_shows_another_text_is_an_error(site: Project) -> None:
    """An author's own block with the key of an answer, too, is held to the answer's words."""
    zensical(site)
    cited(site, "publish")
    page = site.root / "site/faq/index.html"
    html = page.read_text(encoding="utf-8")
    page.write_text(html.replace("waits 2 seconds", "waits 3 seconds"), encoding="utf-8")
    code, said = cited(site, "check")
    assert (code, "shows another text" in " ".join(said.split())) == (1, True)
    cited(site, "publish")
    assert page.read_text(encoding="utf-8") == html


def test_a_site_without_the_extension_is_not_passed(site: Project) -> None:
    """What issue 17 began with: “No issues found”, no question on the page, and a check that passed. Nor is one that
    nobody has published."""
    site.write("mkdocs.yml", CONFIG.replace("      - mkdocs_cited.extension\n", ""))
    zensical(site)
    code, said = cited(site, "check")
    assert (code, said.count("does not show it")) == (1, 3)
    assert "`mkdocs-cited publish --site" in said
    built = site.html("guide/install/index.html")
    code, said = cited(site, "publish")
    assert code == 0, said
    html = site.html("faq/index.html")
    assert html.index("How long is a key valid?") < html.index("A key is valid for 90 days.")
    assert html.index('data-cited-answer="faq.md#why"') < html.index("The end.")
    assert original(site.html("guide/install/index.html")) == built
    code, said = cited(site, "check")
    assert code == 0, said


def test_a_page_that_was_not_built_is_not_passed(site: Project) -> None:
    """Every declared question counts, though its whole page is missing."""
    zensical(site)
    cited(site, "publish")
    (site.root / "site/faq/index.html").unlink()
    assert cited(site, "check")[1].count("does not show it") == 3


def test_a_private_note_stays_private(site: Project) -> None:
    """Of a note, a page shows the name alone, and its record no way to it."""
    options = "plugins:\n      - cited:\n          extra_sources: [{glob: notes/*.md, type: note}]\n    "
    site.write("mkdocs.yml", f"    {options}{CONFIG.strip()}\n")
    site.write("notes/team.md", "# Team\n\nThe pager rings in the kitchen at night.\n")
    site.page("faq.md", "---\nanswers:\n  - question: Where does the pager ring at night?\n---\n# FAQ\n")
    zensical(site)
    cited(site, "publish")
    assert "kitchen" not in "".join(path.read_text("utf-8") for path in (site.root / "site").rglob("*.html"))


@pytest.mark.parametrize("folders", ["true", "false"])
def test_its_own_configuration(site: Project, folders: str) -> None:
    """`zensical.toml` is read as `mkdocs.yml` is; links fit both kinds of addresses."""
    (site.root / "mkdocs.yml").unlink()
    head = f"[project]\n    use_directory_urls = {folders}"
    site.write("zensical.toml", TOML.replace("[project]", head, 1))
    zensical(site)
    cited(site, "publish")
    html = site.html("faq/index.html" if folders == "true" else "faq.html")
    assert '<h3 id="how-long-is-a-key-valid">' in html
    way = "../guide/install/#" if folders == "true" else "guide/install.html#"
    assert f'href="{way}cited-' in html
    assert cited(site, "check")[0] == 0
    for command in ("check", "status", "review"):
        done = site.cited_here(command)
        assert done.code == 0, f"the built site is found without being named: {done.output}"


def test_init_sets_a_site_up(site: Project) -> None:
    """It says what to write into the configuration, and writes a check for CI."""
    (site.root / "mkdocs.yml").unlink()
    site.page("keys.md", "# Keys\n\n## How do I rotate a key?\n\nOpen the settings and press Rotate.\n")
    site.page("faq.md", "---\nanswers:\n  - question: How do I rotate a key?\n---\n# FAQ\n")
    config = '[project]\nwatch = ["answers"]\nsite_name = "Try"\n\n[project.markdown_extensions]\nattr_list = {}\n'
    site.write("zensical.toml", config)
    (site.root / ".git").mkdir()
    (site.root / ".github").mkdir()
    said = site.cited_here("init", "--yes").output
    assert "write `mkdocs_cited.extension` into `markdown_extensions`" in said
    workflow = (site.root / ".github/workflows/answers.yml").read_text(encoding="utf-8")
    assert "pip install mkdocs-cited zensical" in workflow
    assert "      - run: zensical build --strict && mkdocs-cited publish --site site\n" in workflow
    assert workflow.index("publish --site site\n") < workflow.index(" check ")
    site.write("zensical.toml", f'{config}\n[project.markdown_extensions."mkdocs_cited.extension"]\n')
    zensical(site)
    done = site.cited_here("init", "--yes")
    assert (done.code, "wrote" in done.output) == (0, False), done.output
    assert cited(site, "publish")[0] == 0
    assert 'data-cited-answer="faq.md#how-do-i-rotate-a-key"' in site.html("faq/index.html")


def test_zensical_beside_mkdocs(site: Project) -> None:
    """Where a repository installs it, the configuration gets the plugin for one, and the other is told."""
    text = CONFIG.replace("      - mkdocs_cited.extension\n", "").replace("    watch: [answers]\n", "")
    site.write("mkdocs.yml", text.partition("      - pymdownx.emoji")[0])
    site.write("requirements.txt", "zensical\n")
    (site.root / ".git").mkdir()
    rows = site.cited_here("init", "--yes").output
    assert "write `mkdocs_cited.extension` into `markdown_extensions`" in " ".join(rows.split())
    assert "+  - cited" in rows


def test_a_post_of_a_blog_is_not_where_its_source_is(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is known by its title."""
    monkeypatch.chdir(project.root)
    (project.root / "mkdocs.yml").unlink()
    project.write("zensical.toml", f"{TOML.rstrip()}\n\n    [project.plugins.blog]\n")
    project.page("blog/index.md", "# Blog\n")
    asks = "  - id: valid\n    question: How long?\n    text: A key is valid for 90 days [@/guide/keys.md#valid].\n"
    project.page("blog/posts/one.md", f"---\ndate: 2026-01-02\nanswers:\n{asks}---\n# The *first* one\n\nWords.\n")
    project.page("guide/keys.md", "# Keys\n\n## Valid\n\nA key is valid for 90 days.\n")
    zensical(project)
    assert cited(project, "check")[0] == 1
    assert cited(project, "publish")[0] == 0
    (post,) = project.root.glob("site/blog/2026/01/02/*/index.html")
    assert 'data-cited-answer="blog/posts/one.md#valid"' in post.read_text("utf-8")
    assert cited(project, "check")[0] == 0
