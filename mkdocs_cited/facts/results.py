"""What facts say to people and programs: a headline, findings for the reporters, JSON, who changed what last."""

from __future__ import annotations

import datetime
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypedDict

from mkdocs_cited.base.git import git_or_nothing, repository_of
from mkdocs_cited.base.text import shorten
from mkdocs_cited.base.values import replace
from mkdocs_cited.code.interface import Definition, Duration, Entries, Items, Value
from mkdocs_cited.facts.files import project_files
from mkdocs_cited.facts.matching import NOT_FOUND
from mkdocs_cited.facts.run import facts_of
from mkdocs_cited.facts.statement import Fact, Status
from mkdocs_cited.model.finding import Finding, Place, Related, found
from mkdocs_cited.model.options import FactRule

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
    parts = [
        f"{counts[Status.AGREES]} agree",
        f"{counts[Status.DIFFERS]} differ",
        f"{missing} not found",
    ]
    unsure = counts[Status.UNKNOWN] - missing
    if unsure:
        parts.append(f"{unsure} not sure")
    noun = "defaults"
    if len(facts) == 1:
        noun = "default"
    return f"{len(facts):,} {noun} read: {', '.join(parts)}"


def as_object(facts: Sequence[Fact]) -> FactsObject:
    """The facts as `--json` prints them."""
    counts = Counter(fact.status.value for fact in facts)
    return {
        "facts": [_item(fact) for fact in facts],
        "counts": {
            "read": len(facts),
            **{status.value: counts[status.value] for status in Status},
        },
    }


def findings(facts: Iterable[Fact]) -> tuple[Finding, ...]:
    """The differences, as the reporters show them."""
    return tuple(
        _finding(fact, fact.definition)
        for fact in facts
        if fact.definition and fact.status is Status.DIFFERS
    )


def findings_below(folder: Path, rules: Sequence[FactRule] = ()) -> tuple[Finding, ...]:
    """The differences in the repository that a folder is in, with places relative to that folder."""
    root = repository_of(folder.resolve()) or folder
    found = findings(facts_of(root, project_files(root), rules))
    return tuple(_moved(finding, root, folder.resolve()) for finding in found)


def _moved(finding: Finding, root: Path, folder: Path) -> Finding:
    """The finding with places relative to another folder than the root."""

    def moved(file: str) -> str:
        return Path(os.path.relpath(root / file, folder)).as_posix()

    related = []
    for item in finding.related:
        place = item.place and replace(item.place, file=moved(item.place.file))
        related.append(replace(item, place=place))
    return replace(
        finding,
        place=replace(finding.place, file=moved(finding.place.file)),
        related=tuple(related),
    )


def shown_value(definition: Definition, value: Value) -> str:
    """A definition's value as its file writes it; what a constant's name leads to stands behind it."""
    written = shorten(definition.text, _LONGEST)
    if not written:
        return written_value(value)
    is_name = re.fullmatch(r"[\w.:]+", written) and not re.fullmatch(
        r"[\d.]+|true|false|none|null|nil", written.lower()
    )
    plain = written_value(value)
    if is_name and plain and plain != written:
        return f"{written} ({plain})"
    return written


def written_value(value: Value) -> str:
    """A plain value in few words; empty for one that has none."""
    if isinstance(value, Duration):
        return f"{value.seconds:g} seconds"
    if isinstance(value, Items):
        return ", ".join(written_value(item) for item in value.values)
    if isinstance(value, Entries):
        return ", ".join(f"{name}: {written_value(item)}" for name, item in value.pairs)
    if value is None or isinstance(value, (bool, int, float, str)):
        return str(value)
    return ""


def last_change(root: Path, file: str, line: int) -> str:
    """Who changed a line last and when: `Ann, 2026-05-01`; empty where git does not know."""
    said = git_or_nothing(
        root, "blame", "--porcelain", "-L", f"{line},{line}", "--", file
    )
    author = re.search(r"^author (.+)$", said, re.MULTILINE)
    when = re.search(r"^author-time (\d+)$", said, re.MULTILINE)
    if not author or not when or not said[:40].strip("0"):
        return ""
    date = datetime.datetime.fromtimestamp(int(when[1]), datetime.UTC).date()
    return f"{author[1]}, {date.isoformat()}"


def _finding(fact: Fact, definition: Definition) -> Finding:
    statement = fact.statement
    value = shown_value(definition, fact.value)
    is_figure = isinstance(statement.value, (int, float, Duration)) and not isinstance(
        statement.value, bool
    )
    where = Place(definition.file, definition.line)
    name = statement.names[0]
    stated = shorten(statement.text, _LONGEST) or "empty"
    return found(
        "altered-number" if is_figure else "altered-identifier",
        Place(statement.file, statement.line),
        f"the default of `{name}` is {stated} here, and {value} in {where}",
        tip="correct the page, or run `mkdocs-cited facts --fix`",
        claim=f"{name}: {stated}",
        related=(Related("what the code says", where, text=value),),
    )


def _item(fact: Fact) -> FactItem:
    statement = fact.statement
    definition = fact.definition
    compared: StatedPlace | None = None
    if definition:
        value = shown_value(definition, fact.value)
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
