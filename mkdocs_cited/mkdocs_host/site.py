"""A whole site, for the command line: rendered in memory up to the point where answers go in, or read from a folder.

Nothing is written but the index. MkDocs is imported only where it renders.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from mkdocs_cited.base.bounded_yaml import value_of
from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import glob_matches, letters
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.front_matter import read_front_matter, source_text
from mkdocs_cited.declarations.markers import MARKER
from mkdocs_cited.mkdocs_host.answering import Answering
from mkdocs_cited.mkdocs_host.build import CACHE, Build, store_name
from mkdocs_cited.mkdocs_host.eligible import document, held_by, is_below
from mkdocs_cited.mkdocs_host.inputs import restored
from mkdocs_cited.mkdocs_host.logger import log
from mkdocs_cited.mkdocs_host.project import Project, SitePage, first_tag, settings_of
from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.declaration import Declaration, Target
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import main_locale
from mkdocs_cited.pipeline.pipeline import Pipeline, declared
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.search.index import Index
from mkdocs_cited.site_host import configuration
from mkdocs_cited.site_host.configuration import Configuration
from mkdocs_cited.site_host.pages import (
    CLAIMS,
    answers_in,
    read_page,
    read_pages,
    sources,
    with_missing,
)

Told = Callable[..., None]
"""Called with how many things are done, and of how many; and, for pages, with `why` they are rendered."""
_HEADING = re.compile(r"^#[ \t]+(.*?)[ \t#]*(?:\{[^{}]*\})?$", re.MULTILINE)
_SHOWN = (Status.ACCEPTED, Status.QUOTED, Status.STALE, Status.ABSTAINED)
"""Status of an answer that a page shows."""


class Site(Answering):
    """A site whose pages are rendered and indexed, and whose declarations are read."""

    @property
    def locale(self) -> str:
        """The site's language, for questions that no page asks."""
        return self.build.locale or main_locale(self.corpus.pages())

    @property
    def url(self) -> str:
        """Address of the published site, with a slash at its end, so that what is joined to it keeps its last part:
        mike puts the version there, without one. Empty when it is not known."""
        address = self.config.site_url
        if address:
            return f"{address.rstrip('/')}/"
        return ""

    @property
    def declarations(self) -> list[Declaration]:
        """What the pages ask."""
        return self.build.declarations

    @property
    def keys(self) -> list[str]:
        """The keys of what is asked: page by page as readers go through the navigation, then the pages that it does
        not list; on each in the order of its answers."""
        ranks = {src: rank for rank, src in enumerate(self.build.order)}
        return [
            item.key
            for item in sorted(
                self.declarations, key=lambda item: ranks.get(item.page, len(ranks))
            )
        ]

    def declaration(self, key: str) -> Declaration:
        """The question with this key, which is one of `keys`."""
        return next(item for item in self.declarations if item.key == key)

    def check(self, progress: Callable[[Answer], None] | None = None) -> Report:
        """What is wrong with the answers, found offline and without writing; `progress` is called with each."""
        return self.resolve(
            Run("never", writes=False, calls_models=False, progress=progress)
        )

    def readonly_pipeline(
        self, *, calls_models: bool = False, encoding: Told | None = None
    ) -> Pipeline:
        """The stages of a run that writes nothing, for what people ask at once."""
        return self.pipeline(
            Run("always", writes=False, calls_models=calls_models, encoding=encoding)
        )

    def question(self, text: str, locale: str | None = None) -> Declaration:
        """What no page asks, in the site's language unless it says another."""
        return declared(text, locale or self.locale)

    def keep_only(self, keys: Collection[str]) -> None:
        """Keep only these declarations; the others' records are no orphans for that."""
        self.build.declarations = [
            item for item in self.declarations if item.key in keys
        ]


