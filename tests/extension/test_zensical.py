"""On Zensical, which runs no plugins: real builds show what is recorded, and `check --site` tells of what they lack."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mkdocs_cited.base.additions import original
from mkdocs_cited.site_host.configuration import gate
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
    watch: [answers]
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
    watch = ["answers"]

    [project.markdown_extensions]
    attr_list = {}
    "mkdocs_cited.extension" = {}

    [project.plugins.cited]
    heading = 3
"""


def zensical(project: Project, *options: str) -> str:
    """`zensical build` in the folder of the project; what it says."""
    path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-W", "ignore", "-m", "zensical", "build", *options]
    done = subprocess.run(
        command, cwd=project.root, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
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


def test_what_is_recorded_is_shown(site: Project) -> None:
    """Build, update, build: the answers stand in their places, with footnotes; nothing is left to say."""
    said = zensical(site)
    assert "has no record: run `mkdocs-cited update" in said
    assert "data-cited-answer" not in site.html("faq/index.html")
    code, said = cited(site, "check")
    assert code == 1
    assert said.count("error missing-answer") == 3

    assert cited(site, "update")[0] == 0
    zensical(site)
    html = site.html("faq/index.html")
    assert '<h2 id="how-long-is-a-key-valid">How long is a key valid?' in html
    assert html.index('data-cited-answer="faq.md#why"') < html.index("The end.")
    assert '<a class="cited-link" href="../guide/install/#:~:text=A%20key%20is%20valid%20for%2090%20days."' in html
    assert "A key is valid for 90 days.</blockquote>" in html
    assert "What colour does a key have in winter?" in html
    assert "cited-abstained" in html
    assert re.search(r'cited-abstained">.{0,200}<a class="cited-link" href="\.\./guide/', html, re.DOTALL)
    assert html.count("window.mkdocsCited = true") == 1
    code, said = cited(site, "check")
    assert code == 0, said
    assert "missing-answer" not in said


def test_neighbours_share_a_footnote(site: Project) -> None:
    """A lead-in and its steps are one number, which leads to all of them, as where MkDocs runs the plugin."""
    site.page("faq.md", "---\nanswers:\n  - question: How do I rotate an API key?\n---\n# FAQ\n")
    zensical(site)
    cited(site, "update")
    cited(site, "publish")
    assert [source["quote"] for source in site.answers()["how-do-i-rotate-an-api-key"]["sources"]][1:] == [
        "Open the settings page.",
        "Choose Rotate key and confirm.",
        "Restart the client with --key.",
        "A key is valid for 90 days.",
    ]
    zensical(site)
    html = site.html("faq/index.html")
    assert html.count('<li id="fn:') == 1
    assert "#:~:text=To%20rotate%20an%20API%20key" in html
    assert "&amp;text=" in html
    assert cited(site, "check")[0] == 0
    body = html[html.index("<body") :]
    assert '<link rel="stylesheet" href="data:text/css,' in body
    assert "<style" not in body


def test_updating_again_changes_nothing(site: Project) -> None:
    """Records stay as they are, byte for byte, however often the site is built and read."""
    zensical(site)
    cited(site, "update")
    records = {path: data for path, data in site.tree().items() if path.startswith("answers/")}
    assert len(records) == 3
    zensical(site)
    cited(site, "update")
    assert {path: data for path, data in site.tree().items() if path.startswith("answers/")} == records


def test_a_page_that_shows_another_text_is_an_error(site: Project) -> None:
    """The docs change and the answer with them: until the site is built again, the page is behind."""
    zensical(site)
    cited(site, "update")
    zensical(site)
    install = site.root / "docs/guide/install.md"
    install.write_text(install.read_text(encoding="utf-8").replace("90 days", "60 days"), encoding="utf-8")
    zensical(site)
    code, said = cited(site, "check")
    assert (code, "stale-answer" in said) == (1, True)
    cited(site, "update")
    code, said = cited(site, "check")
    assert (code, "shows another text" in said) == (1, True)
    zensical(site)  # `watch: [answers]`: the page is not taken from the cache
    assert cited(site, "check")[0] == 0
    assert "60 days" in site.html("faq/index.html")


@pytest.mark.parametrize(
    "link", [" javascript:alert(1)", "data:text/html,x", "//evil.example/x", "https://evil.example/x"]
)
def test_a_link_that_somebody_wrote_into_a_record_leads_nowhere(site: Project, link: str) -> None:
    """No page shows it, and `check` says that it is not the one to the passage."""
    zensical(site)
    cited(site, "update")
    record = site.root / "answers/faq/how-long-is-a-key-valid.md"
    text = record.read_text(encoding="utf-8")
    forged = re.sub(r"link: .*", lambda _: f"link: {json.dumps(link)}", text)
    assert forged != text
    record.write_text(forged, encoding="utf-8")
    zensical(site, "--clean")
    hrefs = re.findall(r'href="([^"]*)"', site.html("faq/index.html"))
    assert not [href for href in hrefs if "alert" in href or "evil" in href or href.startswith("data:text/html")]
    code, said = cited(site, "check")
    assert code == 1
    assert "is not the one to its passage" in " ".join(said.split())


def test_a_pointer_that_somebody_wrote_into_a_record_leads_nowhere(site: Project) -> None:
    """As with footnotes: what it says is compared with the passage that it names."""
    zensical(site)
    cited(site, "update")
    record = site.root / "answers/faq/what-colour-does-a-key-have-in-winter.md"
    text = record.read_text(encoding="utf-8")
    record.write_text(re.sub("(?m)^( *)link: .*$", r"\1link: javascript:alert(1)", text), encoding="utf-8")
    zensical(site)
    assert "javascript:alert" not in site.html("faq/index.html")
    code, said = cited(site, "check")
    assert code == 1
    assert "error broken-record" in said


def test_a_page_cannot_say_by_itself_which_text_it_shows(site: Project) -> None:
    """An author's own block with the key of an answer is held to the answer's words."""
    zensical(site)
    cited(site, "update")
    zensical(site)
    page = site.root / "site/faq/index.html"
    html = page.read_text(encoding="utf-8")
    page.write_text(html.replace("valid for 90 days", "valid for 91 days"), encoding="utf-8")
    code, said = cited(site, "check")
    assert (code, "shows another text" in " ".join(said.split())) == (1, True)


def test_a_site_without_the_extension_is_not_passed(site: Project) -> None:
    """What issue 17 began with: “No issues found”, no question on the page, and a check that passed. Nor is one that
    nobody has published."""
    site.write("mkdocs.yml", CONFIG.replace("      - mkdocs_cited.extension\n", ""))
    zensical(site)
    cited(site, "update")
    zensical(site)
    code, said = cited(site, "check")
    assert code == 1
    assert said.count("does not show it") == 3
    assert "`mkdocs-cited publish --site" in said
    built = site.html("guide/install/index.html")
    code, said = cited(site, "publish")
    assert code == 0, said
    html = site.html("faq/index.html")
    assert html.index("How long is a key valid?") < html.index("A key is valid for 90 days.")
    assert html.index('data-cited-answer="faq.md#why"') < html.index("The end.")
    (anchor,) = set(re.findall(r'href="../guide/install/#(cited-[a-z2-7]+):~:text=A%20key%20is', html))
    assert f'<p id="{anchor}">A key is valid for 90 days.' in site.html("guide/install/index.html")
    assert original(site.html("guide/install/index.html")) == built
    code, said = cited(site, "check")
    assert code == 0, said


def test_a_page_that_was_not_built_is_not_passed(site: Project) -> None:
    """Every declared question counts, though its whole page is missing."""
    zensical(site)
    cited(site, "update")
    zensical(site)
    (site.root / "site/faq/index.html").unlink()
    assert cited(site, "check")[1].count("does not show it") == 3


def test_an_answer_that_no_longer_passes_is_told(site: Project) -> None:
    """A text that somebody made wrong in its record fails the check, shown or not."""
    zensical(site)
    cited(site, "update")
    record = site.root / "answers/faq/how-long-is-a-key-valid.md"
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace("A key is valid for 90 days.[", "A key is valid for 30 days.["), encoding="utf-8")
    zensical(site)
    code, said = cited(site, "check")
    assert code == 1
    assert "altered-number" in said or "contradicted-claim" in said


