"""Where the words of a citation that leads nowhere are today: by what decisions depend on, else by git's renames."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from mkdocs_cited.base.git import git_or_nothing, repository_of
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.records import Decision
from mkdocs_cited.records.following import place_of

_MARK = re.compile(r"\[@!?([^\[\]]+)\]")
_RENAME = re.compile(r"^R\d*\t([^\t\n]+)\t([^\t\n]+)$", re.MULTILINE)
_COMMITS = 200
"""Commits in which a rename is looked for, the newest first."""


def with_new_places(
    findings: Iterable[Finding], decisions: Iterable[Decision], corpus: Corpus, root: Path
) -> Iterator[Finding]:
    """The findings; each citation that leads nowhere with where its words are now, if that is found.

    Args:
        findings: those of an author's text.
        decisions: what was decided of its claims.
        corpus: the site's passages.
        root: folder of `mkdocs.yml`.
    """
    known = list(decisions)
    for finding in findings:
        mark = _MARK.search(finding.message) if finding.slug == "unknown-source" else None
        place = _new_place(mark[1], known, corpus, root) if mark else ""
        if place:
            finding = replace(finding, tip=f"its words are at `{place}` now: cite `[@{place}]`")
        yield finding


def _new_place(address: str, decisions: Iterable[Decision], corpus: Corpus, root: Path) -> str:
    """An address that leads where the words of another one are; empty where that is not known."""
    path, _, anchor = address.partition("#")
    name = posixpath.basename(path)
    texts = []
    for decision in decisions:
        for excerpt in decision.evidence:
            page, _, heading = excerpt.at.partition("#")
            if posixpath.basename(page) == name and heading == anchor:
                texts.append(excerpt.text)
    place = place_of(texts, corpus)
    if place:
        return f"/{place}"
    renamed = _renamed(path, root)
    return f"{renamed}#{anchor}" if renamed and anchor else renamed


def _renamed(path: str, root: Path) -> str:
    """The address that git's history gives a file which was renamed, in the form in which the old one was written."""
    top = repository_of(root)
    plain = re.sub(r"^(?:\.{1,2}/)+|^/", "", path)
    if top is None or not plain:
        return ""
    said = git_or_nothing(top, "log", "--format=", "--name-status", "-M", "--diff-filter=R", "-n", str(_COMMITS))
    for old, new in _RENAME.findall(said):
        if old == plain or old.endswith(f"/{plain}"):
            return path.replace(plain, new.removeprefix(old.removesuffix(plain)))
    return ""
