"""One build of a site, from its configuration to its last file: what its pages declare, and what goes into them.

`plugin` owns its lifetime. Everything that answers is in `answering`, which is above this.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage

from mkdocs_cited import providers
from mkdocs_cited.base import git_dates
from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.text import slugify
from mkdocs_cited.declarations import find_markers, place_markers, read_page, read_questions
from mkdocs_cited.mkdocs_host import adapter, build_cache
from mkdocs_cited.mkdocs_host.installed import software
from mkdocs_cited.mkdocs_host.logger import log
from mkdocs_cited.mkdocs_host.one_per_language import merged
from mkdocs_cited.mkdocs_host.outcome import Outcome
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import Page, main_locale
from mkdocs_cited.settings import Settings

CACHE = ".cache/plugin/cited"
"""Folder of index and build cache, relative to `mkdocs.yml`; may be deleted at any time."""


@dataclass
class Build:
    """The state of one build."""

    config: MkDocsConfig
    settings: Settings
    serving: bool = False
    ask: str = ""
    """Where the preview's box on pages with answers sends questions; empty without a box."""
    with_ids: bool = True
    """Whether cited blocks get ids of their own: the pages are ours to write."""
    declarations: list[Declaration] = field(default_factory=list)
    """What the pages ask, and then the questions that are only checked."""
    urls: dict[str, str] = field(default_factory=dict)
    """Key of an answer that a page shows → address of the page."""
    findings: list[Finding] = field(default_factory=list)
    """What is wrong with declarations."""
    fully_parsed: set[str] = field(default_factory=set)
    """Paths of the pages whose declarations could all be read."""
    appended: set[str] = field(default_factory=set)
    """Keys of the answers that stand under a heading of ours: no marker of their author places them."""
    nav: Navigation | None = None
    files: Files = field(default_factory=lambda: Files([]))
    documents: list[tuple[Page, str | None]] = field(default_factory=list)
    """Every page that may be a source, with its HTML before any answer is in it."""
    shown: Sequence[adapter.Shown] = ()
    """The pages as answers are put into them, where they come from the cache and none of MkDocs' is there."""
    outcomes: list[Outcome] = field(default_factory=list)
    """One for each language that was built."""
    running: int = 0
    """Builds of a language that have begun and not ended: one inside of another."""
    first: Build | None = None
    """This build as it was after its first language, which is the site's own: what the preview asks."""

    @cached_property
    def root(self) -> Path:
        """The folder of `mkdocs.yml`."""
        return adapter.project_root(self.config)

    @cached_property
    def cache(self) -> Path:
        """Where index and build cache are."""
        return self.root / CACHE

    @property
    def name(self) -> str:
        """What index and build cache of this language are called: a plain word, whatever the pages say."""
        return slugify(next((declaration.locale for declaration in self.declarations), "site"), fallback="site")

    @cached_property
    def software(self) -> bytes:
        """Digest of what is installed."""
        return build_cache.key(software()).encode()

    @cached_property
    def _providers(self) -> tuple[str, ...]:
        return providers.FAMILY.names()

    def shown_pages(self) -> Iterable[adapter.Shown]:
        """Every page, as answers are put into it."""
        return self.shown or adapter.shown_pages(self.files, self.config)

    def begin(self) -> None:
        """Forget the pages: static-i18n builds the site once for each language, on one configuration.

        It builds all others when the first is done, just before the first comes to `finish`.
        """
        self.running += 1
        self.declarations, self.urls, self.findings, self.fully_parsed = [], {}, [], set()
        self.appended = set()

    def rendered(self, files: Files) -> None:
        """Every page is rendered."""
        self.files = files
        self.documents = list(adapter.rendered_pages(files, self.config, self.settings))
        if self.settings.questions and self.first is None:  # they are asked once, of the site's own language
            self._read_questions(self.settings.questions)

    def _read_questions(self, file: str) -> None:
        """Note what the file of the option `questions` asks."""
        data = adapter.questions_file(self.root, file)
        if isinstance(data, Finding):
            self.findings.append(data)
            return
        locale = main_locale(page for page, _ in self.documents)
        read = read_questions(file, data, locale=locale, known_providers=self._providers)
        self.declarations += read.declarations
        self.findings += read.findings
        if not read.findings:
            self.fully_parsed.add(file)

    def read(self, markdown: str, page: MkDocsPage) -> str:
        """Note what a page declares; its Markdown with a heading and a marker for every answer that has no marker."""
        path = Path(page.file.abs_src_path or "")
        if not path.is_file():
            return markdown
        data = path.read_bytes()
        if b"answer" not in data and "answers" not in page.meta and (page.meta or b"---" not in data[:6]):
            self.fully_parsed.add(
                page.file.src_uri
            )  # nothing of ours, and MkDocs could read the front matter if there is any
            return markdown
        docs_dir = Path(self.config.docs_dir)
        read = read_page(
            page.file.src_uri,
            adapter.project_path(path, self.root),
            data,
            locale=adapter.locale_of(page, self.config),
            meta=page.meta,
            known_providers=self._providers,
            defaults=adapter.meta_defaults(path, docs_dir, self.root) if "answers" in page.meta else (),
        )
        self.declarations += read.declarations
        self.urls.update({declaration.key: adapter.site_url(page.url) for declaration in read.declarations})
        self.findings += read.findings
        if not any(finding.slug == "invalid-declaration" for finding in read.findings):
            self.fully_parsed.add(page.file.src_uri)
        attributes = adapter.has_attr_list(self.config)
        placed = find_markers(markdown)
        self.appended.update(item.key for item in read.declarations if item.id not in placed)
        return place_markers(markdown, read.declarations, heading=self.settings.heading, attr_list=attributes)

    def answer(self, answered: Callable[[Build, Report | None], tuple[Report, Outcome]]) -> None:
        """Put the answers into their pages: those kept from the last build, or, when anything changed, new ones.

        Args:
            answered: answers every declaration, or renders what a report says of them.
        """
        pages = [page for page, _ in self.documents]
        name, path = build_cache.key(self._inputs(pages)), self.cache / f"{self.name}.build"
        outcome = self._kept(build_cache.recall(path, name), answered)
        if outcome is None:
            with _rest_of_heap_left_alone():
                report, outcome = answered(self, None)
            if not outcome.failure:
                name = build_cache.key(self._inputs(pages))  # anew: records may have been written
                build_cache.keep(path, name, report)
        contents = {adapter.site_url(page.url): page for page in adapter.content_pages(self.files)}
        for url, content in outcome.pages.items():
            page = contents[url]
            page.content = content
            if hasattr(page, "html"):  # what print-site has kept of the page, and prints once all is built
                page.html = content
        self.outcomes.append(outcome)
        self.first = self.first or replace(self)

    def _kept(
        self, report: Report | None, answered: Callable[[Build, Report | None], tuple[Report, Outcome]]
    ) -> Outcome | None:
        """What comes of a report that was kept; nothing without one, and of one that nobody could have kept."""
        if report is None or {item.key for item in report.answers} != {item.key for item in self.declarations}:
            return None
        try:
            _, outcome = answered(self, report)
        except Exception:
            log.debug("the cache of the last build cannot be used", exc_info=True)
            return None
        log.debug("nothing has changed since the last build: its answers are put in again")
        return outcome

    def finish(self) -> str:
        """Write what machines read, and log what was found; why the build fails, or nothing.

        Nothing is done before the last language: until then, some answers are missing.
        """
        self.running -= 1
        if self.running:
            return ""
        site = Path(self.config.site_dir)
        files = merged(outcome.files for outcome in self.outcomes)
        files |= self._llms(site, files)
        faults = list(_unwritten(site, files, what="a file of the site", where="the site"))
        faults += _unwritten(self.root, self._reports(), what="reports", where="the project")
        for outcome in self.outcomes:
            for entry in outcome.log:
                level = min(entry.level, logging.WARNING) if self.serving else entry.level
                log.log(level, "%s", entry.text, extra={"cited": entry.fields})
        for fault in faults:
            log.log(logging.WARNING if self.serving else logging.ERROR, "%s", fault)
        failures = [outcome.failure for outcome in self.outcomes if outcome.failure]
        self.outcomes = []
        return "; ".join((*failures, *(["cited: not everything could be written (see above)"] if faults else [])))

    def _reports(self) -> Mapping[str, str]:
        """Path → text of the option `reports`, over all languages."""
        if not self.settings.reports or not self.outcomes:
            return {}
        if len(self.outcomes) == 1:
            return self.outcomes[0].reports
        from mkdocs_cited.mkdocs_host.reporting import of_all_languages

        return of_all_languages([outcome.report for outcome in self.outcomes], self.settings.reports)

    def _llms(self, site: Path, files: Mapping[str, str]) -> dict[str, str]:
        """The answers added to what a plugin for language models wrote: it saw the pages before they had any."""
        listings = [path for name in ("llms.txt", "llms-full.txt") if (path := site / name).is_file()]
        if not listings:
            return {}
        from mkdocs_cited.render.links import rooted
        from mkdocs_cited.render.plain import ANSWERS, in_llms

        site_url = rooted(self.config.site_url)
        return {
            path.name: in_llms(path.name, path.read_text(encoding="utf-8"), files[ANSWERS], site_url=site_url)
            for path in listings
            if ANSWERS in files
        }

    def _inputs(self, pages: list[Page]) -> Iterator[bytes]:
        """Everything that the outcome depends on."""
        yield repr(
            (self.settings, self.settings.update_mode, self.serving, self.ask, date.today().isoformat())
        ).encode()
        yield repr((self.declarations, sorted(self.urls.items()), self.findings, sorted(self.fully_parsed))).encode()
        yield self.software
        yield git_dates.head(self.root)  # pages bear the dates of their commits
        yield repr((self.config.site_url, self.config.site_name, self.config.repo_url, self.config.edit_uri)).encode()
        if self.settings.render.report:
            yield repr(list(adapter.navigation(self.nav))).encode()
        yield repr(pages).encode()
        for shown in adapter.content_pages(self.files):  # those that are no sources too: answers may stand in them
            yield shown.url.encode("utf-8", "surrogatepass")
            yield (shown.content or "").encode("utf-8", "surrogatepass")
        for path in adapter.inputs(self.config, self.settings, self.root):
            yield path.as_posix().encode()
            yield path.read_bytes()


def _unwritten(folder: Path, files: Mapping[str, str], *, what: str, where: str) -> Iterator[CitedError]:
    """Write files into a folder; what is wrong with those that cannot be written."""
    for name, text in files.items():
        try:
            adapter.write_text(folder, name, text, what=what, where=where)
        except CitedError as error:
            yield error


@contextmanager
def _rest_of_heap_left_alone() -> Iterator[None]:
    """Keep the garbage collector from walking the whole site again and again while many objects are made: nothing that
    MkDocs has rendered by now becomes garbage before the pages are written."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
