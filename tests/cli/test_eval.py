"""`mkdocs-cited eval` measures the gate on a site: what it stops, what it lets through, and what it cannot see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.projects import Project


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.page(
        "index.md",
        """
        ---
        answers:
          - question: How often does the client retry?
            text: >
              The client retries a failed upload five times [@guide.md#uploads].
        ---
        # Start
        """,
    )
    project.page(
        "guide.md",
        """
        # Guide

        ## Uploads

        The client retries a failed upload five times. The client waits for 30 seconds before it tries again.
        """,
    )
    project.page(
        "keys.md",
        """
        # Keys

        Every key is stored on the server and cannot be read by other users. If a key is older than 90 days, the
        server rejects all requests that are signed with it.
        """,
    )
    return project


def figures(site: Project, *options: str) -> str:
    """What is measured, as people read it."""
    result = site.cited("eval", "-f", str(site.root / "mkdocs.yml"), *options)
    assert result.code == 0
    return result.output


def test_it_is_repeatable(site: Project) -> None:
    """The seed decides, and nothing else does."""
    assert figures(site, "--limit", "2") == figures(site, "--limit", "2")
    assert "2 claims" in figures(site, "--limit", "2")


def test_the_table_is_for_people(site: Project) -> None:
    """It shows the shares by kind."""
    output = figures(site)
    assert "4 claims" in output
    assert "false alarms: 0 of 4 right claims failed" in output
    for kind in ("figure", "unit", "negation", "dropped citation"):
        assert re.search(rf"^ *{kind} +\d+ +100.0% +0.0% +0.0%$", output, re.MULTILINE), kind
    free = r"^right and wrong claims in words of their own.*\n  right +\d+ +\S+% +\S+% +\S+%$"
    assert re.search(free, output, re.MULTILINE)
