"""The options, in one table: their names, types, defaults and meanings, whoever reads them.

`mkdocs.yml` reaches this through `config.py`; the docs' table and the JSON schema for editors are made from it.
"""

from __future__ import annotations

import dataclasses
import datetime
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from mkdocs_cited.base.errors import UsageError, gathered
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.model.declaration import Length, Suppression
from mkdocs_cited.model.finding import CATALOGUE, Severity

PREFIX = "MKDOCS_CITED_"
"""What the environment's overrides start with: `MKDOCS_CITED_CITE_THRESHOLD`."""

OFFLINE = f"{PREFIX}OFFLINE"
"""The environment's word that no request may be made to pages elsewhere; no option."""

BASELINE = "cited-baseline.yml"
"""The file of findings that were there before, beside the configuration: it counts where it is there."""

UNWRITTEN = frozenset({"review", "claim", "place"})
"""Fields that no one writes into a configuration: they are the environment's, a baseline's and the reader's."""

MOST_VALUES = 100_000
"""Values in the options, each counted as often as an alias repeats it."""

UpdateMode = Literal["never", "missing", "stale", "always"]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Dollars = Annotated[float, msgspec.Meta(ge=0)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]


def option(default: Any, doc: str, *, example: str = "") -> Any:
    """A field of the options table: its default, its meaning for the docs, and what to write where that is not told by
    the default, as YAML."""
    metadata = {"doc": doc, "example": example}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def block(kind: type, doc: str, *, example: str) -> Any:
    """A field that holds options of its own."""
    return field(default_factory=kind, metadata={"doc": doc, "example": example})


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraSource:
    """An entry of `extra_sources`."""

    type: Literal["file", "note", "web"] = option(
        "file", "`file` is cited by name and lines; of a `note` only the name is; `web` is a page elsewhere."
    )
    glob: str = option(
        "",
        "Files, relative to `mkdocs.yml`; nothing outside the project is read.",
        example="CHANGELOG.md",
    )
    name: str = option(
        "",
        "What readers see instead of the file's path; of `web`, what `sources:` and `snapshot` call it "
        "(by default its host).",
        example="the changelog",
    )
    url: str | tuple[str, ...] = option(
        "", "`web`: the address of a page, or a list of them.", example="https://example.org/limits"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """The option block `web`."""

    private_hosts: tuple[str, ...] = option(
        (),
        "Hosts of your own, or `host:port`: they may have a private or local address and begin with `http:`, and are "
        "asked without a pause.",
        example="[wiki.example.internal]",
    )
    archive: str = option(
        "",
        "Address of a copy in an archive, with `{url}` and `{date}` (20261122), for a second link; empty for none.",
        example="'https://archive.example.org/{date}/{url}'",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Anthropic:
    """The option block `anthropic`."""

    model: str = option("claude-sonnet-5-5", "The model that writes.")
    review_model: str = option("claude-opus-5-5", "The model that reviews.")
    effort: Literal["low", "medium", "high", "xhigh", "max"] = option("medium", "How hard the models think.")
    max_tokens: Count = option(16_000, "Most tokens of one reply, thinking included.")
    concurrency: Count = option(4, "Requests under way at once.")
    max_cost: Annotated[float, msgspec.Meta(ge=0)] | None = option(
        None, "US dollars that one run may spend; it stops before the sum is passed.", example="5"
    )
    tools: bool = option(True, "Whether the writer may search the docs for more sources.")
    votes: Count = option(1, "How many times each claim is judged; more than half of the verdicts must agree.")
    base_url: str = option(
        "", "Another address of the API; `ANTHROPIC_BASE_URL` otherwise.", example="https://llm.example.org"
    )
    own_server: bool = option(
        False,
        "Whether that address is a model server of your own: it needs no key, may be `http://` on this machine or in a "
        "private network, and costs nothing unless `prices` says so.",
    )
    timeout: Annotated[float, msgspec.Meta(gt=0)] = option(600.0, "Seconds that one request may take.")
    prices: dict[str, tuple[Dollars, Dollars]] = option(
        {},
        "Model → US dollars per million tokens of input and of output, in place of the package's dated table.",
        example="{my-model: [3, 15]}",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """The option block `local`: models on this machine (extra `[local]`), by the name that `models get` gave them."""

    encoder: str = option("", "Sentence encoder that finds and answers by meaning.", example="minilm")
    across_languages: bool = option(
        False, "Whether a question may find pages in other languages by meaning; the encoder must know them."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Render:
    """The option block `render`: what readers see besides the answer."""

    reviewed: bool = option(False, "Who or what reviewed the answer, and the date of the last change of either.")
    edit_links: bool = option(
        False, "Links to edit question and record, as `repo_url` and `edit_uri` say; in a preview always."
    )
    feedback: bool = option(False, "Ask under each answer whether it helped, by the theme's own feedback widget.")
    disclosure: str = option(
        "", "A line under answers that a model wrote; empty for none.", example="Written by a model."
    )
    unconfirmed: bool = option(False, "Tell readers which claims nobody has confirmed yet; a preview always does.")
    fact_check: bool = option(False, "Publish the fact-check view, which `mkdocs serve` always has.")
    cited_by: bool = option(False, "Show on a cited section the answers that rest on it.")
    report: str = option(
        "", "Path of the report page in the site (`cited/report.html`); empty for none.", example="cited/report.html"
    )
    json_ld: bool = option(
        False, "Write JSON-LD (`FAQPage`: questions, plain answers, dates, citations) into the page."
    )
    texts: bool = option(False, "Whether `cited.json` also holds the passages' texts, and what was consulted.")
    style: str = option(
        "[{n}]", "Template of a citation's mark: `{n}`, `{author}`, `{year}`, `{title}`.", example="'[{n}]'"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every option of the plugin, validated."""

    enabled: bool = option(True, "Whether the plugin does anything.")
    provider: str = option("extractive", "Who writes an answer that names no provider.")
    models: tuple[str, ...] = option(
        (),
        "Providers of models that a page may name besides `provider`; a block `anthropic` names that one.",
        example="[anthropic]",
    )
    reviewer: str = option("lexical", "Who reviews: `lexical`, `anthropic` (or `both`, the same), an installed one.")
    review: bool = True
    """Whether claims are reviewed; `MKDOCS_CITED_REVIEW=false` alone switches it off, for one run."""
    update: Literal["", "never", "missing", "stale", "always"] = option(
        "", "When records may change; by default `never` where `CI` is set, `stale` elsewhere."
    )
    approval: Literal["auto", "required"] = option("auto", "`required`: a person must accept each new text.")
    records_dir: str = option("answers", "Folder of the records, relative to `mkdocs.yml`.")
    include: tuple[str, ...] = option((), "Globs of pages that are sources; empty for all.", example="[guide/*.md]")
    exclude: tuple[str, ...] = option((), "Globs of pages that are not sources.", example="[drafts/]")
    archive: tuple[str, ...] = option(
        (), "Globs of superseded pages, besides those with `status: deprecated`.", example="[v1/]"
    )
    questions: str = option("", "File of questions that every build checks and no page shows.", example="questions.yml")
    extra_sources: tuple[ExtraSource, ...] = option(
        (), "Files, notes and pages elsewhere to answer from.", example="[{glob: CHANGELOG.md}]"
    )
    inputs: tuple[str, ...] | None = option(
        None,
        "Globs of files that hooks and unknown plugins make pages from; `[]`: none. Then commands need not "
        "render pages again.",
        example="[hooks/*.yml]",
    )
    web_dir: str = option(
        "sources/web", "Folder of the snapshots of pages elsewhere, relative to `mkdocs.yml`; it may lie outside."
    )
    web: Web = block(
        Web, "How pages elsewhere are fetched and linked.", example="{private_hosts: [wiki.example.internal]}"
    )
    length: Length = option(
        Length.NORMAL, "How much of the docs an answer repeats: `short`, `normal`, `full`; an answer may say its own."
    )
    on_abstain: Literal["pointers", "notice", "hide"] = option(
        "pointers", "What readers see where the docs hold no answer: links to the closest sections, a line, nothing."
    )
    prose: Literal["cited", "quiet"] = option(
        "cited", "What readers see of the claims that pages mark: citations, or nothing. A page may say `prose: quiet`."
    )
    cite_threshold: Share = option(0.3, "Least relevance of a source, 0…1.")
    max_sources: Count = option(8, "Most sources the offline writer is given.")
    context_budget: Count = option(22_000, "Characters a model is given to write from: whole sections, nearest first.")
    context: Literal["passage", "section", "page"] = option("section", "How much of a source the writer sees.")
    min_coverage: Share = option(1.0, "Least share of an answer's claims that are cited; below 1, the others pass.")
    severity: dict[str, Severity] = option(
        {}, "Severity per slug: `error`, `warning`, `info`, `off`.", example="{partial-claim: error}"
    )
    suppress: tuple[Suppression, ...] = option(
        (),
        "Findings that are silenced, each with a reason.",
        example="[{slug: partial-claim, reason: Rounded on purpose.}]",
    )
    page_suppress: tuple[str, ...] = option(
        (),
        "Proofs that a page's own `suppress` may silence: `contradicted-claim`, `altered-number` …",
        example="[altered-number]",
    )
    reports: dict[str, str] = option(
        {}, "Report format → file, written even when the build fails.", example="{sarif: cited.sarif}"
    )
    heading: Annotated[int, msgspec.Meta(ge=1, le=6)] = option(2, "Level of the heading over an appended answer.")
    footnotes: Literal["auto", "open", "folded", "none"] = option(
        "auto",
        "The footnotes under an answer: folded up where they are longer than it, always `open`, always `folded`, "
        "or `none`, and the numbers lead to the passages.",
    )
    render: Render = block(Render, "What readers see besides the answer.", example="{reviewed: true}")
    local: Local = block(Local, "Models on this machine.", example="{encoder: minilm}")
    anthropic: Anthropic = block(Anthropic, "The Anthropic provider and reviewer.", example="{max_cost: 5}")

    def asks(self, provider: str) -> bool:
        """Whether the options ask for this provider's model. What they do not ask for, no page can."""
        if provider == "anthropic" and (self.reviewer == "both" or self.anthropic != Anthropic()):
            return True
        return provider in (self.provider, self.reviewer, *self.models)

    @property
    def update_mode(self) -> UpdateMode:
        """When records may change: the option, or what the environment makes the default (`never` where it says CI)."""
        if self.update:
            return self.update
        return "never" if _truthy(os.environ.get("CI", "")) else "stale"


def _truthy(value: str) -> bool:
    return value.strip().lower() not in ("", "false", "0", "no", "off")


def offline(environ: Mapping[str, str] | None = None) -> bool:
    """Whether the environment (by default the process's own) forbids requests to pages elsewhere."""
    return _truthy((environ if environ is not None else os.environ).get(OFFLINE, ""))


def parse(
    options: Mapping[str, Any], environ: Mapping[str, str] | None = None, *, file: Path = Path("mkdocs.yml")
) -> Settings:
    """Validate the options of `mkdocs.yml`, with the environment's overrides.

    Args:
        options: the block under `cited:`.
        environ: by default the process's own.
        file: the configuration file, for messages.

    Raises:
        UsageError: options are unknown, or their values are not of their types; names all of them, each with its line
            and what to write.
    """
    known = {f.name: f for f in dataclasses.fields(Settings)}
    _bounded(options, file.name)
    merged = {key: _as_written(value) for key, value in options.items() if value is not None}
    overrides = dict(_overrides(environ if environ is not None else os.environ))
    unusable = [*_unknown(merged, Settings, ()), *_endless(merged, ())]
    problems = []
    for name, value in overrides.items():
        if name in known:
            merged[name] = _from_environment(value, known[name].default)
        else:
            tip = GONE.get(name) or did_you_mean(name, known)
            problems.append(UsageError(f"environment: {PREFIX}{name.upper()} is not an option of cited", tip=tip))
    if isinstance(merged.get("severity"), Mapping):  # YAML reads a bare `off` as false
        merged["severity"] = {key: "off" if value is False else value for key, value in merged["severity"].items()}
    wrong = [*unusable, *_no_findings(merged)]
    try:
        settings = msgspec.convert(merged, Settings)
    except msgspec.ValidationError:
        settings = None
    if settings is not None and not wrong and not problems:
        return settings
    from mkdocs_cited.settings.errors import at, taken_out, wrong_values

    problems += [UsageError(f"{at(file, path)}: {said}", tip=tip) for path, said, tip in wrong]
    if settings is None:
        for path, *_ in unusable:
            taken_out(merged, path)
        problems += wrong_values(merged, Settings, _NESTED, file=file, overridden=overrides, env=PREFIX)
    raise gathered(problems)


Wrong = tuple[tuple[str | int, ...], str, str]
"""The way to an option, what is wrong with it, what to do."""


def _bounded(options: Mapping[str, Any], file: str) -> None:
    """Refuse options that YAML's aliases make large without end, or endless."""
    todo: list[Any] = [options]
    for _ in range(MOST_VALUES):
        if not todo:
            return
        value = todo.pop()
        todo += value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    raise UsageError(f"{file}: cited: more than {MOST_VALUES:,} values", tip="write out what its YAML aliases repeat")


def _as_written(value: Any) -> Any:
    """A value with dates as the text that was written: YAML reads `expires: 2027-01-31` as one."""
    if isinstance(value, Mapping):
        return {key: _as_written(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_written(inner) for inner in value]
    return value.isoformat() if isinstance(value, datetime.date) else value


def _endless(value: Any, path: tuple[str | int, ...]) -> Iterator[Wrong]:
    """`.nan` and `.inf`, which no comparison with a limit ends well for."""
    if isinstance(value, float) and not math.isfinite(value):
        name = ".".join(map(str, path))
        yield path, f"cited: option `{name}`: `{value}` is no number to count with", "write a number"
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from _endless(inner, (*path, key))


def _no_findings(options: Mapping[str, Any]) -> Iterator[Wrong]:
    """What `severity` and `suppress` name that is no finding."""
    severity, suppress = options.get("severity"), options.get("suppress")
    named: list[tuple[tuple[str | int, ...], Any]] = []
    named += [(("severity", slug), slug) for slug in severity] if isinstance(severity, Mapping) else []
    named += [
        (("suppress", number, "slug"), item["slug"])
        for number, item in enumerate(suppress if isinstance(suppress, list) else ())
        if isinstance(item, Mapping) and "slug" in item
    ]
    for path, slug in named:
        if isinstance(slug, str) and slug not in CATALOGUE:
            yield path, f"`{slug}` is not a finding of cited", did_you_mean(slug, CATALOGUE)


GONE = {
    "baseline": f"delete it: `{BASELINE}` beside the configuration counts where it is there",
    "on_review_error": "write `severity: {review-incomplete: warning}` for `warn`",
    "review": f"set `{PREFIX}REVIEW=false` in the environment of a run; `reviewer` says who reviews",
    "extra_sources.urls": "write the list under `url`",
    "lexical": "delete it: the offline reviewer fails what it can prove wrong, and leaves the rest to people",
    "render.last_checked": "write `reviewed: true`, which tells the date and who reviewed",
    "render.reviewed_by": "write `reviewed: true`, which tells the date and who reviewed",
    "render.abstention": "write `on_abstain: notice` or `on_abstain: hide` for `false`",
    "render.sources_panel": "outside of `render`, write `footnotes: folded` for `always`, `open` for `never`",
    "render.page_json": "delete it: `cited.json` at the root of the site holds the answers of every page",
    "web.http": "name the host under `private_hosts`, whose addresses may begin with `http:`",
    "web.pause": "delete it: a host is asked once a second at most, those of `private_hosts` without a pause",
    "anthropic.max_rounds": "delete it: a writer looks further four times at most; `tools: false` forbids it",
    "anthropic.votes.of": "write `votes: 3` for `votes: {of: 3, need: 2}`: more than half of the verdicts must agree",
    "anthropic.votes.need": "write `votes: 3` for `votes: {of: 3, need: 2}`: more than half of the verdicts must agree",
    "anthropic.on_serve": "delete it: `mkdocs serve` asks no model; `mkdocs-cited update` and `mkdocs-cited ask` do",
}
"""Options of earlier versions → what to do instead."""


def _unknown(value: Any, kind: Any, path: tuple[str | int, ...]) -> Iterator[Wrong]:
    """Keys that no option has, with the closest one that exists; msgspec alone would drop them."""
    if not isinstance(value, Mapping):
        return
    known = [f.name for f in dataclasses.fields(kind) if f.name not in UNWRITTEN]
    above = "".join(f"{step}." for step in path if isinstance(step, str))
    for name, inner in value.items():
        here = (*path, name)
        if name not in known:
            tip = GONE.get(f"{above}{name}") or did_you_mean(f"{above}{name}", {f"{above}{key}": None for key in known})
            yield here, f"`{above}{name}` is not an option of cited", tip
        nested = _NESTED.get((kind, name))
        if nested and isinstance(inner, (list, tuple)):
            for number, item in enumerate(inner):
                yield from _unknown(item, nested, (*here, number))
        elif nested:
            yield from _unknown(inner, nested, here)
        elif isinstance(inner, Mapping):  # what was a block once
            for key in inner:
                if instead := GONE.get(f"{above}{name}.{key}"):
                    yield here, f"`{above}{name}.{key}` is not an option of cited", instead
                    break


_NESTED: dict[tuple[type, str], type] = {
    (Settings, "anthropic"): Anthropic,
    (Settings, "local"): Local,
    (Settings, "render"): Render,
    (Settings, "extra_sources"): ExtraSource,
    (Settings, "suppress"): Suppression,
    (Settings, "web"): Web,
}


def _overrides(environ: Mapping[str, str]) -> list[tuple[str, str]]:
    return [
        (key[len(PREFIX) :].lower(), value)
        for key, value in sorted(environ.items())
        if key.startswith(PREFIX) and key != OFFLINE
    ]


def _from_environment(value: str, default: Any) -> Any:
    if isinstance(default, bool):
        return _truthy(value)
    if isinstance(default, tuple):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(default, (int, float)):
        try:
            return type(default)(value)
        except ValueError:
            return value
    return value
