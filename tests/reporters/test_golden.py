"""Each reporter writes what its golden files show, and the same whatever order the findings come in."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mkdocs_cited import reporters
from tests.reporters.cases import Case, all_cases, render

CASES = all_cases()


@pytest.mark.parametrize(
    ("case", "name"),
    [(case, name) for case in CASES for name in case.expected],
    ids=lambda value: str(value.path.stem if isinstance(value, Case) else value),
)
def test_output_is_the_golden_one(case: Case, name: str) -> None:
    """A reporter's text equals the golden file's; the file is written by `python -m tests.reporters.cases`."""
    assert render(name, case.report) == case.expected[name]


@pytest.mark.parametrize("name", reporters.FAMILY.names())
def test_every_reporter_has_a_golden_file(name: str) -> None:
    """No format goes without an example to read."""
    assert any(name in case.expected for case in CASES)


@pytest.mark.parametrize("name", reporters.FAMILY.names())
def test_order_of_the_findings_does_not_matter(name: str) -> None:
    """Two runs that find the same say the same."""
    for case in CASES:
        report = case.report
        turned = replace(
            report, shown=report.shown[::-1], suppressed=report.suppressed[::-1], answers=report.answers[::-1]
        )
        assert render(name, turned) == render(name, report)
