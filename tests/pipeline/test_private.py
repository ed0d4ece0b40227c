"""What is private stays private: notes in every output, files that nobody means, and what authors keep from readers."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.pipeline.test_update import reviewed
from tests.projects import Project
from tests.servers.messages import MessagesServer
from tests.servers.rules import search_results
from tests.servers.script import Answer, Quote, say

HANDBOOK = "Customers who threaten to leave us get a third month for free."
NOTE = f"# Support\n\n{HANDBOOK} A trial can be extended by the support team.\n"
FAQ = """
    ---
    answers:
      - id: trial
        question: Can a trial be extended?
    ---
    # FAQ
    """
REPORTS = {name: f"out/{name}.txt" for name in ("json", "sarif", "github", "gitlab", "markdown", "console")}


@pytest.fixture
def api(api: MessagesServer) -> MessagesServer:
    """The server, which answers like `copying`."""
    api.answer_with(copying)
    return api


@pytest.fixture
def project(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A site with a note for its authors."""
    made = Project(tmp_path / "project", monkeypatch)
    configure(made)
    made.page("index.md", "# Trial\n\nA trial lasts for one month.\n")
    made.page("faq.md", FAQ)
    made.write("notes/support.md", NOTE)
    return made


def configure(project: Project, **options: Any) -> None:
    project.configure(
        {
            "extra_sources": [{"type": "note", "glob": "notes/*.md", "name": "the support handbook"}],
            "cite_threshold": 0.05, "reports": REPORTS, "provider": "anthropic", **options,
        }
    )  # fmt: skip


def copying(body: dict[str, Any]) -> Answer:
    """A model that says what stands in the note, word by word."""
    return written(body, HANDBOOK)


def telling(body: dict[str, Any]) -> Answer:
    """A model that says it in other words."""
    return written(body, "A trial can be extended by the support team.", own="Support can extend a trial.")


def written(body: dict[str, Any], sentence: str, own: str = "") -> Answer:
    if "format" in body["output_config"]:
        return reviewed(body, "supported")
    for result, block in enumerate(search_results(body)):
        for number, part in enumerate(block["content"]):
            if sentence in part["text"]:
                return say(Quote(own or sentence, result, number, number + 1))
    return say(f"[[NOT-DOCUMENTED]] {sentence}")


def published(project: Project) -> dict[str, str]:
    """Every text that leaves the repository: the site, and the reports."""
    files = [path for folder in ("site", "out") for path in (project.root / folder).rglob("*") if path.is_file()]
    return {path.relative_to(project.root).as_posix(): path.read_text("utf-8", "replace") for path in files}


def holding(project: Project, *words: str) -> list[str]:
    """The published files that hold any of these words."""
    return [name for name, text in published(project).items() if any(word in text for word in words)]


class TestNotes:
    """A note's name, and nothing else of it."""

    @pytest.mark.parametrize("change", ["renamed", "deleted", "reworded"])
    def test_a_note_that_is_gone_was_a_note(self, project: Project, api: MessagesServer, change: str) -> None:
        """Its record still cites it: neither words nor path of it come out."""
        api.answer_with(telling)
        assert project.cited("update").code in (0, 1)
        record = (project.root / "answers/faq/trial.md").read_text(encoding="utf-8")
        assert "extended by the support team" in record
        note = project.root / "notes/support.md"
        if change == "renamed":
            note.rename(note.with_suffix(".txt"))
        elif change == "deleted":
            note.unlink()
        else:
            note.write_text("# Support\n\nWe never extend trials now.\n", encoding="utf-8")
        configure(project, update="never")
        result = project.build()
        assert "stale-answer" in result.output
        assert "extended by the support" not in result.output
        assert holding(project, "extended by the support", "notes/support") == []

    @pytest.mark.parametrize("limit", ["45", "44"])
    def test_what_a_note_says_is_in_no_report(self, project: Project, limit: str) -> None:
        """Neither what is near, nor what it was and what it is now."""
        project.page(
            "faq.md", "# FAQ\n\nThe limit is 44 [@../notes/support.md].\n\nFree in all months [@../notes/support.md].\n"
        )
        configure(project, provider="quote")
        project.write("notes/support.md", "# Support\n\nThe wobbly limit is 44 widgetry. Free in zzorro months.\n")
        assert project.cited("accept", "faq.md", "--all", "--by", "Ann").code == 0
        project.write(
            "notes/support.md", f"# Support\n\nThe wobbly limit is {limit} widgetry. Free in zzebra months.\n"
        )
        project.build()
        assert "changed-evidence" in (project.root / "out/json.txt").read_text(encoding="utf-8")
        assert holding(project, "widgetry", "wobbly", "zzorro", "zzebra", "“45”") == []


