"""The audit: every rule of `rules/` is put to an answer's text. What a rule asks is said in its function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from mkdocs_cited.model.finding import Finding
from mkdocs_cited.review.interface import Audit
from mkdocs_cited.review.rules import citations, markup

RULES: Mapping[str, Callable[[Audit], Iterable[Finding]]] = {
    "altered-quote": citations.altered_quotes,
    "citation-in-code": citations.citations_in_code,
    "leaked-markup": markup.leaked_markup,
    "low-coverage": citations.low_coverage,
    "missing-citation": citations.missing_citations,
    "orphan-source": citations.orphan_sources,
    "quote-not-found": citations.quotes_not_found,
    "unknown-source": citations.unknown_sources,
    "unsafe-markup": markup.unsafe_markup,
}
"""Slug of a finding → the rule that makes it."""


def audit(case: Audit) -> tuple[Finding, ...]:
    """What all rules find in one answer, sorted, each finding once."""
    findings: list[Finding] = []
    for rule in RULES.values():
        findings += rule(case)
    return in_order(findings)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings sorted for people, equal ones once."""
    return tuple(sorted(dict.fromkeys(findings), key=lambda finding: finding.sort_key))
