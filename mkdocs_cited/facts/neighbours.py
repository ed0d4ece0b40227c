"""What a list of statements tells of each: where the others agree with one mapping, this one is about it too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from mkdocs_cited.code.interface import Computed, Definition, Kind, Reference
from mkdocs_cited.facts.comparing import Verdict, compared
from mkdocs_cited.facts.matching import (
    Index,
    agrees,
    is_exact,
    is_of_another_part,
    key,
    named_in,
    parts_of,
)
from mkdocs_cited.facts.statement import Fact, Statement, Status

_FEWEST = 4
"""Statements of a section that agree with what lies in one mapping, class or function."""
_TO_ONE = 4
"""How many of them there are for each that differs; with fewer, the section is about something else."""

_EXAMPLE = frozenset(("env", "example", "sample"))
"""Parts of the name of a file that need not have the defaults."""

Group = tuple[str, tuple[str, ...], tuple[str, ...], str, tuple[str, ...]]
"""Page, headings and prefix of statements, file and scope of definitions."""


def decided_by_neighbours(facts: Sequence[Fact], index: Index) -> tuple[Fact, ...]:
    """The facts, with what could not be decided alone decided by what the other statements of its section are about."""
    agreeing = Counter(
        _group(fact.statement, fact.definition)
        for fact in facts
        if fact.definition and agrees(fact)
    )
    groups = {group for group, times in agreeing.items() if times >= _FEWEST}
    decided = [_decided(fact, groups, index) for fact in facts]
    differing = Counter(
        _group(fact.statement, fact.definition)
        for fact, before in zip(decided, facts, strict=True)
        if fact.definition and fact is not before and not agrees(fact)
    )
    found = []
    for fact, before in zip(decided, facts, strict=True):
        is_lonely = False
        if fact.definition and fact.status is Status.DIFFERS and fact is not before:
            group = _group(fact.statement, fact.definition)
            is_lonely = differing[group] * _TO_ONE > agreeing[group]
        found.append(before if is_lonely else fact)
    return tuple(found)


def _group(statement: Statement, definition: Definition) -> Group:
    prefix = tuple(parts_of(statement.names[0])[:-1])
    headings = statement.headings
    if key(statement.heading) in [key(name) for name in statement.names]:  # of its own
        headings = headings[:-1]
    return statement.file, headings, prefix, definition.file, definition.scope


def _decided(fact: Fact, groups: set[Group], index: Index) -> Fact:
    """The fact, decided where its name has one value in what its section is about."""
    statement = fact.statement
    if fact.status is not Status.UNKNOWN or not statement.is_sure:
        return fact
    differing = fact
    for definition in named_in(statement, index):
        is_example = not _EXAMPLE.isdisjoint(
            PurePosixPath(definition.file).name.split(".")
        )
        if (
            definition.kind is Kind.UNSET
            or is_example
            or _group(statement, definition) not in groups
        ):
            continue
        value = index.resolved(definition)
        verdict = compared(statement.value, value, statement.text)
        if verdict is Verdict.SAME:
            return Fact(statement, Status.AGREES, definition, value)
        is_plain = not isinstance(
            value, (Computed, Reference)
        ) and statement.value not in (None, "")
        is_meant = is_exact(statement, definition) and not is_of_another_part(
            statement, definition, index
        )
        if verdict is Verdict.DIFFERENT and is_plain and is_meant:
            differing = Fact(statement, Status.DIFFERS, definition, value)
    return differing
