"""One build of a site, from its configuration to its last file: what its pages declare, and what goes into them.

`plugin` owns its lifetime; what answers is in `answering`, and how it ends in `finishing`, which are above this.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2
from msgspec import Struct

from mkdocs_cited.base.text import slugify
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.front_matter import SourceText, decode, source_text
from mkdocs_cited.declarations.in_markdown import Asked
from mkdocs_cited.declarations.markers import check_markers
from mkdocs_cited.declarations.page import read_page, read_questions
from mkdocs_cited.mkdocs_host.claims import KnownMarks, claims_of, over_answers
from mkdocs_cited.mkdocs_host.eligible import is_below, written_paths
from mkdocs_cited.mkdocs_host.other_files import claims_of_files
from mkdocs_cited.mkdocs_host.project import Project, SitePage, questions_file
from mkdocs_cited.model.declaration import Declaration, Target
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import Page, main_locale
from mkdocs_cited.providers import FAMILY
from mkdocs_cited.sources.dom import MARK

CACHE = ".cache/plugin/cited"
"""Folder of the store, relative to `mkdocs.yml`; may be deleted at any time."""


class Outcome(Struct, frozen=True):
    """What one language comes to: its answers are resolved, and neither pages nor files are written."""

    report: Report
    pages: Mapping[str, str]
    """Address → content, of the pages that change."""
    files: Mapping[str, str]
    """Path in the site → text."""
    is_seen: bool = True
    """Whether readers see anything of ours."""


@dataclass
class Build:
    """The state of one build."""

    config: Project
    settings: Settings
    serving: bool = False
    began: int = 0
    """When a command began to render its pages, in ns; 0 where they are not stored."""
    declarations: list[Declaration] = field(default_factory=list)
    """What the pages ask, and then the questions that are only checked."""
    urls: dict[str, str] = field(default_factory=dict)
    """Key of an answer that a page shows → address of the page."""
    findings: list[Finding] = field(default_factory=list)
    """What is wrong with declarations."""
    fully_parsed: set[str] = field(default_factory=set)
    """Paths of the pages whose declarations could all be read."""
    order: Sequence[str] = ()
    """Paths of the pages that the navigation lists, as readers go through them."""
    pages: Sequence[SitePage] = ()
    """Every page, as it is before any answer is in it."""
    held: Mapping[str, str] = field(default_factory=dict)
    """Path under `docs_dir` of each page that is held back from readers → why (`eligible`)."""
    loader: jinja2.BaseLoader | None = None
    """Where the theme's templates are found."""
    outcomes: list[Outcome] = field(default_factory=list)
    """One for each language that was built."""
    _read: dict[str, Read] = field(default_factory=dict)
    """Path of each page that may declare or claim something → what is known of its file."""
    _over: dict[str, str] = field(default_factory=dict)
    """Key of each answer that has a marker → what is over it on its page."""
    running: int = 0
    """Builds of a language that have begun and not ended: one inside of another."""
    languages: list[Build] = field(default_factory=list)
    """This build as each of its languages left it, the site's own first: what commands and report page read
    (`as_one`)."""
    locale: str = ""
    """The site's own language, where this build stands for several; empty otherwise."""

    @property
    def root(self) -> Path:
        """The folder of `mkdocs.yml`."""
        return self.config.root

    @cached_property
    def cache(self) -> Path:
        """Where the store is."""
        return self.root / CACHE

    @cached_property
    def name(self) -> str:
        """What the store of this configuration is called: of one language of it, where each is built by itself."""
        name = store_name(Path(self.config.config_file_path))
        several = not self.locale and len(self.config.languages) > 1
        own = next((page.locale for page, _ in self.documents), "")
        return f"{name}-{slugify(own, fallback='language')}" if several else name

    @property
    def documents(self) -> list[tuple[Page, str | None]]:
        """Every page that may be a source, with its HTML; those of the site's own language that have a translation here
        as well, as pages without one cite them."""
        known = {page.src for page in self.pages}
        pages = list(self.pages)
        for build in self.languages[:1]:
            pages += [page for page in build.pages if page.src not in known]
        return [
            (page.document, page.html) for page in pages if page.document is not None
        ]

    @property
    def shown_pages(self) -> list[tuple[SitePage, str]]:
        """Every page that was rendered, as answers are put into it, with its HTML."""
        return [(page, page.html) for page in self.pages if page.html is not None]

    @property
    def asks(self) -> bool:
        """Whether anything is asked of the pages: claims of theirs that cite files alone ask nothing of them."""
        return any(
            item.target != Target.PROSE or not _cites_files(item)
            for item in self.declarations
        )

    @property
    def published_before(self) -> frozenset[str]:
        """Keys of the answers that a language built before this one has, on a page that stands in for its translation
        here: files for the whole site tell of them once."""
        return frozenset(key for build in self.languages[:-1] for key in build.urls)

    @property
    def held_keys(self) -> frozenset[str]:
        """Keys of the answers on pages that are held back from readers."""
        held = {page.src for page in self.pages if page.held}
        return frozenset(key for key in self.urls if key.rpartition("#")[0] in held)

    def ours(self, folder: str) -> tuple[str, ...]:
        """Absolute paths in a folder that builds and commands write to: records, snapshots, reports, the site."""
        return tuple(
            path
            for path in self._written
            if is_below(path, (os.path.realpath(folder),))
        )

    def may_be_read(self, path: str) -> bool:
        """Whether a file of the project, by its path there, may be a source."""
        page = Path(os.path.relpath(self.root / path, self.config.docs_dir)).as_posix()
        return page not in self.held and not is_below(self.root / path, self._written)

    @cached_property
    def _written(self) -> tuple[str, ...]:
        return written_paths(self.config, self.settings)

    @cached_property
    def _writers(self) -> tuple[str, ...]:
        return FAMILY.names()

    def begin(self) -> None:
        """Forget the pages: static-i18n builds the site once for each language, on one configuration.

        It builds all others when the first is done, just before the first comes to `finish`.
        """
        if not self.running:
            self.languages = []
        self.running += 1
        self.declarations, self.urls, self.findings, self.fully_parsed = (
            [],
            {},
            [],
            set(),
        )
        self._read = {}

    def rendered(self, pages: Sequence[SitePage], order: Sequence[str] = ()) -> None:
        """Every page is rendered."""
        one_language = len(self.config.languages) <= 1
        name = (
            "built"
            if any(page.whole for page in pages)
            else store_name(Path(self.config.config_file_path))
        )
        known = KnownMarks(self.cache if one_language else None, name)
        self.pages, self.order = (
            [self._with_claims(page, known) for page in pages],
            order,
        )
        known.keep()
        self.declarations = [
            replace(item, around=self._over.get(item.key, ""))
            for item in self.declarations
        ]
        # they are asked once, of the site's own language
        if self.settings.questions and not self.languages:
            self._read_questions(self.settings.questions)
        if self.settings.files and not self.languages:
            self._read_files()
        self.languages.append(replace(self, languages=[]))

    def _read_questions(self, file: str) -> None:
        """Note what the file of the option `questions` asks."""
        data = questions_file(self.root, file, Path(self.config.config_file_path))
        if isinstance(data, Finding):
            self.findings.append(data)
            return
        locale = main_locale(page for page, _ in self.documents)
        read = read_questions(file, data, locale=locale, known_providers=self._writers)
        self.declarations += read.declarations
        self.findings += read.findings
        if not read.findings:
            self.fully_parsed.add(file)

    def _read_files(self) -> None:
        """Note the claims of the Markdown that the option `files` names."""
        locale = main_locale(page for page, _ in self.documents)
        pages = {page.file for page in self.pages}
        read = claims_of_files(
            self.config,
            self.settings.files,
            locale,
            lambda path: path not in pages and self.may_be_read(path),
        )
        self.declarations += read.declarations
        self.findings += read.findings
        self.fully_parsed.update(item.page for item in read.declarations)

    def declare(
        self, page: SitePage, data: bytes, meta: Mapping[str, Any]
    ) -> tuple[Asked, ...]:
        """Note what a page's front matter declares; the answers that the page is to show.

        Args:
            page: not rendered yet.
            data: of its file.
            meta: its front matter.
        """
        source = decode(page.file, data)
        asks = "answers" in meta or any(
            sign in data for sign in (b"answer", b"@", b"<!--")
        )
        if (
            isinstance(source, SourceText)
            and not asks
            and (meta or b"---" not in data[:6])
        ):
            # nothing of ours, and MkDocs could read the front matter if there is any
            self.fully_parsed.add(page.src)
            return ()
        found = read_page(
            page.src,
            page.file,
            data,
            locale=page.locale,
            meta=meta,
            known_providers=self._writers,
        )
        self._note(page, found.declarations, found.findings)
        quiet = meta.get("prose", self.settings.prose) == "quiet"
        self._read[page.src] = Read(source, found.ids, quiet=quiet)
        if not any(
            finding.slug in ("invalid-declaration", "unknown-option")
            for finding in found.findings
        ):
            # a record is no orphan for a key that is misspelt
            self.fully_parsed.add(page.src)
        return tuple(Asked(item.id, item.question) for item in found.declarations)

    def _with_claims(self, page: SitePage, known: KnownMarks) -> SitePage:
        """A rendered page with elements for the citations of its marked claims, which are noted."""
        if page.html is None or not (
            "[@" in page.html or MARK in page.html or "<!--" in page.html
        ):
            return page
        read = self._read.get(page.src) or Read(source_text(page.file, ""), ())
        source = (
            read.source
            if isinstance(read.source, SourceText)
            else source_text(page.file, "")
        )
        # of a page whose source is not known, nobody declares them here
        if page.src in self._read or not page.whole:
            self.findings += check_markers(page.html, source, page.src, read.ids)
        document = page.document or Page(page.src, page.url, page.src, page.locale)
        if read.ids:
            self._over |= {
                f"{page.src}#{name}": over
                for name, over in over_answers(document, page.html).items()
            }
        marks = known.read(document, page.html)
        if marks.claims or marks.unread:
            claims = claims_of(page, marks, source, read.ids, quiet=read.quiet)
            self._note(page, claims.declarations, claims.findings)
            if claims.findings:
                self.fully_parsed.discard(page.src)
        return replace(page, html=marks.html, marks=marks.places)

    def _note(
        self,
        page: SitePage,
        declarations: Sequence[Declaration],
        findings: Sequence[Finding],
    ) -> None:
        self.declarations += declarations
        self.urls.update({item.key: page.url for item in declarations})
        self.findings += findings


