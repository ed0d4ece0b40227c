"""The workflows that the docs give away: pinned, without secrets for strangers, and with commands that exist."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
import yaml

from mkdocs_cited import reporters
from mkdocs_cited.cli import main as cli
from tests.docs.commands import every
from tests.docs.pages import Block, blocks
from tests.docs.roots import DOCS, ROOT

PAGE = DOCS / "guide" / "ci.md"
WORKFLOWS = [block for block in blocks("yaml") if block.page == PAGE and block.title != "mkdocs.yml"]
GITHUB = [block for block in WORKFLOWS if block.title.startswith(".github/")]
EACH = pytest.mark.parametrize("block", WORKFLOWS, ids=lambda block: block.title)


def commands(value: Any) -> Iterator[list[str]]:
    """Every call of `mkdocs-cited` in a workflow, as words."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from commands(item)
    elif isinstance(value, str):
        for call in re.findall(r"mkdocs-cited (?=[a-z])[^\n|;&]+", value):
            yield shlex.split(call)


def test_both_services_have_their_workflows() -> None:
    """A check and a nightly update each."""
    assert len(GITHUB) == 2
    assert len(WORKFLOWS) == 3


@EACH
def test_commands_exist(block: Block) -> None:
    """Commands, options and formats are known, and each file is written under a name of its own."""
    calls = list(commands(yaml.safe_load(block.code)))
    assert {call[1] for call in calls} <= {"check", "update"}
    assert ["mkdocs-cited", "update", "--batch"] in calls or not block.title.endswith("-update.yml")
    for call in calls:
        known = {name for parameter in every(cli)[call[1]].params for name in parameter.opts}
        assert {word for word in call if word.startswith("-")} <= known
        pairs = list(pairwise(call))
        assert {value for key, value in pairs if key == "--format"} <= {*reporters.FAMILY.names()}
        outputs = [value for key, value in pairs if key == "--output"]
        assert len(set(outputs)) == len(outputs)


@pytest.mark.parametrize("block", GITHUB, ids=lambda block: block.title)
def test_actions_are_pinned(block: Block) -> None:
    """By the full hash of a commit, with the version beside it for people and bots that update it."""
    uses = re.findall(r"uses: (.+)", block.code)
    assert len(uses) >= 3
    assert [item for item in uses if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", item)] == []


@pytest.mark.parametrize("block", GITHUB, ids=lambda block: block.title)
def test_no_stranger_gets_a_secret(block: Block) -> None:
    """No `pull_request_target`; read-only unless a job asks for more; what runs a pull request's code sees no key."""
    workflow = yaml.safe_load(block.code)
    triggers = workflow[True]  # YAML reads `on` as true
    assert "pull_request_target" not in triggers
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        runs_code = any("pip install" in step.get("run", "") for step in job["steps"])
        if "pull_request" in triggers and runs_code:
            assert "secrets." not in yaml.safe_dump(job)
            assert job["permissions"].keys() <= {"contents", "security-events"}
            assert job["permissions"]["contents"] == "read"


def test_no_text_of_a_pull_request_runs_as_a_command() -> None:
    """Expressions stand in `env`, `if` and `with` only, never in a script."""
    for block in GITHUB:
        for job in yaml.safe_load(block.code)["jobs"].values():
            assert not any("${{" in step.get("run", "") for step in job["steps"])


def test_the_workflow_that_init_writes_is_pinned_as_these_are() -> None:
    """To the same commits."""
    template = (ROOT / "mkdocs_cited/cli/workflows/github.yml").read_text(encoding="utf-8")
    pins = set(re.findall(r"uses: (\S+@\S+)", template))
    assert pins
    assert pins <= set(re.findall(r"uses: (\S+@\S+)", PAGE.read_text(encoding="utf-8")))
