"""`mkdocs-cited eval` measures the gate on a site: what it stops, what it lets through, and what it cannot see."""

from __future__ import annotations

import json
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


def figures(site: Project, *options: str) -> dict[str, object]:
    result = site.cited("eval", "-f", str(site.root / "mkdocs.yml"), "--json", *options)
    assert result.code == 0
    data: dict[str, object] = json.loads(result.output)
    return data


def test_the_gate_is_measured_on_the_own_site(site: Project) -> None:
    """Claims of answers and sentences of pages are tried; every kind has its row, and citations their rates."""
    data = figures(site)
    assert data["claims"] == 4
    wrong = {row["kind"]: row for row in data["wrong"]}  # type: ignore[attr-defined]
    assert len(wrong) == 8
    for kind in ("figure", "unit", "negation", "swapped citation", "dropped citation"):
        assert wrong[kind]["claims"], kind
        assert wrong[kind]["caught"] == 1.0, kind
    verbatim = data["right"][0]  # type: ignore[index]
    assert (verbatim["kind"], verbatim["claims"], verbatim["passed"]) == ("verbatim", 4, 4)


def test_an_authored_claim_is_read_with_the_rest_of_its_section(site: Project) -> None:
    """Only what a footnote shows has a quote to be held to its page."""
    guide = site.root / "docs/guide.md"
    guide.write_text(f"{guide.read_text(encoding='utf-8')}\nOther requests are sent once.\n", encoding="utf-8")
    data = figures(site)
    assert data["right"][0]["failed"] == 0  # type: ignore[index]
    assert all(len(trial["passages"]) <= 1 for trial in (*data["survivors"], *data["not_passed"]))  # type: ignore[misc]


def test_it_is_repeatable(site: Project) -> None:
    """The seed decides, and nothing else does."""
    assert figures(site, "--seed", "4", "--limit", "2") == figures(site, "--seed", "4", "--limit", "2")
    assert figures(site, "--limit", "2")["claims"] == 2


def test_the_table_is_for_people(site: Project) -> None:
    """It shows the shares by kind."""
    result = site.cited("eval", "-f", str(site.root / "mkdocs.yml"))
    assert result.code == 0
    assert "4 claims, seed 0" in result.output
    assert "dropped citation       4   100.0%         0.0%     0.0%" in result.output
    free = r"^right and wrong claims in words of their own.*\n  right +\d+ +\S+% +\S+% +\S+%$"
    assert re.search(free, result.output, re.MULTILINE)


def test_predictions_need_claims(site: Project) -> None:
    """Asking for predictions without claims is a mistake, and says what to write."""
    result = site.cited("eval", "--predictions", str(site.root / "p.jsonl"))
    assert result.code == 2
    assert "--claims FILE" in result.output
