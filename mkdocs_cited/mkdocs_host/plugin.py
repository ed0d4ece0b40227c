"""MkDocs' hooks, thin: each unpacks its arguments and calls one plain function.

The layout was run against macros, snippets, autorefs, mkdocstrings, blog, tags and static-i18n: questions enter the
Markdown after every plugin that evaluates it, and answers enter the HTML after every plugin that still writes it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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
from mkdocs_cited.mkdocs_host import adapter
from mkdocs_cited.mkdocs_host.answering import ASSET_FOLDER, Answering, assets
from mkdocs_cited.mkdocs_host.build import Build
from mkdocs_cited.mkdocs_host.finishing import finish
from mkdocs_cited.mkdocs_host.logger import log
from mkdocs_cited.mkdocs_host.project import settings_of, watched
from mkdocs_cited.model.options import Settings

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer

_SELDOM = (50_000, 10, 10)
"""When Python looks for garbage during a build, in place of 700, 10, 10: nearly all that a build makes is held until
its pages are written. Walking through it again and again is 6% of a build without this plugin; this is 2%, and costs
some 10 MB of memory (`benchmarks.cost`)."""


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
        self.build: Build | None = None
        self.of: MkDocsConfig | None = None
        """Whose build it is."""
        self.nav: Navigation | None = None
        self.places = Places()
        """What Python-Markdown does for us, on every page of a build."""
        self.meanwhile = ExitStack()
        """What holds from the first page that is read to the last file that is written."""
        self.progress: Callable[[int, int], None] | None = None
        """Called with every page that is rendered: how many, of how many."""
        self.rendered, self.total = 0, 0
        self.visitor: Callable[[Build], None] | None = None
        """Called once every page is rendered, in place of answering: how the command line gets a site."""

    def on_startup(
        self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool
    ) -> None:
        """Learn whether this is a preview; defining this also keeps the plugin over rebuilds."""
        self.serving = command == "serve"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig | None:
        """Start a build, or go on with the same one for its next language (static-i18n)."""
        if not self.config.settings.enabled:
            self.build = None
            return None
        if self.build is None or self.of is not config:
            project, self.of = adapter.project_of(config), config
            self.build = Build(project, self.config.settings, serving=self.serving)
            self.places = Places(heading=self.config.settings.heading)
            config.markdown_extensions.append(self.places)  # type: ignore[arg-type]  # as autorefs does
        self.build.begin()
        if self.build.running == 1:
            self.meanwhile.close()
            self.meanwhile.enter_context(seldom_collected())
        return config

    @event_priority(100)  # before any plugin makes something of the files
    def on_files(self, files: Files, *, config: MkDocsConfig) -> None:
        """Leave records, snapshots and reports out of the site, where they lie in the folder of the docs.

        Raises:
            PluginError: the docs lie in theirs; for a command it is a `UsageError`.
        """
        if not self.build:
            return
        try:
            adapter.leave_out(files, self.build.ours(config.docs_dir))
        except UsageError as error:
            if self.visitor:
                raise
            raise PluginError(f"cited: {error}") from error

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        """Note the navigation: answers come in its order."""
        self.nav = nav
        if self.progress:
            self.rendered, self.total = 0, len(files.documentation_pages())

    # before any plugin that has another source for a page: the last one counts
    @event_priority(100)
    def on_page_read_source(self, *, page: Page, config: MkDocsConfig) -> str | None:
        """Read a file that is not UTF-8, and so no page for MkDocs."""
        if self.build:
            return adapter.text_of(page.file)
        return None

    # before what reads citations of its own in brackets, as mkdocs-bibtex does (0)
    @event_priority(100)
    def _hide_marks(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str | None:
        if self.build:
            return with_hidden_marks(markdown)
        return None

    # after macros (0), tags and blog (-50): the page's front matter is whole
    @event_priority(-100)
    def _declare(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str | None:
        """Read what the page declares; its answers get their places when its Markdown is rendered, which is next."""
        if self.progress:
            self.progress(self.rendered, self.total)
            self.rendered += 1
        if self.build:
            read = adapter.unrendered(page, config, self.build.config)
            self.places.asked = self.build.declare(
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
        if self.build and page.markdown:
            page.markdown = without_marks(page.markdown)

    # after autorefs (-50) and mkdocstrings' back-references (-100): every page is whole now
    @event_priority(-110)
    def on_env(self, env: Any, *, config: MkDocsConfig, files: Files) -> None:
        """The one barrier: every page is rendered and none is written. Answer, and put the answers in.

        Raises:
            PluginError: a file or a name cannot be used; in a preview this is logged instead.
        """
        if not self.build:
            return
        build, settings = self.build, self.build.settings
        build.config, build.loader = adapter.project_of(config), env.loader
        build.held = adapter.held_back(files)
        pages = adapter.pages_of(files, config, settings, drafts=self.serving)
        build.rendered([*pages], [*adapter.navigation(self.nav)])
        if self.visitor:
            self.visitor(build)
            return
        try:
            outcome = Answering(build, searches=build.asks).outcome()
            build.outcomes.append(outcome)
            adapter.put(files, outcome.pages)
            if outcome.pages and outcome.is_seen:
                adapter.load(
                    config,
                    [f"{ASSET_FOLDER}/{name}" for name in assets(serving=self.serving)],
                )
        except (
            CitedError
        ) as error:  # a file or a name that only now turned out to be unusable
            if not self.serving:
                raise PluginError(f"cited: {error}") from error
            log.warning("no answer was written: %s", error)

    # last: what fails here must not keep others from encrypting what they have written (-200)
    @event_priority(-1000)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write what machines read; then fail, if anything is wrong.

        Raises:
            PluginError: an answer has an error; not in a preview.
        """
        if not self.build or self.visitor:
            return
        failure = finish(self.build)
        if not self.build.running:
            self.meanwhile.close()
        if failure and not self.serving:
            raise PluginError(failure)

    def on_build_error(self, *, error: Exception) -> None:
        """Leave Python as it was found; MkDocs says what is wrong."""
        self.meanwhile.close()

    def on_serve(
        self,
        server: LiveReloadServer,
        *,
        config: MkDocsConfig,
        builder: Callable[..., Any],
    ) -> LiveReloadServer:
        """Let the preview build again when a record changes, or another file that answers depend on besides the
        pages."""
        if self.build:
            for path in watched(
                self.build.settings, self.build.root, make=bool(self.build.declarations)
            ):
                server.watch(str(path))
        return server


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Look for garbage seldom, and not among what is there already: modules, and what earlier builds have left."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
