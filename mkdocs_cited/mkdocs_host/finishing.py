"""The end of a build, once every language is written: files for machines, reports, the log, and why the build fails."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.paths import inside
from mkdocs_cited.mkdocs_host.build import Build
from mkdocs_cited.mkdocs_host.languages import merged, report_of_all
from mkdocs_cited.mkdocs_host.logger import log
from mkdocs_cited.mkdocs_host.reporting import entries, failure, written
from mkdocs_cited.render.links import rooted
from mkdocs_cited.render.plain import ANSWERS, in_llms
from mkdocs_cited.render.text_fragment import astray, without


def finish(build: Build) -> str:
    """Write what machines read, and log what was found; why the build fails, or nothing.

    Nothing is done before the last language: until then, some answers are missing.
    """
    build.running -= 1
    if build.running:
        return ""
    outcomes, build.outcomes = build.outcomes, []
    reports = [outcome.report for outcome in outcomes]
    files, path = merged(outcome.files for outcome in outcomes), build.settings.render.report
    if len(outcomes) > 1 and path in files:
        files[path] = report_of_all(build, reports)
    site = Path(build.config.site_dir)
    files |= _llms(build, site, files)
    files = _rehearsed(build, files)
    faults = [*write_all(site, files, what="a file of the site", where="the site")]
    faults += write_all(build.root, written(reports, build.settings.reports), what="reports", where="the project")
    most = logging.WARNING if build.serving else logging.CRITICAL  # a preview goes on
    for entry in chain.from_iterable(map(entries, reports)):
        log.log(min(entry.level, most), "%s", entry.text, extra={"cited": entry.fields})
    for fault in faults:
        log.log(min(logging.ERROR, most), "%s", fault)
    unwritten = "cited: not everything could be written (see above)" if faults else ""
    return "; ".join(filter(None, (*map(failure, reports), unwritten)))


def write_all(folder: Path, files: Mapping[str, str], *, what: str, where: str) -> Iterator[CitedError]:
    """Write files into a folder, unless they are there already, so that watched folders stay quiet; what is wrong with
    those that cannot be written."""
    for name, text in files.items():
        try:
            write_atomically(inside(folder, name, what=what, where=where), text.encode("utf-8", "replace"))
        except CitedError as error:
            yield error


def _llms(build: Build, site: Path, files: Mapping[str, str]) -> dict[str, str]:
    """The answers added to what a plugin for language models wrote: it saw the pages before they had any."""
    if ANSWERS not in files:
        return {}
    site_url, entries_ = rooted(build.config.site_url), json.loads(files.get("cited.questions.json", "[]"))
    listings = (path for name in ("llms.txt", "llms-full.txt") if (path := site / name).is_file())
    return {
        path.name: in_llms(path.name, path.read_text(encoding="utf-8"), files[ANSWERS], entries_, site_url=site_url)
        for path in listings
    }


def _rehearsed(build: Build, files: Mapping[str, str]) -> dict[str, str]:
    """Files for the site, and pages in it, without the text fragments that a browser would find in the wrong place:
    every link to a passage is tried on the pages as they were built."""
    landings, changed = build.landings, build.changed
    build.landings, build.changed = {}, set()
    found = (astray(_text(path), fragments) for path, fragments in landings.items() if path.is_file())
    wrong = sorted(set(chain.from_iterable(found)))
    if not wrong:
        return dict(files)
    log.debug("%d links lead to their block alone: their words also appear in the theme's part above it", len(wrong))
    _rewrite(filter(Path.is_file, changed), wrong)
    return {path: without(text, wrong) for path, text in files.items()}


def _rewrite(pages: Iterable[Path], wrong: list[str]) -> None:
    for path in pages:
        text = _text(path)
        fixed = without(text, wrong)
        if fixed != text:
            path.write_bytes(fixed.encode("utf-8", "surrogateescape"))


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")
