"""A command renders nothing where nothing has changed since the last rendering, whatever it was made from."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.projects import Project

SAME = "nothing is rendered"
HOOK = """
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri != "made.md":
        return markdown
    more = HERE / "more.txt"
    said = more.read_text() if more.is_file() else "nothing more"
    rate = (HERE / "rate.txt").read_text().strip()
    return f"{markdown}\\n\\nThe rate is {rate} requests.\\n\\nIt says {said}.\\n\\n{extra()}\\n"


def extra():
    return os.environ.get("SITE_WORD", "no word")
"""


@pytest.fixture
def made(project: Project) -> Project:
    """A project whose pages are made from more than its docs."""
    project.configure(hooks=["hooks/hook.py"])
    project.write("hooks/hook.py", HOOK)
    project.write("hooks/rate.txt", "60")
    project.page("made.md", "# Rates\n\nThis page is made.\n")
    project.page("faq.md", "---\nanswers:\n  - {question: How do I rotate an API key?, id: rotate}\n---\n# FAQ\n")
    return project


def run(project: Project, command: str = "find", *words: str) -> str:
    """What a command says with `-v`."""
    words = words or (("What is the rate of requests?",) if command == "find" else ())
    return project.cited(command, "-v", *words).output


def kept(project: Project) -> str:
    """The output of a command that renders nothing. Files that have just changed are not trusted: it may take two."""
    run(project)
    run(project)
    output = run(project)
    assert SAME in output
    return output


def test_a_second_command_renders_nothing(made: Project) -> None:
    """And finds the same; so do the others."""
    rendered = run(made)
    assert SAME not in rendered
    assert "60 requests" in kept(made)
    for command in ("check", "status", "diff", "prune", "review"):
        assert SAME in run(made, command), command
    assert SAME in run(made, "ask", "How do I rotate an API key?")
    assert SAME in run(made, "verify", "The rate is 60 requests.")


def test_a_check_of_kept_pages(made: Project) -> None:
    """As they are for commands: what is found in kept pages is what was found in rendered ones, word for word."""
    fresh = made.cited("check", "--json").output
    assert made.build().code == 0
    kept(made)
    again = json.loads(made.cited("check", "--json").output)
    assert again["findings"] == json.loads(fresh)["findings"]
    assert SAME in run(made, "update", "--dry-run")


def test_a_check_of_the_same_is_not_made_again(made: Project) -> None:
    """It says the same, word for word, until a record or a file that is a source changes."""
    made.configure({"extra_sources": [{"glob": "NOTES.md"}]}, hooks=["hooks/hook.py"])
    made.write("NOTES.md", "# Notes\n\nA note.\n")
    assert made.cited("update").code == 0
    kept(made)
    first = made.cited("check", "--json").output
    assert "answering took" not in run(made, "check")
    assert made.cited("check", "--json").output == first
    made.write("NOTES.md", "# Notes\n\nAnother note.\n")
    assert "answering took" in run(made, "check")
    (record,) = (made.root / "answers").rglob("*.md")
    record.write_text(record.read_text(encoding="utf-8").replace("settings page", "start page"), encoding="utf-8")
    assert made.cited("check").code == 1
    assert "start page" in made.cited("check").output


CHANGES: dict[str, Callable[[Project], object]] = {
    "a page": lambda site: site.page("made.md", "# Rates\n\nThis page is made twice.\n"),
    "a page of the same length": lambda site: site.page("made.md", "# Rates\n\nThis page is male.\n"),
    "a new page": lambda site: site.page("more/new.md", "# New\n\nA page more.\n"),
    "a page less": lambda site: (site.root / "docs/faq.md").unlink(),
    "the configuration": lambda site: site.configure(hooks=["hooks/hook.py"], site_name="Other"),
    "an option": lambda site: site.configure({"exclude": ["made.md"]}, hooks=["hooks/hook.py"]),
    "a hook": lambda site: site.write("hooks/hook.py", f"{HOOK}\n# changed\n"),
    "a file that a hook reads": lambda site: site.write("hooks/rate.txt", "61"),
    "a file that was not there": lambda site: site.write("hooks/more.txt", "more"),
    "a variable": lambda site: site.monkeypatch.setenv("SITE_WORD", "a word"),
    "an option's variable": lambda site: site.monkeypatch.setenv("MKDOCS_CITED_EXCLUDE", "[made.md]"),
    "the folder it is called in": lambda site: site.monkeypatch.chdir(site.root / "docs"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_changed_is_rendered(made: Project, what: str) -> None:
    """Everything that a page may depend on."""
    kept(made)
    CHANGES[what](made)
    assert SAME not in run(made)


def test_what_is_the_same_again(made: Project) -> None:
    """A file that was only touched, or that was changed and changed back, is what it was; records are no pages."""
    kept(made)
    os.utime(made.root / "docs/made.md")
    assert SAME in run(made)
    made.cited("update")
    assert SAME in run(made)
    text = (made.root / "docs/made.md").read_bytes()
    made.page("made.md", "# Other\n")
    made.page("made.md", text)
    assert SAME in run(made)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('subprocess.run(["python3", "-c", ""])', "the program `python3` is run"),
        ('__import__("socket").getaddrinfo("127.0.0.1", 1)', "the network is asked"),
        ('(HERE / "rate.txt").write_text("60")', "is read and written"),
    ],
)
def test_what_nobody_can_tell_is_rendered_each_time(made: Project, line: str, why: str) -> None:
    """Programs, the network, files that a rendering reads and writes."""
    made.write("hooks/hook.py", HOOK.replace("def extra():", f"def extra():\n    {line}"))
    run(made)
    run(made)
    output = run(made)
    assert SAME not in output
    assert "no page is kept for the next command: " in output
    assert why in output


def test_what_git_says(made: Project) -> None:
    """A page that asks git is rendered again after a commit, and no sooner."""
    made.write("hooks/hook.py", HOOK.replace("def extra():", 'def extra():\n    subprocess.run(["git", "log"])'))
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q"], cwd=made.root, check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "one"], cwd=made.root, check=True)
    kept(made)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "two"], cwd=made.root, check=True)
    assert SAME not in run(made)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"", lambda data: data[:100], lambda data: data[:-1], lambda data: data.replace(b"60", b"61", 1),
        lambda data: b"x" * 300, lambda data: data + b"x",
    ],
)  # fmt: skip
def test_damage_costs_time_and_no_more(made: Project, damage: Callable[[bytes], bytes]) -> None:
    """A file that is not byte for byte what was written is not believed."""
    kept(made)
    (path,) = (made.root / ".cache/plugin/cited").glob("*.kept")
    path.write_bytes(damage(path.read_bytes()))
    output = run(made)
    assert SAME not in output
    assert "60 requests" in output


def test_a_cache_that_cannot_be_written(made: Project) -> None:
    """A file in its place: every command renders."""
    made.write(".cache", "a file")
    for _ in range(3):
        output = run(made)
        assert "60 requests" in output
        assert SAME not in output


def test_two_configurations_in_a_folder(made: Project, tmp_path: Path) -> None:
    """Each has its own pages."""
    other = (made.root / "mkdocs.yml").read_text(encoding="utf-8").replace("site_name: Try", "site_name: Two")
    made.write("mkdocs.two.yml", other)
    kept(made)
    words = ("find", "-v", "-f", str(made.root / "mkdocs.two.yml"), "rate")
    assert SAME not in made.cited_here(*words).output
    made.cited_here(*words)
    assert SAME in made.cited_here(*words).output
    assert SAME in run(made)
