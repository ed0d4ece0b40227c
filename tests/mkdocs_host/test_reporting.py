"""A finished report is logged at the right levels, and its places fit the repository."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from mkdocs_cited.mkdocs_host.finishing import entries
from mkdocs_cited.mkdocs_host.project import repository_prefix
from mkdocs_cited.model.answer import Answer, Spend, Status
from mkdocs_cited.model.finding import Place, found
from mkdocs_cited.model.report import Report
from tests.projects import Project

ERROR = found("altered-number", Place("docs/faq.md", 3, 5), "60 is not 600.", answer="faq.md#x", claim="It is 60.")
REPORT = Report(
    shown=(
        ERROR,
        found("partial-claim", Place("docs/faq.md", 4), "Only a part.", answer="faq.md#x"),
        found("not-documented", Place("docs/faq.md", 9), "Nothing says so.", answer="faq.md#y"),
    ),
    answers=(Answer("faq.md#x", "faq.md", "x", "Q?", Status.WAITING, spend=Spend(9, 9_000, 900, 0, 0.9)),),
    notices=("The review is off.",),
    spent=Spend(2, 1_000, 200, 0, 0.0123),
)


def test_each_finding_is_logged_at_the_level_of_its_severity() -> None:
    """Errors under `-q` too, warnings so that `--strict` counts them, the rest under `-v`, and counted in a line; then
    the notices and the totals."""
    lines = entries(REPORT)
    levels = [logging.getLevelName(level) for level, _ in lines]
    assert levels == ["ERROR", "WARNING", "DEBUG", "INFO", "WARNING", "INFO"]
    assert lines[0][1].splitlines() == [
        "docs/faq.md:3:5  error  altered-number",
        "  `faq.md#x`: 60 is not 600.",
        "  claim    It is 60.",
    ]
    assert lines[-1] == (
        logging.INFO,
        "1 error, 1 warning, 1 for your information in 1 answer; 2 model calls, 1,200 tokens, $0.01",
    )


def test_a_site_without_questions_logs_nothing() -> None:
    """The plugin is silent where nobody asked it anything."""
    assert entries(Report()) == ()


def test_places_fit_the_repository(tmp_path: Path) -> None:
    """A site in a folder of its repository: readers of whole repositories get the path from its root."""
    (tmp_path / ".git").mkdir()
    site = tmp_path / "web" / "site"
    site.mkdir(parents=True)
    assert repository_prefix(tmp_path) == ""
    assert repository_prefix(site) == "web/site/"
    (site / ".git").write_text("gitdir: elsewhere\n", encoding="utf-8")
    assert repository_prefix(site) == ""


def test_outside_of_a_repository_paths_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a repository there is no other root."""
    monkeypatch.setattr(Path, "exists", lambda _: False)
    assert repository_prefix(tmp_path) == ""


@pytest.mark.parametrize("flags", [("--strict",), ("--strict", "-q"), ("-q",), ()])
def test_a_warning_fails_a_strict_build_however_quiet(project: Project, flags: tuple[str, ...]) -> None:
    """MkDocs counts the warnings that its log shows, and with `-q` it shows none."""
    project.page("faq.md", "---\nanswers:\n  - {question: How do I rotate an API key?, id: rotate}\n---\n# FAQ\n")
    project.taken("faq.md")
    assert project.build("--strict", "-q").code == 0
    project.page("faq.md", "# FAQ\n\nThe question is gone, and its record is an orphan.\n")
    result = project.build(*flags)
    assert result.code == int("--strict" in flags)
    if flags == ("--strict",):
        assert "cited: 1 warning" in result.output


def test_a_label_reads_as_it_is_written(project: Project) -> None:
    """A title with an override does not turn the words that follow it: it is spelled out."""
    project.page("guide/install.md", "# Install\n\nThe client\u202e retries a failed request 5 times.\n")
    project.page(
        "guide/title.md", '---\ntitle: "Keys\u202e evil"\n---\n## Use\u2066 of keys\n\nA key is valid for 9 days.\n'
    )
    project.page("faq.md", "---\nanswers:\n  - {question: How long is a key valid?, id: valid}\n---\n# FAQ\n")
    assert project.build().code == 0
    (answer,) = project.answers().values()
    assert [source["label"] for source in answer["sources"]] == ["Keys⟨U+202E⟩ evil › Use⟨U+2066⟩ of keys"]
