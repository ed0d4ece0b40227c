"""A release is ready to be made: version, changelog and workflow agree, and only the last step may publish."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from mkdocs_cited import __version__
from tests.docs.roots import ROOT

TEXT = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
JOBS: dict[str, Any] = yaml.safe_load(TEXT)["jobs"]
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


def test_actions_are_pinned() -> None:
    """By the full hash of a commit, with the version beside it."""
    uses = re.findall(r"uses: (.+)", TEXT)
    assert len(uses) >= 5
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
