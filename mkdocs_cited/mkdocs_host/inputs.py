"""The rendered pages of a build, in the store for commands: they render nothing where what the pages are made from is
as it was. Their HTML is searched and never shown.

What pages are made from is told from the configuration. Plugins and extensions that are known read the pages, the files
of the project, or git; what any other reads, and a hook, the option `inputs` has to say.
"""

from __future__ import annotations

import hashlib
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.git import git_or_nothing
from mkdocs_cited.base.values import replace
from mkdocs_cited.mkdocs_host.build import Build
from mkdocs_cited.mkdocs_host.project import Project, SitePage
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.options import Settings
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.rows import Rendered
from mkdocs_cited.site_host import configuration
from mkdocs_cited.site_host.configuration import Configuration

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

OF_PAGES = (
    "mkdocs.contrib.", "properdocs.contrib.", "mkdocs_cited.", "material.plugins.blog.", "material.plugins.group.",
    "material.plugins.meta.", "material.plugins.offline.", "material.plugins.search.", "material.plugins.tags.",
    "mkdocs_autorefs.", "mkdocs_awesome_nav.", "mkdocs_awesome_pages_plugin.", "mkdocs_exclude.",
    "mkdocs_git_authors_plugin.", "mkdocs_git_revision_date_localized_plugin.", "mkdocs_git_revision_date_plugin.",
    "mkdocs_glightbox.", "mkdocs_literate_nav.", "mkdocs_minify_plugin.", "mkdocs_redirects.", "mkdocs_rss_plugin.",
    "mkdocs_section_index.", "mkdocs_static_i18n.",
)  # fmt: skip
"""Modules of plugins that read pages, what is in their folder, and git."""
OF_PROJECT = ("mkdocs_include_markdown_plugin.", "mkdocs_macros.", "mkdocstrings.")
"""Modules of plugins that read files of the project, too."""
EXTENSIONS = (
    "abbr.", "admonition.", "attr_list.", "codehilite.", "def_list.", "extra.", "fenced_code.", "footnotes.",
    "legacy_attrs.", "legacy_em.", "markdown.", "material.extensions.", "md_in_html.", "mdx_truly_sane_lists.",
    "meta.", "mkdocs_cited.", "nl2br.", "pymdownx.", "sane_lists.", "smarty.", "tables.", "toc.", "wikilinks.",
)  # fmt: skip
"""Modules of Markdown extensions that are known, and the names of Markdown's own."""
_WITHOUT_GIT = ("mkdocs.contrib.", "properdocs.contrib.", "mkdocs_cited.", "material.plugins.")
_COMMAND_LINE = frozenset(("site_dir", "strict", "config_file", "config_file_path"))
"""What a command line may change of a configuration, with the same pages to come of it."""
_SKIPPED = frozenset(("node_modules", "__pycache__"))
MOST_FILES = 50_000
"""Files of a project that are looked at; the pages of a larger one are rendered each time."""
_GRAIN = 20_000_000
"""Nanoseconds by which a file's time may lag behind the clock."""

Stamp = tuple[int, int, int, int]
"""Size, time of change of content and of inode in ns, and inode."""


class UnknownError(Exception):
    """Why commands have to render pages again."""


