"""`cited.json`: what machines read beside the site (DESIGN §9), its types, its schema, and how an answer becomes it.

Of a maintainers' note only its name is in it: no text, no quote, no path, and no message that could repeat them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
import yaml

from mkdocs_cited import __version__
from mkdocs_cited.model.answer import Answer, Status, Verdict
from mkdocs_cited.model.finding import CATALOGUE
from mkdocs_cited.model.source import Passage, PassageKind, Source, SourceType, Via
from mkdocs_cited.render.cited import cited_passage, is_private
from mkdocs_cited.render.links import LinkOf
from mkdocs_cited.text import MARKER

VERSION = 1
"""Of the format; raised when a field goes or changes its meaning, not when one is added."""


class PhrasingRelevance(msgspec.Struct, frozen=True):
    """How well a source matches one phrasing of the question."""

    qid: int
    """0 is the question itself, 1… its `queries`."""
    score: float


class SourceData(msgspec.Struct, frozen=True, kw_only=True):
    """A source of one answer."""

    sid: int
    """Its number in `content`; 0 for one that was consulted and is not cited."""
    type: SourceType
    via: Via
    label: str
    detail: str = ""
    title: str = ""
    url: str = ""
    """Relative to the site's root, or absolute for a file of the repository."""
    href: str = ""
    """`url` with anchor and text fragment."""
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


class AnswerData(msgspec.Struct, frozen=True, kw_only=True, rename={"citations": "_citations"}):
    """One answer."""

    id: str
    page: str
    url: str
    """Address of the page, relative to the site's root."""
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
    claims: tuple[ClaimData, ...] = ()
    sources: tuple[SourceData, ...] = ()
    consulted: tuple[SourceData, ...] = ()
    sources_used: tuple[int, ...] = ()
    review: ReviewData
    stats: Stats
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
    usage: dict[str, Usage] = {}


def build(
    answers: Iterable[Answer], *, url_of: Callable[[str], str], link_of: LinkOf, with_content: bool = False
) -> CitedJson:
    """The data of a site, or of one page.

    Args:
        answers: in any order.
        url_of: address of a page, relative to the site's root, by its path under `docs/`.
        link_of: the way to a quote.
        with_content: whether each source carries what the writer could read around it.
    """
    ordered = sorted(answers, key=lambda answer: answer.key)
    data = tuple(answer_data(item, url_of(item.page), link_of, with_content=with_content) for item in ordered)
    return CitedJson(VERSION, f"mkdocs-cited {__version__}", data, usage(ordered))


def encode(value: msgspec.Struct | Sequence[Any] | dict[str, Any]) -> str:
    """JSON text, the same for the same value, one field a line, with a newline at its end."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of `cited.json`, as published in `cited.schema.json`."""
    (reference,), components = msgspec.json.schema_components([CitedJson], ref_template="#/$defs/{name}")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "cited.json",
        "description": "The answers of a site built with mkdocs-cited, and the passages that they rest on.",
    }
    return {**head, **reference, "$defs": dict(sorted(components.items()))}


def answer_data(answer: Answer, url: str, link_of: LinkOf, *, with_content: bool = False) -> AnswerData:
    """One answer as data; `url` is its page's. Pointers that lead to no string of it are left out."""
    numbers = {source.passage.id: source.sid for source in answer.sources}
    cited = {citation.sid for citation in answer.citations}
    sources = [_source(item, *cited_passage(answer, item), item.sid, link_of, with_content) for item in answer.sources]
    consulted = [
        _source(item, item.passage, "", numbers.get(item.passage.id, 0), link_of, with_content)
        for item in answer.consulted
    ]
    private = any(is_private(source.passage) for source in (*answer.sources, *answer.consulted))
    data = AnswerData(
        id=answer.id,
        page=answer.page,
        url=url,
        question=answer.question,
        ok=answer.ok,
        status=answer.status,
        format=answer.format,
        content=_content(answer),
        target=answer.target,
        value=_value(answer),
        finished=bool(answer.content) or answer.status is Status.ABSTAINED,
        retries=answer.retries,
        reason="" if private else answer.reason,
        provider=answer.provider,
        model=answer.model,
        claims=tuple(
            ClaimData(item.claim.text, item.claim.sids, item.judgement.verdict, round(item.judgement.score, 4))
            for item in answer.claims
        ),
        sources=tuple(sources),
        consulted=tuple(consulted),
        sources_used=tuple(source.sid for source in answer.sources if source.sid in cited),
        review=_review(answer, private),
        stats=_stats(answer),
    )
    return msgspec.structs.replace(data, citations=_pointers(answer, data))


def usage(answers: Iterable[Answer]) -> dict[str, Usage]:
    """Passage's id → what rests on it, in order of ids; private notes are left out."""
    rests: dict[str, list[tuple[str, str]]] = {}
    for answer in sorted(answers, key=lambda item: item.key):
        cited = {citation.sid: citation.passage for citation in answer.citations}
        private = {source.sid for source in answer.sources if is_private(source.passage)}
        for sid in sorted(cited.keys() - private):
            own = [f"{answer.key}/claims/{i}" for i, item in enumerate(answer.claims) if sid in item.claim.sids]
            rests.setdefault(cited[sid], []).extend((answer.key, claim) for claim in own or [""])
    return {
        passage: Usage(
            uses[0][0],
            tuple(dict.fromkeys(key for key, _ in uses)),
            tuple(dict.fromkeys(claim for _, claim in uses if claim)),
        )
        for passage, uses in sorted(rests.items())
    }


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


