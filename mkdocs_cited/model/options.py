"""The options, in one table: their names, types, defaults and meanings; and what the environment says of a run.

How they are read and validated is in `settings`; the docs' table and the JSON schema for editors are made from this.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Literal

import msgspec
from msgspec import Struct

from mkdocs_cited.model.declaration import Length, Suppression
from mkdocs_cited.model.finding import Severity

BASELINE = "cited-baseline.yml"
"""The file of findings that were there before, next to the configuration: it counts where it is there."""

UpdateMode = Literal["never", "missing", "stale", "always"]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Dollars = Annotated[float, msgspec.Meta(ge=0, le=1_000_000)]
Prices = Annotated[tuple[Dollars, ...], msgspec.Meta(min_length=2, max_length=3)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]


class ExtraSource(Struct, frozen=True, kw_only=True):
    """An entry of `extra_sources`."""

    type: Literal["file", "note", "web"] = "file"
    """`file` is cited by name and lines, a `note` by its name alone. `web` is an external page."""
    glob: str = ""
    """Files, relative to `mkdocs.yml`; nothing outside the project is read. Example: `CHANGELOG.md`"""
    name: str = ""
    """What readers see instead of the file's path; of `web`, what `sources:` and marks call it: `web:NAME`. Example:
    `the changelog`"""
    url: str = ""
    """`web`: the address of a page. Example: `https://example.org/limits`"""


class FactRule(Struct, frozen=True, kw_only=True):
    """An entry of `facts`."""

    pages: str = "**"
    """Pages that state values like this: a glob. Example: `configuration/*.md`"""
    name: Literal["any", "heading"] = "any"
    """What names a value: only the heading over it, which may be a plain word, or its list item and row, too."""
    value: str = "Default: {value}"
    """How the value is stated; `{name}` may be in it. In a table, what is before `{value}` is the header of its
    column. Example: `"Vorgabe: {value}"`"""
    code: str = ""
    """The files that have the values: a glob. Empty: all code. `in` means the same. Example: `src/app/settings.py`"""


class InventoryRule(Struct, frozen=True, kw_only=True):
    """An entry of `inventories`."""

    names: str
    """A file and which of its names: `#options` of a command line, environment `#variables`, the members or keys of
    `#NAME`, or `#*`: what the file itself defines. Example: `src/app/cli.py#options`"""
    documented_in: str
    """The page that lists them, from the folder of the docs. Example: `reference/cli.md`"""


class Web(Struct, frozen=True, kw_only=True):
    """The option block `web`."""

    private_hosts: tuple[str, ...] = ()
    """Hosts of your own, or `host:port`, whose addresses may begin with `http:`. Example:
    `[wiki.example.internal]`"""


class Anthropic(Struct, frozen=True, kw_only=True):
    """The option block `anthropic`."""

    model: str = "claude-sonnet-5-5"
    """The model that writes."""
    review_model: str = "claude-opus-5-5"
    """The model that reviews."""
    effort: Literal["low", "medium", "high", "xhigh", "max"] = "medium"
    """How hard the models think."""
    max_tokens: Count = 16_000
    """Maximum tokens of one reply, including thinking."""
    concurrency: Count = 4
    """Requests at the same time."""
    max_cost: Dollars | None = None
    """US dollars that one run may spend. The run stops before it exceeds this. Example: `5`"""
    tools: bool = True
    """Whether the writer may search the docs for more sources."""
    base_url: str = ""
    """Another address of the API; `ANTHROPIC_BASE_URL` otherwise. Example: `https://llm.example.org`"""
    own_server: bool = False
    """Whether that address is a model server of your own: it needs no key, may be `http://` on this machine or in a
    private network, and costs nothing unless `prices` says so."""
    timeout: Annotated[float, msgspec.Meta(gt=0, le=86_400)] = 600.0
    """Seconds that one request may take."""
    prices: dict[str, Prices] = {}
    """Model → US dollars per million tokens of input, of output and, where that is not a tenth of the first, of input
    read from the cache; in place of the package's dated table. Example: `{my-model: [3, 15]}`"""


class Local(Struct, frozen=True, kw_only=True):
    """The option block `local`: a sentence encoder on this machine (extra `[local]`)."""

    encoder: str = ""
    """Sentence encoder that finds by meaning, as fastembed calls it. Example:
    `sentence-transformers/all-MiniLM-L6-v2`"""
    folder: str = ""
    """Folder with the encoder's files, for a machine without a network. Example: `models/minilm`"""


class Render(Struct, frozen=True, kw_only=True):
    """The option block `render`: what readers see besides the answer."""

    disclosure: str = ""
    """A line under answers that a model wrote; empty for none. Example: `Written by a model.`"""
    checks: Literal["line", "claims", "none"] = "line"
    """What readers see of the checks. `line`: how many sentences of an answer are checked, and who did. `claims`:
    also each sentence with its verdict, as in `mkdocs serve`. `none`: neither. The number of an unconfirmed sentence
    has a question mark in any case."""
    collapse: bool = False
    """Fold each answer under its question; links, searches and print open it."""
    report: str = ""
    """Path of the report page in the site (`cited/report.html`); empty for none. Example: `cited/report.html`"""


