"""A local model that reads claims: its doubts order the sitting, and what people decided there calibrates it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from mkdocs_cited.cli import main
from tests.local_models import tiny
from tests.projects import Project

PASSAGE = "A backup is kept for thirty days. A client that is turned away has to honour the header."
FREE = "Whoever finds the door shut ought to come back at a better moment"
"""A free paraphrase: no reader of words can tell, and of these words the tiny model knows none but `the` and `at`."""
LIKELY = f"{FREE}, as a backup is kept for thirty days"
"""The same, with words that the model finds in the passage."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose claims a tiny model reads."""
    monkeypatch.setenv("MKDOCS_CITED_MODELS", str(tmp_path / "models"))
    tiny.classifier(tmp_path / "models" / "tiny")
    made = Project(tmp_path / "project", monkeypatch)
    made.configure({"reviewer": "entailment", "local": {"entailment": "tiny"}, "update": "stale"})
    made.page("api.md", f"# API\n\n## Errors\n\n{PASSAGE}\n")
    made.belongs_to_ann()
    return made


def run(project: Project, *arguments: str, typed: str = "") -> str:
    """A command on the project; what it printed."""
    result = CliRunner().invoke(main, [*arguments, "-f", str(project.root / "mkdocs.yml")], input=typed)
    assert result.exit_code in (0, 1), result.output
    return result.output


def test_a_sitting_begins_with_what_the_model_finds_least_likely(project: Project) -> None:
    """Within an answer and between answers: claims 2 and 3 of the later one lack what the passage has."""
    right, wrong = ([f"{claim} ({team})" for team in ("ann", "bob")] for claim in (LIKELY, FREE))
    project.authored("api.md#errors", early=right, late=[right[0], *wrong])
    run(project, "update")
    assert "unreviewed" not in run(project, "check")
    shown = run(project, "review", typed="s\n" * 5)
    order = re.findall(r"faq\.md#(\w+) · claim (\d)", shown)
    assert order == [("late", "2"), ("late", "3"), ("late", "1"), ("early", "1"), ("early", "2")]


def test_what_the_model_said_outlives_a_person_s_word(project: Project) -> None:
    """A decision on one claim of an authored answer leaves the model's verdicts on the others in the record, so that a
    build without the model knows them."""
    project.authored("api.md#errors", late=[LIKELY, f"{FREE} (ann)", f"{FREE} (bob)"])
    run(project, "update")
    run(project, "reject", "faq.md#late", "--claims", "2")
    said = run(project, "check")
    assert "unreviewed" not in said
    assert "2 of 3 claims wait" in said
    project.authored("api.md#errors", late=[LIKELY, f"{FREE} (bob)"])
    run(project, "update")
    assert "(ann)" not in (project.root / "answers" / "faq" / "late.md").read_text(encoding="utf-8")


def test_decided_claims_calibrate(project: Project) -> None:
    """Forty confirmed claims and forty rejected ones of the records, and not those that still wait."""
    count = 42
    project.authored(
        "api.md#errors",
        good=[f"{LIKELY} ({number})" for number in range(count)],
        bad=[f"{FREE} ({number})" for number in range(count)],
        open=[f"{FREE}, once more"],
    )
    run(project, "update")
    run(project, "accept", "faq.md#good", "--claims", f"1-{count}")
    run(project, "reject", "faq.md#bad", "--claims", f"1-{count}")
    said = run(project, "models", "calibrate", "tiny", "--decided")
    assert f"tiny on {count} right and {count} wrong claims: AUC 1.000" in said
    stored = json.loads((Path(os.environ["MKDOCS_CITED_MODELS"]) / "tiny" / "calibration.json").read_text())
    assert (stored["right"], stored["wrong"]) == (count, count)
    assert stored["fails"] < stored["confirms"]