class Inputs(Struct, frozen=True):
    """What pages were made from, as it was when they were rendered."""

    roots: tuple[tuple[str, bool], ...]
    """Absolute paths, or globs, of files and folders that count; whether what is hidden in them counts, too."""
    outputs: tuple[str, ...]
    """Absolute paths of what is only written."""
    git: str
    """A folder of the repository that is read; empty for none."""
    around: str
    """Checksum of what is installed, and of the configuration with the values of the variables that it names."""
    commit: str
    files: Mapping[str, Stamp] = {}

    def change(self, written: Configuration) -> str:
        """What has changed since, in words; empty where nothing has."""
        if self.commit != _commit(self.git):
            return "git has checked out another commit"
        try:
            found = self.found()
        except UnknownError as error:
            return str(error)
        if other := sorted(found.keys() ^ self.files.keys()):
            return f"`{_short(other[0])}` is {'new' if other[0] in found else 'gone'}"
        if changed := next((path for path, stamp in found.items() if stamp != self.files[path]), ""):
            return f"`{_short(changed)}` has changed"
        different = self.around != _around(written)
        return "a package, or a variable of the configuration, has changed" if different else ""

    def found(self) -> dict[str, Stamp]:
        """Path of each file → its stat."""
        found: dict[str, Stamp] = {}
        for name, hidden in self.roots:
            start = Path(name).anchor
            for path in [Path(name)] if Path(name).exists() else Path(start).glob(name.removeprefix(start)):
                below = _below(str(path), self.outputs, hidden=hidden) if path.is_dir() else [(str(path), path.stat())]
                for file, status in below:
                    found[file] = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
                    if len(found) > MOST_FILES:
                        many = f"the project has more than {MOST_FILES:,} files"
                        raise UnknownError(f"{many} (name those that count: `inputs`)")
        return found


class _Head(Struct, frozen=True):
    """What one rendering came to, besides its HTML."""

    config: Project
    inputs: Inputs
    settings: str
    declarations: list[Declaration]
    urls: dict[str, str]
    findings: list[Finding]
    fully_parsed: list[str]
    pages: list[SitePage]
    """Without their HTML."""
    locale: str
    """The site's own language, where it has several."""
    order: tuple[str, ...]
    """Paths of the pages in the navigation's order."""
    held: Mapping[str, str]
    """Path of each page that is held back from readers → why."""


def rendered(build: Build, inputs: Inputs) -> Rendered:
    """The pages of a build that has rendered them, for the store.

    Raises:
        UnknownError: why commands have to render them again.
    """
    if any(html is None for _, html in build.documents):
        raise UnknownError("not every page was rendered")
    head = _Head(
        build.config,
        inputs,
        repr(build.settings),
        build.declarations,
        build.urls,
        build.findings,
        sorted(build.fully_parsed),
        [replace(page, html=None) for page, _ in build.shown_pages],
        build.locale,
        tuple(build.order),
        build.held,
    )
    public = {page.url: "" if page.held else html for page, html in build.shown_pages}
    return Rendered(msgspec.msgpack.encode(head), public)


def restored(index: Index, written: Configuration, settings: Settings) -> Build | str:
    """The build of a configuration, as it was once its pages were rendered; or why they have to be rendered.

    Args:
        index: of the configuration.
        written: the configuration.
        settings: its options.
    """
    stored = index.rendered()
    head = _head(stored)
    if stored is None or head is None:
        return "no build has stored them"
    if change := head.inputs.change(written):
        return change
    if Path(head.config.config_file_path).resolve() != written.file:
        return "the project has moved"
    if repr(settings) != head.settings:
        return "the options have changed"
    return Build(
        head.config,
        settings,
        declarations=head.declarations,
        urls=head.urls,
        findings=head.findings,
        fully_parsed=set(head.fully_parsed),
        pages=[replace(page, html=stored.pages[page.url]) for page in head.pages],
        locale=head.locale,
        order=head.order,
        held=head.held,
    )


def _head(stored: Rendered | None) -> _Head | None:
    try:
        return msgspec.msgpack.decode(stored.head, type=_Head) if stored else None
    except (msgspec.MsgspecError, RecursionError):  # of another version
        return None


