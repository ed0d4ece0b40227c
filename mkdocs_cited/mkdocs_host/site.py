"""A whole site, for the command line: rendered in memory up to the point where answers go in, or read from a folder.

Nothing is written but the index; templates, search and other plugins' outputs are left out.
"""

from __future__ import annotations

import tempfile
import time
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from datetime import date
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import jinja2
from mkdocs.commands.build import build as build_site
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, BuildError, ConfigurationError
from mkdocs.structure.files import File, Files, get_files
from mkdocs.structure.pages import Page as MkDocsPage

from mkdocs_cited.base.errors import CitedError, UsageError, gathered
from mkdocs_cited.base.text import collapse, digest, glob_matches, slugify
from mkdocs_cited.base.values import replace
from mkdocs_cited.mkdocs_host import adapter
from mkdocs_cited.mkdocs_host.answering import Answering
from mkdocs_cited.mkdocs_host.build import CACHE, Build
from mkdocs_cited.mkdocs_host.finishing import write_all
from mkdocs_cited.mkdocs_host.languages import as_one
from mkdocs_cited.mkdocs_host.logger import log, quiet_mkdocs
from mkdocs_cited.mkdocs_host.plugin import CitedPlugin
from mkdocs_cited.mkdocs_host.stored import restored
from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.finding import Finding, Place, Severity, found
from mkdocs_cited.model.report import Report
from mkdocs_cited.pipeline.asking import locale_of
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.records import Record, RecordedCitation
from mkdocs_cited.records.record import canonical
from mkdocs_cited.render.cited import cited_passage, is_private
from mkdocs_cited.render.links import Links, rooted
from mkdocs_cited.render.page_text import fold, read
from mkdocs_cited.render.text_fragment import Directive
from mkdocs_cited.search.index import Index
from mkdocs_cited.settings import Settings
from mkdocs_cited.site_host import configuration as configuration_of
from mkdocs_cited.site_host.configuration import Configuration
from mkdocs_cited.site_host.gate import EXTENSION
from mkdocs_cited.site_host.pages import LARGEST, TooLarge, answers_in, read_page, read_pages

MKDOCS, PROPERDOCS = ("mkdocs.yml", "mkdocs.yaml"), ("properdocs.yml", "properdocs.yaml")
KEYS = ("site_name", "site_url", "docs_dir", "use_directory_urls", "repo_url", "edit_uri", "exclude_docs")
"""What is asked of the configuration of a site that is read from a folder."""
OURS = "Plugin 'cited' option 'cited': "
"""What MkDocs puts before what we say of our options."""
FOREIGN = "fix it: `mkdocs build` needs it, too"
"""What to do about the rest of a configuration."""
Told = Callable[..., None]
"""What is told how many things are done, and of how many; and, of pages, `why` they are rendered."""
_SHOWN = (Status.ACCEPTED, Status.STALE, Status.ABSTAINED)
"""How an answer stands that a page shows."""


class Site(Answering):
    """A site whose pages are rendered and indexed, and whose declarations are read."""

    @property
    def locale(self) -> str:
        """The site's language, for questions that no page asks."""
        return self.build.locale or locale_of(self.corpus)

    @property
    def url(self) -> str:
        """Address of the published site, with a slash at its end; empty when it is not known."""
        return rooted(self.config.site_url)

    @property
    def declarations(self) -> list[Declaration]:
        """What the pages ask."""
        return self.build.declarations

    @property
    def keys(self) -> list[str]:
        """The keys of what is asked: page by page as readers go through the navigation, then the pages that it does
        not list; on each in the order of its answers."""
        ranks = {src: rank for rank, src in enumerate(self.build.pages_in_order())}
        return [item.key for item in sorted(self.declarations, key=lambda item: ranks.get(item.page, len(ranks)))]

    def check(self, progress: Told | None = None) -> Report:
        """What is wrong with the answers, found offline and without writing anything.

        Args:
            progress: told how many answers are checked, and of how many, before the first and after each.
        """
        return self.settle(self._checking(progress))

    def _checking(self, progress: Told | None) -> Run:
        """What a check may do: nothing but look."""
        run = Run("never", writes=False, calls_models=False)
        if progress is None:
            return run
        total, numbers = len(self.declarations), count(1)
        progress(0, total)
        return replace(run, progress=lambda _: progress(next(numbers), total))

    def keep_only(self, keys: Collection[str]) -> None:
        """Keep only these declarations; the others' records are no orphans for that."""
        self.build.declarations = [item for item in self.declarations if item.key in keys]

    def keep_shard(self, part: int, whole: int) -> None:
        """Keep only the declarations of one part, chosen by their keys so that parts stay the same over edits."""
        everything = {item.key for item in self.declarations}
        self.build.declarations = [item for item in self.declarations if _number(item.key) % whole == part - 1]
        self.elsewhere = frozenset(everything - {item.key for item in self.declarations})


