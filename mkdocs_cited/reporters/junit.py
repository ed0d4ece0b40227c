"""The report for test dashboards: JUnit XML with a test case for each claim.

What fails the run fails its claim's case: an error, and under `--strict` a warning. A suppressed finding skips it, and
so does a claim that nobody has checked: it is no pass. The rest is the suite's `system-out`, since JUnit has no word
for it. Each case bears the `file` and `line` that GitLab, GitHub's reporters and editors lead to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import ClassVar
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Verdict
from mkdocs_cited.model.finding import Finding, Place
from mkdocs_cited.reporters.interface import Report, Reporter, described, ordered, page_of, page_path
from mkdocs_cited.reporters.safety import one_line, printable

LONGEST_NAME = 300
"""Characters of a test case's name."""
_SOME_DAY = "1970-01-01T00:00:00"
"""Of a report that does not say when it was made."""


@dataclass(slots=True)
class _Case:
    """One test case: a claim, or what was found where no claim is."""

    page: str
    classname: str
    name: str
    place: Place
    failures: list[Finding] = field(default_factory=list)
    skipped: str = ""
    """Why it neither passes nor fails."""


class JUnit(Reporter):
    """A suite for each page, a case for each claim."""

    id: ClassVar[str] = "junit"
    description: ClassVar[str] = "For test dashboards: JUnit XML, a test case for each claim."

    def render(self, report: Report) -> str:
        """The XML document."""
        cases, remarks = _cases(report)
        root = Element("testsuites")
        for number, page in enumerate(sorted({*(case.page for case in cases), *remarks})):
            root.append(_suite(number, page, [case for case in cases if case.page == page], remarks[page], report))
        indent(root)
        text: str = tostring(root, encoding="unicode")
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _cases(report: Report) -> tuple[list[_Case], defaultdict[str, list[Finding]]]:
    """Every claim as a case, with what was found about it; a finding without a claim is a case of its own. And page →
    what fails nothing."""
    cases: list[_Case] = []
    remarks: defaultdict[str, list[Finding]] = defaultdict(list)
    known: dict[tuple[str, str], _Case] = {}

    def case_of(finding: Finding) -> _Case:
        key = finding.answer or finding.place.file, finding.claim or f"{finding.slug}: {finding.message}"
        if key not in known:
            known[key] = _Case(page_of(finding, report), *key, finding.place)
            cases.append(known[key])
        known[key].place = finding.place  # that of the claim, which is nearer than that of its question
        return known[key]

    for answer in sorted(report.answers, key=lambda answer: answer.key):
        page = page_path(answer.page, report)
        for item in answer.claims:
            case = _Case(page, answer.key, item.claim.text, report.places.get(answer.key) or Place(page))
            if item.judgement.verdict is Verdict.UNCHECKED:
                case.skipped = item.judgement.reason or "unchecked: no reviewer could decide"
            known.setdefault((answer.key, item.claim.text), case)
            cases.append(case)
    for silenced in sorted(report.suppressed, key=lambda item: (item.finding.sort_key, item.reason)):
        case_of(silenced.finding).skipped = f"{silenced.finding.slug} is suppressed: {silenced.reason}"
    for finding in ordered(report.shown):
        if not report.fails(finding):
            remarks[page_of(finding, report)].append(finding)
            continue
        for claim in finding.details or (finding,):
            case_of(replace(finding, claim=claim.claim, place=claim.place)).failures.append(finding)
    return cases, remarks


def _suite(number: int, page: str, cases: list[_Case], remarks: list[Finding], report: Report) -> Element:
    suite = _element(
        "testsuite", id=str(number), name=collapse(page) or "(no file)", package="mkdocs-cited", hostname="localhost",
        timestamp=report.made or _SOME_DAY, time="0", tests=str(len(cases)), errors="0",
        failures=str(sum(bool(case.failures) for case in cases)),
        skipped=str(sum(bool(case.skipped and not case.failures) for case in cases)),
    )  # fmt: skip
    notices = SubElement(suite, "properties")
    notices.extend(_element("property", name="notice", value=notice) for notice in report.notices)
    seen: Counter[tuple[str, str]] = Counter()
    for case in cases:
        name = shorten(collapse(one_line(case.name)), LONGEST_NAME) or "(empty)"
        seen[case.classname, name] += 1
        again = seen[case.classname, name]
        suite.append(_case(case, name if again == 1 else f"{name} ({again})"))
    SubElement(suite, "system-out").text = printable("\n".join(map(_details, remarks)))
    SubElement(suite, "system-err").text = ""
    return suite


def _case(case: _Case, name: str) -> Element:
    element = _element(
        "testcase", classname=case.classname, name=name, file=case.place.file, line=str(case.place.line), time="0"
    )
    if case.failures:
        worst = case.failures[0]
        failure = _element("failure", type=worst.slug, message=worst.message)
        failure.text = printable("\n\n".join(map(_details, case.failures)))
        element.append(failure)
    elif case.skipped:
        element.append(_element("skipped", message=case.skipped))
    return element


def _element(tag: str, **attributes: str) -> Element:
    return Element(tag, {name: one_line(value) for name, value in attributes.items()})


def _details(finding: Finding) -> str:
    """Everything about a finding as lines of text."""
    first, *others = map(one_line, described(finding))
    return "\n  ".join((f"{finding.place}: {finding.severity}: {finding.slug}: {first}", *others))
