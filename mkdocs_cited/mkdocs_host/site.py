"""A site whose pages are read: its corpus, the stages over it, and its pages with the answers in them.

It hands pages to the stages and takes text back; what an answer is made of is decided in `pipeline`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from itertools import chain
from pathlib import Path

import jinja2
from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.text import slugify
from mkdocs_cited.mkdocs_host import log
from mkdocs_cited.mkdocs_host.eligible import repository_of_site
from mkdocs_cited.mkdocs_host.project import (
    CACHE,
    repository_link,
    repository_prefix,
)
from mkdocs_cited.mkdocs_host.reading import Contents
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import Page, main_locale
from mkdocs_cited.pipeline import Pipeline, declared
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.records import Store
from mkdocs_cited.render import Published, publish
from mkdocs_cited.render.answer import Host
from mkdocs_cited.render.links import Links
from mkdocs_cited.reporters.interface import priced
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.rows import Content
from mkdocs_cited.sources.files import Repository, read_files
from mkdocs_cited.sources.locate import Locator, with_places
from mkdocs_cited.sources.snapshots import read_snapshots

RENDERED = "rendered"
"""What the index keeps the pages for the next command under."""
Progress = Callable[[int, int], None]
"""Called with how many things are done, and of how many."""


class Site:
    """The stages over the pages of a site, or of one language of it."""

    def __init__(
        self,
        contents: Contents,
        settings: Settings,
        *,
        loader: jinja2.BaseLoader | None = None,
        serving: bool = False,
        searches: bool = True,
        rendered: Mapping[str, bytes] | None = None,
    ) -> None:
        """Take the pages as they are without answers.

        Args:
            contents: the pages.
            settings: the options.
            loader: where the theme's templates are found.
            serving: whether it is a preview.
            searches: whether anybody asks what is in the pages; without, none is indexed.
            rendered: the pages to store for the next command, if any.
        """
        self.contents, self.settings, self.config = contents, settings, contents.project
        self.root = self.config.root
        self.cache = self.root / CACHE
        self.store = Store(self.root, settings.records_dir)
        self._asked = {item.key for item in contents.declarations}
        self.urls = {}
        """Key of each answer that a page shows → address of the page."""
        addresses = {page.src: page.url for page in contents.pages}
        for item in contents.declarations:
            if item.page in addresses:
                self.urls[item.key] = addresses[item.page]
        self.findings: list[Finding] = [*contents.findings]
        self.loader, self.serving = loader, serving
        self._searches, self._rendered = searches, rendered

    @cached_property
    def corpus(self) -> Index:
        """The passages of the rendered pages and of the files and snapshots of `extra_sources`: brought up to date."""
        repository = repository_of_site(
            self.config,
            self.settings,
            self.contents.held,
            link=repository_link(self.contents.pages, self.config),
            taken={page.src for page, _ in self.contents.documents},
        )
        besides = [*self._besides(repository)]
        if self._searches:
            index = Index.open(self.cache, name=self._index_name())
            if self._rendered:
                index.keep(RENDERED, self._rendered)
            index.sync([*self.contents.documents, *besides])
        else:
            index = Index.open(None)
            index.sync(())
        index.repository = repository
        return index

    def _index_name(self) -> str:
        """What the index is called: as the project, and after the language where each is built by itself."""
        name = self.config.name
        if len(self.config.languages) > 1 and not self.contents.locale:
            own = next((page.locale for page, _ in self.contents.documents), "")
            return f"{name}-{slugify(own, fallback='language')}"
        return name

    def _besides(self, repository: Repository) -> Iterator[tuple[Page, Content]]:
        """The files and snapshots of `extra_sources`; what is wrong with them is noted."""
        config_file = self.config.path(self.config.config_file_path)
        files = read_files(
            repository,
            self.settings.extra_sources,
            config_file=config_file,
        )
        snapshots = read_snapshots(self.root, self.settings, config_file)
        for document in chain(files, snapshots):
            if isinstance(document, Finding):
                self.findings.append(document)
            else:
                yield document

    @property
    def locale(self) -> str:
        """The site's language, for questions that no page asks."""
        return self.contents.locale or main_locale(self.corpus.pages())

    @property
    def url(self) -> str:
        """Address of the published site, with a slash at its end, so that what is joined to it keeps its last part:
        mike puts the version there, without one. Empty when it is not known."""
        address = self.config.site_url
        if address:
            return f"{address.rstrip('/')}/"
        return ""

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """What the pages ask."""
        return self.contents.declarations

    @property
    def keys(self) -> list[str]:
        """The keys of what is asked: page by page as readers go through the navigation, then the pages that it does
        not list; on each in the order of its answers."""
        ranks = {src: rank for rank, src in enumerate(self.contents.order)}
        asked = sorted(
            self.declarations, key=lambda item: ranks.get(item.page, len(ranks))
        )
        return [item.key for item in asked]

    def known_keys(self) -> frozenset[str]:
        """Keys whose records are no orphans: what is declared, and what may be, since its page was not read whole.

        That is a page that is there but not in this build (`--dirty`, a draft, another language), or that has a fault;
        and the file of questions, likewise.
        """
        docs = Path(self.config.docs_dir)
        known = self._asked.union(self.urls)
        faulty = {finding.place.file for finding in self.contents.findings}
        parsed = {self.contents.questions} - faulty
        for page in self.contents.rendered:
            if page.file not in faulty:
                parsed.add(page.src)
        for key in self.store.all_keys():
            src = key.rpartition("#")[0]
            is_there = src == self.contents.questions or (docs / src).is_file()
            if is_there and src not in parsed:
                known.add(key)
        return frozenset(known)

    def keep_only(self, keys: Collection[str]) -> None:
        """Keep only these declarations; the others' records are no orphans for that."""
        kept = tuple(item for item in self.declarations if item.key in keys)
        self.contents = replace(self.contents, declarations=kept)

    def declaration(self, key: str) -> Declaration:
        """The question with this key, which is one of `keys`."""
        return next(item for item in self.declarations if item.key == key)

    def question(self, text: str, locale: str | None = None) -> Declaration:
        """What no page asks, in the site's language unless it says another."""
        return declared(text, locale or self.locale)

    def pipeline(self, run: Run) -> Pipeline:
        """The stages, under the rules of one run."""
        return Pipeline(
            self.settings,
            self.corpus,
            self.store,
            replace(run, order=self.contents.order),
            self.contents.findings,
        )

    def readonly_pipeline(
        self, *, calls_models: bool = False, encoding: Progress | None = None
    ) -> Pipeline:
        """The stages of a run that writes nothing, for what people ask at once."""
        return self.pipeline(
            Run("always", writes=False, calls_models=calls_models, encoding=encoding)
        )

    def check(self, progress: Callable[[Answer], None] | None = None) -> Report:
        """What is wrong with the answers, found offline and without writing; `progress` is called with each."""
        return self.resolve(
            Run("never", writes=False, calls_models=False, progress=progress)
        )

    def resolve(self, run: Run) -> Report:
        """Answer every declaration, and render every answer: the report has what either found."""
        # First: this builds `corpus`, which adds what is wrong with files to `findings`.
        pipeline = self.pipeline(run)
        others = self.urls.keys() - {item.key for item in self.declarations}
        resolved = pipeline.report(
            self.declarations,
            [*self.findings, *self._differing()],
            known=self.known_keys(),
            others=others,
        )
        # whole places: of the claims, and of the passages that its findings name
        shown = with_places(resolved.shown, self.corpus, Locator(self.root))
        return replace(
            resolved,
            shown=shown,
            prefix=repository_prefix(self.root),
            places={item.key: item.place for item in self.declarations},
        )

    def _differing(self) -> Iterator[Finding]:
        """Where the docs and the code disagree on a default or on a list of names, if the options ask for that."""
        facts, inventories = self.settings.facts, self.settings.inventories
        if not facts and not inventories:
            return
        # parsers of many languages
        from mkdocs_cited.facts.inventories import inventory_findings
        from mkdocs_cited.facts.results import findings_below

        if facts:
            rules = facts if isinstance(facts, tuple) else ()
            records = self.root / self.settings.records_dir
            ours = (Path(self.config.site_dir), records)
            yield from findings_below(self.root, ours, rules)
        docs, config = self.config.docs_dir, self.config.config_file_path
        yield from inventory_findings(inventories, self.root, Path(docs), Path(config))

    def answer(self) -> Answered:
        """Answer as a build does: write records as the options say, and go by them; a preview asks no model. Pages and
        files are not written yet."""
        rewritten: list[str] = []
        run = Run(
            self.settings.mode_of_builds,
            calls_models=not self.serving,
            rewrote=rewritten.append,
        )
        pipeline = self.pipeline(run)
        if run.update != "never" and pipeline.may_ask(self.declarations):
            estimate = pipeline.estimate(self.declarations)
            if estimate.answers or estimate.reviews:
                log.info("%s `update: never` asks no model.", priced(estimate))
        report = replace(self.resolve(run), strict=self.config.strict)
        self.corpus.keep_found()
        # nobody else would say so: the build passes, and the page has another text
        for key in sorted(rewritten):
            log.info(
                "wrote the answer of %s again: `git diff %s` shows the change",
                key,
                self.settings.records_dir,
            )
        return Answered(self, report, self.publish(report))

    def links(self) -> Links:
        """Links into the pages as they are, without ids that a build would add."""
        pages = {page.url: page.shown for page in self.contents.rendered}
        return Links(pages.get, with_ids=False)

    def publish(self, report: Report) -> Published:
        """The pages with the answers of a report, and the files that go beside them."""
        asked: dict[str, dict[str, str]] = {}
        for key, url in self.urls.items():
            asked.setdefault(url, {})[key.rpartition("#")[2]] = key
        pages = {}
        for page in self.contents.rendered:
            pages[page.url] = replace(page, asks=asked.get(page.url, {}))
        answers = []
        for answer in report.answers:
            at = self.urls.get(answer.key)
            if at in pages:  # a question of no page is answered where it has a place
                answer = replace(answer, page=pages[at].src)
            if at is not None:
                answers.append(answer)
        held_pages = {page.src for page in self.contents.pages if page.held}
        held = {key for key in self.urls if key.rpartition("#")[0] in held_pages}
        host = Host(
            self.config.site_name,
            loader=self.loader,
            with_fragments=not self.config.makes_pdf,
            others=held,
        )
        return publish(answers, pages, self.settings, host, serve=self.serving)


class Answered(Struct, frozen=True):
    """A site, or one language of it, with its answers."""

    site: Site
    report: Report
    published: Published
