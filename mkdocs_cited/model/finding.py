"""What a check reports, the catalogue of everything that can be reported, and where in a configuration an option is,
for messages. No check lives here."""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterable, Sequence
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

import yaml
from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.bounded_yaml import compose
from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import Spans, did_you_mean, digest


class Severity(StrEnum):
    """How much a finding matters. `off` is a setting only: no finding that is shown carries it."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    OFF = "off"

    @property
    def rank(self) -> int:
        """3 for an error down to 0 for `off`, for comparing and sorting."""
        return ("off", "info", "warning", "error").index(self.value)


class Place(Struct, frozen=True, order=True):
    """A place in a file of the project."""

    file: str
    """Path relative to the folder of the configuration file, with `/`: `docs/faq.md`."""
    line: int = 1
    """First line, counted from 1."""
    column: int = 1
    """First column, counted from 1 in Unicode code points."""
    end_line: int = 0
    """Last line; 0 when only a point is known."""
    end_column: int = 0
    """One past the last column on `end_line`; 0 when only a point is known."""
    via: str = ""
    """What brought it into the file, where it is not written there."""

    def __str__(self) -> str:
        written = f"{self.file}:{self.line}"
        if self.via:
            return f"{written} (by way of {self.via})"
        return written


WAS, IS = "it was", "it is"
"""What is said of the two sides of a change."""


class Related(Struct, frozen=True):
    """A second place that explains a finding: the cited passage, the other of two passages that disagree."""

    message: str
    """What is there: `the cited passage`."""
    place: Place | None = None
    """Where it is in the project's sources, when that could be found."""
    passage: str = ""
    """Id of the passage, when it is one."""
    text: str = ""
    """The passage's text as a reader sees it."""
    url: str = ""
    """Address on the site, relative to its root."""
    marks: Spans = ()
    """Ranges of `text` in which the two sides of a change differ, as offsets in code points."""


class Detail(Struct, frozen=True):
    """One of the claims that a finding gathers."""

    number: int
    """Of the claim in its answer, from 1: what `mkdocs-cited accept --claims` counts."""
    claim: str
    """Its text, without markers."""
    place: Place
    """Where it is."""
    hint: str = ""
    """What made the reviewer doubt."""
    marks: Spans = ()
    """Ranges of `claim` that the hint is about, as offsets in code points."""
    related: tuple[Related, ...] = ()
    """The cited passages."""


class Finding(Struct, frozen=True):
    """One thing that is wrong, as inert data. Make one with `found()`, which looks up the severity."""

    slug: str
    """Key of `CATALOGUE`."""
    severity: Severity
    """As configured for this site."""
    place: Place
    """The one primary place."""
    message: str
    """What is wrong, in one sentence, naming the offending thing."""
    tip: str = ""
    """What to write or run instead."""
    answer: str = ""
    """Key of the answer it concerns: `faq.md#limits`; empty when it concerns none."""
    claim: str = ""
    """Text of the claim it concerns, without markers."""
    marks: Spans = ()
    """Offending ranges of `claim`, as offsets in code points."""
    related: tuple[Related, ...] = ()
    """Other places, most telling first."""
    details: tuple[Detail, ...] = ()
    """The claims that it gathers, in order: then `claim`, `marks` and `related` are empty."""
    number: int = 0
    """Of the claim in its answer, from 1; 0 where it concerns none, or several."""

    @property
    def fingerprint(self) -> str:
        """A stable name for this finding: question and claim, never the line, so that moving text keeps it. One that
        gathers claims is the same finding for as long as any of them is left."""
        words = self.claim or ("" if self.details else self.message)
        return digest(
            "finding", self.slug, self.answer or self.place.file, words, length=16
        )

    def about(self, detail: Detail) -> Finding:
        """This finding as it is when it concerns that claim alone."""
        related = detail.related
        return replace(self, claim=detail.claim, related=related, details=())

    @property
    def sort_key(self) -> tuple[object, ...]:
        """Page by page, line by line: as all findings are in order."""
        rank = -self.severity.rank
        words = (self.claim, self.message, self.tip, self.answer)
        return (self.place, rank, self.slug, *words)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the one order of every report, whatever order they came in."""
    return tuple(sorted(findings, key=lambda finding: finding.sort_key))


class Suppressed(Struct, frozen=True):
    """A finding that the project has chosen to silence, with the reason it gave."""

    finding: Finding
    reason: str


class Kind(Struct, frozen=True):
    """An entry of the catalogue: what one slug means."""

    slug: str
    group: str
    """`state`, `citations`, `altered`, `verdict`, `coverage` or `project`."""
    severity: Severity
    """The default; the option `severity` overrides it."""
    summary: str
    """One line for tables and SARIF's `shortDescription`."""


_DATA = files(__package__).joinpath("findings.toml").read_text(encoding="utf-8")
CATALOGUE = {
    slug: Kind(slug, group, Severity(severity), summary)
    for group, by_severity in tomllib.loads(_DATA).items()
    for severity, summaries in by_severity.items()
    for slug, summary in summaries.items()
}
"""Every slug that can be reported, in the order of the docs."""


