"""What a reporter is: a pure function of a report to text; and what all do to findings: order, count, describe."""

from __future__ import annotations

import posixpath
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import ClassVar

from mkdocs_cited.base.text import shorten
from mkdocs_cited.model.answer import Spend
from mkdocs_cited.model.finding import IS, WAS, Finding, Severity
from mkdocs_cited.model.report import Report

__all__ = ["Report", "Reporter"]


class Reporter(ABC):
    """Writes reports in one format. Pure: it reads a report and returns text."""

    id: ClassVar[str]
    """The format's name on the command line: `sarif`."""
    description: ClassVar[str]
    """One line for `--help` and the docs."""

    @abstractmethod
    def render(self, report: Report) -> str:
        """The whole text, deterministic and within the limits of the format's readers."""


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """The findings in the one order of every report, whatever order they came in."""
    return sorted(
        findings, key=lambda finding: (finding.sort_key, finding.tip, finding.answer)
    )


def by_page(report: Report) -> list[tuple[str, list[Finding]]]:
    """The shown findings under the page they concern, pages by path: (`docs/faq.md`, its findings).

    A finding in a record belongs to the page that asks the question.
    """
    pages: dict[str, list[Finding]] = {}
    for finding in ordered(report.shown):
        path = finding.answer.rpartition("#")[0]
        if not path:
            path = finding.place.file
        elif path != report.questions:
            path = posixpath.normpath(f"{report.docs_dir}/{path}").removeprefix("/")
        pages.setdefault(path, []).append(finding)
    return sorted(pages.items())


def most_severe(findings: Sequence[Finding], limit: int) -> list[Finding]:
    """At most `limit` findings, errors before warnings before infos, in the order of a report."""
    if len(findings) <= limit:
        return ordered(findings)
    ranked = sorted(ordered(findings), key=lambda finding: -finding.severity.rank)
    return ordered(ranked[:limit])


def unique_fingerprints(findings: Sequence[Finding]) -> list[str]:
    """A fingerprint for each finding, in order: `…`, and `…:2` for the second of the same question and claim.

    Consumers drop findings whose fingerprint they have already seen.
    """
    seen: Counter[str] = Counter()
    out = []
    for finding in findings:
        name = finding.fingerprint
        seen[name] += 1
        out.append(name if seen[name] == 1 else f"{name}:{seen[name]}")
    return out


_SIDES = {WAS: "Was", IS: "Is"}


def described(finding: Finding, longest: int = 1_000) -> list[str]:
    """What a finding says: its message, the claims, the nearest passage, and what to do.

    Args:
        longest: characters of a claim or passage.
    """
    lines = [finding.message]
    if finding.claim:
        lines.append(f"Claim: {shorten(finding.claim, longest)}")
    for detail in finding.details:
        about = "; ".join(filter(None, (detail.hint, str(detail.place))))
        lines.append(
            f"{detail.number}. {shorten(detail.claim, min(longest, 300))} ({about})"
        )
    sides = [related for related in finding.related if related.message in _SIDES]
    for related in sides or finding.related[:1]:
        where = ""
        if related.place or related.passage:
            where = f" ({related.place or related.passage})"
        if related.text:
            lines.append(
                f"{_SIDES.get(related.message, 'Passage')}{where}: {shorten(related.text, longest)}"
            )
    if finding.tip:
        return [*lines, f"→ {finding.tip}"]
    return lines


def totals(report: Report) -> str:
    """Return what was found, in a phrase: `2 errors, 1 warning (1 suppressed)`, or `no findings`."""
    parts: list[str] = []
    for severity, noun in ((Severity.ERROR, "error"), (Severity.WARNING, "warning")):
        count = report.count(severity)
        if count:
            parts.append(counted(count, noun))
    infos = report.count(Severity.INFO)
    if infos:
        parts.append(f"{infos:,} for your information")
    text = ", ".join(parts) or "no findings"
    if report.suppressed:
        return f"{text} ({len(report.suppressed):,} suppressed)"
    return text


def checked(report: Report) -> str:
    """What was looked at: `12 answers, 61 claims`; empty when the report holds no answers."""
    if not report.answers:
        return ""
    claims = sum(len(answer.claims) for answer in report.answers)
    return f"{counted(len(report.answers), 'answer')}, {counted(claims, 'claim')}"


def cost_of(spend: Spend) -> str:
    """What model calls cost, in words; empty when there were none."""
    if not spend.calls:
        return ""
    tokens = spend.input_tokens + spend.output_tokens
    return f"{counted(spend.calls, 'model call')}, {counted(tokens, 'token')}, ${spend.cost:,.2f}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 error`, `25,000 errors`."""
    if number == 1:
        return f"{number:,} {noun}"
    return f"{number:,} {noun}s"