class BuiltSite(Site):
    """A site that is read from the folder that it was built into, by whatever generator."""

    store_name = "built"

    def __init__(self, build: Build, folder: Path, shown: Mapping[str, str], *, sections: bool) -> None:
        """Take the pages as they are shown.

        Args:
            build: their declarations and contents.
            folder: of the site.
            shown: key of each answer that a page shows → mark of its text.
            sections: whether links with a text fragment name their section.
        """
        super().__init__(build)
        self.folder, self.shown, self.sections = folder, shown, sections
        self._built: dict[str, str] = {}
        """Address of each page that was asked for → its text, folded."""

    def repeats(self, url: str, wanted: Directive) -> bool:
        """Whether the built page has the first words of a text fragment more than once: in its navigation, say."""
        if url not in self._built:
            path = url.removeprefix("./")
            file = self.folder / (path if path.endswith(".html") else f"{path}/index.html")
            fits = file.is_file() and file.stat().st_size <= LARGEST
            self._built[url] = read(file.read_text(encoding="utf-8", errors="replace")).folded if fits else ""
        return self._built[url].count(fold(wanted.start)) > 1

    def check(self, progress: Told | None = None) -> Report:
        """Like any site's; and an answer that is declared and not shown is an error, as is one of another text."""
        run = self._checking(progress)
        report = self.settle(run)
        triage = self.pipeline(run).triage
        self.report = self._situated(triage.extended(report, self._unshown(report)))
        return self.report

    def settle(self, run: Run, loader: jinja2.BaseLoader | None = None) -> Report:
        """Answer every declaration. A run that may write completes the records, for a host that sees nothing else,
        and writes what machines read into the site."""
        report = super().settle(run, loader)
        if run.writes:
            self._complete(report)
        return report

    def _unshown(self, report: Report) -> Iterator[Finding]:
        """A finding for each declared answer that the built page lacks, or shows in other words than today's."""
        answers = {answer.key: answer for answer in report.answers}
        pages, links = self.published.pages if self.published else {}, self.links()
        today = {key: words for html in pages.values() for key, words in answers_in(html).items()}
        update = f"run `mkdocs-cited update --site {self.folder}`"
        for item in self.declarations:
            answer, url = answers.get(item.key), self.build.urls.get(item.key)
            if url is None or answer is None:
                continue
            if item.key not in self.shown:
                page = f"the page `{url or '/'}` of `{self.folder}` does not show it"
                tip = f"{update}, then build the site again; on Zensical, `markdown_extensions` must hold `{EXTENSION}`"
            elif answer.status in _SHOWN and self.shown[item.key] != today.get(item.key, ""):
                page = f"the page `{url or '/'}` of `{self.folder}` shows another text"
                tip = f"{update}, then build the site again (`zensical build --clean`)"
            elif any(finding.slug == "broken-record" for finding in answer.findings):
                continue
            elif strange := _strange_links(self.store.read(item.key), answer, links):
                message = f"“{item.question}” has a record whose link {strange} is not the one to its passage"
                tip = f"{update}, then build the site again"
                yield found("broken-record", item.place, message, tip=tip, answer=item.key)
                continue
            else:
                continue
            message = f"“{item.question}” is declared, and {page}"
            yield found("missing-answer", item.place, message, tip=tip, answer=item.key)

    def _complete(self, report: Report) -> None:
        """Put into each record what a host without an index shows, and the files for machines into the site."""
        declared, links, today = {item.key: item for item in self.declarations}, self.links(), date.today().isoformat()
        for answer in report.answers:
            if answer.key not in self.build.urls or answer.status not in _SHOWN:
                continue
            kept = self.store.read(answer.key)
            record = kept if isinstance(kept, Record) else None
            unkept = record is None and answer.status is Status.ABSTAINED
            if unkept or answer.provider == AUTHORED:
                record = Record.of(answer, declared[answer.key], record, today)
            if record is not None and record.content == canonical(answer.content):
                self.store.write(record.with_footnotes(_footnotes(answer, links)))
        files = self.published.files if self.published else {}
        for fault in write_all(self.folder, files, what="a file of the site", where="the site"):
            raise fault


