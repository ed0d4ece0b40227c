"""What builds and commands leave in the cache for the next command besides the pages: what a check of them finds.

It is not needed: without it, a command checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mkdocs_cited.base import git_dates
from mkdocs_cited.mkdocs_host import adapter, build_cache, kept_pages
from mkdocs_cited.mkdocs_host.build import Build
from mkdocs_cited.model.answer import Spend, Status
from mkdocs_cited.model.report import Report

_SAME = ("never", "missing", "stale")
"""Values of `update` under which a build leaves alone what a check does."""


def recall_check(build: Build, mark: str) -> Report | None:
    """What a check of these pages found; nothing where it may find something else today."""
    return build_cache.recall(_place(build), build_cache.key(_inputs(build, mark)), Report)


def leave_check(build: Build, mark: str, report: Report) -> None:
    """Leave what a check found."""
    if not any(finding.slug in build_cache.PASSING for finding in report.shown):
        build_cache.keep(_place(build), build_cache.key(_inputs(build, mark)), report)


def leave_report(build: Build, report: Report, *, first: bool) -> None:
    """Leave what a build found, where a check is sure to find the same: it compares with the whole site, and so does a
    build that writes every answer.

    Args:
        build: whose report.
        report: what it found.
        first: whether there was no record before.
    """
    settings, templates = build.settings, build.config.theme.dirs
    compared = (first or build.compares) and settings.update_mode in _SAME and not settings.local.encoder
    if not compared or settings.approval != "auto" or any(map(adapter.overrides_ours, templates)):
        return
    if all(
        answer.status in (Status.ACCEPTED, Status.ABSTAINED) and not answer.proposal and answer.spend == Spend()
        for answer in report.answers
    ):
        leave_check(build, build.mark, report)


def _place(build: Build) -> Path:
    return build.cache / f"{build.name}.check"


def _inputs(build: Build, mark: str) -> Iterator[bytes]:
    """Everything that a check depends on: the mark stands for pages and declarations alone."""
    yield mark.encode()
    yield repr(build.settings).encode("utf-8", "surrogatepass")
    yield kept_pages.today(build.cache).encode()
    yield git_dates.head(build.root)  # pages bear the dates of their commits
    settings, root = build.settings, build.root
    yield from adapter.of_files(adapter.records(settings, root), adapter.extra_files(settings, root))
