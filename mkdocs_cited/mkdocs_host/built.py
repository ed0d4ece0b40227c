"""A site that Docusaurus, VitePress, Sphinx or any other generator has built: its pages are read, and written into."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from mkdocs_cited.base.errors import CitedError, UsageError, command
from mkdocs_cited.base.files import inside, read_text, write_atomically
from mkdocs_cited.base.html import original
from mkdocs_cited.base.text import did_you_mean, glob_matches, letters
from mkdocs_cited.declarations.front_matter import read_front_matter, source_text
from mkdocs_cited.mkdocs_host import configuration
from mkdocs_cited.mkdocs_host.built_pages import (
    answers_in,
    page_files,
    read_page,
    sources,
    url_of,
    with_assets,
    without_empty,
)
from mkdocs_cited.mkdocs_host.configuration import QUESTIONS, Configuration
from mkdocs_cited.mkdocs_host.eligible import (
    document,
    held_by,
    written_paths,
)
from mkdocs_cited.mkdocs_host.project import Project, first_tag, settings_of
from mkdocs_cited.mkdocs_host.reading import Contents, Reader
from mkdocs_cited.mkdocs_host.site import Site
from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.declaration import CLAIMS, MARKER
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import SitePage, main_locale
from mkdocs_cited.render import Published
from mkdocs_cited.render.links import relative
from mkdocs_cited.sources.files import is_in

_HEADING = re.compile(r"^#[ \t]+(.*?)[ \t#]*(?:\{[^{}]*\})?$", re.MULTILINE)
_SHOWN = (Status.ACCEPTED, Status.QUOTED, Status.STALE, Status.ABSTAINED)
"""Status of an answer that a page shows."""


class BuiltSite(Site):
    """A site that is read from the folder that it was built into."""

    def __init__(
        self,
        contents: Contents,
        settings: Settings,
        folder: Path,
        shown: Mapping[str, str],
        urls: Mapping[str, str],
    ) -> None:
        """Take the pages as they are shown.

        Args:
            contents: the pages.
            settings: the options.
            folder: of the site.
            shown: key of each answer that a page shows → mark of its text.
            urls: key → address of its page, of answers of pages that are not built, or that do not declare them.
        """
        super().__init__(contents, settings)
        self.urls |= urls
        self.folder, self.shown = folder, shown

    def check(self, progress: Callable[[Answer], None] | None = None) -> Report:
        """Like any site's; and an answer that is declared and not shown is an error, as is one of another text."""
        report = super().check(progress)
        triage = self.readonly_pipeline().triage
        shown = chain(self._unshown(report), self._unknown())
        return report.joined(triage.sort(shown, whole=False))

    def _unknown(self) -> Iterator[Finding]:
        """A finding for each place of an answer in a page that names none."""
        known = {item.id for item in self.declarations}
        for page in self.contents.pages:
            for name in dict.fromkeys(MARKER.findall(page.whole)):
                if name in known or name == CLAIMS:
                    continue
                place = Place((self.folder / page.dest).as_posix(), 1)
                message = f"the place `[answer: {name}]` names no answer"
                tip = did_you_mean(name, sorted(known))
                yield found("invalid-declaration", place, message, tip=tip)

    def _unshown(self, report: Report) -> Iterator[Finding]:
        """A finding for each declared answer that the built page lacks, or shows in other words than today's."""
        answers = report.by_key
        today: dict[str, str] = {}
        for html in self.publish(report).pages.values():
            today |= answers_in(html)
        for item in self.declarations:
            url = self.urls.get(item.key)
            tip = f"run `{command('publish')}` after the build"
            what = f"is declared, and the page `{url or '/'}` of `{self.folder}`"
            if item.prose and item.key not in today:
                continue  # citations that no reader is to see
            if url is None and item.page == self.contents.questions:
                what = f"has no place in the pages of `{self.folder}`"
                tip = f"write a paragraph `[answer: {item.id}]` into one of them"
            elif url is None:
                continue
            elif item.key not in self.shown:
                what += " does not show it"
            elif answers[item.key].status not in _SHOWN:
                continue
            elif self.shown[item.key] != today.get(item.key, ""):
                what += " shows another text"
            else:
                continue
            message = f"“{item.question}” {what}"
            yield found("missing-answer", item.place, message, tip=tip, answer=item.key)


