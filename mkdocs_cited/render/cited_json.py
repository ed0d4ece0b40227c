"""The format of `cited.json` (DESIGN §9): its types, its JSON schema, and its text. What fills it lives in `sidecar`.

`python -m mkdocs_cited.render.cited_json` writes the schema that is published beside this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from mkdocs_cited.model.answer import Fit, Status, Verdict
from mkdocs_cited.model.source import PassageKind, SourceType, Via

VERSION = 3
"""Of the format; raised when a field goes or changes its meaning, not when one is added."""
_ON_REQUEST = frozenset("consulted stats usage".split())
"""Fields that stand in the file only where the option `render.texts` asks for them, beside those of a source:"""
_OF_SOURCES_ON_REQUEST = frozenset(
    "text content prefix suffix detail title reasoning objective_relevance query_relevance q_relevance".split()
)
_ALWAYS = frozenset("content claims sources review format reason provider".split())
"""Fields of an answer that stand in the file when they are empty, too."""


class PhrasingRelevance(msgspec.Struct, frozen=True):
    """How well a source matches one phrasing of the question."""

    qid: int
    """0 is the question itself, 1… its `queries`."""
    score: float


class SourceData(msgspec.Struct, frozen=True, kw_only=True):
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
    prefix: str = ""
    suffix: str = ""
    text: str = ""
    """The whole passage, as a reader sees it."""
    content: str = ""
    """What the writer could read around it; filled on request."""
    objective_relevance: float = 0.0
    query_relevance: float = 0.0
    q_relevance: tuple[PhrasingRelevance, ...] = ()
    reasoning: str = ""
    """Why it was kept; at most 320 characters."""
    published_time_iso: str = ""
    modified_time_iso: str = ""
    fetched_time_iso: str = ""
    """As of when the text of a page elsewhere stands."""


class ClaimData(msgspec.Struct, frozen=True):
    """One sentence or list item that states something."""

    text: str
    sids: tuple[int, ...]
    verdict: Verdict
    score: float


class Issue(msgspec.Struct, frozen=True):
    """What a check has against an answer."""

    slug: str
    severity: str
    message: str
    claim: str = ""
    type: str = ""
    """The slug in the protocol's words: `missing_citation`, `wrong_citation`, `unsupported`, `altered_number`, …"""
    ref: tuple[int, ...] = ()
    """The numbers that the claim cites."""
    suggested_source: str = ""
    """Id of a passage that supports the claim."""
    actual: str = ""
    """What the cited passage says."""


class ReviewData(msgspec.Struct, frozen=True, rename={"passed": "pass"}):
    """The outcome of the review, the same for every reviewer."""

    passed: bool
    issues: tuple[Issue, ...] = ()
    corrections: int = 0
    """How often the writer was asked to do better."""
    reviewer: str = ""


class Stats(msgspec.Struct, frozen=True, kw_only=True):
    """Figures about how an answer came to be."""

    rounds: int = 0
    """Drafts that were written."""
    bytes: int = 0
    """Of `content`, in UTF-8."""
    citation_coverage: float = 1.0
    """Cited claims ÷ claims."""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float = 0.0
    """US dollars."""
    counts: dict[str, float] = {}
    """Further counts, by name: sources registered, deduplicated, dropped."""


class Pointer(msgspec.Struct, frozen=True):
    """Which sources carry a string of the answer."""

    path: str
    """JSON Pointer (RFC 6901) to a string inside the answer object."""
    sids: tuple[int, ...]


class CheckData(msgspec.Struct, frozen=True):
    """Whether an answer answers its question."""

    fit: Fit
    """`yes`, `in part` or `no`."""
    reason: str
    reviewer: str = ""
    """Who says so; empty for the check by words and form."""


