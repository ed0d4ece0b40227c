"""A project's own habits of stating values: the entries of the option `facts`, as phrases that pages are read with."""

from __future__ import annotations

import re

from mkdocs_cited.base.text import glob_matches
from mkdocs_cited.base.values import replace
from mkdocs_cited.facts.phrases import Phrases, phrases
from mkdocs_cited.model.options import FactRule

_NOTHING = re.compile(r"(?P<name>(?!))")
"""Matches no text."""


def is_about(rule: FactRule, page: str) -> bool:
    """True if a rule holds on a page.

    Args:
        page: its path from the root of the repository.
    """
    return is_named(page, rule.pages)


def is_named(file: str, pattern: str) -> bool:
    """True if a glob names a file, from the root of the repository or from any folder of it."""
    return glob_matches(file, (pattern, f"**/{pattern}"))


def phrases_of(rule: FactRule) -> Phrases:
    """The phrases of a rule: what is in front of `{value}`, or behind it; a column's header is in front, too."""
    before, _, after = rule.value.partition("{value}")
    column = _written(before.strip(" :"))
    return replace(
        phrases(),
        before=_compiled(before),
        after=_compiled(after) if not before.strip() else _NOTHING,
        column=re.compile(column, re.IGNORECASE) if column else _NOTHING,
    )


def _compiled(text: str) -> re.Pattern[str]:
    """What finds a part of `Default of {name}: {value}` in a sentence."""
    written = _written(text.strip())
    if not written:
        return _NOTHING
    if "(?P<name>" not in written:
        written += "(?P<name>(?!))?"
    return re.compile(rf"(?<!\w){written}\s*", re.IGNORECASE)


def _written(text: str) -> str:
    parts = [re.escape(part).replace(r"\ ", r"\s+") for part in text.split("{name}")]
    return "`?(?P<name>[^`\n]+?)`?".join(parts)
