"""What the documentation promises without exception has a test of that name, and each command that it shows exists."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from mkdocs_cited.cli import main
from tests.docs.pages import every_block, pages
from tests.docs.roots import DOCS, ROOT
from tests.projects import Project

PROMISES = {
    "Nothing leaves your machine unless `mkdocs.yml` names a model.": (
        "pipeline/test_spending.py::test_a_page_alone_asks_no_model"
    ),
    "`check` and builds in CI ask no model.": "records/test_life.py::test_ci_needs_no_network_and_writes_nothing",
    "**A page alone spends nothing.**": "pipeline/test_spending.py::test_a_page_alone_asks_no_model",
    "**A fault is never a pass.**": "pipeline/test_update.py::test_a_review_that_cannot_finish_is_never_a_pass",
    "A reviewer that cannot finish returns a `Fault`, which is never a pass.": (
        "review/test_verdicts.py::test_a_review_that_could_not_be_finished_is_never_a_pass"
    ),
    "Nothing else in the pages changes.": ("site_host/test_publish.py::test_what_is_no_longer_asked_is_taken_out"),
    "No build edits the Markdown of your pages.": (
        "docs/test_example_site.py::test_it_builds_strictly_without_a_warning_and_writes_nothing"
    ),
    "A build on a server, or without a terminal, writes nothing, even with `update: always`.": (
        "mkdocs_host/test_who_writes.py::test_a_build_nobody_sees_writes_nothing"
    ),
    "`mkdocs-cited update` writes nothing either": "mkdocs_host/test_who_writes.py::test_update_never_binds_update",
    "`check` writes the reports that you ask for, its cache, and nothing else.": (
        "records/test_life.py::test_a_check_needs_no_record_and_leaves_no_trace"
    ),
    "a text is published only when a person has accepted it with their name": (
        "cli/test_records.py::test_an_approval_is_required_for_each_text"
    ),
    "Every decision is stored already.": (
        "cli/test_review.py::test_a_session_may_end_at_any_moment_and_goes_on_where_it_stopped"
    ),
    "also those to a model": "providers/test_own_server.py::test_offline_asks_no_model",
    "**A note's own text is not published**": "render/test_publish.py::test_of_a_note_only_its_name_is_published",
    "It is not written anywhere.": "providers/test_anthropic_faults.py::test_a_wrong_one_is_in_no_fault_and_no_log",
    "does not get it.": "providers/test_own_server.py::test_the_key_of_anthropic_stays_here",
    "A model's tools read passages and do nothing else.": (
        "providers/test_anthropic_injection.py::test_tools_reach_nothing_but_the_site_s_passages"
    ),
    "All errors are collected before the build stops.": (
        "mkdocs_host/test_languages.py::test_a_fault_of_any_language_fails_the_build_once_all_are_done"
    ),
    "a run stops before the sum is passed": "model/test_ledger.py::test_the_limit_is_never_passed",
    "is not overwritten: a new text is stored next to it": (
        "records/test_store.py::test_a_text_that_a_person_edited_is_never_replaced"
    ),
}
"""A promise in the words of the documentation → the test that holds it."""
ABSOLUTE = re.compile(r"\b(?:never|always)\b")
SHOWN = re.compile(r"(?:`|^\$ |^- run: |^)mkdocs-cited ((?!check\.)[a-z]+\b[^`\n|;&#)]*)", re.MULTILINE)
EXAMPLES = {
    "keys.md": "# Keys\n\nEvery request needs a key.\n\n## Rotate\n\nPress Rotate.\n",
    "../pyproject.toml": '[project]\nrequires-python = ">=3.11"\n',
    "../openapi.yaml": "paths:\n  /keys:\n    get: List the keys.\n",
    "../.env.example": "TIMEOUT=30\n",
    "../Dockerfile": "FROM node:22\n",
    "../src/app/cache.py": 'TTL = 30\n\n\nclass Cache:\n    def get(self):\n        """Read an entry."""\n',
    "../src/app/settings.py": (
        'import os\n\nPORT = os.getenv("APP_PORT", 80)\nCACHES = {"default": {"TIMEOUT": 300}}\n'
    ),
    "../src/app/types.py": 'from enum import Enum\n\n\nclass Phase(Enum):\n    OPEN = "open"\n    SHUT = "shut"\n',
    "../src/app/cli.py": (
        'import click\n\n\n@click.command()\n@click.option("--force", default=1)\ndef main(force=1): ...\n'
    ),
    "../CHANGELOG.md": "# Changelog\n\n## 2.0.0\n\nThe port is 80.\n",
    "../src/run.sh": "# --8<-- [start:start]\nserve --port 80\n# --8<-- [end:start]\n",
    "../src/app.go": "package app\n\nvar Timeout = 30\n",
}
"""Files that have what the addresses in the table of marks name."""


def prose() -> Iterator[tuple[Path, str]]:
    """Each page of the documentation but the findings, whose examples are meant to be wrong, without its code."""
    for page in pages():
        if page.name in ("findings.md", "CONTRIBUTING.md"):
            continue
        text = re.sub(r"^( *)```.*?^\1```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        yield page, text


def plain(text: str) -> str:
    """Text without links and marks, in one line."""
    return " ".join(re.sub(r" ?\[@[^\]]+\]|\]\([^)]*\)|\[(?!@)", "", text).split())


@pytest.mark.parametrize(("promise", "test"), PROMISES.items())
def test_a_promise_has_its_test(promise: str, test: str) -> None:
    """The documentation says so, and the test is there."""
    assert any(promise in plain(text) for _, text in prose())
    file, _, name = test.partition("::")
    assert f"def {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8")


def test_never_and_always_are_promises() -> None:
    """Each sentence with one of the two words is a promise above; values of options are code."""
    for page, text in prose():
        for line in text.splitlines():
            words = re.sub(r"`[^`]*`", "", line)
            if ABSOLUTE.search(words):
                said = plain(line)
                assert any(promise in said for promise in PROMISES), (page.name, line)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_exist(page: Path) -> None:
    """Each command of ours that a page shows is one, with options that it has."""
    text = page.read_text(encoding="utf-8")
    in_blocks = "\n".join(block.code for block in every_block() if block.page == page)
    for match in SHOWN.finditer(in_blocks + "\n" + "\n".join(re.findall(r"`[^`\n]+`", text))):
        try:
            words = shlex.split(match[1].replace("…", "X"))
        except ValueError:  # the shell's quote goes on behind what is read here
            words = match[1].split()
        command = main.commands.get(words[0])
        assert command is not None, match[0]
        known = {name for parameter in command.params if isinstance(parameter, click.Option) for name in parameter.opts}
        named = {word.partition("=")[0] for word in words[1:] if re.match(r"--?[a-z]", word)}
        assert named <= known | {"--help", "-h"}, match[0]


def test_each_form_of_a_mark_cites_something(project: Project) -> None:
    """Every target in the table of marks is found, in files that have what it names."""
    project.belongs_to_ann()
    for path, text in EXAMPLES.items():
        project.write(f"docs/{path}", text)
    page = (DOCS / "guide" / "prose.md").read_text(encoding="utf-8")
    marks = re.findall(r"^\| `(\[@[^`]+\])` \|", page, re.MULTILINE)
    assert len(marks) > 12
    project.page("marked.md", "# Marked\n\n" + "\n\n".join(f"This is so {mark}." for mark in marks))
    project.git("add", "-A")
    found = project.cited("check", "marked.md").output
    assert "unknown-source" not in found, found