def test_a_private_note_stays_private(site: Project) -> None:
    """Of a note, a page shows the name alone, and its record no way to it."""
    options = "plugins:\n      - cited:\n          extra_sources: [{glob: notes/*.md, type: note}]\n    "
    site.write("mkdocs.yml", f"    {options}{CONFIG.strip()}\n")
    site.write("notes/team.md", "# Team\n\nThe pager rings in the kitchen at night.\n")
    site.page("faq.md", "---\nanswers:\n  - question: Where does the pager ring at night?\n---\n# FAQ\n")
    zensical(site)
    cited(site, "update")
    zensical(site)
    assert "kitchen" not in "".join(path.read_text("utf-8") for path in (site.root / "site").rglob("*.html"))


@pytest.mark.parametrize("folders", ["true", "false"])
def test_its_own_configuration(site: Project, folders: str) -> None:
    """`zensical.toml` is read as `mkdocs.yml` is; links fit both kinds of addresses."""
    (site.root / "mkdocs.yml").unlink()
    head = f"[project]\n    use_directory_urls = {folders}"
    site.write("zensical.toml", TOML.replace("[project]", head, 1))
    zensical(site)
    cited(site, "update")
    zensical(site)
    html = site.html("faq/index.html" if folders == "true" else "faq.html")
    assert '<h3 id="how-long-is-a-key-valid">' in html
    way = "../guide/install/#" if folders == "true" else "guide/install.html#"
    assert f'href="{way}:~:text=' in html
    assert cited(site, "check")[0] == 0