class Read(Struct, frozen=True):
    """What is known of a page's file once its front matter is read."""

    source: SourceText | Finding
    """Its text; a finding where it is not UTF-8."""
    ids: tuple[str, ...]
    """Of the answers that it declares."""
    quiet: bool = False
    """Whether readers see nothing of its citations."""


def store_name(file: Path) -> str:
    """What the store of a configuration is called."""
    return slugify(file.stem, fallback="site")


def _cites_files(item: Declaration) -> bool:
    """Whether all that a page's claims cite is outside of the folder of the docs."""
    folder = posixpath.dirname(item.page)
    parts = (
        part.strip() for marks in _MARKS.findall(item.text) for part in marks.split(";")
    )
    return all(
        posixpath.normpath(posixpath.join(folder, part.lstrip("@"))).startswith("../")
        for part in parts
    )


_MARKS = re.compile(r"\[@!?([^\[\]\n]+)\]")


def as_one(languages: Sequence[Build]) -> Build:
    """One build with the pages and declarations of every language, the site's own first.

    A page that stands in for its missing translation appears once, in its own language.
    """
    first = languages[0]
    if len(languages) == 1:
        return first
    backwards = languages[::-1]  # so that the first of a name wins
    pages = {page.src: page for build in backwards for page in reversed(build.pages)}
    declarations = {
        item.key: item for build in backwards for item in reversed(build.declarations)
    }
    return replace(
        first,
        locale=main_locale(page for page, _ in first.documents),
        order=tuple(src for build in languages for src in build.order),
        pages=tuple(reversed(pages.values())),
        declarations=list(reversed(declarations.values())),
        urls={key: url for build in backwards for key, url in build.urls.items()},
        findings=list(
            dict.fromkeys(finding for build in languages for finding in build.findings)
        ),
        fully_parsed={src for build in languages for src in build.fully_parsed},
        languages=[],
    )
