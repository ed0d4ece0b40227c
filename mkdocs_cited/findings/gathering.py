"""One finding an answer for the claims that wait for a person: what a report shows of many findings of one slug.

The stages before a report see each claim by itself: a writer that corrects its text, a baseline that silences it.
"""

from __future__ import annotations

from collections.abc import Iterable

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import PERSON, Answer, Verdict
from mkdocs_cited.model.finding import Detail, Finding
from mkdocs_cited.model.report import Report

WAITING = "unconfirmed-claim"
"""The slug whose findings are gathered."""
DECIDABLE = frozenset(
    "partial-claim contradicted-claim unsupported-claim wrong-citation altered-number altered-identifier "
    "flipped-polarity".split()
)
"""Findings about one claim that a person's word overrules."""


def gathered(report: Report, answers: Iterable[Answer]) -> Report:
    """The report with one finding an answer for the claims that no reader could tell and nobody has decided."""
    by_key = {answer.key: answer for answer in answers}
    return replace(report, shown=_gathered(report.shown, by_key), ignored=_gathered(report.ignored, by_key))


def waiting(report: Report) -> dict[str, tuple[Detail, ...]]:
    """Key → the claims of that answer which wait for a person, in order; answers with none are left out.

    Claims wait even where the project does not want to hear of them (`off`), and not where it silences them.
    """
    return {item.answer: item.details for item in (*report.shown, *report.ignored) if item.slug == WAITING}


def decidable(report: Report) -> dict[str, tuple[Detail, ...]]:
    """Key → the claims of that answer that a reviewer does not pass: a person may say otherwise."""
    answers = {answer.key: answer for answer in report.answers}
    found: dict[str, list[Detail]] = {}
    for finding in (*report.shown, *report.ignored):
        answer = answers.get(finding.answer) if finding.slug in DECIDABLE else None
        for number, item in enumerate(answer.claims if answer else (), 1):
            by_person = item.judgement.reviewer.startswith(f"{PERSON}:")
            if item.claim.text == finding.claim and item.evidence and not by_person:
                hint = item.judgement.reason
                detail = Detail(number, finding.claim, finding.place, hint, finding.marks, finding.related)
                found.setdefault(finding.answer, []).append(detail)
    return {key: tuple(sorted(details, key=lambda detail: detail.number)) for key, details in found.items()}


def _gathered(findings: Iterable[Finding], answers: dict[str, Answer]) -> tuple[Finding, ...]:
    kept: list[Finding] = []
    details: dict[str, list[tuple[Detail, Finding]]] = {}
    open_claims = {key: _open(answer) for key, answer in answers.items()}
    for finding in findings:
        numbers = open_claims.get(finding.answer, {}).get(finding.claim) if finding.slug == WAITING else None
        if numbers:  # else it is a claim of a text that is not shown: of a proposal that falls short
            number, hint = numbers.pop(0)
            detail = Detail(number, finding.claim, finding.place, hint, finding.marks, finding.related)
            details.setdefault(finding.answer, []).append((detail, finding))
        else:
            kept.append(finding)
    kept += [_one(answers[key], pairs) for key, pairs in details.items()]
    return tuple(sorted(kept, key=lambda finding: finding.sort_key))


def _open(answer: Answer) -> dict[str, list[tuple[int, str]]]:
    """Text of each claim that no reader could tell → its numbers, with what made the reader doubt."""
    claims: dict[str, list[tuple[int, str]]] = {}
    for number, item in enumerate(answer.claims, 1):
        if item.judgement.verdict is Verdict.UNCHECKED and item.evidence:
            claims.setdefault(item.claim.text, []).append((number, item.judgement.reason))
    return claims


def _one(answer: Answer, pairs: list[tuple[Detail, Finding]]) -> Finding:
    """The finding for all of them."""
    details = tuple(sorted((detail for detail, _ in pairs), key=lambda detail: detail.number))
    total = len(answer.claims)
    return replace(
        pairs[0][1],
        place=details[0].place,
        message=f"{len(details)} of {total} claim{'s' if total != 1 else ''} wait{'s' if len(details) == 1 else ''}"
        f" for a person: `mkdocs-cited review {answer.key}`",
        tip="one key decides each, once, for as long as claim and passages stay the same",
        claim="", marks=(), related=(), details=details,
    )  # fmt: skip
