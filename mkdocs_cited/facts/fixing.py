"""Pages with the value of the code in the place of the one that they state."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mkdocs_cited.code.interface import Duration, Value
from mkdocs_cited.code.literals import quantity
from mkdocs_cited.facts.statement import Fact, Statement, stated_place

_PAIRS = (
    "true false",
    "True False",
    "TRUE FALSE",
    "yes no",
    "Yes No",
    "on off",
    "On Off",
    "enabled disabled",
)
"""Words for yes and no, as pages write them."""


def fixed(text: str, facts: Iterable[Fact]) -> str:
    """A page's text with the differences of these facts corrected, as far as exactly one place states the old value.

    Args:
        facts: those of this page that differ.
    """
    lines = text.split("\n")
    for fact in facts:
        statement = fact.statement
        new = replacement(statement, fact.value)
        place = stated_place(lines, statement)
        if new and place:
            number, start, end = place
            lines[number] = lines[number][:start] + new + lines[number][end:]
    return "\n".join(lines)


def replacement(statement: Statement, value: Value) -> str:
    """A value in the words of the statement that is wrong; empty where it cannot be said like that."""
    old = statement.text
    if isinstance(value, bool):
        for pair in _PAIRS:
            yes, no = pair.split()
            if old in (yes, no):
                if value:
                    return yes
                return no
        return ""
    if isinstance(value, str) and isinstance(statement.value, str):
        quote = ""
        if old[:1] in "\"'" and old[-1:] == old[:1]:
            quote = old[:1]
        return f"{quote}{value}{quote}"
    if isinstance(value, (int, float)) and isinstance(statement.value, (int, float)):
        if "," in old and isinstance(value, int):
            return f"{value:,}"
        return str(value)
    if isinstance(value, Duration) and isinstance(statement.value, Duration):
        return _with_unit(old, value.seconds)
    if isinstance(value, (int, float)) and isinstance(statement.value, Duration):
        return _with_unit(old, float(value))
    return ""


def _with_unit(old: str, seconds: float) -> str:
    """A duration in the unit of another one, where that gives a whole number."""
    match = re.fullmatch(r"(\d+)([ -]?[A-Za-zµ]+)", old)
    one = quantity(f"1{match[2]}") if match else None
    if not match or not isinstance(one, Duration) or not one.seconds:
        return ""
    amount = seconds / one.seconds
    if abs(amount - round(amount)) < 1e-6:
        return f"{round(amount)}{match[2]}"
    return ""