def publish(site: BuiltSite) -> tuple[Report, int]:
    """Write answers, ids and what they load into the pages, and what machines read beside them: what is wrong with the
    answers, and how many files have changed. Pages are read as their generator wrote them: twice is the same as once.

    Raises:
        CitedError: a file cannot be written, or is not UTF-8.
    """
    report = Site.check(site)
    changed = 0
    for name, text in _files(site, site.publish(report)):
        path = inside(site.folder, name, what="a file of the site", where="the site")
        changed += write_atomically(path, text.encode())
    return report, changed


def _files(site: BuiltSite, published: Published) -> Iterator[tuple[str, str]]:
    """Path in the site and text of each file that may change."""
    for page in site.contents.pages:
        html = published.pages.get(page.url)
        if not page.whole:
            continue
        path = site.folder / page.dest
        try:
            path.read_bytes().decode()
        except UnicodeDecodeError as error:
            if html is None:
                continue
            message = f"{path}: this is not UTF-8, and nothing can be written into it"
            raise CitedError(message, tip="let the generator write UTF-8") from error
        shown = original(page.whole) if html is None else without_empty(html)
        if html is not None and published.loaded:
            loaded = [relative(name, page.url) for name in published.loaded]
            shown = with_assets(shown, loaded)
        yield page.dest, shown
    yield from published.files.items()


def from_folder(file: Path | None, folder: Path | None) -> BuiltSite:
    """Pages as the built site shows them, with the declarations of their sources where these are known.

    Args:
        file: the configuration, if it is named.
        folder: of the site; without one, that which Zensical builds into.

    Raises:
        UsageError: the configuration cannot be used, or the folder does not hold this site.
    """
    written = configuration.read(file, Path.cwd())
    tip = "build the site, and name the folder that it was built into: `--site FOLDER`"
    if folder is None and written.file.suffix != ".toml":
        raise UsageError("no folder of a built site is named", tip=tip)
    if folder is None:
        folder = written.site_dir
        tip = "build the site first: `zensical build`"
    if not folder.is_dir():
        raise UsageError(f"there is no folder `{folder}`", tip=tip)
    settings = settings_of(written.options, written.file)
    if not settings.enabled:
        raise UsageError(
            "cited is switched off: `enabled` is false", tip="set `enabled: true`"
        )
    docs = folder.resolve()
    if written.has_pages:
        docs = written.docs_dir
    project = Project(
        str(written.file),
        str(docs),
        site_name=written.text("site_name"),
        site_url=written.text("site_url"),
        store="built",
    )
    reading = _Reading(project, settings, written, folder)
    pages = [*reading.pages()]
    if not any(page.html for page in pages):
        tip += "; and see the option `main`, if it is set"
        raise UsageError(f"`{folder}` has none of this site's pages", tip=tip)
    if not written.has_pages:
        questions = inside(written.root, QUESTIONS, what="the file of questions")
        if questions.exists():
            text = read_text(questions, tip="write a list of questions into it")
            locale = main_locale(page.document for page in pages if page.document)
            reading.reader.ask(QUESTIONS, text.encode(), locale)
    contents = reading.reader.contents(project, pages)
    urls = reading.urls | _placed(contents)
    return BuiltSite(contents, settings, folder, reading.shown, urls)


def _placed(contents: Contents) -> dict[str, str]:
    """Key of each answer of the file of questions → address of the first page that has a place for it."""
    asked = {}
    for item in contents.declarations:
        if item.page == contents.questions:
            asked[item.id] = item.key
    urls: dict[str, str] = {}
    for page in contents.pages:
        for name in MARKER.findall(page.whole):
            if name in asked:
                urls.setdefault(asked[name], page.url)
    return urls


