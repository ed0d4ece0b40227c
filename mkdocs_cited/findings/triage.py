"""Which findings are shown, ignored and suppressed, and the claims of an answer that wait, as one finding."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.findings import suppressions
from mkdocs_cited.model.answer import PERSON, Answer, Verdict
from mkdocs_cited.model.declaration import Suppression
from mkdocs_cited.model.finding import Detail, Finding, Severity
from mkdocs_cited.model.report import Report

WAITING = "unconfirmed-claim"
"""The slug whose findings are gathered."""
DECIDABLE = frozenset(
    "partial-claim contradicted-claim unsupported-claim wrong-citation altered-number altered-identifier "
    "flipped-polarity outdated-claim changed-evidence".split()
)
"""Findings about one claim that a person's word overrules."""


class Triage(Struct, frozen=True):
    """The rules by which the findings of one run are sorted."""

    today: str
    """ISO 8601 date, for suppressions that expire."""
    severity: Mapping[str, Severity]
    """Slug → what the option `severity` makes of it."""
    suppress: tuple[Suppression, ...]
    """What the option `suppress` and the baseline silence."""

    def graded(self, finding: Finding) -> Finding:
        """The finding with the severity that the options give its slug."""
        severity = self.severity.get(finding.slug)
        if severity:
            return replace(finding, severity=severity)
        return finding

    def errors(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that keep one answer from being accepted: of severity `error`, and not suppressed."""
        shown = suppressions.apply(findings, self.suppress, self.today).shown
        return tuple(
            finding
            for finding in map(self.graded, shown)
            if finding.severity is Severity.ERROR
        )

    def sort(
        self,
        findings: Iterable[Finding],
        *,
        whole: bool = True,
        others: Collection[str] = (),
    ) -> Report:
        """Every finding in its place, each once, in the order of all reports.

        Args:
            whole: whether these are all findings of the site, so that a suppression which silences none is unused.
            others: keys of answers whose findings are left to another run.
        """
        applied = suppressions.apply(findings, self.suppress, self.today, others=others)
        unused = applied.unused if whole else ()
        graded = [
            self.graded(finding) for finding in dict.fromkeys((*applied.shown, *unused))
        ]
        shown = (finding for finding in graded if finding.severity is not Severity.OFF)
        return Report(
            shown=tuple(sorted(shown, key=lambda finding: finding.sort_key)),
            suppressed=applied.suppressed,
            ignored=tuple(
                finding for finding in graded if finding.severity is Severity.OFF
            ),
        )

    def extended(self, report: Report, findings: Iterable[Finding]) -> Report:
        """The report with the findings of a later stage sorted in."""
        more = self.sort(findings, whole=False)
        return replace(
            report,
            shown=tuple(
                sorted(
                    (*report.shown, *more.shown), key=lambda finding: finding.sort_key
                )
            ),
            suppressed=report.suppressed + more.suppressed,
            ignored=report.ignored + more.ignored,
        )


def gathered(report: Report, answers: Iterable[Answer]) -> Report:
    """The report with one finding an answer for the claims that no reviewer could decide and nobody has decided."""
    by_key = {answer.key: answer for answer in answers}
    return replace(
        report,
        shown=_gathered(report.shown, by_key),
        ignored=_gathered(report.ignored, by_key),
    )


def waiting(report: Report) -> dict[str, dict[int, Detail]]:
    """Key of an answer → number of a claim → what a person should decide: claims that no reviewer could decide, and
    those with a finding that a person may overrule. Findings of severity `off` count, suppressed ones do not."""
    answers = {answer.key: answer for answer in report.answers}
    found: dict[str, dict[int, Detail]] = {}
    for finding in sorted(
        (*report.shown, *report.ignored), key=lambda finding: finding.slug == WAITING
    ):
        found.setdefault(finding.answer, {}).update(
            (detail.number, detail) for detail in finding.details
        )
        if finding.slug not in DECIDABLE or finding.answer not in answers:
            continue
        for number, item in enumerate(answers[finding.answer].claims, 1):
            by_person = item.judgement.reviewer.startswith(f"{PERSON}:")
            if item.claim.text == finding.claim and item.evidence and not by_person:
                found[finding.answer][number] = Detail(
                    number,
                    finding.claim,
                    finding.place,
                    item.judgement.reason,
                    finding.marks,
                    finding.related,
                )
    return found


def _gathered(
    findings: Iterable[Finding], answers: dict[str, Answer]
) -> tuple[Finding, ...]:
    others: list[Finding] = []
    details: dict[str, list[tuple[Detail, Finding]]] = {}
    open_claims = {key: _open(answer) for key, answer in answers.items()}
    for finding in findings:
        open_ones: list[tuple[int, str]] = []
        if finding.slug == WAITING:
            open_ones = open_claims.get(finding.answer, {}).get(finding.claim, [])
        if open_ones:  # else it is a claim of a text that is not shown: of a proposal that falls short
            # equal claims have a finding each, in order
            number, hint = open_ones.pop(0)
            detail = Detail(
                number,
                finding.claim,
                finding.place,
                hint,
                finding.marks,
                finding.related,
            )
            details.setdefault(finding.answer, []).append((detail, finding))
        else:
            others.append(finding)
    others += [_one(answers[key], pairs) for key, pairs in details.items()]
    return tuple(sorted(others, key=lambda finding: finding.sort_key))


def _open(answer: Answer) -> dict[str, list[tuple[int, str]]]:
    """Text of each claim that no reviewer could decide → its numbers, with the reason of its doubt."""
    claims: dict[str, list[tuple[int, str]]] = {}
    for number, item in enumerate(answer.claims, 1):
        if (
            item.judgement.verdict is Verdict.UNCHECKED
            and item.evidence
            and not item.change
        ):
            claims.setdefault(item.claim.text, []).append(
                (number, item.judgement.reason)
            )
    return claims


def _one(answer: Answer, pairs: list[tuple[Detail, Finding]]) -> Finding:
    """The finding for all of them."""
    details = tuple(
        sorted((detail for detail, _ in pairs), key=lambda detail: detail.number)
    )
    total = len(answer.claims)
    claims = "claim" if total == 1 else "claims"
    wait = "waits" if len(details) == 1 else "wait"
    return replace(
        pairs[0][1],
        place=details[0].place,
        message=f"{len(details)} of {total} {claims} {wait} for a person: `mkdocs-cited review {answer.key}`",
        tip="a decision holds until the claim or its passages change",
        claim="",
        marks=(),
        related=(),
        details=details,
    )
