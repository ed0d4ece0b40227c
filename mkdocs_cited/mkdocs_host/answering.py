"""Answers over the rendered pages of one build: the corpus, the pipeline, and the pages with the answers in them.

It hands a site's pages to the stages and takes text back; what an answer is made of is decided in `pipeline`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from pathlib import Path

from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.markers import MARKER
from mkdocs_cited.mkdocs_host.build import CACHE, Build, Outcome
from mkdocs_cited.mkdocs_host.inputs import rendered
from mkdocs_cited.mkdocs_host.logger import log
from mkdocs_cited.mkdocs_host.project import repository_link, repository_prefix
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.options import BASELINE
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import Page
from mkdocs_cited.pipeline.pipeline import Pipeline
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.records import Store
from mkdocs_cited.render.answer import Host
from mkdocs_cited.render.labels import asset
from mkdocs_cited.render.links import Links
from mkdocs_cited.render.publish import PageHtml, Published, publish
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.rows import Content
from mkdocs_cited.sources.files import Repository, read_files
from mkdocs_cited.sources.locate import Locator, with_places
from mkdocs_cited.sources.web.snapshot import read_snapshots

ASSET_FOLDER = "assets/cited"
"""Folder in the site of the style sheets and the script that its pages load."""


def assets(*, serving: bool) -> tuple[str, ...]:
    """Names of the style sheets and the script of a site; a preview has one style sheet more."""
    if serving:
        return ("cited.css", "cited.js", "preview.css")
    return ("cited.css", "cited.js")


def asset_texts(*, serving: bool) -> dict[str, str]:
    """Path in the site → text of each of them."""
    return {f"{ASSET_FOLDER}/{name}": asset(name) for name in assets(serving=serving)}


class Answering:
    """The stages over one build's pages."""

    store_name = ""
    """What the store is called, where it is not the one of the configuration."""

    def __init__(self, build: Build, *, searches: bool = True) -> None:
        """Take the pages as they are without answers.

        Args:
            build: whose pages.
            searches: whether anybody asks what is in them: without, only the files of `extra_sources` are read.
        """
        self.build, self.searches = build, searches
        self.config, self.settings, self.root = build.config, build.settings, build.root
        self.store = Store(build.root, build.settings.records_dir)
        self.findings: list[Finding] = list(build.findings)
        self.report = Report()
        self.published: Published | None = None

    @cached_property
    def corpus(self) -> Index:
        """The passages of the rendered pages and of the files and snapshots of `extra_sources`: brought up to date."""
        besides = [*self._besides()] if self.settings.extra_sources else []
        if self.searches:
            index = Index.open(
                self.build.cache, name=self.store_name or self.build.name
            )
            stored = rendered(self.build) if self.build.began else None
            index.sync([*self.build.documents, *besides], stored)
        else:
            index = Index.open(None)
            index.sync(besides if self.build.declarations else ())
        index.repository = self._repository()
        return index

    @cached_property
    def _file_link(self) -> str:
        """Where files of the project are shown."""
        return repository_link(self.build.pages, self.config)

    def _repository(self) -> Repository:
        """The files that marks may cite without being named."""
        settings = self.settings
        ours = (
            settings.records_dir,
            settings.web_dir,
            BASELINE,
            CACHE,
            *settings.reports.values(),
        )
        return Repository(
            self.root,
            docs_dir=self.config.docs_dir,
            link=self._file_link,
            ours=ours,
            held=self.build.held,
        )

    def _besides(self) -> Iterator[tuple[Page, Content]]:
        """The files and snapshots of `extra_sources`; what is wrong with them is noted."""
        config_file = self.config.path(self.config.config_file_path)
        files = read_files(
            self.root,
            self.settings.extra_sources,
            config_file=config_file,
            link=self._file_link,
            taken={page.src for page, _ in self.build.documents},
            may_be_read=self.build.may_be_read,
        )
        snapshots = read_snapshots(self.root, self.settings, config_file)
        for document in chain(files, snapshots):
            if isinstance(document, Finding):
                self.findings.append(document)
            else:
                yield document

    def pipeline(self, run: Run) -> Pipeline:
        """The stages, under the rules of one run."""
        run = replace(run, order=tuple(self.build.order))
        return Pipeline(
            self.settings, self.corpus, self.store, run, self.build.findings
        )

    def run(self) -> Run:
        """What a build may do: write records as the options say, and go by them; a preview asks no model."""
        return Run(self.settings.mode_of_builds, calls_models=not self.build.serving)

    def resolve(self, run: Run) -> Report:
        """Answer every declaration, and render every answer: the report has what either found."""
        # which indexes the pages, and finds what is wrong with files
        pipeline = self.pipeline(run)
        others = self.build.urls.keys() - {item.key for item in self.build.declarations}
        findings = [*self.findings, *self._differing()]
        resolved = pipeline.report(
            self.build.declarations, findings, known=self.known_keys(), others=others
        )
        self.published = self._publish(resolved)
        report = replace(
            resolved,
            docs_dir=self.config.path(self.config.docs_dir),
            prefix=repository_prefix(self.root),
            questions=self.settings.questions,
            places={item.key: item.place for item in self.build.declarations},
        )
        self.report = self._situated(report)
        return self.report

    def _differing(self) -> tuple[Finding, ...]:
        """Where the docs and the code disagree on a default or on a list of names, if the options ask for that."""
        facts, inventories = self.settings.facts, self.settings.inventories
        if not facts and not inventories:
            return ()
        # parsers of many languages
        from mkdocs_cited.facts.inventories import inventory_findings
        from mkdocs_cited.facts.results import findings_below

        docs_dir, config_file = (
            Path(self.config.docs_dir),
            Path(self.config.config_file_path),
        )
        differing = (
            findings_below(self.root, facts if isinstance(facts, tuple) else ())
            if facts
            else ()
        )
        return (
            *differing,
            *inventory_findings(inventories, self.root, docs_dir, config_file),
        )

    def _situated(self, report: Report) -> Report:
        """The report with whole places: of the claims, and of the passages that its findings name."""
        return replace(
            report, shown=with_places(report.shown, self.corpus, Locator(self.root))
        )

    def known_keys(self) -> frozenset[str]:
        """Keys whose records are no orphans: what is declared, and what may be, since its page was not read whole.

        That is a page that is there but not in this build (`--dirty`, a draft, another language), or that has a fault;
        and the file of the option `questions`, likewise.
        """
        pages = {key: key.rpartition("#")[0] for key in self.store.all_keys()}
        docs = Path(self.config.docs_dir)
        unread = {
            key: src for key, src in pages.items() if src not in self.build.fully_parsed
        }
        unsure = {
            key
            for key, src in unread.items()
            if src == self.settings.questions or (docs / src).is_file()
        }
        return frozenset({*self.build.urls, *unsure})

    def outcome(self) -> Outcome:
        """What this build finds, and what it does with it: the records are written, pages and files not yet."""
        rewritten: list[str] = []
        run = replace(self.run(), rewrote=rewritten.append)
        asks = run.update != "never" and self._say_what_is_asked(run)
        report = replace(self.resolve(run), strict=self.config.strict)
        if asks:
            spends = [answer.spend for answer in report.answers]
            calls, cost = (
                sum(spend.calls for spend in spends),
                sum(spend.cost or 0.0 for spend in spends),
            )
            log.info("models were asked %d times, for $%.4f", calls, cost)
        # nobody else would say so: the build passes, and the page has another text
        for key in sorted(rewritten):
            log.info(
                "wrote the answer of %s again: `git diff %s` shows the change",
                key,
                self.settings.records_dir,
            )
        published = self.published
        assert published is not None  # noqa: S101 -- `resolve` has set it
        files = dict(published.files)
        if published.pages and published.is_seen:
            files |= asset_texts(serving=self.build.serving)
        return Outcome(report, published.pages, files, is_seen=published.is_seen)

    def _say_what_is_asked(self, run: Run) -> bool:
        """Say what models are about to be asked, and what stops it; whether any is."""
        pipeline = self.pipeline(run)
        if not pipeline.may_ask(self.build.declarations):
            return False
        estimate = pipeline.estimate(self.build.declarations)
        about = ""
        if estimate.each:
            about = f", about ${estimate.answers * estimate.each:.2f}"
        log.info(
            "models are asked for %d answers%s, and to review what words cannot decide; `update: never` asks no model",
            estimate.answers,
            about,
        )
        return True

    def links(self) -> Links:
        """Links into the pages as they are, without ids that a build would add."""
        pages = {page.url: page.whole or html for page, html in self.build.shown_pages}
        return Links(pages.get, with_ids=False)

    def _publish(self, report: Report) -> Published:
        asked: dict[str, dict[str, str]] = {}
        for key, url in self.build.urls.items():
            asked.setdefault(url, {})[key.rpartition("#")[2]] = key
        pages = {}
        for page, html in self.build.shown_pages:
            asks = asked.get(page.url, {})
            if page.whole:
                placed = set(MARKER.findall(page.whole))
                asks = {name: key for name, key in asks.items() if name in placed}
            pages[page.url] = PageHtml(
                page.src,
                page.url,
                page.whole or html,
                page.locale,
                asks,
                page.marks,
            )
        host = Host(
            self.config.site_name,
            loader=self.build.loader,
            with_fragments=not self.config.makes_pdf,
            others=self.build.published_before | self.build.held_keys,
        )
        source_of = {page.url: page.src for page in pages.values()}
        answers = []
        for answer in report.answers:
            if answer.key in self.build.urls:
                on = source_of.get(self.build.urls[answer.key], answer.page)
                answers.append(replace(answer, page=on))
        return publish(
            answers,
            pages,
            self.settings,
            host,
            serve=self.build.serving,
        )
