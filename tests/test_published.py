"""What is published of an answer in another target than Markdown, and what its words do in a job's log: nothing."""

from __future__ import annotations

import re

import pytest
from selectolax.lexbor import LexborHTMLParser

from mkdocs_cited.model.finding import Place, Severity, found
from mkdocs_cited.model.report import Report
from mkdocs_cited.reporters.console import Console, Layout
from mkdocs_cited.reporters.forges import GitHub
from tests.projects import Project

COMMAND = re.compile(r"^\s*::[a-z-]+|##\[|##vso\[|##teamcity\[", re.MULTILINE | re.IGNORECASE)
"""What GitHub, Azure Pipelines and TeamCity take for commands."""

HOSTILE = (
    '<p>Sixty.<img src="https://evil.example/a.png"></p>',
    '<p>Sixty.<img src="HTTPS://evil.example/a.png"></p>',
    '<p>Sixty.<img src="//evil.example/a.png"></p>',
    '<p>Sixty.<img src="/\\evil.example/a.png"></p>',
    '<p>Sixty.<img src="\t//evil.example/a.png"></p>',
    '<p>Sixty.<img src="data:image/svg+xml,x" srcset="https://evil.example/b.png 2x"></p>',
    '<p>Sixty. <a href="HTTPS://evil.example">x</a></p>',
    '<p>Sixty. <a href="/\\evil.example">x</a></p>',
    '<p style="background:url(https://evil.example)">Sixty. <a href="https://evil.example">x</a></p>',
    '<table background="https://evil.example"><tr><td>Sixty.</td></tr></table>',
)


@pytest.mark.parametrize("html", HOSTILE)
def test_html_in_a_record(project: Project, html: str) -> None:
    """Images of others tell them who reads: tags are text, and the build fails."""
    project.configure({"update": "never", "models": ["anthropic"]})
    entry = "  - {id: q, question: How many?, provider: anthropic}\n"
    project.page("faq.md", f"---\nanswers:\n{entry}---\n# FAQ\n")
    project.write("answers/faq/q.md", f"---\nversion: 1\nquestion: How many?\nprovider: anthropic\n---\n\n{html}\n")
    assert project.build("--strict").code == 1
    project.build()
    for node in LexborHTMLParser(project.html("faq/index.html")).css("*"):
        assert not any("evil.example" in (value or "") for value in node.attributes.values())


@pytest.mark.parametrize("width", [40, 60, 100])
@pytest.mark.parametrize("color", [False, True])
def test_a_log_holds_no_commands(width: int, *, color: bool) -> None:
    """Wherever a line is wrapped, and whatever stands in a claim, a file's name or a message."""
    for before in range(60):
        text = f"{'w' * before} ::error file=x::y ##[error]z ##vso[task.x]y ##teamcity[z] ::warning::w"
        finding = found("unsupported-claim", Place(f"::error::{before}.md"), text, tip=text, claim=text)
        report = Report(shown=(finding, found("missing-answer", Place("a.md"), "::error::x")), notices=(text,))
        shown = re.sub(r"\x1b\[[0-9;]*m", "", Console(Layout(width=width, color=color)).render(report))
        assert not COMMAND.search(shown), shown
        for line in GitHub().render(report).splitlines():
            assert "##[" not in line
            assert not line.startswith("::") or line.startswith(("::error file=", "::notice title="))
    assert finding.severity is Severity.ERROR
