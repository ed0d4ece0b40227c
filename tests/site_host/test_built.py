"""Any static site: `--site` reads what a generator built, and every command works on it with questions of a file."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.mkdocs_host.built_pages import BuiltPage, answers_in, page_files, read_page
from mkdocs_cited.mkdocs_host.configuration import read
from mkdocs_cited.model.source import Page
from tests.corpora import extract
from tests.projects import Project

INDEX = """
    Welcome
    =======

    .. toctree::

       install
"""
INSTALL = """
    Install
    =======

    Keys
    ----

    To rotate an API key:

    1. Open the settings page.
    2. Choose *Rotate key* and confirm.

    A key is valid for 90 days.

    The client retries a failed request 5 times.
"""
QUESTIONS = """
    - question: How long is a key valid?
      id: valid
    - id: rotate
      question: How do I rotate an API key?
"""


@pytest.fixture
def sphinx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A site of Sphinx's, built for real, with a file of questions and no configuration of ours."""
    project = Project(tmp_path / "project", monkeypatch)
    (project.root / "mkdocs.yml").unlink()
    monkeypatch.chdir(project.root)
    project.write("source/conf.py", 'project = "Try"\n')
    project.write("source/index.rst", INDEX)
    project.write("source/install.rst", INSTALL)
    project.write("questions.yml", QUESTIONS)
    command = [sys.executable, "-W", "ignore", "-m", "sphinx", "-q", "-b", "html", "source", "site"]
    subprocess.run(command, check=True, capture_output=True)
    return project


def test_every_command_reads_a_site_of_sphinx(sphinx: Project) -> None:
    """Sections are known by the ids that Sphinx gives them; what leads on, and lists, is no passage."""
    result = sphinx.cited_here("check", "--site", "site")
    assert result.code == 1, result.output
    assert "in 2 answers" in result.output
    assert result.output.count("missing-answer") == 3  # neither has a place, and the line that leads to the explanation
    found = json.loads(sphinx.cited_here("find", "--site", "site", "--json", "rotate a key").output)
    assert {item["passage"].partition("~")[0] for item in found} == {"install.html#keys"}
    answer = sphinx.cited_here("ask", "--site", "site", "How long is a key valid?").output
    assert "“A key is valid for 90 days.” <install.html#keys>" in answer
    assert "questions.yml:1 asks it already" in answer
    answer = sphinx.cited_here("ask", "--site", "site", "How long are keys valid?").output
    assert answer.endswith("  → to answer it in a page, write it into `questions.yml`\n")  # no page of ours can ask it
    said = sphinx.cited_here("verify", "--site", "site", "The client retries a failed request 9 times.")
    assert (said.code, said.output.partition(":")[0]) == (1, "contradicted")
    assert sphinx.cited_here("update", "--site", "site").code == 0
    assert "quoted" in sphinx.cited_here("status", "--site", "site").output


def test_a_question_without_a_place_is_told(sphinx: Project) -> None:
    """With the line to write; one that has a place is written there."""
    result = sphinx.cited_here("check", "--site", "site")
    assert "write a paragraph `[answer: rotate]` into one of them" in " ".join(result.output.split())


def test_the_record_of_a_question_without_a_place_is_nobodys_to_delete(sphinx: Project) -> None:
    """It is asked: that no page shows it, or that a folder holds a part of the pages, is told, and loses nothing."""
    sphinx.belongs_to_ann()
    sphinx.cited_here("accept", "--site", "site", "valid", "rotate")
    (sphinx.root / "site/index.html").write_text("<main><h1>Home</h1><p>[answer: valid]</p></main>", encoding="utf-8")
    assert "orphan-record" not in sphinx.cited_here("check", "--site", "site", "valid").output
    (sphinx.root / "site/index.html").unlink()
    assert "orphan-record" not in sphinx.cited_here("check", "--site", "site").output
    assert "all records belong to a question" in sphinx.cited_here("prune", "--site", "site").output
    assert len([*(sphinx.root / "answers").rglob("*.md")]) == 2


def test_a_file_of_questions_leads_out_of_no_project(sphinx: Project) -> None:
    """A symbolic link can be committed; what it names is nobody's to read."""
    elsewhere = sphinx.root.parent / "private.yml"
    elsewhere.write_text("- question: Where is the zeppelin?\n", encoding="utf-8")
    (sphinx.root / "questions.yml").unlink()
    (sphinx.root / "questions.yml").symlink_to(elsewhere)
    result = sphinx.cited_here("check", "--site", "site")
    assert (result.code, "zeppelin" in result.output, "leads out of" in result.output) == (3, False, True)


def test_options_stand_in_a_file_of_their_own(sphinx: Project) -> None:
    """`cited.yml` holds the options under `cited`, and beside them what MkDocs' configuration would say."""
    sphinx.write("cited.yml", "site_url: https://example.org/\ncited:\n  exclude: [install.html]\n")
    result = sphinx.cited_here("find", "--site", "site", "rotate a key")
    assert "install.html" not in result.output
    sphinx.write("cited.yml", "cited:\n  exclud: [install.html]\n")
    result = sphinx.cited_here("find", "--site", "site", "rotate a key")
    assert (result.code, "did you mean `exclude`" in result.output) == (2, True)
    sphinx.write("cited.yml", "nosuch: 1\nmian: article\n")
    result = sphinx.cited_here("find", "--site", "site", "rotate a key")
    assert result.code == 2
    assert "cited.yml:1: `nosuch` is not a key" in result.output
    assert "cited.yml:2: `mian` is not a key of cited.yml\n  → did you mean `main`?" in result.output


