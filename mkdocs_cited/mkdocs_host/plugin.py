"""MkDocs' hooks, thin: each unpacks its arguments and calls one plain function.

The layout was run against macros, snippets, autorefs, mkdocstrings, blog, tags and static-i18n: questions enter the
Markdown after every plugin that evaluates it, and answers enter the HTML after every plugin that still writes it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.declarations.in_markdown import (
    EMPTY,
    Places,
    with_hidden_marks,
    with_shown_marks,
    without_marks,
)
from mkdocs_cited.mkdocs_host import adapter, log
from mkdocs_cited.mkdocs_host.configuration import name_site
from mkdocs_cited.mkdocs_host.eligible import written_paths
from mkdocs_cited.mkdocs_host.finishing import finish
from mkdocs_cited.mkdocs_host.project import settings_of, watched
from mkdocs_cited.mkdocs_host.reading import Contents, Reader
from mkdocs_cited.mkdocs_host.site import Answered, Site
from mkdocs_cited.model.options import Settings

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer


class RenderedError(Exception):
    """Every page is rendered: the build of a command need not go on."""


class CitedConfig(Config):
    """The plugin's options. Their table is `settings.Settings`; MkDocs' own schema stays empty."""

    settings: Settings

    def load_dict(self, patch: dict[str, Any]) -> None:
        """Keep the raw options; they are checked as a whole by `validate`."""
        self.raw = dict(patch)
        super().load_dict({})

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        """Parse the options; what is wrong becomes MkDocs' configuration error."""
        try:
            self.settings = settings_of(
                self.raw, Path(self.config_file_path or "mkdocs.yml")
            )
        except UsageError as error:
            return [("cited", error)], []
        return [], []


