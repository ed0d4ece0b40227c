"""The audit: every rule of `rules/` is put to an answer's text. What a rule asks is said in its class."""

from __future__ import annotations

from collections.abc import Iterable

from mkdocs_cited.model.finding import Finding
from mkdocs_cited.review.interface import Audit, Rule
from mkdocs_cited.review.rules import citations, markup, quotes

RULES: tuple[Rule, ...] = (
    citations.CitationInCode(),
    citations.ConflictingSources(),
    citations.LowCoverage(),
    citations.MissingCitation(),
    citations.OrphanSource(),
    citations.UnknownSource(),
    citations.WrongCitation(),
    markup.LeakedMarkup(),
    markup.UnsafeMarkup(),
    quotes.AlteredQuote(),
    quotes.QuoteNotFound(),
)


def audit(case: Audit) -> tuple[Finding, ...]:
    """What all rules find in one answer, sorted, each finding once.

    Rules that need verdicts (`wrong-citation`) read `Audit.judgements`, and are silent while there are none.
    """
    return in_order(finding for rule in RULES for finding in rule.check(case))


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings sorted for people, equal ones once."""
    return tuple(sorted(dict.fromkeys(findings), key=lambda finding: finding.sort_key))