def explanations() -> dict[str, str]:
    """Slug → what the finding means, an example, how to fix it and when to silence it, as Markdown."""
    text = files(__package__).joinpath("explanations.md").read_text(encoding="utf-8")
    sections = {}
    for section in f"\n{text}".split("\n## ")[1:]:
        slug, _, body = section.partition("\n")
        sections[slug] = body.strip()
    return sections


def explain(slug: str) -> str:
    """The explanation of a finding, with its severity and the options that silence it, as Markdown.

    Raises:
        UsageError: no finding has this slug.
    """
    if slug not in CATALOGUE:
        raise UsageError(
            f"`{slug}` is not a finding of cited", tip=did_you_mean(slug, CATALOGUE)
        )
    kind = CATALOGUE[slug]
    return (
        f"# {slug}\n\n{kind.summary}\n\n"
        f"Severity: **{kind.severity}**, unless the option `severity` has another one.\n\n"
        f"{explanations()[slug]}\n\n{_silencing(kind)}\n"
    )


def _silencing(kind: Kind) -> str:
    """The options and keys that silence a finding."""
    lower = {Severity.ERROR: "warning", Severity.WARNING: "info"}.get(
        kind.severity, "off"
    )
    site = f"On the whole site, with an option of `cited`: `severity: {{{kind.slug}: {lower}}}`"
    if kind.group == "project":
        return f"- {site}"
    answer = f"For one answer, with the option `suppress: [{{slug: {kind.slug}, answer: faq.md#limits, reason: …}}]`"
    return f"- {site}\n- {answer}"


def found(
    slug: str,
    place: Place,
    message: str,
    *,
    tip: str = "",
    answer: str = "",
    claim: str = "",
    marks: Spans = (),
    related: tuple[Related, ...] = (),
) -> Finding:
    """Make a finding with the default severity of its slug.

    Raises:
        KeyError: the slug is not in `CATALOGUE`.
    """
    return Finding(
        slug,
        CATALOGUE[slug].severity,
        place,
        message,
        tip,
        answer,
        claim,
        marks,
        related,
    )


OWN = "cited.yml"
"""The configuration of a site that is not MkDocs': options are right under `cited`."""
MOST_PARENTS = 10
"""Configurations that inherit from one another (`INHERIT`)."""

Step = str | int | tuple[str, str]
"""A key, a number in a list, or the entry of a list that has this value under this key."""


def place_of(file: Path, name: str, *path: Step) -> Place:
    """Where an option is, or as much of the way to it as there is; the file's first line where nothing of it is
    there.

    Args:
        file: the configuration; those that it inherits from are read, too.
        name: what messages call it.
        path: from the options on: `"anthropic", "model"`.
    """
    return found_place(file, name, *path) or Place(name)


def found_place(file: Path, name: str, *path: Step) -> Place | None:
    """The same; nothing where no configuration has the first step."""
    for _ in range(MOST_PARENTS):
        root = _root(file)
        node = walked(_options(root, file.name), path)
        if node is not None:
            mark = node.start_mark
            return Place(name, mark.line + 1, mark.column + 1)
        parent = _value(root, "INHERIT")
        if not isinstance(parent, yaml.ScalarNode):
            return None
        file = file.parent / parent.value
        name = posixpath.normpath(posixpath.join(posixpath.dirname(name), parent.value))
    return None


def _root(file: Path) -> yaml.Node | None:
    if file.suffix not in (".yml", ".yaml"):
        return None
    try:
        return compose(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, yaml.YAMLError):
        return None


def _options(root: yaml.Node | None, name: str) -> yaml.Node | None:
    """The options of cited in a configuration."""
    if name == OWN:
        return _value(root, "cited")
    plugins = _value(root, "plugins")
    entries = plugins.value if isinstance(plugins, yaml.SequenceNode) else [plugins]
    return next(filter(None, (_value(entry, "cited") for entry in entries)), None)


def walked(node: yaml.Node | None, path: Sequence[Step]) -> yaml.Node | None:
    """The node of the last step that is there: of a key, the key."""
    last = None
    for step in path:
        there = _step(node, step)
        if there is None:
            break
        last, node = there
    return last


def _step(node: yaml.Node | None, step: Step) -> tuple[yaml.Node, yaml.Node] | None:
    """Where a step from a node is, and what it leads to; of a key that is there twice, the last one."""
    if isinstance(node, yaml.MappingNode):
        for key, value in reversed(node.value):
            if key.value == step:
                return key, value
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            if number == step or (isinstance(step, tuple) and _has(item, *step)):
                return item, item
    return None


def _has(node: yaml.Node, key: str, value: str) -> bool:
    """True if a mapping has a value under a key."""
    there = _value(node, key)
    return there is not None and there.value == value


def _value(node: yaml.Node | None, key: str) -> yaml.Node | None:
    there = _step(node, key)
    if there:
        return there[1]
    return None
