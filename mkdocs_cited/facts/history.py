"""What a line of code was before, and who changed it last, as git knows. Without a history nothing is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from mkdocs_cited import code
from mkdocs_cited.base.files import Refusal, git, git_or_nothing
from mkdocs_cited.code.interface import Definition

_CHANGED = re.compile(r"\^?([0-9a-f]+).*?\((.+?) +(\d{4}-\d{2}-\d{2}) +\d+\)")
"""What `git blame` prints before a line: its commit, who made it, and when."""
_BEFORE = re.compile(
    r"^committer-time (\d+)$(?:\n(?!\t).*)*?\nprevious (\w+) (.+)$", re.MULTILINE
)
"""What `git blame --porcelain` prints of a commit: its time, the commit before it, and the file's name there."""
_BLAME = ("-c", "core.quotePath=off", "blame", "--porcelain", "-L")
_MOST_CHANGES = 10
"""Earlier changes of a definition that are looked at."""


def last_change(root: Path, file: str, line: int) -> str:
    """Who changed a line last and when: `Ann, 2026-05-01`; empty where git does not know."""
    place = f"{line},{line}"
    said = git_or_nothing(root, "blame", "--date=short", "-L", place, "--", file)
    changed = _CHANGED.match(said)
    if not changed or not changed[1].strip("0"):
        return ""
    return f"{changed[2]}, {changed[3]}"


class History:
    """The earlier versions of a project's files of code."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._definitions = cache(self._definitions_of)
        self._is_refused = False
        """Whether git did not answer: it is not asked again."""

    def former(self, definition: Definition) -> Iterator[Definition]:
        """What a definition was before each change of its lines, the latest first."""
        commit: tuple[str, ...] = ()
        for _ in range(_MOST_CHANGES):
            place = "{},{}".format(*definition.lines)
            asked = (*_BLAME, place, *commit, "--", definition.file)
            if self._is_refused:
                return
            said = git(self._root, *asked)
            if isinstance(said, Refusal):
                self._is_refused = True
                return
            changes = _BEFORE.findall(said)
            if not changes:
                return
            _, before, file = max(changes, key=lambda change: int(change[0]))
            commit = (before,)
            same = []
            for item in self._definitions(before, file):
                if (item.path, item.kind) == (definition.path, definition.kind):
                    same.append(item)
            if len(same) != 1:
                return
            (definition,) = same
            yield definition

    def _definitions_of(self, commit: str, file: str) -> tuple[Definition, ...]:
        """The definitions of a file as it was in a commit."""
        text = git(self._root, "show", f"{commit}:{file}")
        if isinstance(text, str):
            return code.definitions(text, file)
        return ()