class Settings(Struct, frozen=True, kw_only=True):
    """Every option of the plugin, validated."""

    enabled: bool = True
    """Whether the plugin does anything."""
    provider: str = "quote"
    """Who writes an answer that names no provider."""
    models: tuple[str, ...] = ()
    """Providers that ask a model and that pages may name, besides `provider`. A block `anthropic` allows that one.
    Example: `[anthropic]`"""
    reviewer: str = "lexical"
    """Who reviews: `lexical`, `anthropic`, or an installed one."""
    update: Literal["", "never", "missing", "stale", "always"] = ""
    """When records may change: by default `never` on a build server, otherwise `stale`. A build on a server or
    without a terminal changes none."""
    approval: Literal["auto", "required"] = "auto"
    """`required`: a person must accept each new text."""
    records_dir: str = "answers"
    """Folder of the records, relative to `mkdocs.yml`."""
    include: tuple[str, ...] = ()
    """Globs of pages that are sources; empty for all. Example: `[guide/*.md]`"""
    exclude: tuple[str, ...] = ()
    """Globs of pages that are not sources. Example: `[drafts/]`"""
    files: tuple[str, ...] = ()
    """Globs of other Markdown of the repository whose marks are checked: a README, decision records. Example:
    `[README.md, adr/*.md]`"""
    extra_sources: tuple[ExtraSource, ...] = ()
    """Files, notes and external pages to answer from. Example: `[{glob: CHANGELOG.md}]`"""
    web_dir: str = "sources/web"
    """Folder of the snapshots of external pages, relative to `mkdocs.yml`; it may lie outside."""
    web: Web = Web()
    """How external pages are fetched and linked. Example: `{private_hosts: [wiki.example.internal]}`"""
    length: Length = Length.NORMAL
    """How much of the docs an answer repeats: `short`, `normal`, `full`; an answer may have its own."""
    prose: Literal["cited", "quiet"] = "cited"
    """What readers see of marks in pages: citations, or nothing. A page may set `prose: quiet`."""
    facts: bool | tuple[FactRule, ...] = False
    """Compare documented defaults with the code in builds and `check`, like `mkdocs-cited facts`. `true`, or a list
    of rules that say how else the docs state them. Example: `[{pages: settings/*.md, name: heading, value: "Default:
    {value}", code: app/settings.py}]`"""
    inventories: tuple[InventoryRule, ...] = ()
    """Sets of names in code that a page lists, all of them and no other. `mkdocs-cited facts --propose` finds some.
    Example: `[{names: src/app/cli.py#options, documented_in: reference/cli.md}]`"""
    cite_threshold: Share = 0.3
    """Lowest relevance of a source, 0 to 1."""
    context_budget: Count = 22_000
    """Maximum characters of passages and headings that a model is given."""
    min_coverage: Share = 1.0
    """Share of an answer's claims that must be cited: with 0.75, one of four may lack a citation."""
    severity: dict[str, Severity] = {}
    """Severity per slug: `error`, `warning`, `info`, `off`. Example: `{partial-claim: error}`"""
    suppress: tuple[Suppression, ...] = ()
    """Findings that are silenced, each with a reason. Example: `[{slug: partial-claim, reason: Rounded on
    purpose.}]`"""
    reports: dict[str, str] = {}
    """Report format → file, written even when the build fails. Example: `{sarif: cited.sarif}`"""
    heading: Annotated[int, msgspec.Meta(ge=1, le=6)] = 2
    """Level of the heading over an appended answer."""
    footnotes: Literal["auto", "open", "folded"] = "auto"
    """The footnotes under an answer. `auto`: folded on pages with several answers. `open`, `folded`: on all pages."""
    render: Render = Render()
    """What readers see next to the answer. Example: `{checks: claims}`"""
    local: Local = Local()
    """Find by meaning. Example: `{encoder: sentence-transformers/all-MiniLM-L6-v2}`"""
    anthropic: Anthropic = Anthropic()
    """The Anthropic provider and reviewer. Example: `{max_cost: 5}`"""

    def asks(self, provider: str) -> bool:
        """True if the options ask for this provider's model. What they do not ask for, no page can."""
        if provider == "anthropic" and self.anthropic != Anthropic():
            return True
        return provider in (self.provider, self.reviewer, *self.models)

    @property
    def update_mode(self) -> UpdateMode:
        """When records may change: the option, or what holds by default (`never` on a build server)."""
        if self.update:
            return self.update
        if on_server():
            return "never"
        return "stale"

    @property
    def mode_of_builds(self) -> UpdateMode:
        """When a build may change records: on a build server or where nobody sees it never, whatever is set."""
        if on_server() or not at_terminal():
            return "never"
        return self.update or "stale"


SERVERS = (
    "CI", "CONTINUOUS_INTEGRATION", "BUILD_ID", "BUILD_NUMBER", "CODEBUILD_BUILD_ID", "JENKINS_URL", "READTHEDOCS",
    "TEAMCITY_VERSION", "TF_BUILD",
)  # fmt: skip
"""Variables that build servers set; a build on one that sets none of them is told by its lack of a terminal."""

OFFLINE = "MKDOCS_CITED_OFFLINE"
"""The variable that forbids all requests: to models, to external pages and for the sentence encoder."""
YES = ("true", "1", "yes", "on")
NO = ("", "false", "0", "no", "off")


def on_server() -> bool:
    """True if the environment is a build server's. `CI=false` says that it is none."""
    said = os.environ.get("CI", "")
    if said and not truthy(said):
        return False
    return any(truthy(os.environ.get(name, "")) for name in SERVERS)


def offline() -> bool:
    """True if the environment forbids requests."""
    return truthy(os.environ.get(OFFLINE, ""))


def at_terminal() -> bool:
    """True if a person sees what this process says, or can answer it."""
    for stream in (sys.__stdin__, sys.__stdout__, sys.__stderr__):
        if stream is not None and not stream.closed and stream.isatty():
            return True
    return False


def truthy(value: str) -> bool:
    """True if a variable of the environment says anything but no."""
    return value.strip().lower() not in NO
