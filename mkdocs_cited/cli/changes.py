"""What may be another than at a commit, and which answers depend on it. What git does not say has changed."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.git import Refusal, git
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.report import Report
from mkdocs_cited.records import Record
from mkdocs_cited.site_host import configuration

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site

FOLLOWED = "H"
"""How `git ls-files -v` marks a file whose changes git sees: one that is there, and not assumed to be unchanged."""
_MARK = re.compile(r"\[@!?([^\[\]\n]+)\]")


class Changes(Struct, frozen=True):
    """The files of a repository, as those of a commit or not. Paths are absolute."""

    top: Path
    """The folder of the repository, without links."""

    changed: frozenset[Path]
    """Files that are new, gone or other ones; a submodule as a whole."""
    followed: frozenset[Path]
    """Files whose changes git sees."""

    @classmethod
    def since(cls, revision: str, root: Path) -> Changes:
        """What has changed since a commit; what is not committed yet counts.

        Raises:
            UsageError: there is no such commit.
            CitedError: git does not answer.
        """
        named = f"{revision}^{{commit}}"
        commit = _said(
            root, "rev-parse", "--verify", "--quiet", "--end-of-options", named
        ).strip()
        if not commit:
            raise UsageError(
                f"git knows no commit `{revision}` here",
                tip="name a branch, a tag or a commit",
            )
        top = Path(_said(root, "rev-parse", "--show-toplevel").rstrip("\n")).resolve()
        whole = (
            "--name-only",
            "--no-renames",
            "--no-relative",
            "--no-ext-diff",
            "--ignore-submodules=none",
            "-z",
        )
        changed = _said(top, "diff", *whole, commit, "--").split("\0")
        added = _said(top, "ls-files", "--others", "--exclude-standard", "-z").split(
            "\0"
        )
        listed = _said(top, "ls-files", "-v", "-z").split("\0")
        followed = []
        for name in listed:
            if name.startswith(f"{FOLLOWED} "):
                followed.append(name[2:])
            elif (top / name[2:]).is_file():
                added.append(name[2:])  # git was told not to look at it
        return cls(top, _absolute(top, [*changed, *added]), _absolute(top, followed))

    def touches(self, path: Path) -> bool:
        """True if a file may have changed, or a link on the way to it. One that git does not follow may have."""
        named, real = Path(os.path.normpath(path)), path.resolve()
        if self.changed.intersection((named, *named.parents, real, *real.parents)):
            return True
        return real.exists() and self.followed.isdisjoint((real, *real.parents))


def narrowed(report: Report, site: Site, changes: Changes) -> Report:
    """What a report says of the answers that depend on a changed file, and of what belongs to no answer.

    An answer depends on its page, its record, what it names whether that is found or not, and on what the answers of
    the pages that it names depend on. Where all pages may have changed, everything is reported.
    """
    if _all_may_differ(site, changes):
        return report
    declared = {item.key: item for item in site.declarations}
    untouched = {
        answer.key: answer for answer in report.answers if answer.key in declared
    }
    stale = True
    touched_pages = set[str]()
    while stale:  # until no page becomes doubtful any more
        stale = False
        for answer in list(untouched.values()):
            declaration = declared[answer.key]
            if _depends(site, changes, touched_pages, declaration, answer):
                del untouched[answer.key]
                touched_pages.add(declaration.page)
                stale = True
    pages = {page.file for page in site.corpus.pages() if page.file}
    shown = []
    for item in report.shown:
        if _concerns(site, changes, item, untouched.keys(), pages):
            shown.append(item)
    answers = [answer for answer in report.answers if answer.key not in untouched]
    return replace(report, shown=tuple(shown), answers=tuple(answers))


def _all_may_differ(site: Site, changes: Changes) -> bool:
    """True if a file has changed that any page may be made from: the configuration, Markdown or anything below the docs
    that is no page, what is gone, and, where hooks are run, all but pages and records."""
    # `--help` need not wait for it
    from mkdocs_cited.mkdocs_host.inputs import made_from

    file = Path(site.config.config_file_path)
    written = configuration.read(file, file.parent)
    shared = tuple(path.resolve() for path in made_from(written))
    docs, records = (
        Path(site.config.docs_dir),
        (site.root / site.settings.records_dir).resolve(),
    )
    pages = {(docs / page.src).resolve() for page in site.build.pages}
    for changed in changes.changed:
        real = changed.resolve()
        if real in pages or real.is_relative_to(records):
            continue
        if (
            not changed.exists()
            or real.suffix == ".md"
            or any(real.is_relative_to(path) for path in shared)
        ):
            return True
        if written.keys.get("hooks"):
            return True  # a hook may read it
    return False


def _depends(
    site: Site,
    changes: Changes,
    touched_pages: set[str],
    declaration: Declaration,
    answer: Answer,
) -> bool:
    """True if an answer depends on a changed file, or on a page with a claim that does."""
    if any(finding.slug == "unknown-source" for finding in answer.findings):
        return True  # what it names cannot be followed
    files = {
        declaration.place.file,
        site.store.path(declaration.key),
        site.store.path(declaration.key, proposal=True),
    }
    files |= {source.passage.page.file for source in answer.sources}
    files |= set(_named(site, declaration))
    pages = {source.passage.page.src for source in answer.sources}
    if touched_pages & pages:
        return True
    return any(changes.touches(site.root / file) for file in files)


def _named(site: Site, declaration: Declaration) -> Iterator[str]:
    """Every path below the root that an answer's addresses may mean, whether there is a file or not."""
    docs, folder = (
        site.config.path(site.config.docs_dir),
        posixpath.dirname(declaration.page),
    )
    named = []
    for mark in _MARK.findall(declaration.text):
        named += mark.split(";")
    record = site.store.read(declaration.key)
    if isinstance(record, Record):
        named += [citation.at for citation in record.citations]
    for address in named:
        path = (
            address.strip().removeprefix("@").partition("#")[0].lstrip("/")
            or declaration.page
        )
        for base in (posixpath.join(docs, folder), docs, ""):
            yield posixpath.normpath(posixpath.join(base, path))


def _concerns(
    site: Site, changes: Changes, finding: Finding, untouched: object, pages: set[str]
) -> bool:
    """True if a finding may come from a change. One that belongs to no answer and no page may."""
    if finding.answer in untouched:  # type: ignore[operator]
        return False
    if finding.answer or finding.place.file not in pages:
        return True
    return changes.touches(site.root / finding.place.file)


def _said(folder: Path, *arguments: str) -> str:
    """What git says.

    Raises:
        CitedError: it does not answer.
    """
    said = git(folder, *arguments)
    if isinstance(said, Refusal):
        raise CitedError(
            f"git does not say what has changed: {said.reason}",
            tip="let git answer here: see `git status`; or check everything, without `--since`",
        )
    return said


def _absolute(top: Path, names: list[str]) -> frozenset[Path]:
    return frozenset(top / name for name in names if name)
