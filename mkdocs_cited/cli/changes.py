"""Which files may have changed since a commit, and which answers depend on them. One that git does not follow may."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.files import Refusal, git, real_path
from mkdocs_cited.mkdocs_host import configuration
from mkdocs_cited.mkdocs_host.configuration import Configuration
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.report import Report
from mkdocs_cited.records import Record

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site

FOLLOWED = "H "
"""How `git ls-files -v` marks a file whose changes git sees: one that is there, and not assumed to be unchanged."""
_DIFF = (
    "diff", "--name-only", "--no-renames", "--no-relative", "--no-ext-diff", "--ignore-submodules=none", "-z",
)  # fmt: skip


class Changes(Struct, frozen=True):
    """Which files of a repository have changed since a commit, and of which git can tell. Paths are absolute."""

    changed: frozenset[Path]
    """Files that are new, gone or have another content; a submodule as a whole."""
    followed: frozenset[Path]
    """Files whose changes git sees."""

    @classmethod
    def since(cls, revision: str, root: Path) -> Changes:
        """What has changed since a commit; what is not committed yet counts.

        Raises:
            UsageError: there is no such commit.
            CitedError: git does not answer.
        """
        verify = ("rev-parse", "--verify", "--quiet", "--end-of-options")
        commit = _said(root, *verify, f"{revision}^{{commit}}").strip()
        if not commit:
            raise UsageError(
                f"git knows no commit `{revision}` here",
                tip="name a branch, a tag or a commit",
            )
        top = Path(_said(root, "rev-parse", "--show-toplevel").rstrip("\n")).resolve()
        changed = _said(top, *_DIFF, commit, "--").split("\0")
        new = _said(top, "ls-files", "--others", "--exclude-standard", "-z")
        changed += new.split("\0")
        followed = []
        for entry in _said(top, "ls-files", "-v", "-z").split("\0"):
            name = entry[2:]
            if entry.startswith(FOLLOWED):
                followed.append(name)
            elif (top / name).is_file():
                changed.append(name)  # git was told not to look at it
        return cls(
            frozenset(top / name for name in changed if name),
            frozenset(top / name for name in followed),
        )

    def touches(self, path: Path) -> bool:
        """True if a file may have changed, or a link on the way to it. One that git does not follow may have."""
        named = Path(os.path.normpath(path))
        real = real_path(path)
        if self.changed.intersection((named, *named.parents, real, *real.parents)):
            return True
        return real.exists() and self.followed.isdisjoint((real, *real.parents))


def narrowed(report: Report, site: Site, changes: Changes) -> Report:
    """What a report says of the answers that depend on a changed file, and of what belongs to no answer.

    An answer depends on its page, its record, what it cites or cited, and on what the answers of the pages that it
    cites depend on. Where all pages may have changed, everything is reported.
    """
    # `--help` need not wait for it
    from mkdocs_cited.mkdocs_host.loading import made_from

    file = Path(site.config.config_file_path)
    written = configuration.read(file, file.parent)
    if _all_may_differ(site, changes, written, made_from(written)):
        return report
    doubtful = _including(site, changes) if _may_read_all(written) else set[str]()
    untouched = {}
    for answer in report.answers:
        if answer.page not in doubtful:
            untouched[answer.key] = answer
    count = -1
    while count != len(untouched):  # until no page becomes doubtful any more
        count = len(untouched)
        for answer in list(untouched.values()):
            if _depends(site, changes, doubtful, answer):
                del untouched[answer.key]
                doubtful.add(answer.page)
    pages = {page.file for page in site.corpus.pages() if page.file}
    shown = []
    for item in report.shown:
        is_of_page = not item.answer and item.place.file in pages
        if item.answer in untouched:
            continue
        # what `facts` finds depends on a page and on the code
        places = [item.place, *(other.place for other in item.related if other.place)]
        if not is_of_page or any(
            changes.touches(site.root / place.file) for place in places
        ):
            shown.append(item)
    answers = [answer for answer in report.answers if answer.key not in untouched]
    return replace(report, shown=tuple(shown), answers=tuple(answers))


def _all_may_differ(
    site: Site, changes: Changes, written: Configuration, made_from: Iterable[Path]
) -> bool:
    """True if a file has changed that any page may be made from: the configuration, Markdown or anything below the docs
    that is no page, what is gone, and, where something else makes pages too, all but pages and records."""
    shared = [real_path(path) for path in made_from]
    docs = Path(site.config.docs_dir)
    records = real_path(site.root / site.settings.records_dir)
    pages = {real_path(docs / page.src) for page in site.contents.pages}
    for changed in changes.changed:
        real = real_path(changed)
        if real in pages or real.is_relative_to(records):
            continue
        if _may_read_all(written):
            return True
        if real.suffix == ".md" or not changed.exists():
            return True
        if any(real.is_relative_to(path) for path in shared):
            return True
    return False


def _may_read_all(written: Configuration) -> bool:
    """True if pages may be made from any file: by a hook, a snippet or a plugin of others."""
    extensions = written.listed("markdown_extensions")
    if written.listed("hooks") or "pymdownx.snippets" in extensions:
        return True
    return not written.listed("plugins").keys() <= {"search", "cited"}


def _including(site: Site, changes: Changes) -> set[str]:
    """The paths of the pages that have a text of a changed page, which they may include."""
    texts = set[str]()
    unchanged = {}
    for page in site.corpus.pages():
        said = {passage.text for passage in site.corpus.section(page.src, "")}
        if page.file and changes.touches(site.root / page.file):
            texts |= said
        else:
            unchanged[page.src] = said
    return {src for src, said in unchanged.items() if not said.isdisjoint(texts)}


def _depends(site: Site, changes: Changes, doubtful: set[str], answer: Answer) -> bool:
    """True if an answer depends on a changed file, or on a page with a claim that does."""
    if any(finding.slug == "unknown-source" for finding in answer.findings):
        return True  # what it names cannot be followed
    store = site.store
    docs = site.config.path(site.config.docs_dir)
    named = [answer.page]
    record = store.read(answer.key)
    if isinstance(record, Record):
        named += [item.at.partition("#")[0] for item in record.citations]
    files = {store.path(answer.key), store.path(answer.key, proposal=True)}
    for name in named:  # a page, or a file of the repository
        files.update((name, f"{docs}/{name}"))
    for source in answer.sources:
        if source.passage.page.src in doubtful:
            return True
        files.add(source.passage.page.file)
    return any(changes.touches(site.root / file) for file in files)


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