def inputs_of(config: MkDocsConfig, settings: Settings, root: Path, began: int) -> Inputs:
    """What the pages of a site are made from, as it is now.

    Args:
        config: by now.
        settings: our options.
        root: the folder of the configuration.
        began: when the first file may have been read, in ns.

    Raises:
        UnknownError: the configuration does not tell, there are too many files, or one was changed meanwhile.
    """
    plugins = [f"{type(plugin).__module__}." for plugin in config.plugins.values()]
    if settings.inputs is None and (stranger := next(_strangers(config), "")):
        raise UnknownError(f"what {stranger} reads is not known (name it: `inputs`)")
    file = Path(config.config_file_path).resolve()
    try:
        written = configuration.read(file, file.parent)
    except UsageError as error:  # MkDocs has understood more of it than we do
        raise UnknownError(error.message) from error
    snippets = (config.mdx_configs.get("pymdownx.snippets") or {}).get("base_path", ())
    parts: list[str] = [snippets] if isinstance(snippets, str) else list(snippets)
    named = (*map(str, written.files), *map(str, config.hooks), *(settings.inputs or ()), settings.questions)
    roots = [(path, True) for path in (config.docs_dir, config.theme.custom_dir or "", *parts, *named) if path]
    if settings.inputs is None and any(name.startswith(OF_PROJECT) for name in plugins):
        roots.append((str(root), False))
    absolute = tuple((os.path.normpath(root / path), hidden) for path, hidden in roots)
    outputs = (".cache", config.site_dir, str(written.keys.get("site_dir") or "site"), settings.records_dir)
    git = str(root) if config.hooks or not all(name.startswith(_WITHOUT_GIT) for name in plugins) else ""
    written_to = tuple(os.path.normpath(root / path) for path in (*outputs, *settings.reports.values()))
    inputs = Inputs(absolute, written_to, git, _around(written), _commit(git))
    files = inputs.found()
    if recent := next((path for path, stamp in files.items() if stamp[1] > began - _GRAIN), ""):
        raise UnknownError(f"`{_short(recent)}` has just changed")
    return replace(inputs, files=files)


def _strangers(config: MkDocsConfig) -> Iterator[str]:
    """What may read anything, in words."""
    for hook in config.hooks:
        yield f"the hook `{hook}`"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # MkDocs has no other word for what a command line says
        given = config.user_configs[1:]
    for key in {key for options in given for key in options} - _COMMAND_LINE:
        yield f"a build with `{key}` on its command line"
    for name, plugin in config.plugins.items():
        if not f"{type(plugin).__module__}.".startswith((*OF_PAGES, *OF_PROJECT)):
            yield f"the plugin `{name}`"
    for extension in config.markdown_extensions:
        module = extension if isinstance(extension, str) else type(extension).__module__
        if not f"{module}.".startswith(EXTENSIONS):
            yield f"the extension `{module}`"
    if (config.mdx_configs.get("pymdownx.snippets") or {}).get("url_download"):
        yield "the extension `pymdownx.snippets`"


def _below(folder: str, skipped: tuple[str, ...], *, hidden: bool) -> Iterator[tuple[str, os.stat_result]]:
    """Every file below a folder, with its stat; no environment of Python, and nothing that is skipped."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    if any(entry.name == "pyvenv.cfg" for entry in entries):
        return
    for entry in entries:
        if entry.name in _SKIPPED or entry.path in skipped or (entry.name.startswith(".") and not hidden):
            continue
        try:
            if entry.is_dir():
                yield from _below(entry.path, skipped, hidden=hidden)
            else:
                yield entry.path, entry.stat()
        except OSError:  # gone, or a link to nowhere
            continue


def _around(written: Configuration) -> str:
    """Checksum of what is installed, and of the configuration."""
    return _digest(repr((sys.version, packages(), written.keys)).encode("utf-8", "surrogatepass"))


def packages() -> list[str]:
    """Names and versions of what is installed (`requests-2.32.3.dist-info`), in order of their names."""
    found: list[str] = []
    for folder in sys.path:
        try:
            found += (
                entry.name for entry in os.scandir(folder or ".") if entry.name.endswith((".dist-info", ".egg-info"))
            )
        except OSError:  # a zip file, or a folder that is not there
            continue
    return sorted(found)


def _commit(folder: str) -> str:
    return _digest(git_or_nothing(Path(folder), "rev-parse", "--verify", "--quiet", "HEAD").encode()) if folder else ""


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _short(path: str) -> str:
    """A path as messages show it: relative to the folder of the command, where it is below."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative.replace(os.sep, "/")
