"""`check --since REV` reports whatever `check` reports because of a change since REV, and nothing that is as it was."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.projects import Project

SNIPPETS = {"pymdownx.snippets": {"base_path": ["."]}}
EXTENSIONS = ["admonition", "attr_list", "footnotes", SNIPPETS]
PAGES = {
    "docs/keys.md": "# Keys\n\n## Last of keys\n\nKeys last 24 hours.\n",
    "docs/logs.md": "# Logs\n\nLogs last 7 days.\n",
    "docs/moved.md": "# Logs\n\nLogs last 7 days.\n",
    "docs/shown.md": '# Logs\n\n--8<-- "inc/logs.md"\n',
    "docs/chain.md": "# Chain\n\nLogs last 7 days [@logs.md].\n",
    "inc/logs.md": "Logs last 7 days.\n",
    "real/logs.md": "# Logs\n\nLogs last 7 days.\n",
    "values.yaml": "cache:\n  ttl: 30\n",
    "gone.yaml": "ttl: 30\n",
    "docs/of-heading.md": "# A\n\nKeys last 24 hours [@keys.md#last-of-keys].\n",
    "docs/of-page.md": "# A\n\nLogs last 7 days [@logs.md].\n",
    "docs/of-move.md": "# A\n\nLogs last 7 days [@moved.md].\n",
    "docs/of-snippet.md": "# A\n\nLogs last 7 days [@shown.md].\n",
    "docs/of-link.md": "# A\n\nLogs last 7 days [@link.md].\n",
    "docs/of-key.md": "# A\n\n`cache.ttl` is 30 [@../values.yaml#cache.ttl].\n",
    "docs/of-file.md": "# A\n\n`ttl` is 30 [@../gone.yaml#ttl].\n",
}


@pytest.fixture
def committed(project: Project) -> Project:
    """A repository in which everything is proven."""
    project.configure({"extra_sources": [{"glob": "*.yaml"}]}, markdown_extensions=EXTENSIONS)
    for name, text in PAGES.items():
        project.write(name, text)
    (project.root / "docs/link.md").symlink_to("../real/logs.md")
    project.monkeypatch.chdir(project.root)  # which snippets are relative to
    project.belongs_to_ann()
    project.git("add", "-A")
    project.git("commit", "-qm", "1")
    assert project.cited("check", "--strict").code == 0
    return project


def sub(name: str, old: str, new: str) -> Callable[[Project], None]:
    """A change of a file's words."""

    def change(project: Project) -> None:
        path = project.root / name
        path.write_text(path.read_text().replace(old, new))

    return change


def ran(*arguments: str) -> Callable[[Project], None]:
    """A change by git."""
    return lambda project: project.git(*arguments)


def then_git(*arguments: str) -> Callable[[Project], None]:
    """A changed page, and then git."""

    def change(project: Project) -> None:
        sub("docs/logs.md", "7", "9")(project)
        project.git(*arguments)

    return change


def relinked(project: Project) -> None:
    """The link leads to another file; neither file has changed."""
    link = project.root / "docs/link.md"
    link.unlink()
    link.symlink_to("keys.md")


def assumed(project: Project) -> None:
    """A change that git was told not to look at."""
    project.git("update-index", "--assume-unchanged", "docs/logs.md")
    sub("docs/logs.md", "7", "9")(project)


def unignored(project: Project) -> None:
    """A claim on a page that git does not follow."""
    (project.root / ".git/info/exclude").write_text("docs/made.md\n")
    project.write("docs/made.md", "# Made\n\nLogs last 9 days.\n")
    project.write("docs/new.md", "# New\n\nLogs last 7 days [@made.md].\n")


CHANGES = {
    "heading renamed": sub("docs/keys.md", "Last of", "Life of"),
    "page changed": sub("docs/logs.md", "7", "9"),
    "page deleted": ran("rm", "-q", "docs/logs.md"),
    "page emptied": sub("docs/logs.md", "Logs last 7 days.", ""),
    "key renamed": sub("values.yaml", "ttl", "time"),
    "value changed": sub("values.yaml", "30", "60"),
    "file deleted": ran("rm", "-q", "gone.yaml"),
    "snippet changed": sub("inc/logs.md", "7", "9"),
    "snippet deleted": ran("rm", "-q", "inc/logs.md"),
    "file behind a link changed": sub("real/logs.md", "7", "9"),
    "link changed": relinked,
    "claim changed": sub("docs/of-page.md", "7", "9"),
    "configuration changed": sub("mkdocs.yml", "'*.yaml'", "values.yml"),
    "change that git does not look at": assumed,
    "page that git ignores": unignored,
    "committed since": then_git("commit", "-qam", "2"),
    "staged": then_git("add", "-A"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_a_change_breaks_is_reported(committed: Project, change: Callable[[Project], object]) -> None:
    """Without `--since` and with it: the same errors, by page."""
    committed.git("tag", "before")
    change(committed)
    everything = wrong(committed)
    assert everything
    assert wrong(committed, "--since", "before") >= everything


def test_what_is_as_it_was_is_not_reported(committed: Project) -> None:
    """A claim that was wrong before, on pages that have not changed; nor anything where nothing has changed."""
    sub("docs/of-page.md", "7", "9")(committed)
    committed.git("commit", "-qam", "wrong")
    assert wrong(committed, "--since", "HEAD") == set()
    sub("docs/keys.md", "24", "48")(committed)
    assert wrong(committed, "--since", "HEAD") == {"docs/of-heading.md"}


ONE = """case " $* " in *" {} "*) echo "fatal: {}" >&2; exit 128;; esac; exec {git} "$@" """
REFUSALS = {
    "dubious ownership": "echo 'fatal: detected dubious ownership in repository' >&2; exit 128",
    "unreadable tree": ONE.format("diff", "unable to read tree", git="{git}"),
    "no list of files": ONE.format("ls-files", "index file corrupt", git="{git}"),
    "killed": "kill -9 $$",
    "strange exit": "exit 7",
}


@pytest.mark.parametrize("script", REFUSALS.values(), ids=REFUSALS)
def test_a_git_that_refuses_is_not_one_that_knows_of_nothing(
    committed: Project, script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--since` ends with an error, and of files of which git does not say whether it ignores them none is a source."""
    committed.write("docs/of-page.md", "# A\n\nLogs last 9 days [@logs.md].\n")
    real = shutil.which("git")
    fake = tmp_path / "git"
    fake.write_text("#!/bin/sh\n" + script.replace("{git}", str(real)) + "\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert committed.cited("check", "--since", "HEAD").code == 3
    lists_files = "{git}" in script and "ls-files" not in script
    assert ("git does not say what it ignores" in committed.cited("check").output) != lists_files


def test_a_git_that_hangs_is_killed(committed: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks goes on at its deadline, though nothing is printed."""
    from mkdocs_cited.base.files import Refusal, git

    fake = tmp_path / "git"
    fake.write_text("#!/bin/sh\nexec sleep 60\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert isinstance(git(committed.root, "status", patience=0.2), Refusal)


def wrong(project: Project, *options: str) -> set[str]:
    """Files with an error or a warning."""
    result = project.cited("check", "--json", *options)
    findings = json.loads(result.output[result.output.index("{") :])["findings"]
    return {item["place"]["file"] for item in findings if item["severity"] != "info"}