def read_pages(site: Path, main: str = "") -> dict[str, BuiltPage]:
    """The authors' pages of a site, by their paths."""
    pages = {path: read_page(site / path, main) for path in page_files(site)}
    return {path: page for path, page in pages.items() if page}


def test_main_content(tmp_path: Path) -> None:
    """The most telling element that a page has, or the one that is asked for; listings and redirects are no pages."""
    pages = {
        "a/index.html": "<body><nav>menu</nav><main><nav>x</nav><article><h1>A</h1><p>one</p></article></main>",
        "b.html": "<title>B</title><html lang=de><body><div role=main><p>two</p></div><div class=side>side</div>",
        "c.html": '<html><head><meta http-equiv="refresh" content="0; url=a/"></head><body>three</body>',
        "d.html": '<html><head><meta name="robots" content="noindex"></head><body><main>four</main></body>',
        "f.html": '<html><head><META CONTENT="NOINDEX" NAME="ROBOTS"></head><body><main>four</main></body>',
        "g.html": '<html><head><meta name=robots content="none"></head><body><main>four</main></body>',
        "search.html": "<main>five</main>",
        "_static/x.html": "<main>six</main>",
        "vp.html": '<main><div class="language-sh vp"><span class="lang">sh</span><pre>ls</pre></div></main>',
        "e.html": '<main><section id="s"><h2>E</h2><div data-cited-answer="e.md#q">A.</div>',
    }
    for path, html in pages.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(html, encoding="utf-8")
    read = {}
    for path, page in read_pages(tmp_path).items():
        places = re.findall(r' data-cited-at="(\d+)"', page.html)
        assert all(page.whole[int(at)] == "<" for at in places)
        read[path] = replace(page, html=re.sub(r' data-cited-at="\d+"|<!--/?cited[^<>]*-->', "", page.html))
    assert list(read) == ["a/index.html", "b.html", "e.html", "vp.html"]
    assert (read["a/index.html"].title, read["a/index.html"].html) == ("A", "<article><h1>A</h1><p>one</p></article>")
    assert (read["b.html"].title, read["b.html"].locale) == ("B", "de")
    assert "side" not in read["b.html"].html
    assert read["e.html"].answers == {"e.md#q": "A"}
    assert (
        read["e.html"].html
        == '<main><section><h2 id="s">E</h2><div data-cited-answer="e.md#q">A.</div></section></main>'
    )
    assert read["vp.html"].html == '<main><div class="language-sh vp"><pre>ls</pre></div></main>'
    assert list(read_pages(tmp_path, ".side")) == ["b.html"]
    with pytest.raises(UsageError, match="is not a CSS selector"):
        read_pages(tmp_path, "[[")


GENERATED = {
    "docusaurus": ("docs/keys/index.html", {"start/index.html": "The tool starts in 3 seconds."}),
    "starlight": ("guides/keys/index.html", {"index.html": "Try sends at most 60 requests a minute."}),
}
"""Generator → its page of keys, and a home page with what stands at its top."""