class _Reading:
    """Reads the pages of a built site."""

    def __init__(
        self, project: Project, settings: Settings, written: Configuration, folder: Path
    ) -> None:
        self.project, self.settings = project, settings
        self.written, self.folder = written, folder
        self.docs = Path(project.docs_dir)
        self.has_folders = written.keys.get("use_directory_urls") is not False
        """Whether each page has a folder of its own, which is its address."""
        self.reader = Reader(project, settings)
        self.shown: dict[str, str] = {}
        """Key of each answer that a page shows → mark of its text."""
        self.urls: dict[str, str] = {}
        """Key of each answer, and of the claims that a page has shown already → address of the page."""
        self._outside: set[str] = set()
        """What the marks say that were found outside of the main content."""

    def pages(self) -> Iterator[SitePage]:
        """Every page; what its Markdown declares is noted, and what the site shows."""
        paths = self._paths()
        elsewhere = self._by_title(paths.values())
        for src, dest in paths.items():
            data = b""
            if self.written.has_pages:
                data = (self.docs / src).read_bytes()
            text = data.decode("utf-8-sig", "replace")
            matter = read_front_matter(source_text(src, text))
            has_marks = "[@" in matter.content or "cite:" in matter.content
            declared = matter.meta.get("title")
            if not (self.folder / dest).is_file():
                heading = _HEADING.search(matter.content)
                title = declared or (heading[1] if heading else "")
                dest = elsewhere.get(letters(str(title)), dest)
            page = self._unread(src, dest, matter.meta)
            asked = {}
            for item in self.reader.declare(page, data, matter.meta):
                asked[item.id] = item.question
                self.urls[f"{src}#{item.id}"] = page.url
            if not (self.folder / dest).is_file():
                if has_marks and not page.held:
                    message = f"`{self.folder}` has no page `{dest}` of this file"
                    tip = "check this site where it is built: without `--site`"
                    place = Place(page.file)
                    self.reader.findings.append(
                        found("missing-answer", place, message, tip=tip)
                    )
                continue
            main, level = self.written.text("main"), self.settings.heading
            built = read_page(self.folder / dest, main, asked, level=level)
            if built is None:
                continue
            self._note_outside(page, built.outside)
            claims = f"{src}#{CLAIMS}"
            if claims in built.answers or has_marks:
                # marks that the plugin has shown, or taken out, are no marks any more
                self.urls[claims] = page.url
            self.shown.update(built.answers)
            if not self.written.has_pages:
                theme = self.written.text("theme", "language")
                page = replace(page, locale=first_tag(built.locale, theme))
            title = declared or built.title
            source = document(page, matter.meta, self.settings, title=title)
            yield replace(page, html=built.html, whole=built.whole, document=source)

    def _note_outside(self, page: SitePage, marks: Iterable[str]) -> None:
        """Note a finding for each of these marks, which are outside of the main content; of one that other pages have,
        too, as it is in what surrounds them all, the first time."""
        for target in dict.fromkeys(marks):
            if target in self._outside:
                continue
            self._outside.add(target)
            address = target.removeprefix("!")
            message = f"the citation of `{address}` is outside of the main content, so it is not checked"
            tip = "put it behind a sentence of the content; the key `main` says which part of a page that is"
            place = Place((self.folder / page.dest).as_posix(), 1)
            self.reader.findings.append(
                found("invalid-declaration", place, message, tip=tip)
            )

    def _unread(self, src: str, dest: str, meta: Mapping[str, Any]) -> SitePage:
        """A page before its file is read."""
        written, file = self.written, self.project.path(self.docs / src)
        password = written.text("plugins", "encryptcontent", "global_password")
        return SitePage(
            src,
            url_of(dest) if self.has_folders else dest,
            None,
            first_tag(meta.get("lang"), written.text("theme", "language")),
            dest=dest,
            edit_url=written.edit_url(src if written.has_pages else file),
            held=held_by({"password": password, **meta}),
            file=file,
        )

    def _paths(self) -> dict[str, str]:
        """Path of each page under the folder of the docs → path of its file in the site. Where the Markdown is not
        known, that is the same path."""
        written, excluded = self.written, self.settings.exclude
        if not written.has_pages:
            files = page_files(self.folder)
            if excluded:
                files = (path for path in files if not glob_matches(path, excluded))
            return {path: path for path in files}
        ours = written_paths(self.project, self.settings)
        hidden = f"{written.text('exclude_docs')}\n{written.text('draft_docs')}"
        paths = sources(self.docs, folders=self.has_folders, excluded=hidden)
        return {
            src: dest for src, dest in paths.items() if not is_in(self.docs / src, ours)
        }

    def _by_title(self, known: Collection[str]) -> dict[str, str]:
        """Letters of the title → path in the site, of the pages that are not where their sources say: a blog has its
        posts elsewhere. Nothing where every source has its page."""
        found_there: dict[str, str] = {}
        if all((self.folder / path).is_file() for path in known):
            return found_there
        for path in page_files(self.folder):
            page = read_page(self.folder / path, self.written.text("main"))
            if page and path not in known:
                found_there[letters(page.title)] = path
        return found_there
