"""JUnit XML: a case for each claim, valid by the common schemas, whatever the texts hold."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer, Claim, Judgement, ReviewedClaim, Status, Verdict
from mkdocs_cited.model.finding import Detail, Place, Suppressed, found
from mkdocs_cited.reporters import get
from mkdocs_cited.reporters.interface import Report
from tests.reporters.cases import Case, all_cases
from tests.reporters.texts import hostile_text, reports


@cache
def schema() -> Any:
    """The published schema; what reads it takes a second to import."""
    from xmlschema import XMLSchema

    return XMLSchema(Path(__file__).parent / "junit.xsd")


def suites_of(report: Report) -> list[ElementTree.Element]:
    """The suites of a valid document, whose totals are those of its cases."""
    text = get("junit").render(report)
    text.encode("utf-8")
    schema().validate(text)
    suites = list(ElementTree.fromstring(text))  # noqa: S314 - our own output
    for suite in suites:
        assert suite.get("tests") == str(len(suite.findall("testcase")))
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
        assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))
    return suites


def cases_of(report: Report) -> dict[str, str]:
    """Name of each case → `pass`, `failure` or `skipped`."""
    cases = [case for suite in suites_of(report) for case in suite.findall("testcase")]
    return {case.get("name", ""): case[0].tag if len(case) else "pass" for case in cases}


def answer(*claims: tuple[str, Verdict]) -> Answer:
    reviewed = tuple(ReviewedClaim(Claim(text, (1,)), (), Judgement(verdict)) for text, verdict in claims)
    return Answer("a.md#x", "a.md", "x", "Q?", Status.ACCEPTED, claims=reviewed)


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.path.stem)
def test_golden_reports_are_valid(case: Case) -> None:
    """Ant's and Jenkins's schemas accept them."""
    suites_of(case.report)


@given(report=reports())
def test_every_report_is_valid(report: Report) -> None:
    """Markup, control characters and all; names within a suite are not confused."""
    for suite in suites_of(report):
        names = [(case.get("classname"), case.get("name")) for case in suite.findall("testcase")]
        assert len(set(names)) == len(names)


@given(text=hostile_text())
def test_a_claim_of_any_text_is_one_case(text: str) -> None:
    """A supported claim passes under its words."""
    assert list(cases_of(Report(answers=(answer((text, Verdict.SUPPORTED)),))).values()) == ["pass"]


def test_each_claim_is_a_case() -> None:
    """Errors fail, suppressed ones and what nobody checked are skipped, warnings pass."""
    claims = {"good": "supported", "bad": "unsupported", "weak": "partial", "silenced": "unsupported", "x": "unchecked"}
    place = Place("answers/a.md/x.md")
    report = Report(
        shown=(
            found("unsupported-claim", place, "m", answer="a.md#x", claim="bad"),
            found("altered-number", place, "m", answer="a.md#x", claim="bad"),
            found("partial-claim", place, "m", answer="a.md#x", claim="weak"),
            found("stale-answer", place, "it changed", answer="a.md#x"),
        ),
        suppressed=(Suppressed(found("unsupported-claim", place, "m", answer="a.md#x", claim="silenced"), "known"),),
        answers=(answer(*((name, Verdict(verdict)) for name, verdict in claims.items())),),
    )
    assert cases_of(report) == {
        "good": "pass",
        "bad": "failure",
        "weak": "pass",
        "silenced": "skipped",
        "x": "skipped",
        "stale-answer: it changed": "failure",
    }
    (suite,) = suites_of(report)
    assert "partial-claim" in suite.findtext("system-out", "")
    (failure,) = suite.findall("testcase[@name='bad']/failure")
    assert "unsupported-claim" in (failure.text or "")
    assert "altered-number" in (failure.text or "")


def test_under_strict_a_warning_fails_its_claim() -> None:
    """As it fails the run: what waits for a person too, in place of being skipped."""
    place = Place("docs/a.md", 7)
    waits = Detail(1, "open", Place("docs/a.md", 8))
    report = Report(
        shown=(
            found("partial-claim", place, "m", answer="a.md#x", claim="weak"),
            replace(found("unconfirmed-claim", place, "1 claim waits", answer="a.md#x"), details=(waits,)),
        ),
        answers=(answer(("weak", Verdict.PARTIAL), ("open", Verdict.UNCHECKED)),),
    )
    assert cases_of(report) == {"weak": "pass", "open": "skipped"}
    strict = replace(report, strict=True)
    assert cases_of(strict) == {"weak": "failure", "open": "failure"}
    (suite,) = suites_of(strict)
    assert [(case.get("file"), case.get("line")) for case in suite.findall("testcase")] == [
        ("docs/a.md", "7"),
        ("docs/a.md", "8"),
    ]


def test_a_case_says_where_its_question_is_asked_and_when_it_was_checked() -> None:
    report = Report(
        answers=(answer(("good", Verdict.SUPPORTED)),),
        places={"a.md#x": Place("docs/a.md", 4)},
        made="2026-11-22T10:40:14",
    )
    (suite,) = suites_of(report)
    assert suite.get("timestamp") == "2026-11-22T10:40:14"
    case = suite.find("testcase")
    assert case is not None
    assert (case.get("file"), case.get("line")) == ("docs/a.md", "4")


def test_the_same_claim_twice_is_two_cases() -> None:
    """Dashboards merge cases of one name; the second gets a number."""
    twice = answer(("same", Verdict.SUPPORTED), ("same", Verdict.SUPPORTED))
    assert list(cases_of(Report(answers=(twice,)))) == ["same", "same (2)"]