def _strange_links(record: object, answer: Answer, links: Links) -> str:
    """Numbers of a record's links that are not those to their passages today; empty for none."""
    today = _footnotes(answer, links)
    citations = record.citations if isinstance(record, Record) else ()
    known = ((item, today.get((item.passage, item.quote))) for item in citations if item.link)
    return ", ".join(f"[{item.sid}]" for item, now in known if now is None or item.link != now.link)


def _footnotes(answer: Answer, links: Links) -> dict[tuple[str, str], RecordedCitation]:
    """(Passage's id, quote) of each citation → how footnotes show it. Of a note, its name alone."""
    out = {}
    for source in answer.sources:
        passage, quote = cited_passage(answer, source)
        link = links(passage, "" if is_private(passage) else quote)
        out[passage.id, quote] = RecordedCitation(
            source.sid, passage.id, "", label=source.label, link=link.target, kind=passage.kind
        )
    return out


class _EnoughError(Exception):
    """Every page is rendered: the build need not go on."""


def configured(config_file: Path | None) -> tuple[MkDocsConfig, Settings]:
    """MkDocs' configuration and our options, with no page read.

    Raises:
        UsageError: the configuration is wrong, or the plugin is not in it.
    """
    with quiet_mkdocs():
        config = _config(config_file, "site")
        return config, _plugin(config).config.settings


def load(
    config_file: Path | None,
    *,
    site: Path | None = None,
    fresh: bool = False,
    progress: Told | None = None,
) -> Site:
    """The site, with its declarations read and its corpus indexed, and no answer settled yet.

    Args:
        config_file: as MkDocs' own `--config-file`.
        site: a folder with the built site, whose pages are read instead of rendering them.
        fresh: render, though nothing has changed since the last build.
        progress: told of each page that is rendered: how many are, and of how many.

    Raises:
        UsageError: the configuration is wrong, the plugin is not in it, or `site` does not hold this site.
        CitedError: another part of MkDocs could not build the site.
    """
    with tempfile.TemporaryDirectory(prefix="mkdocs-cited-") as folder, quiet_mkdocs():
        if site is not None:
            return _from_folder(config_file, folder, site)
        stored = "" if fresh else _stored(config_file, folder)
        if isinstance(stored, Build):
            log.debug("nothing is rendered: the pages' inputs are as they were when they were rendered last")
            return Site(stored)
        log.debug("the pages are rendered: %s", stored or "as asked for")
        began = time.time_ns()
        config = _config(config_file, folder)
        plugin = _plugin(config)
        plugin.visitor, plugin.progress = _stop, partial(progress, why=stored) if progress else None
        try:
            config.plugins.on_startup(command="build", dirty=False)  # as `mkdocs build` does: plugins count on it
            for _ in adapter.each_language(config):
                with suppress(_EnoughError):
                    build_site(config)
            if plugin.build is not None:
                whole = replace(as_one(plugin.build.languages), began=began)
        except (Abort, BuildError) as error:
            raise CitedError(
                f"MkDocs could not build the site: {error}", tip="run `mkdocs build` to see why"
            ) from error
        except Exception as error:
            if isinstance(error, CitedError) or _is_ours(error):
                raise
            last = traceback.extract_tb(error.__traceback__)[-1]
            problem = f"{type(error).__name__}: {error} ({last.filename}, line {last.lineno})"
            raise CitedError(f"the site could not be built: {problem}", tip="run `mkdocs build` to see more") from error
        finally:
            plugin.visitor = plugin.progress = None  # MkDocs keeps the instance for the next build of this process
            config.plugins.on_shutdown()
    if plugin.build is None:
        raise UsageError("cited is switched off: `enabled` is false", tip="set `enabled: true`")
    return Site(whole, stores_pages=True)


