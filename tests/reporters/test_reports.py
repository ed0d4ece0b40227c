"""Reports of whole runs: `check --format X --output FILE`, and the option `reports`, also when the build fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.projects import Project

FAQ = """
    ---
    answers:
      - id: retries
        question: How often are requests retried?
        text: |
          The client retries a failed request 7 times before it gives up [@guide/install.md#with-pip].
          It is blue.
    ---
    # Questions
"""
WRONG = "The client retries a failed request 7 times before it gives up"


@pytest.fixture
def failing(project: Project) -> Project:
    """A site in the folder of a repository, with a wrong claim and one without a citation."""
    (project.root.parent / ".git").mkdir(exist_ok=True)
    project.page("faq.md", FAQ)
    return project


def test_several_reports_at_once(failing: Project, tmp_path: Path) -> None:
    """The first output belongs to the first format; what has none goes to standard output."""
    sarif, gitlab = tmp_path / "out" / "cited.sarif", tmp_path / "out" / "quality.json"
    options = ["--format", "sarif", "--output", str(sarif), "--format", "gitlab", "--output", str(gitlab)]
    result = failing.cited("check", *options, "--format", "github")
    assert result.code == 1
    assert "::error file=" in result.output
    (run,) = json.loads(sarif.read_text(encoding="utf-8"))["runs"]
    assert {item["ruleId"] for item in run["results"]} >= {"missing-citation"}
    assert json.loads(gitlab.read_text(encoding="utf-8"))


def test_lines_and_columns_are_those_of_the_repository(failing: Project) -> None:
    """The claim in the author's own lines, from the root of the repository, and the passage beside it."""
    result = failing.cited("check", "--format", "sarif")
    (run,) = json.loads(result.output)["runs"]
    (wrong,) = (item for item in run["results"] if f"Claim: {WRONG}." in item["message"]["text"])
    place = wrong["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == f"{failing.root.name}/docs/faq.md"
    start = 11 - 4  # as written, without the indentation of this test
    assert place["region"] == {"startLine": 6, "startColumn": start, "endLine": 6, "endColumn": start + len(WRONG)}
    related = wrong["relatedLocations"][0]["physicalLocation"]
    assert related["artifactLocation"]["uri"] == f"{failing.root.name}/docs/guide/install.md"
    lines = (failing.root / "docs/guide/install.md").read_text(encoding="utf-8").splitlines()
    assert lines[related["region"]["startLine"] - 1].startswith("The client retries")


def test_on_github_the_summary_is_written_too(
    failing: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--format github` fills the summary of the step; other formats leave it alone."""
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    failing.cited("check", "--format", "json")
    assert not summary.exists()
    failing.cited("check", "--format", "github")
    assert summary.read_text(encoding="utf-8").startswith("<!-- mkdocs-cited -->")


def test_reports_are_written_when_the_build_fails(failing: Project) -> None:
    """The option `reports` names files beside `mkdocs.yml`; the log has each finding once, and the totals."""
    failing.configure({"reports": {"gitlab": "reports/quality.json", "markdown": "reports/cited.md"}})
    result = failing.build()
    assert result.code == 1
    entries = json.loads((failing.root / "reports/quality.json").read_text(encoding="utf-8"))
    assert {entry["check_name"] for entry in entries} >= {"missing-citation"}
    assert "**missing-citation**" in (failing.root / "reports/cited.md").read_text(encoding="utf-8")


def test_the_log_has_what_each_level_asks_for(failing: Project) -> None:
    """Errors even with `-q`, and the totals without it."""
    quiet, usual = (failing.build(*options).output for options in (["-q"], []))
    assert "missing-citation" in quiet
    assert "1 answer, 2 claims" not in quiet
    assert usual.count("error  missing-citation") == 1
    assert "1 answer, 2 claims" in usual


@pytest.mark.parametrize("glob", ["notes/", "./notes/**/*.md", "notes/*"])
def test_a_build_knows_when_a_file_it_answers_from_has_changed(project: Project, glob: str) -> None:
    """However the file is named: what is read and what is watched are found in one way."""
    project.configure({"extra_sources": [{"glob": glob, "type": "file"}]})
    project.write("notes/window.md", "# Window\n\nReleases are frozen for 12 days before a holiday.\n")
    project.page("faq.md", "---\nanswers:\n  - question: For how many days are releases frozen?\n---\n# FAQ\n")
    assert "frozen for 12 days" in project.build("-v").output + project.html("faq/index.html")
    project.write("notes/window.md", "# Window\n\nReleases are frozen for 15 days before a holiday.\n")
    project.build()
    assert "frozen for 15 days" in project.html("faq/index.html")


def test_an_unknown_format_stops_before_the_work(failing: Project) -> None:
    """A misspelt format is a mistake of usage, told at once."""
    result = failing.cited("check", "--format", "sarfi")
    assert result.code == 2
    assert "did you mean `sarif`?" in result.output


def test_explain_tells_of_a_finding(project: Project) -> None:
    """Meaning, a failing example, the mended one, and how to silence it."""
    result = project.cited("explain", "missing-citation")
    assert result.code == 0
    assert "**Fix**" in result.output
    assert project.cited("explain", "missing-citatoin").code == 2
