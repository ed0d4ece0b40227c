"""The JSON report: everything, in a document that its published schema describes."""

from __future__ import annotations

import json
from importlib.resources import files

import jsonschema
import pytest
from hypothesis import given

from mkdocs_cited.base.text import encodable
from mkdocs_cited.reporters import get
from mkdocs_cited.reporters.interface import Report
from tests.reporters.cases import Case, all_cases
from tests.reporters.texts import reports

PUBLISHED = json.loads(files("mkdocs_cited.reporters").joinpath("report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(PUBLISHED)


def test_the_published_schema_is_one() -> None:
    """`python -m tests.docs.generated` writes it."""
    jsonschema.Draft202012Validator.check_schema(PUBLISHED)


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.path.stem)
def test_golden_reports_fit_the_schema(case: Case) -> None:
    """Answers, claims, suppressed and ignored findings included."""
    VALIDATOR.validate(json.loads(get("json").render(case.report)))


@given(report=reports())
def test_every_report_fits_the_schema_and_keeps_its_texts(report: Report) -> None:
    """Texts come back exactly; a lone surrogate alone, which UTF-8 has no bytes for, is replaced."""
    text = get("json").render(report)
    document = json.loads(text.encode("utf-8"))
    VALIDATOR.validate(document)
    assert sorted(item["message"] for item in document["findings"]) == sorted(
        encodable(finding.message) for finding in report.shown
    )


def test_the_schema_refuses_what_is_not_a_report() -> None:
    """A document with an unknown severity, or without totals, is not one of ours."""
    document = json.loads(get("json").render(all_cases()[0].report))
    document["findings"][0]["severity"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(document)
    del document["totals"]
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(document | {"findings": []})
