"""Pages bear the date of their last commit, where their front matter gives none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml

from tests.projects import Project

QUESTION = "---\nanswers:\n  - id: rotate\n    question: How do I rotate an API key?\n---\n# FAQ\n"


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A. Writer", "-c", "user.email=writer@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def committed(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose pages were committed in March."""
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2026-03-04T05:06:07+00:00")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-04T05:06:07+00:00")
    project.page("faq.md", QUESTION)
    git(project.root, "init", "--quiet")
    git(project.root, "add", "docs")
    git(project.root, "commit", "--quiet", "-m", "Write the docs")
    return project


def dates(project: Project) -> set[str]:
    assert project.build().code == 0
    return {source.get("modified_time_iso", "") for source in project.answers()["rotate"]["sources"]}


def test_a_page_has_the_date_of_its_last_commit(committed: Project) -> None:
    """As git has it, time zone included; another commit changes it, warm builds too."""
    assert dates(committed) == {"2026-03-04T05:06:07+00:00"}


def test_names_in_any_script(committed: Project) -> None:
    """git quotes them where nobody asks it not to."""
    committed.page("über/é.md", "# Rates\n\nA rate of requests is a number of requests a minute.\n")
    committed.page("faq.md", QUESTION.replace("How do I rotate an API key?", "What is the rate of requests?"))
    git(committed.root, "add", "docs")
    git(committed.root, "commit", "--quiet", "-m", "Add a page")
    assert dates(committed) == {"2026-03-04T05:06:07+00:00"}


def test_front_matter_outranks_git(committed: Project) -> None:
    """A date that the author wrote is the date."""
    page = committed.root / "docs/guide/install.md"
    page.write_text(f"---\nupdated: 2026-01-02\n---\n{page.read_text(encoding='utf-8')}", encoding="utf-8")
    assert dates(committed) == {"2026-01-02"}


def test_a_commit_ends_what_a_build_remembers(committed: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the history changed: the next build has the new date."""
    page = committed.root / "docs/guide/install.md"
    page.write_text(page.read_text(encoding="utf-8") + "\nOne more sentence stands here.\n", encoding="utf-8")
    assert dates(committed) == {"2026-03-04T05:06:07+00:00"}
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-07-08T09:10:11+00:00")
    git(committed.root, "commit", "--quiet", "-am", "Add a sentence")
    assert dates(committed) == {"2026-07-08T09:10:11+00:00"}


def test_without_git_nothing_is_known(project: Project) -> None:
    """A folder that is no repository builds all the same."""
    project.page("faq.md", QUESTION)
    assert dates(project) == {""}


def test_the_pre_commit_hook_runs_the_check() -> None:
    """The hook that others name in their configuration calls a command that there is."""
    (hook,) = yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["entry"].split() == ["mkdocs-cited", "check"]
    assert hook["language"] == "system"
    assert hook["pass_filenames"] is False
