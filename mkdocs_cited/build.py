"""One build of a site: what its pages declare, the answers, and what goes into the pages. `plugin` owns its lifetime.

It turns hooks into calls of lower levels; what an answer is made of is decided in `pipeline`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path

import jinja2
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from mkdocs_cited import host, providers, reporters
from mkdocs_cited.declarations import place_markers, read_page
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.model.report import Report
from mkdocs_cited.pipeline import Pipeline, Run
from mkdocs_cited.records import Store
from mkdocs_cited.render.links import relative
from mkdocs_cited.render.publish import PageHtml, placeholder, publish
from mkdocs_cited.reporting import situated
from mkdocs_cited.settings import Settings
from mkdocs_cited.sources.files import read_files
from mkdocs_cited.sources.index import Index

log = get_plugin_logger("cited")

CACHE = ".cache/plugin/cited"
"""Folder of the index, relative to `mkdocs.yml`; may be deleted at any time."""

ASSETS = ("cited.css", "cited.js")
ASSET_FOLDER = "assets/cited"
"""Folder in the site of what pages with answers load."""


@dataclass
class Declared:
    """What the pages of one build said about answers."""

    declarations: list[Declaration] = field(default_factory=list)
    urls: dict[str, str] = field(default_factory=dict)
    """Key of an answer → address of its page."""
    findings: list[Finding] = field(default_factory=list)


class Build:
    """The state of one build, from its configuration to its last file."""

    def __init__(self, config: MkDocsConfig, settings: Settings, *, serving: bool = False) -> None:
        self.config = config
        self.settings = settings
        self.serving = serving
        self.root = host.project_root(config)
        self.store = Store(self.root, settings.records_dir)
        self.declared = Declared()
        self.corpus = Index.open(None)
        self.report = Report()
        self.files = Files([])
        self.nav: Navigation | None = None
        self.outputs: dict[str, str] = {}

    def begin(self) -> None:
        """Forget the pages: static-i18n builds the site once for each language, on one configuration."""
        self.declared = Declared()

    def read(self, markdown: str, page: Page) -> str:
        """Note what a page declares; its Markdown with a place for every answer."""
        return read_declarations(markdown, page, self.config, self.settings, self.declared)

    def index(self, files: Files) -> None:
        """Bring the index up to date with the rendered pages and the files of `extra_sources`."""
        self.files = files
        locale = next((d.locale for d in self.declared.declarations), "")
        self.corpus = Index.open(self.root / CACHE, name=locale)
        pages = list(host.rendered_pages(files, self.config, self.settings))
        extra = read_files(
            self.root,
            self.settings.extra_sources,
            config_file=host.project_path(self.config.config_file_path, self.root),
            link=host.repository_link(self.config, self.root),
            taken={page.src for page, _ in pages},
        )
        self.declared.findings += extra.findings
        self.corpus.sync([*pages, *extra.documents])

    def settle(self, run: Run) -> Report:
        """Answer every declaration."""
        self.pipeline = Pipeline(self.settings, self.corpus, self.store, run)
        report = self.pipeline.report(self.declared.declarations, self.declared.findings)
        docs_dir = host.project_path(self.config.docs_dir, self.root)
        self.report = replace(report, docs_dir=docs_dir, prefix=host.repository_prefix(self.root))
        return self.report

    def run(self) -> Run:
        """What a build may do: write records as the options say; ask a model in a preview only if they allow it."""
        models = not self.serving or self.settings.anthropic.on_serve
        return Run(self.settings.update_mode, calls_models=models)

    def publish(self, loader: jinja2.BaseLoader | None = None) -> None:
        """Put the answers into their pages, and ids on the passages that they cite."""
        pages = {host.site_url(page.url): page for page in host.content_pages(self.files)}
        slots = {key: host.site_url(url) for key, url in self.declared.urls.items()}
        html = {
            url: PageHtml(page.file.src_uri, url, _with_slots(page, slots, url), host.locale_of(page, self.config))
            for url, page in pages.items()
        }
        places = {item.key: item.text_place or item.place for item in self.declared.declarations}
        published = publish(
            self.report.answers,
            html,
            self.settings,
            loader=loader,
            serve=self.serving,
            place_of=lambda answer: places[answer.key],
            corpus=self.corpus if self.settings.render.report else None,
            nav=tuple(host.navigation(self.nav)) if self.settings.render.report else (),
            site_url=self.config.site_url or "",
            site_name=self.config.site_name,
        )
        for url, content in published.pages.items():
            pages[url].content = content + (assets(url) if url in published.with_answers else "")
        self.outputs = {**self.outputs, **published.files}
        report = self.pipeline.extended(self.report, published.findings)
        self.report = situated(report, self.corpus, self.root)

    def write(self) -> None:
        """Write what stands beside the pages: `cited.json` and the assets, then the reports that the options name."""
        site = Path(self.config.site_dir)
        for path, text in self.outputs.items():
            host.write_text(site / path, text)
        for name in ASSETS if any(answer.content or answer.reason for answer in self.report.answers) else ():
            source = resources.files("mkdocs_cited.render") / "assets" / name
            host.write_text(site / ASSET_FOLDER / name, source.read_text(encoding="utf-8"))
        for name, path in sorted(self.settings.reports.items()):
            host.write_text(self.root / path, reporters.get(name).render(self.report))

    def failure(self) -> str:
        """Why the build fails, in a line or two; empty when it does not."""
        errors = self.report.count(Severity.ERROR)
        if not errors:
            return ""
        return f"cited: {errors} {'error' if errors == 1 else 'errors'} in the answers of this site (listed above)"


def read_declarations(markdown: str, page: Page, config: MkDocsConfig, settings: Settings, into: Declared) -> str:
    """Note what a page declares, and give every answer without a marker a heading and a marker at its end."""
    path = Path(page.file.abs_src_path or "")
    if not path.is_file():
        return markdown
    data = path.read_bytes()
    root = host.project_root(config)
    read = read_page(
        page.file.src_uri,
        host.project_path(path, root),
        data,
        locale=host.locale_of(page, config),
        meta=page.meta,
        known_providers=providers.FAMILY.names(),
        defaults=_defaults(path, Path(config.docs_dir), root) if "answers" in page.meta else (),
    )
    into.declarations += read.declarations
    into.urls.update({declaration.key: page.url for declaration in read.declarations})
    into.findings += read.findings
    return place_markers(markdown, read.declarations, heading=settings.heading, attr_list=_has_attr_list(config))


_COMMENT = r"<!--\s{0,20}answer:\s{0,20}([\w-]{1,200})\s{0,20}-->"
_MARKER = re.compile(rf"<p>\s{{0,20}}{_COMMENT}\s{{0,20}}</p>|{_COMMENT}")
"""Where an answer goes in rendered HTML: its comment, with the paragraph that holds nothing else. Code cannot match,
since there `<` is escaped."""


def _with_slots(page: Page, slots: Mapping[str, str], url: str) -> str:
    """A page's HTML with a placeholder for each of its answers; those whose marker is gone stand at the end."""
    content, src = page.content or "", page.file.src_uri
    keys = {key for key, where in slots.items() if where == url}
    if not keys:
        return content

    def slot(match: re.Match[str]) -> str:
        key = f"{src}#{match[1] or match[2]}"
        if key not in keys:
            return match[0]
        keys.discard(key)
        return placeholder(key)

    content = _MARKER.sub(slot, content)
    return content + "".join(placeholder(key) for key in sorted(keys))


def assets(url: str) -> str:
    """The elements that load the style sheet and the script, for a page with answers."""
    up = relative(ASSET_FOLDER, url)
    return f'\n<link rel="stylesheet" href="{up}/cited.css">\n<script src="{up}/cited.js" defer></script>\n'


def _defaults(path: Path, docs_dir: Path, root: Path) -> list[tuple[str, bytes]]:
    """The `.meta.yml` files (Material's meta plugin) from the page's folder up to `docs_dir`."""
    folders = [folder for folder in path.parents if folder == docs_dir or docs_dir in folder.parents]
    files = (folder / ".meta.yml" for folder in folders)
    return [(host.project_path(file, root), file.read_bytes()) for file in files if file.is_file()]


def _has_attr_list(config: MkDocsConfig) -> bool:
    names = {"attr_list", "extra", "markdown.extensions.attr_list", "markdown.extensions.extra", "pymdownx.extra"}
    return not names.isdisjoint(config.markdown_extensions)
