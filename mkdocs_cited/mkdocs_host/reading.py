"""Reads what the pages of a site declare: first from their files, and then from what they are rendered to."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from mkdocs_cited.base.text import digest, letters
from mkdocs_cited.declarations import PageDeclarations, read_page, read_questions
from mkdocs_cited.declarations.front_matter import SourceText, decode
from mkdocs_cited.mkdocs_host.claims import (
    check_markers,
    claims_of,
)
from mkdocs_cited.mkdocs_host.eligible import repository_of_site
from mkdocs_cited.mkdocs_host.project import CACHE, Project
from mkdocs_cited.model.declaration import ATTRIBUTE, Declaration
from mkdocs_cited.model.finding import Finding, found, place_of
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Page, SitePage, main_locale
from mkdocs_cited.providers import FAMILY
from mkdocs_cited.search.index import Index
from mkdocs_cited.sources.files import files_named
from mkdocs_cited.sources.from_files import html_of
from mkdocs_cited.sources.from_html import VERSION
from mkdocs_cited.sources.marks import Over, PageMarks, marks_in, read_marks


class Contents(Struct, frozen=True):
    """The pages of a site, or of one language of it, without any answer, and what they declare."""

    project: Project
    pages: tuple[SitePage, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What is wrong with declarations."""
    order: tuple[str, ...] = ()
    """Paths of the pages that the navigation lists, as readers go through them."""
    held: Mapping[str, str] = field(default_factory=dict)
    """Path under `docs_dir` of each page that is held back from readers → why (`eligible`)."""
    main: tuple[SitePage, ...] = ()
    """The pages of the site's own language, where this is another one: pages without a translation cite them."""
    locale: str = ""
    """The site's own language, where this is several; empty otherwise."""
    questions: str = ""
    """The file of questions of a built site whose pages declare none; empty where there is none."""

    @property
    def documents(self) -> list[tuple[Page, str | None]]:
        """Every page that may be a source, with its HTML."""
        known = {page.src for page in self.pages}
        pages = [*self.pages]
        for page in self.main:
            if page.src not in known:
                pages.append(page)
        return [(page.document, page.html) for page in pages if page.document]

    @property
    def rendered(self) -> list[SitePage]:
        """Every page that was rendered."""
        return [page for page in self.pages if page.html is not None]