@pytest.mark.parametrize("generator", GENERATED)
def test_sites_of_other_generators(generator: str, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What they really built (without scripts and pictures): home pages whole, boxes, closed tabs, and no controls."""
    (project.root / "mkdocs.yml").unlink()
    monkeypatch.chdir(project.root)
    shutil.copytree(Path(__file__).parent / "built" / generator, "build")
    keys, tops = GENERATED[generator]
    project.write("questions.yml", QUESTIONS)
    assert "in 2 answers" in project.cited_here("check", "--site", "build").output
    pages = read_pages(Path("build"))
    for path, words in tops.items():
        assert words in pages[path].html
        assert words in project.cited_here("find", "--site", "build", words).output
    assert pages[keys].title == "Keys"
    assert pages["index.html"].title == "Try, the tool"
    found = project.cited_here("find", "--site", "build", "--json", "old key after a rotation").output
    assert json.loads(found)[0]["text"] == "The old key works for 24 hours after a rotation."
    if generator == "starlight":
        said = project.cited_here("find", "--site", "build", "--json", "pip install the-tool").output
        best = json.loads(said)[0]
        assert best["text"] == "pip install the-tool"


def test_an_abstention_shows_no_words() -> None:
    """Where to look instead is not compared: a host without an index has nothing to point to."""
    shown = '<div data-cited-answer="faq.md#q"><div class="cited-abstained"><p>See also</p><ul><li>Keys</li></ul></div>'
    assert answers_in(shown) == {"faq.md#q": ""}


def test_closed_tabs_of_other_generators(tmp_path: Path) -> None:
    """A passage in a tab that is closed at first is read under its label, and known to be closed."""
    tabs = ("npm", "pip")
    labels = "".join(f"<input type=radio id={name}><label for={name}>{name}</label>" for name in tabs)
    blocks = "".join(f'<div class="language-sh"><pre>{name} install it</pre></div>' for name in tabs)
    group = f'<div class="vp-code-group"><div class="tabs">{labels}</div><div class="blocks">{blocks}</div></div>'
    text = f"<main><h1>Tabs</h1><h2 id=get>Install</h2><p>To install a thing:</p>{group}</main>"
    (tmp_path / "vp.html").write_text(text, encoding="utf-8")
    (page,) = read_pages(tmp_path).values()
    _, *passages = extract(Page("vp.html", "vp.html", "Tabs"), page.html)
    known = [(item.text, item.labels[-1], item.element and item.element.closed) for item in passages]
    assert known == [("npm install it", "npm", False), ("pip install it", "pip", True)]
    assert [page.whole[item.element.at :][:5] for item in passages if item.element] == ["<pre>", "<pre>"]


def test_configurations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What other generators write is read without them: tags of Python objects, the environment, inherited files."""
    monkeypatch.setenv("ON", "false")
    (tmp_path / "base.yml").write_text("site_name: Base\nextra: {a: 1, b: 1}\nplugins: [cited]\n", encoding="utf-8")
    text = "INHERIT: base.yml\nextra: {b: 2}\nplugins:\n  - cited: {enabled: !ENV [ON, true]}\n"
    text += "markdown_extensions:\n  - pymdownx.emoji:\n      emoji_index: !!python/name:no.such.thing\n"
    (tmp_path / "mkdocs.yml").write_text(text, encoding="utf-8")
    found = read(None, tmp_path)
    assert (found.keys["site_name"], found.keys["extra"]) == ("Base", {"a": 1, "b": 2})
    assert found.options == {"enabled": False}
    (tmp_path / "base.yml").write_text("INHERIT: base.yml\n", encoding="utf-8")
    with pytest.raises(UsageError, match="inherit from one another"):
        read(None, tmp_path)
    for name, text, message in (
        ("mkdocs.yml", "a: [", "is not valid YAML"),
        ("mkdocs.yml", "- a", "not a mapping"),
        ("mkdocs.yml", "plugins: {cited: [1]}", "the options of `cited` are not a mapping"),
        ("zensical.toml", "a = ", "is not valid TOML"),
        ("zensical.toml", f"a = {'[' * 3_000}", "is not valid TOML"),
        ("zensical.toml", f"a = {'9' * 5_000}", "is not valid TOML"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match=message):
            read(tmp_path / name, tmp_path)
    with pytest.raises(UsageError, match="cannot be read"):
        read(tmp_path / "none.yml", tmp_path)
    assert read(None, tmp_path / "nowhere").options == {}


def without_mkdocs(*words: str) -> subprocess.CompletedProcess[str]:
    """A command in a Python that has no MkDocs."""
    code = (
        "import sys; sys.modules['mkdocs'] = sys.modules['properdocs'] = None; sys.argv[0] = 'mkdocs-cited'\n"
        "from mkdocs_cited.cli import main; main()"
    )
    path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-W", "ignore", "-c", code, *words]
    env = {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_a_built_site_is_read_where_mkdocs_is_missing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pages, their declarations and its configuration are; what only MkDocs can render is said."""
    monkeypatch.chdir(project.root)
    project.page("faq.md", "---\nanswers:\n  - question: How long is a key valid?\n---\n# FAQ\n")
    project.page("drafts/later.md", "---\nanswers:\n  - question: Why is it so?\n---\n# Later\n")
    project.configure({"exclude": ["404.md"]}, exclude_docs="drafts/\n")
    project.build()
    done = without_mkdocs("check", "--site", "site")
    assert (done.returncode, "in 1 answer" in done.stdout + done.stderr) == (0, True), done.stdout + done.stderr
    project.page("faq.md", "---\nanswers:\n  - {question: How long is a key valid?, heading: x}\n---\n# FAQ\n")
    assert "docs/faq.md:3" in without_mkdocs("check", "--site", "site").stdout
    shutil.rmtree(project.root / ".cache")
    done = without_mkdocs("check")
    assert (done.returncode, "`mkdocs" in done.stderr, "--site DIR" in done.stderr) == (2, True, True), done.stderr


def test_an_id_of_the_page_is_no_title_without_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The title and a section have the same words; the section has them as its id."""
    (tmp_path / "site").mkdir()
    pages = {
        "keys": '<h1>Keys</h1><p>All about them.</p><h2 id="keys">Keys</h2><p>A key is valid for 90 days.</p>',
        "use": "<h1 id=use>Use</h1><p>A key is valid for 90 days [@keys.html#keys].</p>",
    }
    for name, html in pages.items():
        (tmp_path / f"site/{name}.html").write_text(f"<main>{html}</main>", encoding="utf-8")
    project = Project(tmp_path, monkeypatch)
    (tmp_path / "mkdocs.yml").unlink()
    monkeypatch.chdir(tmp_path)
    result = project.cited_here("check", "--site", "site")
    assert "unknown-source" not in result.output, result.output