class AnswerData(msgspec.Struct, frozen=True, kw_only=True, rename={"citations": "_citations"}):
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
    format: str = ""
    content: str = ""
    """Markdown with `[^n]` markers, or the declaration's target."""
    target: str = "markdown"
    value: Any = None
    """The parsed content of a structured answer (`json`, `yaml`), for `_citations` to point into."""
    finished: bool = False
    """Whether writing and review came to an end, with a text or with the answer that there is none."""
    retries: int = 0
    reason: str = ""
    provider: str = ""
    model: str = ""
    written_on: str = ""
    """ISO 8601 date on which the text was written; empty for one that has no record."""
    accepted_by: str = ""
    """Who approved this very text."""
    accepted_on: str = ""
    """ISO 8601 date of that."""
    checked_on: str = ""
    """ISO 8601 date on which a person last judged one of its claims."""
    claims: tuple[ClaimData, ...] = ()
    check: CheckData | None = None
    unknown: tuple[str, ...] = ()
    """Without a text: words of the question that stand nowhere in the docs."""
    sources: tuple[SourceData, ...] = ()
    consulted: tuple[SourceData, ...] = ()
    sources_used: tuple[int, ...] = ()
    review: ReviewData
    stats: Stats = Stats()
    citations: tuple[Pointer, ...] = ()


class Usage(msgspec.Struct, frozen=True):
    """What rests on one passage."""

    first_seen: str
    """Key of the first answer, in order of keys, that cites it: `faq.md#limits`."""
    answers: tuple[str, ...]
    """Keys of all that do."""
    claims: tuple[str, ...]
    """Where their claims stand: `faq.md#limits/claims/0`."""


class CitedJson(msgspec.Struct, frozen=True):
    """The whole file."""

    version: int
    generator: str
    answers: tuple[AnswerData, ...]
    """Page by page, in the order of the page."""
    usage: dict[str, Usage] = {}


def encode(value: msgspec.Struct | Sequence[Any] | dict[str, Any]) -> str:
    """JSON text, the same for the same value, one field a line, with a newline at its end."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def concise(data: CitedJson) -> str:
    """The file as sites have it unless they ask for more: no texts of passages, nothing that is empty or that other
    fields tell, one line."""
    plain = msgspec.to_builtins(data)
    for answer in plain["answers"]:
        answer["_citations"] = [item for item in answer["_citations"] if not item["path"].startswith("/claims/")]
        answer["sources"] = [_without(source, _OF_SOURCES_ON_REQUEST) for source in answer["sources"]]
    plain["answers"] = [_without(answer, _ON_REQUEST, keep=_ALWAYS) for answer in plain["answers"]]
    return msgspec.json.encode(_without(plain, _ON_REQUEST, keep=frozenset(("answers",)))).decode() + "\n"


def _without(fields: dict[str, Any], left_out: frozenset[str], keep: frozenset[str] = frozenset()) -> dict[str, Any]:
    """An object without these fields, and without those that are empty, but for some."""
    return {
        key: value
        for key, value in fields.items()
        if key not in left_out and (key in keep or not (value is None or value in ("", [], {}, ())))
    }


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of `cited.json`, as published in `cited.schema.json`."""
    (reference,), components = msgspec.json.schema_components([CitedJson], ref_template="#/$defs/{name}")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "cited.json",
        "description": "The answers of a site built with mkdocs-cited, and the passages that they depend on.",
    }
    return {**head, **reference, "$defs": dict(sorted(components.items()))}


def resolve(data: Any, pointer: str) -> Any:
    """What a JSON Pointer (RFC 6901) leads to.

    Raises:
        LookupError: it leads to nothing.
    """
    if pointer and not pointer.startswith("/"):
        raise LookupError(pointer)
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(data, (list, tuple)):
            if not key.isdecimal() or (len(key) > 1 and key[0] == "0") or int(key) >= len(data):
                raise LookupError(pointer)
            data = data[int(key)]
        elif isinstance(data, dict) and key in data:
            data = data[key]
        else:
            raise LookupError(pointer)
    return data


if __name__ == "__main__":
    from pathlib import Path

    Path(__file__).with_name("cited.schema.json").write_text(encode(schema()), encoding="utf-8")
