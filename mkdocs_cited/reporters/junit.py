"""The report for test dashboards: JUnit XML with a test case for each claim.

What fails the run fails its claim's case: an error, and under `--strict` a warning. A suppressed finding skips it, and
so does a claim that nobody has checked: it is no pass. The rest stands in the suite's `system-out`, since JUnit has no
word for it. Each case bears the `file` and `line` that GitLab, GitHub's reporters and editors lead to; Jenkins reads
over them. The format wants a host, which says nothing here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar
from xml.sax.saxutils import escape, quoteattr

from mkdocs_cited.base.text import collapse
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Verdict
from mkdocs_cited.model.finding import Finding, Place
from mkdocs_cited.reporters.interface import Report, Reporter
from mkdocs_cited.reporters.safety import one_line, printable, shorten
from mkdocs_cited.reporters.selection import ordered, page_of, page_path

LONGEST_NAME = 300
"""Characters of a test case's name."""
_SOME_DAY = "1970-01-01T00:00:00"
"""Of a report that does not say when it was made."""


@dataclass(slots=True)
class _Case:
    """One test case: a claim, or what was found where no claim is."""

    classname: str
    name: str
    place: Place
    failures: list[Finding] = field(default_factory=list)
    skipped: str = ""
    """Why it neither passes nor fails."""


@dataclass(slots=True)
class _Suite:
    """The cases of one page."""

    cases: list[_Case] = field(default_factory=list)
    remarks: list[Finding] = field(default_factory=list)
    """Warnings and infos."""


class JUnit(Reporter):
    """A suite for each page, a case for each claim."""

    id: ClassVar[str] = "junit"
    description: ClassVar[str] = "For test dashboards: JUnit XML, a test case for each claim."

    def render(self, report: Report) -> str:
        """The XML document."""
        suites = enumerate(sorted(_suites(report).items()))
        lines = [line for number, (page, suite) in suites for line in _suite(number, page, suite, report)]
        return "\n".join(('<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", *lines, "</testsuites>")) + "\n"


def _suites(report: Report) -> dict[str, _Suite]:
    """Every claim as a case of its page, with what was found about it; a finding without a claim is one of its own."""
    suites: defaultdict[str, _Suite] = defaultdict(_Suite)
    cases: dict[tuple[str, str], _Case] = {}
    for answer in sorted(report.answers, key=lambda answer: answer.key):
        suite = suites[page_path(answer.page, report)]
        for reviewed in answer.claims:
            place = report.places.get(answer.key) or Place(page_path(answer.page, report))
            case = _Case(answer.key, reviewed.claim.text, place)
            if reviewed.judgement.verdict is Verdict.UNCHECKED:
                case.skipped = (
                    reviewed.judgement.reason or "unchecked: no reader could tell whether the passage supports it"
                )
            cases.setdefault((answer.key, reviewed.claim.text), case)
            suite.cases.append(case)
    for item in sorted(report.suppressed, key=lambda item: (item.finding.sort_key, item.reason)):
        case = _case_of(item.finding, report, suites, cases)
        case.skipped = f"{item.finding.slug} is suppressed: {item.reason}"
    for finding in ordered(report.shown):
        if report.fails(finding):
            for claim in finding.details or (finding,):
                told = replace(finding, claim=claim.claim, place=claim.place)
                _case_of(told, report, suites, cases).failures.append(finding)
        else:
            suites[page_of(finding, report)].remarks.append(finding)
    return suites


def _case_of(
    finding: Finding, report: Report, suites: defaultdict[str, _Suite], cases: dict[tuple[str, str], _Case]
) -> _Case:
    subject = finding.answer or finding.place.file
    key = (subject, finding.claim or f"{finding.slug}: {finding.message}")
    if key not in cases:
        cases[key] = _Case(*key, finding.place)
        suites[page_of(finding, report)].cases.append(cases[key])
    cases[key].place = finding.place  # that of the claim, which is nearer than that of its question
    return cases[key]


def _suite(number: int, page: str, suite: _Suite, report: Report) -> Iterator[str]:
    failures = sum(bool(case.failures) for case in suite.cases)
    skipped = sum(bool(case.skipped and not case.failures) for case in suite.cases)
    yield (
        f'  <testsuite id="{number}" name={_attribute(collapse(one_line(page)) or "(no file)")} package="mkdocs-cited"'
        f' hostname="localhost" timestamp="{report.made or _SOME_DAY}" time="0"'
        f' tests="{len(suite.cases)}" failures="{failures}" errors="0" skipped="{skipped}">'
    )
    yield "    <properties>"
    yield from (f'      <property name="notice" value={_attribute(notice)}/>' for notice in report.notices)
    yield "    </properties>"
    seen: Counter[tuple[str, str]] = Counter()
    for case in suite.cases:
        name = shorten(collapse(one_line(case.name)), LONGEST_NAME) or "(empty)"
        seen[case.classname, name] += 1
        again = seen[case.classname, name]
        yield from _case(case, name if again == 1 else f"{name} ({again})")
    yield f"    <system-out>{_text(chr(10).join(map(_details, suite.remarks)))}</system-out>"
    yield "    <system-err></system-err>"
    yield "  </testsuite>"


def _case(case: _Case, name: str) -> Iterator[str]:
    where = f'file={_attribute(one_line(case.place.file))} line="{case.place.line}"'
    head = f'    <testcase classname={_attribute(case.classname)} name={_attribute(name)} {where} time="0"'
    if case.failures:
        worst = case.failures[0]
        body = _text("\n\n".join(map(_details, case.failures)))
        yield f"{head}>"
        yield f"      <failure type={_attribute(worst.slug)} message={_attribute(worst.message)}>{body}</failure>"
        yield "    </testcase>"
    elif case.skipped:
        yield f"{head}>"
        yield f"      <skipped message={_attribute(case.skipped)}/>"
        yield "    </testcase>"
    else:
        yield f"{head}/>"


def _details(finding: Finding) -> str:
    """Everything about a finding as lines of text."""
    lines = [f"{finding.place}: {finding.severity}: {finding.slug}: {one_line(finding.message)}"]
    for related in finding.related:
        where = related.place or related.passage
        lines.append(f"  {related.message}{f' ({where})' if where else ''}: {one_line(related.text)}")
    lines += [
        f"  {detail.number}. {one_line(detail.claim)}{f' ({one_line(detail.hint)})' if detail.hint else ''}"
        for detail in finding.details
    ]
    if finding.claim:
        lines.insert(1, f"  claim: {one_line(finding.claim)}")
    if finding.tip:
        lines.append(f"  → {one_line(finding.tip)}")
    return "\n".join(lines)


def _text(text: str) -> str:
    return escape(printable(text))


def _attribute(text: str) -> str:
    return quoteattr(one_line(text))
