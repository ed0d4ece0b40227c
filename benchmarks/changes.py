"""Change each default that agrees in the code, one at a time: is it told?

    python -m benchmarks.changes REPOSITORY … [--most 200]

REPOSITORY is a git directory with its history; it is cloned to a folder of its own. The value of each definition that
agrees becomes another one: a number seven times as large, the other of yes and no, another word. Told is a difference;
`open` is a default that is not sure any more; `silent` one that agrees still, with another definition of its name.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.history import Clone
from mkdocs_cited.code.interface import Definition
from mkdocs_cited.facts import facts_of
from mkdocs_cited.facts.files import project_files
from mkdocs_cited.facts.matching import Fact, Status

_OTHER = {
    "true": "false",
    "false": "true",
    "True": "False",
    "False": "True",
    "yes": "no",
    "no": "yes",
    "YES": "NO",
    "NO": "YES",
    "on": "off",
    "off": "on",
}
_OUTCOMES = {Status.DIFFERS: "told", Status.UNKNOWN: "open", Status.AGREES: "silent"}


def changed(value: str) -> str:
    """Another value in the place of one, as code writes it; the same where none is known: a call, nothing."""
    call = re.fullmatch(r"(.*, ?)([^,()]+)(\))", value, re.DOTALL)
    if call:  # `getattr(config, "TTL", 300)`
        return f"{call[1]}{changed(call[2])}{call[3]}"
    number = re.fullmatch(r"(\W*)(\d+)((?:\.\d+)?\W*|\s?[A-Za-z]+\W*)", value)
    if number:
        return f"{number[1]}{int(number[2]) * 7 + 13}{number[3]}"
    word = value.strip("\"'")
    if word in _OTHER:
        return value.replace(word, _OTHER[word])
    if re.fullmatch(r"(['\"])[A-Za-z][^'\"]*\1|[a-z]{3,}", value) and value not in ("null", "nil", "undefined"):
        return value.replace(word[:3], "zzz", 1)
    return value


def lines_with(text: str, definition: Definition) -> str:
    """A file's text with another value of a definition; the same where its lines do not have the value."""
    value = definition.text.strip()
    lines = text.splitlines(keepends=True) if value else []
    for at in range(definition.line - 1, min(definition.end_line, len(lines))):
        before, old, after = lines[at].rpartition(value)
        if old:
            lines[at] = f"{before}{changed(value)}{after}"
            return "".join(lines)
    return text


def outcomes(clone: Clone, most: int) -> Counter[str]:
    """How many changes are told, open and silent."""
    files = project_files(clone.folder)
    agreeing = [fact for fact in facts_of(clone.folder, files) if fact.status is Status.AGREES]
    random.Random(1).shuffle(agreeing)  # noqa: S311 -- a sample
    counts = Counter[str]()
    for fact in agreeing[:most]:
        definition = fact.definition
        assert definition
        path = clone.folder / definition.file
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        other = lines_with(text, definition)
        if other == text:
            continue
        path.write_text(other, encoding="utf-8", errors="surrogateescape")
        today = {place(item): item for item in facts_of(clone.folder, files)}
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        outcome = _OUTCOMES[today[place(fact)].status]
        counts[outcome] += 1
        if outcome != "told":
            said = fact.statement
            print(f"  {outcome:6}  {said.file}:{said.line}  {said.names[0]} is {said.text}; {definition.file}")
    return counts


def place(fact: Fact) -> tuple[str, int, tuple[str, ...], str]:
    """Where a default is stated, and how."""
    said = fact.statement
    return said.file, said.line, said.names, said.text


def main() -> None:
    """Print what is not told, and the counts of each repository."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument("--most", type=int, default=200)
    arguments = parser.parse_args()
    for repository in arguments.repositories:
        with tempfile.TemporaryDirectory() as folder:
            clone = Clone(repository.resolve(), Path(folder) / "clone")
            clone.check_out("HEAD")
            counts = outcomes(clone, arguments.most)
        told, all_of_them = counts["told"], sum(counts.values())
        print(f"{repository}: {told} of {all_of_them} told, {counts['open']} open, {counts['silent']} silent")


if __name__ == "__main__":
    main()
