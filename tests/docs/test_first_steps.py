"""What README and the first page promise happens: the examples, built, say what the pages print."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from mkdocs_cited.cli import main
from tests.docs.pages import Block, blocks
from tests.docs.roots import DOCS, ROOT
from tests.projects import Project

KEYS = """
    # API keys

    Every request needs an API key.

    ## Rotate a key

    1. Open **Settings › Keys**.
    2. Press **Rotate**.
    3. Copy the new key.

    The old key works for another 24 hours.
"""
LOGS = """
    # Logs

    ## Retention

    Logs are kept for 30 days.
"""


@pytest.fixture(autouse=True)
def site(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The docs that the examples speak of."""
    monkeypatch.setenv("COLUMNS", "100")
    project.page("keys.md", KEYS)
    project.page("guide/logs.md", LOGS)


def example(page: str, language: str, words: str) -> Block:
    """The one block of a page that holds these words."""
    [block] = [item for item in blocks(language) if item.page == ROOT / page and words in item.code]
    return block


def test_a_wrong_figure_stops_the_build_with_the_words_shown(project: Project) -> None:
    """Exit code 1, and the lines that the page prints."""
    page = f"{DOCS.relative_to(ROOT).as_posix()}/start.md"
    project.page("faq.md", example(page, "yaml", "How long are logs kept?").code.replace("30 days", "60 days"))
    result = project.build()
    assert result.code == 1
    shown = example(page, "text", "altered-number").code.removeprefix("ERROR   -  ")
    for line in shown.splitlines():
        assert squeezed(line.removesuffix("…")) in squeezed(result.output)


@pytest.mark.parametrize("page", ["README.md", f"{DOCS.relative_to(ROOT).as_posix()}/index.md"])
def test_a_sentence_fails_with_both_values_when_the_code_changes(project: Project, page: str) -> None:
    """The sentence with its mark passes; with another value in the code it fails on its line, and `check` prints what
    the page shows, with more where that has an ellipsis."""
    project.page("config.md", "# Configuration\n" + "\n" * 10 + example(page, "markdown", "The default timeout").code)
    code = project.write("src/app/config.py", "TIMEOUT = 30  # seconds\n")
    project.belongs_to_ann()
    project.git("add", ".")
    assert project.cited("check", "--strict").code == 0
    code.write_text("TIMEOUT = 60  # seconds\n", encoding="utf-8")
    result = project.cited("check")
    assert result.code == 1
    rest = squeezed(result.output)
    for part in example(page, "text", "contradicted-claim").code.split("…"):
        at = rest.find(squeezed(part))
        assert at >= 0, part
        rest = rest[at:]


def test_a_review_session_looks_as_shown(project: Project) -> None:
    """A claim in other words than its passage, as the page on the review shows it."""
    project.configure(site_url="")
    project.page(
        "faq.md",
        "---\nanswers:\n  - id: logs\n    question: How long are logs kept?\n"
        "    text: After a month, logs are gone [@guide/logs.md#retention].\n---\n",
    )
    shown = example(f"{DOCS.relative_to(ROOT).as_posix()}/guide/review.md", "text", "1 of 1 · faq.md#logs").code
    assert squeezed(shown) in squeezed(project.cited("review").output)


def squeezed(text: str) -> str:
    """Text with every run of white space as one space: lines are broken where the terminal ends."""
    return " ".join(text.split())


@pytest.mark.parametrize("page", ["README.md", f"{DOCS.relative_to(ROOT).as_posix()}/guide/facts.md"])
def test_facts_shows_the_error_of_copier(project: Project, page: str) -> None:
    """With the lines of Copier that state the default, the command prints what the page shows; numbers of lines and
    people are those of Copier's repository."""
    project.page(
        "configuring.md",
        "# Configuring\n\n### `context_lines`\n\n- CLI flags: `-c`, `--context-lines`\n- Default value: `1`\n",
    )
    project.write(
        "copier/_cli.py",
        "from plumbum import cli\n\n\nclass Update(cli.Application):\n"
        '    context_lines = cli.SwitchAttr(["-c", "--context-lines"], int, default=3)\n',
    )
    project.belongs_to_ann()
    project.git("add", "-A")
    project.git("commit", "-qm", "Write it")
    shown = example(page, "console", "context_lines").code.partition("\ncontext_lines\n")[2]
    project.monkeypatch.chdir(project.root)
    result = CliRunner().invoke(main, ["facts"])
    printed = result.output.partition("\ncontext_lines\n")[2]
    assert result.exit_code == 1
    assert bare(printed).startswith(bare(shown))


def bare(text: str) -> str:
    """Output without the numbers of lines, and without who changed a line and when."""
    return squeezed(re.sub(r":\d+|\s+\([^)]*\d\d\d\d-\d\d-\d\d\)", "", text))