def _is_ours(error: Exception) -> bool:
    """Whether code of this package was at work within the build, and not another plugin, a hook or an extension."""
    package = str(Path(__file__).parents[1])
    return any(frame.filename.startswith(package) for frame in traceback.extract_tb(error.__traceback__)[1:])


def _stored(config_file: Path | None, folder: str) -> Build | str:
    """The build whose pages are in the store; why they have to be rendered, where they are not."""
    file = config_file or next((Path(name) for name in (*MKDOCS, *PROPERDOCS) if Path(name).is_file()), None)
    if file is None:
        return ""
    try:
        written = configuration_of.read(file, Path.cwd())
        index = Index.open(written.root / CACHE, name=slugify(file.stem, fallback="site"))
        return restored(index, lambda keys: reduced(replace(written, keys=keys), Path(folder), folder))
    except UsageError:
        return ""  # which MkDocs tells better


def _number(key: str) -> int:
    """A number that depends on a key alone."""
    return int.from_bytes(digest("shard", key).encode())


def _stop(build: Build) -> None:
    """Go no further."""
    raise _EnoughError


def reduced(configuration: Configuration, site: Path, folder: str) -> tuple[MkDocsConfig, Settings]:
    """MkDocs' view of a configuration that MkDocs may not be able to use: the keys that we ask for, and no theme,
    plugin or extension of it.

    Raises:
        UsageError: the options are wrong.
    """
    keys = {name: configuration.keys[name] for name in KEYS if configuration.keys.get(name) is not None}
    if not configuration.has_pages:
        keys["docs_dir"] = str(site)
    theme = configuration.keys.get("theme")
    language = theme.get("language") if isinstance(theme, Mapping) else None
    config = MkDocsConfig(config_file_path=str(configuration.file))
    ours = {
        "plugins": [{"cited": dict(configuration.options)}],
        "theme": {"name": "mkdocs", **({"language": language} if language else {})},
    }
    _use(config, {"site_name": "Site", **keys, **ours, "site_dir": folder}, configuration.file)
    return config, _plugin(config).config.settings


def _config(config_file: Path | None, folder: str) -> MkDocsConfig:
    """MkDocs' configuration, as `mkdocs build` reads it."""
    file = config_file or next((Path(name) for name in (*MKDOCS, *PROPERDOCS) if Path(name).is_file()), Path(MKDOCS[0]))
    config = MkDocsConfig(config_file_path=str(file.absolute()))
    try:
        with file.open("rb") as stream:
            config.load_file(stream)
    except FileNotFoundError as error:
        tip = "go to the folder of your site, or name its configuration with `-f FILE`"
        raise UsageError(f"there is no `{file}` here", tip=tip) from error
    except (OSError, ConfigurationError) as error:
        raise UsageError(f"{file}: cannot be used: {collapse(str(error))}", tip=FOREIGN) from error
    _use(config, {"site_dir": folder}, file)
    return config


