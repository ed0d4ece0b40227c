"""`publish --site`: answers and ids in the pages of a site that any generator has built."""

from __future__ import annotations

import json
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mkdocs_cited.base.html import added, instead, original
from mkdocs_cited.mkdocs_host.built_pages import with_places
from tests.dom import Dom
from tests.projects import Project

INSTALL = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Install</title></head>
<body class=page>
<nav><a href="faq.html">FAQ</a></nav>
<main>
<h1>Install</h1>
<h2 id="keys">Keys</h2>
<p class='x' data-y="<p>">A key is valid for 90 days.</p>
<ul><li>To rotate an API key, open the settings page.<li>Confirm it.</ul>
</main>
<script>let html = "<p>A key is valid</p>"</script>
</body>
</html>
"""
FAQ = """<html><head><title>FAQ</title></head><body><main><h1>FAQ</h1>\r
<h2>How long is a key valid?</h2>
<!-- answer: valid -->
<h2>How do I rotate one?</h2>
<p data-line="5">[answer: rotate]</p>
<!-- answer: nobody-asks -->
</main></body></html>"""
OTHER = "<html><body><main><h1>Server</h1><p>It listens on a port of your choice.</p></main></body></html>"
QUESTIONS = """
    - id: valid
      question: How long is a key valid?
      text: A key is valid for 90 days [@install.html#keys].
    - id: rotate
      question: How do I rotate an API key?
      text: To rotate an API key, open the settings page [@install.html#keys].
"""


@pytest.fixture
def project(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    (project.root / "mkdocs.yml").unlink()
    monkeypatch.chdir(project.root)
    return project


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def published(project: Project, changed: int | None = None) -> dict[str, bytes]:
    """The files of the site, once it is published; `changed`: how many of them that changes."""
    done = project.cited_here("publish", "--site", "site")
    assert done.code == 0, done.output
    if changed is not None:
        assert (f"{changed} file" if changed else "nothing in the site changed") in done.output
    return files_of(project.root / "site")


def landed(site: dict[str, bytes], page: str, id: str) -> Dom:
    """The element that the first footnote of an answer leads to."""
    answer = Dom.parse(site[page].decode()).one(f"#cited-{id}")
    path, _, fragment = answer.one("a.cited-link").attr("href").partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    html = site[target] if target in site else site[f"{target}/index.html"]
    return Dom.parse(html.decode()).one(f"#{fragment.partition(':~:')[0]}")


def test_pages_written_by_hand(project: Project) -> None:
    """Answers are where their places are; what is cited gets an id; every other byte is as it was; twice is once."""
    project.write("questions.yml", QUESTIONS)
    for name, text in {"install.html": INSTALL, "faq.html": FAQ, "other.html": OTHER}.items():
        path = project.root / "site" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    before = files_of(project.root / "site")
    assert "missing-answer" in project.cited_here("check", "--site", "site").output
    site = published(project)
    assert landed(site, "faq.html", "valid").text == "A key is valid for 90 days."
    assert landed(site, "faq.html", "rotate").text.startswith("To rotate an API key")
    page = Dom.parse(site["faq.html"].decode())
    assert b'<link rel="stylesheet" href="assets/cited/cited.css">' in site["faq.html"].partition(b"</head>")[0]
    assert "[answer: rotate]" not in page.one("main").text
    assert site["other.html"] == before["other.html"]
    for name in before:
        assert original(site[name].decode()).encode() == before[name]
        assert (
            re.sub(rb' id="cited-[a-z2-7-]+"|<!--cited.*?<!--/cited-->', b"", site["install.html"])
            == before["install.html"]
        )
    assert "missing-answer" not in project.cited_here("check", "--site", "site").output
    assert published(project, changed=0) == site
    data = json.loads(site["cited.json"])["answers"]
    assert {answer["url"] for answer in data} == {"faq.html"}


def test_a_place_that_names_no_answer(project: Project) -> None:
    """Readers would see a paragraph; a comment stays empty."""
    project.write("questions.yml", QUESTIONS)
    project.write("site/install.html", INSTALL)
    project.write("site/faq.html", FAQ.replace("</main>", "<p>[answer: valdi]</p><!-- answer: nosuch --></main>"))
    published(project)
    said = " ".join(project.cited_here("check", "--site", "site").output.split())
    assert "site/faq.html:1 error invalid-declaration the place `[answer: valdi]` names no answer" in said
    assert "did you mean `valid`?" in said
    assert "the place `[answer: nosuch]` names no answer" in said
    assert "[answer: rotate]" not in said


MARKED = """<html><head></head><body><nav>[@install.html#keys]</nav><main><h1>Claims</h1>
<p>It is said that a key is valid for 90 days [@install.html#keys]. It is <code>[@not.html#this]</code>.</p>
<p>A key is valid for 90 days. [@install.html#keys]</p><h2>Of none [@install.html#keys]</h2>
</main></body></html>"""


def test_marks_of_any_generator(project: Project) -> None:
    """What nothing has interpreted is literal text in a page; its citations come in its place, and their footnotes
    behind the content."""
    project.write("site/install.html", INSTALL)
    project.write("site/claims.html", MARKED)
    before = files_of(project.root / "site")
    assert "missing-answer" in project.cited_here("check", "--site", "site").output
    done = project.cited_here("publish", "--site", "site")
    assert "is behind no sentence" in " ".join(done.output.split())
    site = files_of(project.root / "site")
    page = Dom.parse(site["claims.html"].decode())
    assert [mark.attr("href") for mark in page.all("p a.cited-ref")] == ["#fn:cited-claims-1"] * 2
    assert page.one("h2").text == "Of none [@install.html#keys]"
    assert page.one("code").text == "[@not.html#this]"
    assert page.one("nav").text == "[@install.html#keys]"
    assert landed(site, "claims.html", "claims").text == "A key is valid for 90 days."
    assert original(site["claims.html"].decode()).encode() == before["claims.html"]
    again = project.cited_here("publish", "--site", "site")
    assert "nothing in the site changed" in again.output
    assert "missing-answer" not in project.cited_here("check", "--site", "site").output


def test_marks_that_nobody_sees(project: Project) -> None:
    """They are checked, behind a sentence or below it, and nothing is written for them."""
    project.write("site/install.html", INSTALL)
    said = "<p>A key is valid for {} days.{}</p>\n{}"
    hidden = "<!-- cite: install.html#keys -->"
    text = said.format(90, hidden, "") + said.format(90, "", hidden)
    project.write("site/hidden.html", f"<main><h1>Hidden</h1>{text}</main>")
    before = files_of(project.root / "site")
    site = published(project)
    assert site["hidden.html"] == before["hidden.html"]
    project.write("site/hidden.html", f"<main><h1>Hidden</h1>{text.replace('90', '30')}</main>")
    done = project.cited_here("check", "--site", "site", "--json")
    assert [item["slug"] for item in json.loads(done.output)["findings"]] == ["altered-number"] * 2


def test_what_is_no_longer_asked_is_taken_out(project: Project) -> None:
    project.write("questions.yml", QUESTIONS)
    project.write("site/install.html", INSTALL)
    project.write("site/faq.html", FAQ.replace("\r", ""))
    before = files_of(project.root / "site")
    published(project)
    project.write("questions.yml", "[]\n")
    site = published(project)
    assert {name: site[name] for name in before} == before


def test_a_page_that_is_not_utf8_is_left_alone(project: Project) -> None:
    project.write("questions.yml", QUESTIONS)
    project.write("site/install.html", INSTALL)
    strange = FAQ.encode().replace(b"FAQ", b"F\xe4Q")
    (project.root / "site/faq.html").write_bytes(strange)
    done = project.cited_here("publish", "--site", "site")
    assert (done.code, "not UTF-8" in done.output) == (3, True)
    assert (project.root / "site/faq.html").read_bytes() == strange


def test_sphinx(project: Project) -> None:
    project.write("source/conf.py", 'project = "Try"\n')
    toc = "Welcome\n=======\n\n.. toctree::\n\n   install\n   faq\n"
    project.write("source/index.rst", toc)
    keys = "Keys\n----\n\nA key is valid for 90 days.\n\nTo rotate an API key, open the settings page.\n"
    project.write("source/install.rst", f"Install\n=======\n\n{keys}")
    project.write("source/faq.rst", "FAQ\n===\n\nHow long?\n---------\n\n[answer: valid]\n")
    project.write("questions.yml", QUESTIONS)
    command = [sys.executable, "-W", "ignore", "-m", "sphinx", "-q", "-b", "html", "source", "site"]
    subprocess.run(command, check=True, capture_output=True)
    before = files_of(project.root / "site")
    site = published(project)
    assert landed(site, "faq.html", "valid").text == "A key is valid for 90 days."
    changed = {name for name in before if site[name] != before[name]}
    assert changed == {"faq.html", "install.html"}
    assert published(project, changed=0) == site


KEYS = {"docusaurus": "docs/keys/index.html", "starlight": "guides/keys/index.html"}


@pytest.mark.parametrize("generator", KEYS)
def test_other_generators(generator: str, project: Project) -> None:
    """Pages as they were really built."""
    shutil.copytree(Path(__file__).parent / "built" / generator, "site")
    text = f"To call the service you need a key [@{KEYS[generator]}]."
    project.write("questions.yml", f"- {{id: valid, question: What does one need?, text: '{text}'}}\n")
    project.write("site/faq/index.html", FAQ)
    site = published(project)
    assert landed(site, "faq/index.html", "valid").text == "To call the service you need a key."
    assert published(project, changed=0) == site


@pytest.mark.parametrize("was", ["", "<p>[answer: a--b]</p>", "<!-- answer: ä -->"])
def test_what_was_there_is_told(was: str) -> None:
    assert original(f"<p>a</p>{added('<b>x</b>', was)}<p>b</p>") == f"<p>a</p>{was}<p>b</p>"
    assert original(f"<p>a</p>{instead('<b>x</b>', was)}<p>b</p>") == f"<p>a</p>{was}<p>b</p>"
    assert original(with_places(f"<p>a</p>{was}", ())) == f"<p>a</p>{was}"
