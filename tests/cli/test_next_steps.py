"""Whatever is wrong is said with a step that helps: none that leads nowhere."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

import pytest
from click.testing import CliRunner

from mkdocs_cited.base.errors import NAMED, command
from mkdocs_cited.cli import main
from tests.projects import Project

PAGE = """<html><body><main><h1>Install</h1><h2 id="keys">Keys</h2><p>A key is valid for 90 days.</p>
<p>[answer: valid]</p></main></body></html>"""
ASKED = """
    - id: valid
      question: How long is a key valid?
    - id: rotate
      question: How are old keys rotated?
      text: A key is valid for 60 days [@install.html#keys].
"""
TOLD = re.compile(r"(?:→ |`)(mkdocs-cited (?!explain)[^`\n]*)")
"""A command as it is told: behind an arrow or in backticks. What explains a finding is asked of no site."""


def pasted(project: Project, told: str) -> set[str]:
    """Run every command that a text tells, as a shell would understand it; those that were run."""
    commands = set(TOLD.findall(re.sub(r"\n {4,}", " ", told)))
    for line in commands:
        _, *words = shlex.split(line)
        result = project.cited_here(*words)
        assert result.code < 2, f"{line}\n{result.output}"
    return commands


def test_what_is_told_of_a_built_site_can_be_pasted(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step names the folder, quoted for the shell: without it, there would be no configuration."""
    (project.root / "mkdocs.yml").unlink()
    monkeypatch.chdir(project.root)
    project.write("questions.yml", ASKED)
    project.write("my site/install.html", PAGE)
    refused = project.cited_here("status")
    assert (refused.code, "name the folder of the built site, `--site FOLDER`" in refused.output) == (2, True)
    site = ("--site", "my site")
    told = [
        project.cited_here("status", *site).output,
        project.cited_here("check", *site).output,
        project.cited_here("update", *site).output,
        project.cited_here("accept", "rotate", *site).output,
        project.cited_here("reject", "rotate", "--claims", "1", *site).output,
        project.cited_here("answer", "valid", "--take", "install.html#keys", *site).output,
        project.cited_here("review", *site).output,
        project.cited_here("prune", *site).output,
    ]
    commands = pasted(project, "\n".join(told))
    assert {line.split()[1] for line in commands} >= {"check", "review", "accept", "publish"}
    assert all(line.endswith("--site 'my site'") for line in commands)


def test_what_is_told_of_another_folder_can_be_pasted(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of commands and builds: the configuration is named where a command would not find it."""
    monkeypatch.chdir(project.root.parent)
    project.page("install.md", "# Install\n\n## Keys\n\nA key is valid for 90 days.\n")
    project.page("faq.md", "---\nanswers:\n  - question: How long is a key valid?\n---\n# FAQ\n")
    file = f"{project.root.name}/mkdocs.yml"
    told = project.cited_here("status", "-f", file).output + project.cited_here("add", "Which key?", "-f", file).output
    assert {f"mkdocs-cited review -f {file}", f"mkdocs-cited review faq.md -f {file}"} == pasted(project, told)
    project.build()
    assert {"-f": file} == NAMED
    monkeypatch.chdir(project.root)
    project.build()
    assert NAMED == {}


def test_marks_that_cite_writes_have_a_site_that_checks_them(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """`check` is told where it would check them; elsewhere, what comes before it."""
    monkeypatch.chdir(project.root)
    project.write("src/settings.py", "RETRY_LIMIT = 5\n")
    project.belongs_to_ann()
    project.git("add", ".")

    def told() -> str:
        project.page("limits.md", "# Limits\n\nThe default of `RETRY_LIMIT` is `5`.\n")
        return CliRunner().invoke(main, ["cite", "docs/limits.md", "--yes"]).output.rpartition("→ ")[2].strip()

    assert told() == "mkdocs-cited check"
    assert project.cited_here("check").code == 0
    monkeypatch.chdir(project.root / "docs")
    assert told().startswith("mkdocs-cited check -f /")
    monkeypatch.chdir(project.root)
    project.write("mkdocs.yml", "site_name: Try\n")
    assert told() == "mkdocs-cited init"
    (project.root / "mkdocs.yml").unlink()
    assert told() == "readers see marks as text: write a mkdocs.yml, then run `mkdocs-cited init`"
    project.write("cited.yml", "site_name: Try\n")
    assert told() == "mkdocs-cited check --site FOLDER"


def test_a_question_that_a_page_asks_is_not_to_be_added(project: Project) -> None:
    """`add` would refuse it."""
    project.page("faq.md", "---\nanswers:\n  - question: How long is a key valid?\n---\n# FAQ\n")
    project.page("install.md", "# Install\n\n## Keys\n\nA key is valid for 90 days.\n")
    told = project.cited("ask", "How long is a key valid").output
    assert "→ docs/faq.md:3 asks it already: mkdocs-cited check faq.md#how-long-is-a-key-valid" in told


@pytest.mark.parametrize("words", [("add", "Which key?"), ("init",)])
def test_a_folder_that_a_command_cannot_read_is_not_named_to_it(
    project: Project, monkeypatch: pytest.MonkeyPatch, words: Sequence[str]
) -> None:
    """Both write what only MkDocs' and Zensical's sites have; questions of another go into their file."""
    monkeypatch.chdir(project.root)
    (project.root / "mkdocs.yml").unlink()
    project.write("questions.yml", ASKED)
    result = project.cited_here(*words)
    tip = "write questions into questions.yml; to commands that read pages, name the folder of the built site"
    assert (result.code, tip in result.output) == (2, True)


@pytest.mark.parametrize("name", sorted(main.commands))
def test_a_command_is_told_with_the_options_that_it_has(name: str) -> None:
    NAMED.update({"-f": "web/mkdocs.yml", "--site": "out"})
    known = {option for parameter in main.commands[name].params for option in parameter.opts}
    named = set(command(name).split()) & NAMED.keys()
    assert named == known & NAMED.keys()


def test_a_key_that_is_not_set_is_met_with_how_to_set_it(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once."""
    for variable in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    project.configure({"provider": "anthropic"})
    result = project.cited("ask", "How long is a key valid?")
    assert result.code == 1
    assert result.output.count("→ export ANTHROPIC_API_KEY") == 1


def test_a_mistaken_declaration_leaves_nothing_behind(project: Project) -> None:
    """Mended, its answer may have another id, or the question stand elsewhere: a record would be an orphan then."""
    asked = "---\nanswers:\n  - question: How long is a key valid?\n    {}\n---\n# FAQ\n"
    project.page("faq.md", asked.format("ID: valid"))
    assert "docs/faq.md:4:5" in project.build().output
    assert "its question cannot be read" in project.cited("update", "--dry-run").output
    assert project.cited("update").code == 1
    assert not (project.root / "answers").exists()
    project.page("faq.md", asked.format("id: valid\n    ID: x"))
    assert project.build().code == 1
    assert not (project.root / "answers").exists()
    project.page("faq.md", asked.format("id: valid"))
    project.taken("faq.md")
    assert sorted(path.name for path in (project.root / "answers").rglob("*.md")) == ["valid.md"]
    assert project.cited("check", "--strict").code == 0
