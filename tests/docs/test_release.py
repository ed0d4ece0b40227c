"""A release is ready to be made: version, changelog and workflow agree, and only the last step may publish."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
import yaml

from mkdocs_cited import __version__, providers, reporters, review
from tests.docs.roots import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEXT = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
JOBS: dict[str, Any] = yaml.safe_load(TEXT)["jobs"]
TESTS: dict[Any, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_changelog_has_a_section_for_each_version() -> None:
    """What is not released stands first; each version has its date, the newest is the package's own."""
    first, *released = HEADINGS
    versions = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)", heading) for heading in released]
    assert first == "[Unreleased]"
    assert all(versions)
    assert [match[1] for match in versions if match][:1] == [__version__]
    dates = [match[2] for match in versions if match]
    assert dates == sorted(dates, reverse=True)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned(workflow: Path) -> None:
    """By the full hash of a commit, with the version next to it."""
    uses = re.findall(r"uses: (.+)", workflow.read_text(encoding="utf-8"))
    assert len(uses) >= 4
    assert [item for item in uses if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", item)] == []


def test_what_publishes_runs_no_code_of_the_repository() -> None:
    """It may prove who it is; it takes what was built and checked, and does nothing else."""
    publish = JOBS["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["needs"] == "build"
    assert [step for step in publish["steps"] if "run" in step or "checkout" in step.get("uses", "")] == []
    assert "permissions" not in JOBS["build"]
    assert "secrets." not in TEXT


@pytest.mark.parametrize("command", [".ci/run", "python -m build", "python -m twine check --strict dist/*"])
def test_it_is_checked_before(command: str) -> None:
    """Tests, lint, types and documentation; then what is published itself."""
    assert command in [step.get("run") for step in JOBS["build"]["steps"]]


def test_every_push_is_tested_on_each_python_and_system() -> None:
    """The Pythons that the package names, three systems, and the lowest dependencies."""
    assert {True, "jobs"} <= TESTS.keys()  # YAML reads `on` as true
    assert TESTS[True].keys() == {"push", "pull_request"}
    matrix = TESTS["jobs"]["test"]["strategy"]["matrix"]
    assert [f">={matrix['python'][0]}"] == [PROJECT["requires-python"]]
    assert {row["os"].partition("-")[0] for row in matrix["include"]} == {"ubuntu", "macos", "windows"}
    assert "lowest" in {row["dependencies"] for row in matrix["include"]}


def test_each_dependency_has_its_reason() -> None:
    """In CONTRIBUTING, and no reason is left of one that is gone."""
    table = CONTRIBUTING.partition("\n## Dependencies\n")[2].partition("\n## ")[0]
    required = {re.split(r"[<>=]", line)[0] for line in PROJECT["dependencies"]}
    assert set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)) == required


def test_the_public_interface_is_there() -> None:
    """Each import of the table exists, and each entry point that it names is the group of a family."""
    table = CONTRIBUTING.partition("\n## Public interface\n")[2].partition("\n## ")[0]
    names = re.findall(r"^\| `([\w.]+)` \|", table, re.MULTILINE)
    assert len(names) == 6
    for name in names:
        resolve_name(name)
    groups = {family.group for family in (providers.FAMILY, reporters.FAMILY, review.FAMILY)}
    assert set(re.findall(r"entry point `([\w.-]+)`", table)) == groups
