"""The format of `cited.json`: its types, its JSON schema, and its text. What fills it lives in `sidecar`.

What is empty is left out.

`python -m mkdocs_cited.render.cited_json` writes the schema that is published next to this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from mkdocs_cited.model.answer import Fit, Status, Verdict
from mkdocs_cited.model.source import PassageKind, SourceType, Via

VERSION = 5
"""Of the format; raised when a field goes or changes its meaning, not when one is added."""


class SourceData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A source of one answer."""

    sid: int
    """Its number in `content`; 0 for one that was consulted and is not cited."""
    note: int = 0
    """Number of its footnote on the page, which neighbouring passages share; 0 for none."""
    type: SourceType
    via: Via
    label: str
    detail: str = ""
    title: str = ""
    url: str = ""
    """Relative to the site's root, or absolute for a file of the repository."""
    href: str = ""
    """`url` with anchor and text fragment."""
    exact: bool = True
    """Whether `href` leads to the passage itself, not just to its section."""
    page: str = ""
    """Path under `docs/`, or in the repository for a file."""
    anchor: str = ""
    passage: str = ""
    """The passage's stable id."""
    kind: PassageKind | None = None
    quote: str = ""
    text: str = ""
    """The whole passage, as a reader sees it; of `ask` only."""
    objective_relevance: float = 0.0
    """0…1, over all phrasings of the question; of `ask` only."""
    reasoning: str = ""
    """Why it was selected, in at most 320 characters; of `ask` only."""
    published_time_iso: str = ""
    modified_time_iso: str = ""
    fetched_time_iso: str = ""
    """As of when the text of an external page holds."""


class ClaimData(msgspec.Struct, frozen=True, omit_defaults=True):
    """One sentence or list item that states something."""

    text: str
    sids: tuple[int, ...]
    verdict: Verdict
    by: str = ""
    """The person or reviewer whose verdict it is; empty for none."""


class Issue(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a check has against an answer."""

    slug: str
    severity: str
    message: str
    claim: str = ""


class ReviewData(
    msgspec.Struct, frozen=True, omit_defaults=True, rename={"passed": "pass"}
):
    """The outcome of the review, the same for every reviewer."""

    passed: bool
    issues: tuple[Issue, ...] = ()
    corrections: int = 0
    """How often the writer was asked to do better."""
    reviewer: str = ""


class Pointer(msgspec.Struct, frozen=True):
    """Which sources carry a string of the answer."""

    path: str
    """JSON Pointer (RFC 6901) to a string inside the answer object."""
    sids: tuple[int, ...]


class CheckData(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether an answer answers its question."""

    fit: Fit
    """`yes`, `in part` or `no`."""
    reason: str
    reviewer: str = ""
    """Who says so; empty for the check by words and form."""


class AnswerData(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    rename={"citations": "_citations"},
):
    """One answer."""

    id: str
    page: str
    url: str
    """Address of the page, relative to the site's root."""
    anchor: str = ""
    """Id of the answer's block on that page."""
    position: int = 0
    """Which answer of its page it is, from the top, from 1; 0 for one that no page shows."""
    question: str
    ok: bool
    status: Status
    content: str
    """Markdown with `[^n]` markers, or the declaration's target."""
    target: str
    value: Any = None
    """The parsed content of a structured answer (`json`, `yaml`), for `_citations` to point into."""
    reason: str
    provider: str
    model: str = ""
    written_on: str = ""
    """ISO 8601 date on which the text was written; empty for one that has no record."""
    accepted_by: str = ""
    """Who approved this very text."""
    accepted_on: str = ""
    """ISO 8601 date of that."""
    checked_on: str = ""
    """ISO 8601 date on which a person last judged one of its claims."""
    claims: tuple[ClaimData, ...]
    check: CheckData | None = None
    unknown: tuple[str, ...] = ()
    """Without a text: words of the question that are nowhere in the docs."""
    sources: tuple[SourceData, ...]
    consulted: tuple[SourceData, ...] = ()
    """What the writer was given, in rank order; of `ask` only."""
    review: ReviewData
    citations: tuple[Pointer, ...] = ()


class UseData(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an answer says on the ground of one passage."""

    answer: str
    """Its key: page and id."""
    claims: tuple[int, ...] = ()
    """Which of its claims, counted from 0; empty where the claims were not looked at."""


class CitedJson(msgspec.Struct, frozen=True):
    """The whole file."""

    version: int
    generator: str
    answers: tuple[AnswerData, ...]
    """Page by page, in the order of the page."""
    usage: dict[str, tuple[UseData, ...]]
    """Id of a passage → the answers and claims that depend on it: what a change of it concerns."""


def encode(value: Sequence[Any] | dict[str, Any]) -> str:
    """JSON text, the same for the same value, one field a line, with a newline at its end."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of `cited.json`, as published in `cited.schema.json`."""
    (reference,), components = msgspec.json.schema_components(
        [CitedJson], ref_template="#/$defs/{name}"
    )
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "cited.json",
        "description": "The answers of a site built with mkdocs-cited, and the passages that they depend on.",
    }
    return {**head, **reference, "$defs": dict(sorted(components.items()))}


if __name__ == "__main__":
    from pathlib import Path

    Path(__file__).with_name("cited.schema.json").write_text(
        encode(schema()), encoding="utf-8"
    )
