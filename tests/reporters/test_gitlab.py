"""GitLab's code quality report: its published shape, and a fingerprint of its own for every entry."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
from hypothesis import given

from mkdocs_cited.model.finding import Place, Suppressed, found
from mkdocs_cited.reporters import get
from mkdocs_cited.reporters.interface import Report
from tests.reporters.texts import reports

SHAPE = json.loads((Path(__file__).parent / "gitlab.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SHAPE)


@given(report=reports())
def test_every_report_has_the_published_shape(report: Report) -> None:
    """Whatever texts and names it holds; and each finding stays apart from every other."""
    entries = json.loads(get("gitlab").render(report).encode("utf-8"))
    VALIDATOR.validate(entries)
    assert len({entry["fingerprint"] for entry in entries}) == len(report.shown)


def test_a_fingerprint_outlives_a_move() -> None:
    """The line is no part of it; the second finding about the same claim gets a number."""
    before = [found("altered-number", Place("a.md", line), text, answer="a.md#x", claim="c") for line, text in
              ((3, "one"), (4, "two"))]  # fmt: skip
    after = [found("altered-number", Place("a.md", line), text, answer="a.md#x", claim="c") for line, text in
             ((30, "one"), (41, "two"))]  # fmt: skip
    names = [
        [entry["fingerprint"] for entry in json.loads(get("gitlab").render(Report(shown=tuple(shown))))]
        for shown in (before, after)
    ]
    assert names[0] == names[1]
    assert names[0][1] == f"{names[0][0]}:2"


def test_suppressed_findings_are_left_out() -> None:
    """GitLab has no word for them."""
    silenced = Suppressed(found("altered-number", Place("a.md"), "m"), "on purpose")
    assert json.loads(get("gitlab").render(Report(suppressed=(silenced,)))) == []
