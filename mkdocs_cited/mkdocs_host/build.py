"""One build of a site, from its configuration to its last file: what its pages declare, and what goes into them.

`plugin` owns its lifetime; what answers is in `answering`, and how it ends in `finishing`, which are above this.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from msgspec import Struct

from mkdocs_cited import providers
from mkdocs_cited.base.text import slugify
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.markers import place_markers
from mkdocs_cited.declarations.page import read_page, read_questions, with_prose
from mkdocs_cited.mkdocs_host import adapter
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import Page, main_locale
from mkdocs_cited.settings import Settings

CACHE = ".cache/plugin/cited"
"""Folder of the store, relative to `mkdocs.yml`; may be deleted at any time."""


class Outcome(Struct, frozen=True):
    """What one language comes to: its answers are settled, and neither pages nor files are written."""

    report: Report
    pages: Mapping[str, str]
    """Address → content, of the pages that change."""
    fragments: Mapping[str, tuple[str, ...]]
    """Address of each cited page → the fragments of links into it, to be tried once the page is built."""
    files: Mapping[str, str]
    """Path in the site → text."""


@dataclass
class Build:
    """The state of one build."""

    config: MkDocsConfig
    settings: Settings
    serving: bool = False
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
    nav: Navigation | None = None
    order: Sequence[str] = ()
    """Paths of the pages that the navigation lists, where there is none of MkDocs', or one of each language."""
    files: Files = field(default_factory=lambda: Files([]))
    documents: list[tuple[Page, str | None]] = field(default_factory=list)
    """Every page that may be a source, with its HTML before any answer is in it."""
    shown: Sequence[adapter.Shown] = ()
    """The pages as answers are put into them, where they come from the cache and none of MkDocs' is there."""
    outcomes: list[Outcome] = field(default_factory=list)
    """One for each language that was built."""
    _unreadable: set[str] = field(default_factory=set)
    """Paths of the pages whose files are not UTF-8."""
    landings: dict[Path, tuple[str, ...]] = field(default_factory=dict)
    """File of each cited page in the site → the fragments of links into it."""
    changed: set[Path] = field(default_factory=set)
    """Files in the site of the pages that hold anything of ours."""
    running: int = 0
    """Builds of a language that have begun and not ended: one inside of another."""
    languages: list[Build] = field(default_factory=list)
    """This build as each of its languages left it, the site's own first: what commands, preview and report page read
    (`languages.as_one`)."""
    locale: str = ""
    """The site's own language, where this build stands for several; empty otherwise."""
    began: int = field(default_factory=time.time_ns)
    """When the first file of it may have been read, in ns."""

    @cached_property
    def root(self) -> Path:
        """The folder of `mkdocs.yml`."""
        return adapter.project_root(self.config)

    @cached_property
    def cache(self) -> Path:
        """Where index and build cache are."""
        return self.root / CACHE

    @cached_property
    def name(self) -> str:
        """What the store of this configuration is called: of one language of it, where each is built by itself."""
        name = slugify(Path(self.config.config_file_path or "mkdocs").stem, fallback="site")
        several = not self.locale and len(adapter.languages(self.config)) > 1
        own = next((page.locale for page, _ in self.documents), "")
        return f"{name}-{slugify(own, fallback='language')}" if several else name

    def pages_in_order(self) -> Sequence[str]:
        """Paths of the pages that the navigation lists, as readers go through them."""
        return self.order or tuple(src for _, _, src in adapter.navigation(self.nav) if src)

    @cached_property
    def own_search(self) -> bool:
        """Whether MkDocs' own search plugin indexes the pages, and not a theme's."""
        return adapter.has_own_search(self.config)

    @property
    def told(self) -> frozenset[str]:
        """Keys of the answers that a language built before this one has, on a page that stands in for its translation
        here: files for the whole site tell of them once."""
        return frozenset(key for build in self.languages[:-1] for key in build.urls)

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
        if not self.running:
            self.languages = []
        self.running += 1
        self.declarations, self.urls, self.findings, self.fully_parsed = [], {}, [], set()
        self._unreadable = set()

    def rendered(self, files: Files) -> None:
        """Every page is rendered."""
        self.files = files
        self.documents = list(adapter.rendered_pages(files, self.config, self.settings))
        if self.settings.questions and not self.languages:  # they are asked once, of the site's own language
            self._read_questions(self.settings.questions)
        self.languages.append(replace(self, languages=[]))

    def _read_questions(self, file: str) -> None:
        """Note what the file of the option `questions` asks."""
        data = adapter.questions_file(self.root, file, Path(self.config.config_file_path))
        if isinstance(data, Finding):
            self.findings.append(data)
            return
        locale = main_locale(page for page, _ in self.documents)
        read = read_questions(file, data, locale=locale, known_providers=self._providers)
        self.declarations += read.declarations
        self.findings += read.findings
        if not read.findings:
            self.fully_parsed.add(file)

    def source(self, page: MkDocsPage) -> str | None:
        """The text of a page's file that is not UTF-8: MkDocs would end in a traceback, and a finding says where. Of
        any other nothing: MkDocs reads it."""
        try:
            (data := adapter.bytes_of(page) or b"").decode()
        except UnicodeDecodeError:
            self._unreadable.add(page.file.src_uri)
            return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
        return None

    def read(self, markdown: str, page: MkDocsPage) -> str:
        """Note what a page declares; its Markdown with a heading and a marker for every answer that has no marker."""
        src = page.file.src_uri
        data = adapter.bytes_of(page)
        if data is None:
            return markdown
        asks_nothing = b"answer" not in data and "answers" not in page.meta and "[@" not in markdown
        if asks_nothing and (page.meta or b"---" not in data[:6]) and src not in self._unreadable:
            self.fully_parsed.add(src)  # nothing of ours, and MkDocs could read the front matter if there is any
            return markdown
        path = Path(page.file.abs_src_path or "")
        file, locale = adapter.project_path(path, self.root), adapter.locale_of(page, self.config)
        found = read_page(
            src,
            file,
            data,
            locale=locale,
            meta=page.meta,
            known_providers=self._providers,
        )
        asked = found.declarations
        quiet = page.meta.get("prose", self.settings.prose) == "quiet"
        found, markdown = with_prose(found, file, data, markdown, src=src, locale=locale, quiet=quiet)
        self.declarations += found.declarations
        self.urls.update({item.key: adapter.site_url(page.url) for item in found.declarations})
        self.findings += found.findings
        if not any(finding.slug == "invalid-declaration" for finding in found.findings):
            self.fully_parsed.add(src)
        attributes = adapter.has_attr_list(self.config)
        return place_markers(markdown, asked, heading=self.settings.heading, attr_list=attributes)

    def show(self, outcome: Outcome) -> None:
        """Put the answers into their pages."""
        rendered = {adapter.site_url(page.url): page for page in adapter.content_pages(self.files)}
        for url, content in outcome.pages.items():
            page = rendered[url]
            page.content = content
            if hasattr(page, "html"):  # what print-site has stored of the page, and prints once all is built
                page.html = content
        self.landings |= {
            Path(rendered[url].file.abs_dest_path): found for url, found in outcome.fragments.items() if url in rendered
        }
        self.changed |= {Path(rendered[url].file.abs_dest_path) for url in outcome.pages}
        self.outcomes.append(outcome)
