"""What has changed: since a commit, and since the last look at the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.cli.naming import git

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.report import Report

Stamps = dict[Path, tuple[int, int]]


def commit_of(root: Path, revision: str) -> str:
    """The commit that a revision names.

    Raises:
        UsageError: git knows no such commit here.
    """
    commit = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}").strip()
    if not commit:
        raise UsageError(f"git knows no commit `{revision}` here", tip="name a branch, a tag or a commit")
    return commit


def touched(site: Site, report: Report, revision: str) -> tuple[set[str], set[str]]:
    """Keys of the answers that rest on a file which changed since a commit, and those files: an answer rests on its
    page, its record, and what it cites. What is not committed yet counts.

    Raises:
        UsageError: git knows no such commit here.
    """
    commit = commit_of(site.root, revision)
    names = git(site.root, "diff", "--name-only", "--relative", "-z", commit, "--").split("\0")
    names += git(site.root, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    files = {name for name in names if name}
    declared = {item.key: item.place.file for item in site.declarations}
    keys = set()
    for answer in report.answers:
        pages = {source.passage.page.file for source in answer.sources}
        if files & {declared.get(answer.key, ""), site.store.path(answer.key), *pages}:
            keys.add(answer.key)
    return keys, files


def watched(site: Site) -> list[Path]:
    """The files and folders that answers and their review depend on."""
    from mkdocs_cited.mkdocs_host import adapter

    config = site.config
    files = [config.docs_dir, config.config_file_path, config.theme.custom_dir, *config.hooks]
    return [*(site.root / path for path in files if path), *adapter.watched(site.settings, site.root, make=False)]


def stamps(paths: Iterable[Path]) -> Stamps:
    """When each of these files, and each file in these folders, was written, and its size."""
    found: Stamps = {}
    for path in paths:
        for file in _files(path):
            try:
                status = file.stat()
            except OSError:
                continue
            found[file] = status.st_mtime_ns, status.st_size
    return found


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (item for item in path.rglob("*") if item.is_file())
    else:
        yield path