class Reader:
    """Reads the pages of one language: `declare` for each, and `contents` once all are rendered."""

    def __init__(self, project: Project, settings: Settings) -> None:
        self.project, self.settings = project, settings
        self.declarations: list[Declaration] = []
        self.findings: list[Finding] = []
        self._files: dict[str, PageDeclarations] = {}
        """Path of each page that may declare something → what it does."""
        self._quiet: set[str] = set()
        """Paths of pages whose readers see nothing of their citations."""
        self.questions = ""
        """The file of questions that was read."""
        self._over: dict[str, Over] = {}
        """Key of an answer → what is over its place."""
        self._found: dict[str, bytes] = {}
        """Key of a page's HTML → its marks, to be stored."""
        self._writers = FAMILY.names()

    def declare(
        self, page: SitePage, data: bytes, meta: Mapping[str, Any]
    ) -> tuple[Declaration, ...]:
        """Note what a page's front matter declares; the answers that the page is to show.

        Args:
            page: not rendered yet.
            data: of its file.
            meta: its front matter.
        """
        read = read_page(
            page.src,
            page.file,
            data,
            locale=page.locale,
            known_providers=self._writers,
        )
        if read.ids or b"@" in data or b"<!--" in data:
            self._files[page.src] = read
        if meta.get("prose", self.settings.prose) == "quiet":
            self._quiet.add(page.src)
        self._note(read)
        for key in ("title", "description"):
            for mark in marks_in(str(meta.get(key) or "")):
                message = f"the citation of `{mark.target}` is in the {key} of the page, so it is not checked"
                place = read.source.place_of(f"[@{mark.target}]", behind=f"\n{key}:")
                tip = "put it behind a sentence of the page that states the same"
                self.findings.append(
                    found("invalid-declaration", place, message, tip=tip)
                )
        return read.declarations

    def ask(self, file: str, data: bytes, locale: str) -> None:
        """Note the questions of a file (a path relative to the project), whose pages declare none."""
        self.questions = file
        self._note(
            read_questions(file, data, locale=locale, known_providers=self._writers)
        )

    def contents(
        self,
        project: Project,
        pages: Iterable[SitePage],
        *,
        order: Iterable[str] = (),
        held: Mapping[str, str] | None = None,
        main: Sequence[SitePage] | None = None,
    ) -> Contents:
        """What there is once every page is rendered.

        Args:
            project: as plugins have left it.
            pages: all pages.
            order: paths of the pages that the navigation lists.
            held: path of each page that is held back from readers → why.
            main: the pages of the site's own language, where these are another one's.
        """
        self.project = project
        shown = [self._with_claims(page) for page in pages]
        if main is None:
            locale = main_locale(page.document for page in shown if page.document)
            self._read_files(locale, {page.file for page in shown}, held or {})
        if self._found and self._found.keys() != self._stored.keys():
            self._index.keep("marks", self._found)
        declarations = []
        for item in self.declarations:
            over = self._over.get(item.key, Over("", ""))
            under = over.under
            is_question = letters(under) == letters(item.question)
            if is_question and not item.text:
                under = ""  # a record has its question already
            declarations.append(replace(item, around=over.around, under=under))
        return Contents(
            project,
            tuple(shown),
            tuple(declarations),
            tuple(self.findings),
            tuple(order),
            held or {},
            tuple(main or ()),
            questions=self.questions,
        )

    def _marks(self, page: Page, html: str) -> PageMarks:
        """The marks of a page; those of the same HTML are stored."""
        key = digest(VERSION, repr(page), html)
        stored = self._stored.get(key)
        if stored is not None:
            self._found[key] = stored
            return msgspec.msgpack.decode(stored, type=PageMarks)
        marks = read_marks(page, html)
        if marks.targets or marks.over_answers:
            self._found[key] = msgspec.msgpack.encode(marks)
        return marks

    @cached_property
    def _index(self) -> Index:
        """Where marks are stored, but where several languages are built one after the other."""
        cache = None
        if len(self.project.languages) <= 1:
            cache = self.project.root / CACHE
        return Index.open(cache, name=self.project.name)

    @cached_property
    def _stored(self) -> dict[str, bytes]:
        return self._index.stored("marks")

    def _with_claims(self, page: SitePage) -> SitePage:
        """A rendered page with elements for the citations of its marked claims, which are noted."""
        html = page.html
        signs = ("[@", ATTRIBUTE, "cite:", "answer:")
        if html is None or not any(sign in html for sign in signs):
            return page
        nothing = PageDeclarations(SourceText(page.file, ""))
        file = self._files.get(page.src, nothing)
        # of a page whose source is not known, nobody declares them here; a file has none
        if page.dest and (page.src in self._files or not page.whole):
            self.findings += check_markers(html, file.source, page.src, file.ids)
        document = page.document or Page(
            page.src, page.url, page.src, page.locale, file=page.file
        )
        # what readers do not see is not stored
        marks = read_marks(document, html) if page.held else self._marks(document, html)
        for name, over in marks.over_answers.items():
            self._over[f"{page.src}#{name}"] = over
        if marks.targets:
            claims = claims_of(page, marks, file, quiet=page.src in self._quiet)
            self._note(claims)
        return replace(page, html=marks.html, marks=marks.places)

    def _read_files(
        self, locale: str, pages: Collection[str], held: Mapping[str, str]
    ) -> None:
        """Note the claims of the Markdown that the option `files` names; no page of the site shows it."""
        root = self.project.root
        paths = []
        for glob in self.settings.files:
            # no pipe, no broken link
            named = [
                path for path in files_named(root, glob) if (root / path).is_file()
            ]
            paths += named
            if not named:
                config = Path(self.project.config_file_path)
                place = place_of(config, self.project.path(config), "files")
                message = f"option `files`: `{glob}` names no file of the repository"
                tip = "globs are relative to mkdocs.yml"
                finding = found("invalid-declaration", place, message, tip=tip)
                self.findings.append(finding)
        repository = repository_of_site(self.project, self.settings, held)
        for path in dict.fromkeys(paths):
            if path in pages or not repository.may_be_read(path):
                continue
            source = decode(path, (root / path).read_bytes())
            if isinstance(source, Finding):
                self.findings.append(source)
                continue
            # links of the docs name it by its path from their folder
            docs = self.project.docs_dir
            src = Path(os.path.relpath(root / path, docs)).as_posix()
            self._files[src] = PageDeclarations(source)
            self._quiet.add(src)
            html = html_of(source.text)
            self._with_claims(SitePage(src, "", html, locale, file=path))

    def _note(self, read: PageDeclarations) -> None:
        """Note what was read."""
        self.declarations += read.declarations
        self.findings += read.findings


def as_one(languages: Sequence[Contents]) -> Contents:
    """The pages and declarations of every language, the site's own first.

    A page that stands in for its missing translation appears once, in its own language.
    """
    first = languages[0]
    if len(languages) == 1:
        return first
    pages: dict[str, SitePage] = {}
    declarations: dict[str, Declaration] = {}
    findings: dict[Finding, None] = {}
    order: list[str] = []
    for language in languages:
        for page in language.pages:
            pages.setdefault(page.src, page)
        for item in language.declarations:
            declarations.setdefault(item.key, item)
        findings |= dict.fromkeys(language.findings)
        order += language.order
    return replace(
        first,
        pages=tuple(pages.values()),
        declarations=tuple(declarations.values()),
        findings=tuple(findings),
        order=tuple(order),
        locale=main_locale(page for page, _ in first.documents),
    )