class TestFiles:
    """`extra_sources: {glob: "*"}` means the files that one would show."""

    def test_a_copy_without_its_repository(self, project: Project) -> None:
        """As an image of a container has it: what `.gitignore` names is no source there either."""
        project.write(".gitignore", "local.md\n")
        project.write("conf/local.md", "# Relay\n\nThe relay frobnicates with hunter2.\n")
        project.write("conf/open.md", "# Relay\n\nThe relay frobnicates openly.\n")
        configure(project, extra_sources=[{"glob": "conf/*.md"}])
        said = project.cited("find", "frobnicates").output
        assert "openly" in said
        assert "hunter2" not in said

    def test_keys_hidden_and_ignored_files(self, project: Project) -> None:
        """They are left out, and the build says so."""
        for name, text in {
            ".env": "TOKEN=frobnicate-7781",
            ".gitignore": "private.txt\n",
            "config.txt": "-----BEGIN RSA PRIVATE KEY-----",
            "deploy.key": "frobnicate",
            "id_rsa": "frobnicate",
            "open.txt": "Frobnicate openly.",
            "private.txt": "frobnicate the ignored",
            "secrets.yml": "frobnicate: 1",
            "prod.env": "HOST=frobnicate-7781",
            "prod.env.local": "HOST=frobnicate-7781",
            "server.key.old": "frobnicate-7781",
            "team.kdbx": "frobnicate-7781",
            "kubeconfig": "frobnicate-7781",
            "_netrc": "machine frobnicate-7781",
        }.items():
            project.write(name, text)
        subprocess.run(["git", "init", "-q"], cwd=project.root, check=True)
        configure(project, provider="quote", extra_sources=[{"glob": "*"}])
        said = project.cited("find", "frobnicate")
        assert "openly" in said.output
        assert "7781" not in said.output
        assert "ignored" not in said.output
        told = project.cited("check").output
        assert "deploy.key" in told
        assert told.count("are left out") == 1

    @pytest.mark.parametrize("name", [".env", "prod.env", "kubeconfig"])
    def test_a_file_that_is_named_by_itself(self, project: Project, name: str) -> None:
        """An entry with its whole name means it."""
        project.write(name, "The frobnicator takes seven seconds.")
        configure(project, provider="quote", extra_sources=[{"glob": name}])
        assert "seven seconds" in project.cited("find", "frobnicator").output


class TestPages:
    """What an author keeps from readers or from the search."""

    @pytest.mark.parametrize(
        "hidden",
        [
            '<p data-search-exclude>Frobnicate in secret.</p>',
            '<p style="display: none">Frobnicate in secret.</p>',
            '<div style="color:red;DISPLAY :NONE"><p>Frobnicate in secret.</p></div>',
            '<p style="visibility:hidden">Frobnicate in secret.</p>',
            '<p hidden>Frobnicate in secret.</p>',
        ],
    )  # fmt: skip
    def test_hidden_text_is_no_context(self, project: Project, hidden: str) -> None:
        """Neither as a passage nor as the words around one."""
        configure(project, provider="quote")
        project.page("index.md", f"# Trial\n\n{hidden}\n\nA trial can be extended by one month.\n\n{hidden}\n")
        assert project.build().code == 0
        data = json.loads(project.html("cited.json"))
        assert "extended" in json.dumps(data)
        assert "secret" not in json.dumps(data)

    def test_a_page_that_is_kept_from_the_search_is_no_source(self, project: Project) -> None:
        """Its author asks that it is not found; whoever cites it is told that it is no source."""
        configure(project, provider="quote")
        project.page("hidden.md", "---\nsearch: {exclude: true}\n---\n# Trial\n\nA trial is extended by a bribe.\n")
        project.build()
        assert "bribe" not in project.html("cited.json")
        assert "bribe" in project.html("hidden/index.html")
        assert "bribe" not in project.cited("find", "trial extended").output
