"""The audit: every rule of `rules/` is put to an answer's text. What a rule asks is said in its own file."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache

from mkdocs_cited.model.finding import Finding
from mkdocs_cited.review import rules
from mkdocs_cited.review.interface import Audit, Rule


def audit(case: Audit) -> tuple[Finding, ...]:
    """What all rules find in one answer, sorted, each finding once.

    Rules that need verdicts (`wrong-citation`) read `Audit.judgements`, and are silent while there are none.
    """
    return in_order(finding for rule in all_rules() for finding in rule.check(case))


@cache
def all_rules() -> tuple[Rule, ...]:
    """One rule of each module in `rules/`, by slug. A new file there is a new rule; nothing else lists them.

    Raises:
        TypeError: a module does not define exactly one rule, or its slug is not its name.
    """
    found = []
    for module in sorted(info.name for info in pkgutil.iter_modules(rules.__path__)):
        inside = importlib.import_module(f"{rules.__name__}.{module}")
        own = [item for item in vars(inside).values() if _is_rule(item) and item.__module__ == inside.__name__]
        if len(own) != 1 or own[0].slug != module.replace("_", "-"):
            raise TypeError(f"{inside.__name__} must define one rule, with the slug `{module.replace('_', '-')}`")
        found.append(own[0]())
    return tuple(found)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings sorted for people, equal ones once."""
    return tuple(sorted(dict.fromkeys(findings), key=lambda finding: finding.sort_key))


def _is_rule(item: object) -> bool:
    return isinstance(item, type) and issubclass(item, Rule) and item is not Rule
