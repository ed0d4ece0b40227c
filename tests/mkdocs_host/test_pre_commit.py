"""Other projects' pre-commit can run the check."""

from __future__ import annotations

from pathlib import Path

import yaml


def test_the_pre_commit_hook_runs_the_check() -> None:
    """The hook that others name in their configuration calls a command that there is."""
    (hook,) = yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["entry"].split() == ["mkdocs-cited", "check"]
