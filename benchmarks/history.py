"""Replay a project's history over the defaults that its docs state: is a default that changes in the code told?

    python -m benchmarks.history REPOSITORY [--since 2024-08-01] [--steps 400]

REPOSITORY is a git directory with its history. At each first-parent commit that touches a file of a default that
agreed before, `facts` reads the project again. A default is watched while it agrees and the page states the same. It
became false where, by the file in which it was defined, the value of its definition is another one: that is told when
`facts` shows a difference, and missed when it does not. A difference on a value that is as it was is a false alarm.
Each event is printed with its commit, to be judged by eye.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from mkdocs_cited import code
from mkdocs_cited.code.interface import Definition
from mkdocs_cited.facts import facts_of
from mkdocs_cited.facts.files import project_files
from mkdocs_cited.facts.matching import Fact, Status

Key = tuple[str, tuple[str, ...], str, int]
"""Of a statement: its page, its names, the value as it is written, and how many before it are the same."""


class Clone:
    """A work tree of a repository, which goes from commit to commit."""

    def __init__(self, repository: Path, folder: Path) -> None:
        self.folder = folder
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", repository, folder], check=True)

    def git(self, *arguments: str) -> str:
        """What a git command prints."""
        done = subprocess.run(["git", *arguments], cwd=self.folder, capture_output=True, check=True)
        return done.stdout.decode("utf-8", "replace")

    def check_out(self, commit: str) -> None:
        """Put the files of a commit into the work tree; one whose text the repository lacks is left out."""
        subprocess.run(["git", "checkout", "-q", "--force", commit], cwd=self.folder, capture_output=True)

    def commits(self, since: str, steps: int) -> list[str]:
        """The first-parent commits since a day, the oldest first."""
        log = self.git("log", "--first-parent", "--format=%H", f"--since={since}", "-n", str(steps))
        return log.split()[::-1]

    def changed(self, before: str, commit: str) -> set[str]:
        """The files that differ between two commits."""
        return set(self.git("diff", "--no-renames", "--name-only", before, commit).splitlines())


def keyed(facts: Sequence[Fact]) -> dict[Key, Fact]:
    """Facts by what is stated where."""
    seen = Counter[tuple[str, tuple[str, ...], str]]()
    found = {}
    for fact in facts:
        said = fact.statement
        same = (said.file, said.names, said.text)
        found[(*same, seen[same])] = fact
        seen[same] += 1
    return found


def definitions(clone: Clone, was: Definition) -> list[Definition]:
    """The definitions of today with a definition's file, scope and name."""
    path = clone.folder / was.file
    if not path.is_file():
        return []
    text = path.read_text(encoding="utf-8", errors="replace")
    return [item for item in code.definitions(text, was.file) if (item.scope, item.name) == (was.scope, was.name)]


def event(clone: Clone, was: Fact, now: Fact) -> str:
    """What happened to a default that agreed: `told`, `missed`, `false alarm`, or nothing."""
    assert was.definition
    today = definitions(clone, was.definition)
    is_same = any(item.value == was.definition.value for item in today)
    if now.status is Status.DIFFERS:
        return "false alarm" if is_same else "told"
    if now.status is Status.UNKNOWN and today and not is_same:
        return "missed"
    return ""


def replayed(clone: Clone, commits: Sequence[str]) -> Iterator[tuple[str, str, Fact, Fact]]:
    """Each event: its kind, the commit, and the fact of then and now."""
    agreeing: dict[Key, Fact] = {}
    read = commits[0]
    for commit in commits:
        files = {fact.statement.file for fact in agreeing.values()}
        files.update(fact.definition.file for fact in agreeing.values() if fact.definition)
        if agreeing and files.isdisjoint(clone.changed(read, commit)):
            continue
        clone.check_out(commit)
        today = keyed(facts_of(clone.folder, project_files(clone.folder)))
        for key, was in agreeing.items():
            now = today.get(key)
            kind = event(clone, was, now) if now else ""
            if now and kind:
                yield kind, commit, was, now
        agreeing = {key: fact for key, fact in today.items() if fact.status is Status.AGREES and fact.definition}
        read = commit


def main() -> None:
    """Print each event, and the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--since", default="2024-08-01")
    parser.add_argument("--steps", type=int, default=400)
    arguments = parser.parse_args()
    counts = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        clone = Clone(arguments.repository.resolve(), Path(folder) / "clone")
        commits = clone.commits(arguments.since, arguments.steps)
        for kind, commit, was, now in replayed(clone, commits):
            counts[kind] += 1
            said, then = was.statement, was.definition
            assert then
            print(f"{kind:11}  {commit[:9]}  {said.file}:{now.statement.line}  {said.names[0]} is {said.text}")
            print(f"             {then.file}:{then.line} was {then.value!r}; now {now.definition}; {now.reason}")
    print(f"{len(commits)} commits, {dict(counts)}")


if __name__ == "__main__":
    main()