def _source(source: Source, passage: Passage, quote: str, sid: int, link_of: LinkOf, with_content: bool) -> SourceData:
    page = passage.page
    name = SourceData(
        sid=sid,
        type=source.passage.type,
        via=source.via,
        label=source.label,
        title=source.passage.page.title,
        objective_relevance=round(source.relevance, 4),
        query_relevance=round(source.query_relevance, 4),
        q_relevance=tuple(PhrasingRelevance(item.phrasing, round(item.score, 4)) for item in source.phrasings),
    )
    if is_private(source.passage) or is_private(passage):
        return msgspec.structs.replace(name, type=SourceType.NOTE, label=name.title)
    link = link_of(passage, quote)
    return msgspec.structs.replace(
        name,
        detail=source.detail,
        url=page.url,
        href=link.target,
        page=page.src,
        anchor=passage.section.anchor,
        passage=passage.id,
        kind=passage.kind,
        quote=quote,
        prefix=link.prefix,
        suffix=link.suffix,
        text=passage.text,
        content="\n\n".join(item.text for item in source.context if not is_private(item)) if with_content else "",
        reasoning=source.reasoning[:320],
        published_time_iso=page.published,
        modified_time_iso=page.modified,
    )


def _review(answer: Answer, private: bool) -> ReviewData:
    issues = tuple(
        Issue(
            item.slug,
            item.severity.value,
            CATALOGUE[item.slug].summary if private and item.slug in CATALOGUE else item.message,
            item.claim,
            item.slug.removesuffix("-claim").replace("-", "_"),
            *_protocol(answer, item.claim, private),
        )
        for item in sorted(answer.findings, key=lambda finding: finding.sort_key)
    )
    return ReviewData(answer.reviewed and answer.ok, issues, answer.retries, answer.reviewer)


def _protocol(answer: Answer, claim: str, private: bool) -> tuple[tuple[int, ...], str, str]:
    """The numbers that a claim cites, the passage that a reviewer suggests for it, and what the cited one says."""
    item = next((item for item in answer.claims if claim and item.claim.text == claim), None)
    if item is None:
        return (), "", ""
    quoted = next((evidence.quote or evidence.passage.text for evidence in item.evidence), "")
    actual = "" if private else item.judgement.evidence_quote or quoted
    return item.claim.sids, item.judgement.suggested, actual


def _content(answer: Answer) -> str:
    """The text; in HTML, numbers are elements that a program can find: `<sup class="cite" data-sids="1,3">`."""
    if answer.target != "html":
        return answer.content

    def element(group: re.Match[str]) -> str:
        numbers = ",".join(MARKER.findall(group[0]))
        return f'<sup class="cite" data-sids="{numbers}">[{numbers}]</sup>'

    return re.sub(rf"(?:{MARKER.pattern})+", element, answer.content)


def _stats(answer: Answer) -> Stats:
    spend = answer.spend
    return Stats(
        rounds=answer.retries + 1 if answer.content else 0,
        bytes=len(answer.content.encode("utf-8", "replace")),
        citation_coverage=round(answer.coverage, 4),
        calls=spend.calls,
        input_tokens=spend.input_tokens,
        output_tokens=spend.output_tokens,
        cached_tokens=spend.cached_tokens,
        cost=round(spend.cost, 6),
        counts=dict(sorted(answer.telemetry.items())),
    )


def _value(answer: Answer) -> Any:
    """The parsed content of a structured answer; `None` for prose, and for what cannot be parsed."""
    try:
        match answer.target:
            case "json":
                return msgspec.json.decode(answer.content)
            case "yaml":
                return msgspec.to_builtins(yaml.safe_load(answer.content), str_keys=True)
            case _:
                return None
    except (msgspec.MsgspecError, yaml.YAMLError, TypeError, ValueError):
        return None


def _pointers(answer: Answer, data: AnswerData) -> tuple[Pointer, ...]:
    plain = msgspec.to_builtins(data)
    known = {source.sid for source in data.sources}
    wanted = [(f"/claims/{i}/text", claim.sids) for i, claim in enumerate(data.claims)]
    wanted += [(f"/value{path}", sids) for path, sids in answer.pointers]
    pointers = []
    for path, sids in wanted:
        try:
            leads_to_text = isinstance(resolve(plain, path), str)
        except LookupError:
            leads_to_text = False
        kept = tuple(sid for sid in sids if sid in known)
        if leads_to_text and kept:
            pointers.append(Pointer(path, kept))
    return tuple(pointers)


if __name__ == "__main__":
    from pathlib import Path

    Path(__file__).with_name("cited.schema.json").write_text(encode(schema()), encoding="utf-8")