class CitedPlugin(BasePlugin[CitedConfig]):
    """Docs that stay true."""

    def __init__(self) -> None:
        self.serving = False
        self.reader: Reader | None = None
        """Reads the pages of the language that is built; nothing where the plugin is switched off."""
        self.languages: list[Contents] = []
        """The languages of this build whose pages are rendered, the site's own first."""
        self.answered: list[Answered] = []
        """Those whose answers are made."""
        self.running = 0
        """Builds of a language that have begun and not ended: static-i18n builds the others in the first one's end."""
        self.of: MkDocsConfig | None = None
        """Whose build it is."""
        self.order: list[str] = []
        """Paths of the pages that the navigation lists, as readers go through them."""
        self.places = Places()
        """What Python-Markdown does for us, on every page of a build."""
        self.visitor: Callable[[int, int], None] | None = None
        """Called with every page that is rendered: how many, of how many. With one, nothing is answered: how the
        command line gets a site."""
        self.rendered, self.total = 0, 0

    def on_startup(
        self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool
    ) -> None:
        """Learn whether this is a preview; defining this also keeps the plugin over rebuilds."""
        self.serving = command == "serve"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig | None:
        """Start a build, or go on with the same one for its next language (static-i18n)."""
        settings = self.config.settings
        self.reader = None
        if not settings.enabled:
            return None
        if self.of is not config:
            self.of, self.running = config, 0
            self.places = Places(heading=settings.heading)
            config.markdown_extensions.append(self.places)  # type: ignore[arg-type]  # as autorefs does
        if not self.running:
            self.languages, self.answered = [], []
        self.running += 1
        project = adapter.project_of(config)
        self.reader = Reader(project, settings)
        if not self.visitor:  # a command knows how it was told
            name_site(Path(project.config_file_path))
        return config

    @event_priority(100)  # before any plugin makes something of the files
    def on_files(self, files: Files, *, config: MkDocsConfig) -> None:
        """Leave records, snapshots and reports out of the site, where they lie in the folder of the docs.

        Raises:
            PluginError: the docs lie in theirs; for a command it is a `UsageError`.
        """
        if not self.reader:
            return
        try:
            paths = written_paths(self.reader.project, self.reader.settings)
            adapter.leave_out(files, paths, config.docs_dir)
        except UsageError as error:
            if self.visitor:
                raise
            raise PluginError(f"cited: {error}") from error

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        """Note the navigation: answers come in its order."""
        self.order = [page.file.src_uri for page in nav.pages]
        self.rendered, self.total = 0, len(files.documentation_pages())

    # before any plugin that has another source for a page: the last one counts
    @event_priority(100)
    def on_page_read_source(self, *, page: Page, config: MkDocsConfig) -> str | None:
        """Read a file that is not UTF-8, and so no page for MkDocs."""
        if self.reader:
            return adapter.text_of(page.file)
        return None

    # before what reads citations of its own in brackets, as mkdocs-bibtex does (0)
    @event_priority(100)
    def _hide_marks(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str | None:
        if self.reader:
            return with_hidden_marks(markdown)
        return None

    # after macros (0), tags and blog (-50): the page's front matter is whole
    @event_priority(-100)
    def _declare(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str | None:
        """Read what the page declares; its answers get their places when its Markdown is rendered, which is next."""
        if not self.reader:
            return None
        if self.visitor:
            self.visitor(self.rendered, self.total)
            self.rendered += 1
        read = adapter.unrendered(page, config, self.reader.project)
        self.places.asked = self.reader.declare(
            read, adapter.bytes_of(page.file), page.meta
        )
        if markdown.strip():
            return with_shown_marks(markdown)
        return EMPTY

    on_page_markdown = CombinedEvent(_hide_marks, _declare)

    # before what takes a page's first words out of its Markdown, as RSS does
    @event_priority(100)
    def on_page_content(
        self, html: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> None:
        """Take marks out of the Markdown, which is HTML by now: a feed cannot show citations."""
        self.places.asked = ()
        if self.reader and page.markdown:
            page.markdown = without_marks(page.markdown)

    # after autorefs (-50) and mkdocstrings' back-references (-100): every page is whole now
    @event_priority(-110)
    def on_env(self, env: Any, *, config: MkDocsConfig, files: Files) -> None:
        """The one barrier: every page is rendered and none is written. Answer, and put the answers in.

        Raises:
            PluginError: a file or a name cannot be used; in a preview this is logged instead.
            RenderedError: the build is a command's, which need not go on.
        """
        if not self.reader:
            return
        settings = self.reader.settings
        contents = self.reader.contents(
            adapter.project_of(config),
            adapter.pages_of(files, config, settings, drafts=self.serving),
            order=self.order,
            held=adapter.held_back(files),
            main=self.languages[0].pages if self.languages else None,
        )
        self.languages.append(contents)
        if self.visitor:
            raise RenderedError
        site = Site(
            contents,
            settings,
            loader=env.loader,
            serving=self.serving,
            searches=bool(contents.declarations),
        )
        try:
            answered = site.answer()
            self.answered.append(answered)
            adapter.put(files, answered.published.pages)
            adapter.load(config, answered.published.loaded)
        except CitedError as error:
            # a file or a name that only now turned out to be unusable
            if not self.serving:
                raise PluginError(f"cited: {error}") from error
            log.warning("no answer was written: %s", error)

    # last: what fails here must not keep others from encrypting what they have written (-200)
    @event_priority(-1000)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write what machines read, once every language has its answers; then fail, if anything is wrong.

        Raises:
            PluginError: an answer has an error; not in a preview.
        """
        if not self.reader:
            return
        self.running -= 1
        if self.running:
            return
        failure = finish(self.answered, Path(config.site_dir), serving=self.serving)
        if failure and not self.serving:
            raise PluginError(failure)

    def on_serve(
        self,
        server: LiveReloadServer,
        *,
        config: MkDocsConfig,
        builder: Callable[..., Any],
    ) -> LiveReloadServer:
        """Let the preview build again when a record changes, or another file that answers depend on besides the
        pages."""
        if self.reader:
            for path in watched(self.reader.settings, self.reader.project.root):
                server.watch(str(path))
        return server
