"""Where a citation in a page's own text leads now, if its file or heading has another name: by git's renames, else by
the words that decisions depend on. The citations of a record are followed in `records.following`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from mkdocs_cited.base.git import git_or_nothing, repository_of
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.providers.interface import Move
from mkdocs_cited.records import Decision
from mkdocs_cited.records.following import place_of

_RENAME = re.compile(r"^R\d*\t([^\t\n]+)\t([^\t\n]+)$", re.MULTILINE)
_COMMITS = 200
"""Commits with renames that are looked through, the newest first."""
_ABOVE = re.compile(r"^(?:\.{1,2}/)+|^/")


class Moves:
    """Finds where dead addresses of one site lead now. git is asked once, and only if an address is dead."""

    def __init__(self, corpus: Corpus, root: Path) -> None:
        """`root` is the folder of `mkdocs.yml`."""
        self._corpus = corpus
        self._top = repository_of(root)

    def of(
        self, address: str, decisions: Iterable[Decision], *, cited_by: str
    ) -> Move | None:
        """What to cite in place of an address; `None` where that is not known.

        Args:
            address: as the author wrote it.
            decisions: what was decided of the claims of the text that cites it.
            cited_by: the page of that text, whose own sentence has the same words and proves nothing.
        """
        path, _, anchor = address.partition("#")
        renamed = self._renamed(path)
        if renamed:
            return Move(f"{renamed}#{anchor}" if anchor else renamed, followed=True)
        texts = []
        pages = set()
        for decision in decisions:
            for excerpt in decision.evidence:
                page, _, heading = excerpt.at.partition("#")
                name = posixpath.basename(page)
                if (name, heading) == (posixpath.basename(path), anchor):
                    texts.append(excerpt.text)
                    pages.add(page)
        where, exact = place_of(texts, self._corpus)
        page, _, heading = where.partition("#")
        if exact and page in pages:
            return Move(f"{path}#{heading}" if heading else path, followed=True)
        if where and page != cited_by:
            return Move(f"/{where}")
        return None

    def _renamed(self, path: str) -> str:
        """The path that git gives a file which was renamed, in the form in which the old one is written."""
        plain = _ABOVE.sub("", path)
        for old in self._renames:
            above = old.removesuffix(plain)
            is_named = plain and (above == "" or above.endswith("/"))
            if above == old or not is_named:
                continue
            new = self._last_name(old)
            if new.startswith(above):
                return path.removesuffix(plain) + new.removeprefix(above)
        return ""

    def _last_name(self, old: str) -> str:
        """The name that a file has after all of its renames."""
        name = old
        for _ in self._renames:
            name = self._renames.get(name, name)
        return name

    @cached_property
    def _renames(self) -> dict[str, str]:
        """The path of each renamed file that is gone, from the top of the repository → its next one."""
        if self._top is None:
            return {}
        names = ("--name-status", "-M", "--diff-filter=R")
        newest = git_or_nothing(self._top, "diff", "HEAD", *names)
        older = git_or_nothing(
            self._top, "log", "--format=", *names, "-n", str(_COMMITS)
        )
        renames: dict[str, str] = {}
        for old, new in _RENAME.findall(f"{newest}\n{older}"):
            if not (self._top / old).exists():
                renames.setdefault(old, new)
        return renames