def _use(config: MkDocsConfig, more: Mapping[str, Any], file: Path) -> None:
    """Let more keys be part of a configuration, and hold it to MkDocs' and our rules.

    Raises:
        UsageError: it breaks them; what is ours in it is said as we say it.
    """
    config.load_dict(dict(more))
    errors, warnings = config.validate()
    for name, warning in warnings:
        log.warning("Config value '%s': %s", name, warning)
    if errors:
        said = [f"Config value '{name}': {error}" for name, error in errors]
        parts = [item.partition(OURS)[2] or f"{file}: {item}" for item in said]
        pairs = [item.rpartition("\n  → ") if "\n  → " in item else (item, "", FOREIGN) for item in parts]
        raise gathered([UsageError(message, tip=tip) for message, _, tip in pairs])


def _plugin(config: MkDocsConfig) -> CitedPlugin:
    plugin = next((item for item in config.plugins.values() if isinstance(item, CitedPlugin)), None)
    if plugin is None:
        raise UsageError(f"{config.config_file_path}: the plugin `cited` is not in `plugins:`", tip="add `- cited`")
    return plugin


def _from_folder(file: Path | None, folder: str, site: Path) -> BuiltSite:
    """Pages as the built site shows them, with the declarations of their sources where these are known."""
    if not site.is_dir():
        raise UsageError(f"`{site}` is not a folder", tip="name the folder that the site was built into")
    configuration = configuration_of.read(file, Path.cwd())
    config, settings = reduced(configuration, site.resolve(), folder)
    if not settings.enabled:
        raise UsageError("cited is switched off: `enabled` is false", tip="set `enabled: true`")
    build = Build(config, settings, with_ids=False)
    build.begin()
    main = str(configuration.keys.get("main") or "")
    if configuration.has_pages:
        files, shown = _declaring(build, site, main)
    else:
        files, shown = _built_only(build, site, main)
    if not any(file.page and file.page.content for file in files):
        raise UsageError(
            f"`{site}` holds none of this site's pages", tip="name the folder that the site was built into"
        )
    build.rendered(files)
    return BuiltSite(build, site, shown, sections=not configuration.has_pages)


def _declaring(build: Build, site: Path, main: str) -> tuple[Files, dict[str, str]]:
    """The pages whose Markdown MkDocs or Zensical has read: their declarations, and what the site shows of them."""
    files = get_files(build.config)
    shown: dict[str, str] = {}
    for file in files.documentation_pages():
        page = MkDocsPage(None, file, build.config)
        page.read_source(build.config)
        build.read(page.markdown or "", page)
        path = site / file.dest_uri
        built = read_page(path, file.dest_uri, main) if path.is_file() else None
        if isinstance(built, TooLarge):
            build.findings.append(_too_large(built, site))
        elif built is not None:
            page.content = built.html
            page.title = page.meta.get("title") or built.title or page.title
            shown.update(built.answers)
    return files, shown


def _built_only(build: Build, site: Path, main: str) -> tuple[Files, dict[str, str]]:
    """The pages of a site whose sources are none of MkDocs'."""
    files = Files([])
    shown: dict[str, str] = {}
    for built in read_pages(site, main):
        if build.settings.exclude and glob_matches(built.path, build.settings.exclude):
            continue
        if isinstance(built, TooLarge):
            build.findings.append(_too_large(built, site))
        else:
            file = BuiltFile(built.path, built.url, site, build.config.site_dir)
            page = MkDocsPage(built.title, file, build.config)
            page.content, page.meta = built.html, {"lang": built.locale} if built.locale else {}
            files.append(file)
            shown.update(built.answers)
    return files, shown


def _too_large(page: TooLarge, site: Path) -> Finding:
    message = f"the page has {page.bytes:,} bytes, and {LARGEST:,} are read: it is no source"
    place = Place(f"{site}/{page.path}")
    finding = found("unreadable-source", place, message, tip="divide it, or leave it out by `exclude`")
    return replace(finding, severity=Severity.WARNING)


class BuiltFile(File):
    """A page of which only the built file is known."""

    def __init__(self, path: str, url: str, site: Path, site_dir: str) -> None:
        super().__init__(path, str(site), site_dir, use_directory_urls=False)
        self.url = url

    def is_documentation_page(self) -> bool:
        """It is a page, though no Markdown."""
        return True
