"""`review`, `accept`, `reject`, `diff` and `prune` with `--site`: what waits is decided beside the pages as built."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from mkdocs_cited.cli import main
from mkdocs_cited.records import Record, Store
from tests.projects import Project

SITE = ("--site", "site")
FREE = "Nobody is ever able to use an old key again"
SLOW = "A failed request is never given up at once"


@pytest.fixture
def built(project: Project) -> Iterator[Project]:
    """A built site of Ann's with two authored claims that wait, whose pages cannot be rendered any more."""
    project.belongs_to_ann()
    project.authored("guide/install.md#keys", old=[FREE], slow=[SLOW])
    assert project.build().code == 0
    project.configure(hooks=["gone.py"])
    with project.monkeypatch.context() as patch:
        patch.chdir(project.root)
        assert project.cited_here("status").code == 2
        yield project


def waiting() -> list[tuple[str, str]]:
    """Key and number of the claims that a review session shows."""
    shown = CliRunner().invoke(main, ["review", *SITE], input="s\n" * 9).output
    return re.findall(r" · (\S+) · claim (\d)", shown)


def verdicts(project: Project, name: str) -> list[tuple[str, str]]:
    """Claim and verdict of each decision that a record holds."""
    record = Store(project.root).read(f"faq.md#{name}")
    assert isinstance(record, Record), record
    return [(item.claim.rstrip("."), item.verdict.value) for item in record.claims if item.by]


def test_a_session(built: Project) -> None:
    """Its passages are the built pages'; a key decides each."""
    assert waiting() == [("faq.md#old", "1"), ("faq.md#slow", "1")]
    done = CliRunner().invoke(main, ["review", *SITE], input="y\nn\n")
    assert done.exit_code == 0, done.output
    assert "confirmed 1, rejected 1" in done.output
    assert (verdicts(built, "old"), verdicts(built, "slow")) == ([(FREE, "supported")], [(SLOW, "unsupported")])
    assert waiting() == []


def test_by_name(built: Project) -> None:
    """`accept` and `reject` decide claims; the check of the same folder heeds both."""
    assert built.cited_here("accept", *SITE, "old", "--claims", "1").code == 0
    assert built.cited_here("reject", *SITE, "slow", "--claims", "1").code == 0
    assert (verdicts(built, "old"), verdicts(built, "slow")) == ([(FREE, "supported")], [(SLOW, "unsupported")])
    report = json.loads(built.cited_here("check", *SITE, "--json").output)
    assert [(item["answer"], item["slug"]) for item in report["findings"] if item["severity"] != "info"] == [
        ("faq.md#slow", "unsupported-claim")
    ]


def test_prune(built: Project) -> None:
    """The record without a question goes, and no other."""
    built.cited_here("accept", *SITE, "old", "--claims", "1")
    folder = built.root / "answers/faq"
    gone = folder / "gone.md"
    gone.write_bytes((folder / "old.md").read_bytes())
    assert built.cited_here("prune", *SITE).output.startswith("faq.md#gone\ndeleted 1")
    assert names(folder) == ["old.md"]
    assert "all records belong to a question" in built.cited_here("prune", *SITE).output


def names(folder: Path) -> list[str]:
    """Of its files, sorted."""
    return sorted(path.name for path in folder.iterdir())