class BuiltSite(Site):
    """A site that is read from the folder that it was built into, by whatever generator."""

    store_name = "built"

    def __init__(self, build: Build, folder: Path, shown: Mapping[str, str]) -> None:
        """Take the pages as they are shown.

        Args:
            build: their declarations and contents.
            folder: of the site.
            shown: key of each answer that a page shows → mark of its text.
        """
        super().__init__(build)
        self.folder, self.shown = folder, shown

    def check_answers(self) -> Report:
        """What is wrong with the answers, whether the pages show them or not."""
        return super().check()

    def check(self, progress: Callable[[Answer], None] | None = None) -> Report:
        """Like any site's; and an answer that is declared and not shown is an error, as is one of another text."""
        report = super().check(progress)
        triage = self.readonly_pipeline().triage
        unshown = triage.sort(self._unshown(report), whole=False)
        self.report = self._situated(report.joined(unshown))
        return self.report

    def _unshown(self, report: Report) -> Iterator[Finding]:
        """A finding for each declared answer that the built page lacks, or shows in other words than today's."""
        answers = {answer.key: answer for answer in report.answers}
        pages = self.published.pages if self.published else {}
        today = {
            key: words
            for html in pages.values()
            for key, words in answers_in(html).items()
        }
        tip = f"run `mkdocs-cited publish --site {self.folder}` behind the build"
        for item in self.declarations:
            answer, url = answers.get(item.key), self.build.urls.get(item.key)
            if (
                url is None
                or answer is None
                or (item.target == Target.PROSE and item.key not in today)
            ):
                continue  # citations that no reader is to see
            if item.key not in self.shown:
                shown = "does not show it"
            elif answer.status in _SHOWN and self.shown[item.key] != today.get(
                item.key, ""
            ):
                shown = "shows another text"
            else:
                continue
            message = f"“{item.question}” is declared, and the page `{url or '/'}` of `{self.folder}` {shown}"
            yield found("missing-answer", item.place, message, tip=tip, answer=item.key)


def load(
    config_file: Path | None,
    *,
    site: Path | None = None,
    progress: Told | None = None,
    anew: bool = False,
) -> Site:
    """The site, with its declarations read and its corpus indexed, and no answer resolved yet.

    Args:
        config_file: as MkDocs' own `--config-file`.
        site: a folder with the built site, whose pages are read instead of rendering them.
        progress: called with how many pages are rendered, and of how many.
        anew: whether they are rendered though they are stored.

    Raises:
        UsageError: the configuration is wrong, the plugin is not in it, or `site` does not hold this site.
        CitedError: another part of MkDocs could not build the site.
    """
    if site is not None:
        return _from_folder(config_file, site)
    stored = "it was asked for" if anew else _stored(config_file)
    if not isinstance(stored, str):
        log.debug("nothing is rendered: no file is newer than the pages")
        return Site(stored)
    log.debug(
        "the pages are rendered: %s", stored or "the configuration cannot be used"
    )
    try:
        from mkdocs_cited.mkdocs_host.rendering import rendered_by_mkdocs
    except ModuleNotFoundError as error:
        tip = "name the folder of the built site, `--site DIR`, or run `pip install mkdocs`"
        raise UsageError(
            f"`{error.name}`, which renders the pages, is not installed here", tip=tip
        ) from error
    return Site(
        rendered_by_mkdocs(
            config_file, partial(progress, why=stored) if progress else None
        )
    )


def _stored(config_file: Path | None) -> Build | str:
    """The build whose pages are in the store; why they have to be rendered, where they are not."""
    file = config_file or next(
        (Path(name) for name in configuration.OF_MKDOCS if Path(name).is_file()), None
    )
    if file is None:
        return ""
    try:
        written = configuration.read(file, Path.cwd())
        index = Index.open(written.root / CACHE, name=store_name(file))
        return restored(index, written, settings_of(written.options, written.file))
    except UsageError:
        return ""  # which MkDocs reports better


def _from_folder(file: Path | None, site: Path) -> BuiltSite:
    """Pages as the built site shows them, with the declarations of their sources where these are known."""
    if not site.is_dir():
        raise UsageError(
            f"`{site}` is not a folder",
            tip="name the folder that the site was built into",
        )
    written = configuration.read(file, Path.cwd())
    settings = settings_of(written.options, written.file)
    if not settings.enabled:
        raise UsageError(
            "cited is switched off: `enabled` is false", tip="set `enabled: true`"
        )
    docs = (
        written.root / str(written.keys.get("docs_dir") or "docs")
        if written.has_pages
        else site.resolve()
    )
    project = Project(
        str(written.file),
        os.path.normpath(docs),
        site_name=written.text("site_name"),
        site_url=written.text("site_url"),
    )
    build = Build(project, settings)
    build.begin()
    shown: dict[str, str] = {}
    pages = [
        *(_declaring if written.has_pages else _built_only)(build, written, site, shown)
    ]
    if not any(page.html for page in pages):
        tip = "name the folder that the site was built into"
        raise UsageError(f"`{site}` has none of this site's pages", tip=tip)
    build.rendered(pages)
    _place_questions(build)
    return BuiltSite(build, site, shown)


