"""Reporters are found by name, loaded only when asked for, and each is what it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mkdocs_cited import reporters
from mkdocs_cited.errors import UsageError
from mkdocs_cited.reporters.interface import Reporter

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", reporters.available())
def test_a_reporter_bears_its_name(name: str) -> None:
    """`get(name)` gives a reporter of that id, with a line for `--help`."""
    reporter = reporters.get(name)
    assert isinstance(reporter, Reporter)
    assert reporter.id == name
    assert reporter.description.endswith(".")


def test_an_unknown_format_is_refused_with_the_closest_one() -> None:
    """A misspelt format names the one that was meant."""
    with pytest.raises(UsageError) as caught:
        reporters.get("githbu")
    assert "githbu" in caught.value.message
    assert "did you mean `github`?" in caught.value.tip


def test_no_reporter_is_loaded_before_it_is_asked_for() -> None:
    """Importing the family imports neither rich nor any format."""
    code = (
        "import sys, mkdocs_cited.reporters as r; r.available();"
        "sys.exit(any(m == 'rich' or m.startswith('mkdocs_cited.reporters.') and m.split('.')[2] in r.FAMILY.ours"
        " for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