def test_what_falls_short_is_said_in_the_build(site: Project) -> None:
    """A text that nobody reviewed, a changed question, and a CI that checks nothing; strict mode as well."""
    assert zensical(site).count("nothing in CI checks the answers") == 1
    cited(site, "update")
    site.write(".github/workflows/docs.yml", "jobs: {check: {steps: [run: mkdocs-cited check --strict --site site]}}\n")
    said = zensical(site, "--strict", "--clean")
    assert [line for line in said.splitlines() if "cited: " in line] == [
        "cited: docs/faq.md:5: “Why {{ this }}?” has 1 claim that nobody has confirmed: run `mkdocs-cited review`"
    ]
    record = site.root / "answers/faq/how-long-is-a-key-valid.md"
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace("A key is valid for 90 days.[", "Keys are valid for 90 days.["), encoding="utf-8")
    site.page("faq.md", FAQ.replace("in winter?", "in spring?\n        id: what-colour-does-a-key-have-in-winter"))
    said = zensical(site, "--strict", "--clean")
    assert "“How long is a key valid?” has a text that was not reviewed: run `mkdocs-cited update" in said
    assert "“What colour does a key have in spring?” has another declaration than its answer was written for" in said


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".github/workflows/x.yaml", "run: mkdocs-cited check --strict"),
        (".gitlab-ci.yml", "script:\n  - mkdocs-cited -q check"),
        ("noxfile.py", 'session.run("mkdocs-cited", "check")'),
        (".pre-commit-config.yaml", "repos:\n  - hooks:\n      - id: mkdocs-cited\n"),
        ("../Makefile", "docs:\n\tmkdocs-cited check\n"),
    ],
)
def test_a_check_in_ci_is_found(project: Project, file: str, text: str) -> None:
    """In the folders up to the repository's, and not in one of another command."""
    (project.root.parent / ".git").mkdir()
    assert gate(project.root) is None
    project.write(file, text.replace("check", "status").replace("id: mkdocs-cited", "id: mkdocs"))
    assert gate(project.root) is None
    project.write(file, text)
    assert gate(project.root) == project.root / file or gate(project.root) == (project.root / file).resolve()


def test_init_sets_a_site_up(site: Project) -> None:
    """It says what to write into the configuration, writes a first page once the site is built, and a check in CI."""
    (site.root / "mkdocs.yml").unlink()
    (site.root / "docs/faq.md").unlink()
    site.page("keys.md", "# Keys\n\n## How do I rotate a key?\n\nOpen the settings and press Rotate.\n")
    config = '[project]\nwatch = ["answers"]\nsite_name = "Try"\n\n[project.markdown_extensions]\nattr_list = {}\n'
    site.write("zensical.toml", config)
    (site.root / ".git").mkdir()
    (site.root / ".github").mkdir()
    said = site.cited_here("init", "--yes").output
    assert "write `mkdocs_cited.extension` into `markdown_extensions`, and `answers` into `watch`" in said
    workflow = (site.root / ".github/workflows/answers.yml").read_text(encoding="utf-8")
    assert "pip install mkdocs-cited zensical" in workflow
    assert workflow.index("- run: zensical build --strict\n") < workflow.index(" --site site\n")
    site.write("zensical.toml", f'{config}\n[project.markdown_extensions."mkdocs_cited.extension"]\n')
    zensical(site)
    done = site.cited_here("init", "--yes")
    assert done.code == 0, done.output
    zensical(site)
    assert cited(site, "update")[0] == 0
    assert "nothing in CI" not in zensical(site)
    assert "press Rotate" in site.html("faq/index.html")
    assert "asks 1 questions already" in site.cited_here("init", "--yes").output


def test_zensical_beside_mkdocs(site: Project) -> None:
    """Where a repository installs it, the configuration gets the plugin for one, and the other is told."""
    text = CONFIG.replace("      - mkdocs_cited.extension\n", "").replace("    watch: [answers]\n", "")
    site.write("mkdocs.yml", text.partition("      - pymdownx.emoji")[0])
    site.write("requirements.txt", "zensical\n")
    (site.root / ".git").mkdir()
    rows = site.cited_here("init", "--dry-run").output
    assert "write `mkdocs_cited.extension` into `markdown_extensions`" in " ".join(rows.split())
    assert "+  - cited" in rows