def _place_questions(build: Build) -> None:
    """Note on which page the answers of the file of questions are shown: the first that has a place for one."""
    asked = {
        item.id: item.key
        for item in build.declarations
        if item.page == build.settings.questions
    }
    for page in build.pages if asked else ():
        for name in MARKER.findall(page.whole):
            if name in asked:
                build.urls.setdefault(asked[name], page.url)
    build.declarations = [
        replace(item, published=True) if item.key in build.urls else item
        for item in build.declarations
    ]


def _declaring(
    build: Build, written: Configuration, site: Path, shown: dict[str, str]
) -> Iterator[SitePage]:
    """The pages whose Markdown MkDocs or Zensical has read: their declarations are noted, and what the site shows."""
    docs, folders = (
        Path(build.config.docs_dir),
        written.keys.get("use_directory_urls") is not False,
    )
    encrypted = bool(written.plugin("encryptcontent").get("global_password"))
    written_to = build.ours(str(docs))
    paths = sources(
        docs, folders=folders, excluded=str(written.keys.get("exclude_docs") or "")
    )
    elsewhere = _by_title(site, written.text("main"), paths.values())
    for src, dest in paths.items():
        path = docs / src
        if is_below(path, written_to):
            continue
        data = path.read_bytes()
        source = source_text(src, data.decode("utf-8-sig", "replace"))
        matter = read_front_matter(source)
        meta = value_of(matter.root) if matter.root else {}
        text = source.text[matter.body :]
        if not (site / dest).is_file():
            dest = elsewhere.get(_title_of(text, meta), dest)
        page = SitePage(
            src,
            dest.removesuffix("index.html") if folders else dest,
            None,
            first_tag(meta.get("lang"), written.text("theme", "language")),
            dest=dest,
            edit_url=written.edit_url(src),
            held=held_by({"password": encrypted, **meta}),
            file=build.config.path(path),
        )
        build.declare(page, data, meta)
        if (site / dest).is_file():
            yield from _shown_page(
                build, written, site, _Source(page, text, meta), shown
            )


class _Source(Struct, frozen=True):
    """A page whose source was read."""

    page: SitePage
    text: str
    """Its Markdown."""
    meta: Mapping[str, Any]
    """Its front matter."""


def _shown_page(
    build: Build,
    written: Configuration,
    site: Path,
    source: _Source,
    shown: dict[str, str],
) -> Iterator[SitePage]:
    """A page whose answers are declared, as the site shows it; nothing for what is no page of an author's."""
    page, text, meta = source.page, source.text, source.meta
    asked = [
        (item.id, item.question) for item in build.declarations if item.page == page.src
    ]
    built = read_page(
        site / page.dest, page.dest, written.text("main"), [name for name, _ in asked]
    )
    if built is None:
        return
    shown.update(built.answers)
    claims = f"{page.src}#{CLAIMS}"
    if claims in shown or "[@" in text or "cite:" in text:
        # marks that the plugin has shown, or taken out, are no marks any more
        build.urls[claims] = page.url
    whole = with_missing(built.whole, built.end, asked, level=build.settings.heading)
    page = replace(page, html=built.html, whole=whole)
    title = meta.get("title") or built.title
    yield replace(
        page, document=document(page, meta, build.settings, title=title, file=page.file)
    )


def _by_title(site: Path, main: str, known: Collection[str]) -> dict[str, str]:
    """Letters of the title → path in the site, of the pages that are not where their sources say: a blog has its posts
    elsewhere. Nothing where every source has its page."""
    if all((site / path).is_file() for path in known):
        return {}
    return {
        letters(page.title): page.path
        for page in read_pages(site, main)
        if page.path not in known
    }


def _title_of(markdown: str, meta: Mapping[str, Any]) -> str:
    """The letters of a page's title: that of its front matter, else its first heading."""
    heading = _HEADING.search(markdown)
    return letters(str(meta.get("title") or (heading[1] if heading else "")))


def _built_only(
    build: Build, written: Configuration, site: Path, shown: dict[str, str]
) -> Iterator[SitePage]:
    """The pages of a site whose sources are none of MkDocs'."""
    for built in read_pages(site, written.text("main")):
        if build.settings.exclude and glob_matches(built.path, build.settings.exclude):
            continue
        shown.update(built.answers)
        locale, file = (
            first_tag(built.locale, written.text("theme", "language")),
            build.config.path(site / built.path),
        )
        edit_url = written.edit_url(file)
        page = SitePage(
            built.path,
            built.url,
            built.html,
            locale,
            dest=built.path,
            whole=built.whole,
            edit_url=edit_url,
            file=file,
        )
        yield replace(
            page,
            document=document(page, {}, build.settings, title=built.title, file=file),
        )
