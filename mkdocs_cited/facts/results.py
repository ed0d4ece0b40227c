"""What facts say to people and programs: a headline, findings for the reporters, JSON, who changed what last."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypedDict

from mkdocs_cited.base.errors import command
from mkdocs_cited.base.files import repository_of
from mkdocs_cited.base.text import shorten
from mkdocs_cited.code.interface import Definition, Duration
from mkdocs_cited.facts import facts_of
from mkdocs_cited.facts.files import project_files
from mkdocs_cited.facts.matching import NOT_FOUND, Fact, Status
from mkdocs_cited.model.finding import Finding, Place, Related, found
from mkdocs_cited.model.options import FactRule
from mkdocs_cited.sources.names import in_words

_LONGEST = 100
"""Characters of a value that is shown."""


class StatedPlace(TypedDict):
    """Where a value stands."""

    file: str
    line: int
    value: str


class FactItem(TypedDict):
    """A fact, as `facts --json` prints it."""

    name: str
    status: str
    """`agrees`, `differs`, `unknown`."""
    reason: str
    """Why it is unknown; empty otherwise."""
    docs: StatedPlace
    code: StatedPlace | None
    """What was compared; nothing where the code has no such name."""


class FactsObject(TypedDict):
    """What `facts --json` prints."""

    facts: list[FactItem]
    counts: dict[str, int]
    """`read`, `agrees`, `differs`, `unknown`."""


def headline(facts: Sequence[Fact]) -> str:
    """`93 defaults read: 84 agree, 3 differ, 4 not found, 2 not sure`."""
    counts = Counter(fact.status for fact in facts)
    missing = sum(fact.reason == NOT_FOUND for fact in facts)
    unsure = counts[Status.UNKNOWN] - missing
    noun = "defaults"
    if len(facts) == 1:
        noun = "default"
    line = (
        f"{len(facts):,} {noun} read: {counts[Status.AGREES]} agree, "
        f"{counts[Status.DIFFERS]} differ, {missing} not found"
    )
    if unsure:
        return f"{line}, {unsure} not sure"
    return line


def as_object(facts: Sequence[Fact]) -> FactsObject:
    """The facts as `--json` prints them."""
    statuses = [fact.status for fact in facts]
    counts = {"read": len(facts)}
    for status in Status:
        counts[status.value] = statuses.count(status)
    return {"facts": [_item(fact) for fact in facts], "counts": counts}


def _item(fact: Fact) -> FactItem:
    statement, definition = fact.statement, fact.definition
    compared: StatedPlace | None = None
    if definition:
        value = shown_value(fact)
        compared = {"file": definition.file, "line": definition.line, "value": value}
    return {
        "name": statement.names[0],
        "status": fact.status.value,
        "reason": fact.reason,
        "docs": {
            "file": statement.file,
            "line": statement.line,
            "value": statement.text,
        },
        "code": compared,
    }


def findings(facts: Iterable[Fact], folder: str = ".") -> tuple[Finding, ...]:
    """The differences, as the reporters show them.

    Args:
        folder: what their places are relative to, from the root of the repository.
    """
    differing = []
    for fact in facts:
        if fact.definition and fact.status is Status.DIFFERS:
            differing.append(_finding(fact, fact.definition, folder))
    return tuple(differing)


def findings_below(
    folder: Path, ours: Sequence[Path], rules: Sequence[FactRule] = ()
) -> tuple[Finding, ...]:
    """The differences in the repository that a folder is in, with places relative to that folder.

    Args:
        ours: the folders of its built site and its records, which are not read.
        rules: how else pages state values.
    """
    folder = folder.resolve()
    root = repository_of(folder) or folder
    facts = facts_of(root, project_files(root, ours), rules)
    return findings(facts, folder.relative_to(root).as_posix())


def _finding(fact: Fact, definition: Definition, folder: str) -> Finding:
    statement = fact.statement
    value = shown_value(fact)
    slug = "altered-identifier"
    if type(statement.value) in (int, float, Duration):
        slug = "altered-number"
    where = Place(posixpath.relpath(definition.file, folder), definition.line)
    name = statement.names[0]
    stated = shorten(statement.text, _LONGEST) or "empty"
    before = f", where it was {stated} before" if fact.is_outdated else ""
    return found(
        slug,
        Place(posixpath.relpath(statement.file, folder), statement.line),
        f"the default of `{name}` is {stated} here, and {value} in {where}{before}",
        tip=f"correct the page, or run `{command('facts', '--fix')}`",
        claim=f"{name}: {stated}",
        related=(Related("what the code says", where, text=value),),
    )


def shown_value(fact: Fact) -> str:
    """The code's value as its file writes it; behind the name of a constant, the value of that."""
    definition = fact.definition
    if definition is None:
        return ""
    written = shorten(definition.text, _LONGEST)
    plain = in_words(fact.value)
    if not written:
        return plain
    if plain and fact.value != definition.value:
        return f"{written} ({plain})"
    return written
