"""`cited.json`: its types, and how answers become its data. Its JSON schema is `cited.schema.json`.

What is empty is left out. Of a maintainers' note only its name is in it: no text, no quote, no path, and no message
that could repeat them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from mkdocs_cited import __version__
from mkdocs_cited.model.answer import (
    PERSON,
    Answer,
    AnswerCheck,
    ReviewedClaim,
    Status,
    Verdict,
)
from mkdocs_cited.model.finding import CATALOGUE, in_order
from mkdocs_cited.model.source import PassageKind, SourceType, Via
from mkdocs_cited.render.cited import Part, grouped
from mkdocs_cited.render.links import LinkOf

VERSION = 6
"""Of the format; raised when a field goes or changes its meaning, not when one is added."""


class SourceData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A source of one answer."""

    sid: int
    """Its number in `content`."""
    note: int
    """Number of its footnote on the page, which neighbouring passages share."""
    type: SourceType
    via: Via
    label: str
    title: str = ""
    """Of its page."""
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


class AnswerData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
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
    """Markdown with `[^n]` markers."""
    target: str
    """`markdown`, or `prose` for the marked claims of a page."""
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
    check: AnswerCheck | None = None
    unknown: tuple[str, ...] = ()
    """Without a text: words of the question that are nowhere in the docs."""
    sources: tuple[SourceData, ...]
    review: ReviewData


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
    usage: dict[str, list[UseData]]
    """Id of a passage → the answers and claims that depend on it: what a change of it concerns."""


def build(
    answers: Iterable[Answer],
    url_of: Mapping[str, str],
    link_of: LinkOf,
    positions: Mapping[str, int],
) -> CitedJson:
    """The data of a site.

    Args:
        answers: in any order.
        url_of: path of a page under `docs/` → its address, relative to the site's root.
        link_of: the way to a quote.
        positions: key → which answer of its page it is, from 1; they come in this order, page by page.
    """
    found = []
    usage = defaultdict(list)
    for answer in answers:
        data = answer_data(answer, url_of.get(answer.page, ""), link_of)
        found.append(replace(data, position=positions.get(answer.key, 0)))
        cited = list(enumerate(item.claim.sids for item in answer.claims))
        for source in data.sources:
            if source.passage:
                claims = [number for number, sids in cited if source.sid in sids]
                use = UseData(answer.key, tuple(claims))
                usage[source.passage].append(use)
    found.sort(key=lambda data: (data.page, data.position, data.id))
    name = f"mkdocs-cited {__version__}"
    return CitedJson(VERSION, name, tuple(found), dict(sorted(usage.items())))


def answer_data(answer: Answer, url: str, link_of: LinkOf) -> AnswerData:
    """One answer as data; `url` is its page's."""
    sources = []
    for group in grouped(answer):
        for part in group.parts:
            sources.append(_source(part, group.n, link_of))
    # what is said of the answer may repeat a note
    sources_seen = (*answer.sources, *answer.consulted)
    private = any(source.passage.is_private for source in sources_seen)
    return AnswerData(
        id=answer.id,
        page=answer.page,
        url=url,
        anchor=f"cited-{answer.id}",
        question=answer.question,
        ok=answer.ok,
        status=answer.state,
        content=answer.content,
        target=answer.target,
        reason="" if private else answer.reason,
        provider=answer.provider,
        model=answer.model,
        written_on=answer.written_on,
        accepted_by=answer.accepted_by,
        accepted_on=answer.accepted_on,
        checked_on=max((item.judgement.date for item in answer.claims), default=""),
        claims=tuple(map(_claim, answer.claims)),
        check=answer.check,
        unknown=answer.unknown,
        sources=tuple(sorted(sources, key=lambda source: source.sid)),
        review=ReviewData(
            answer.reviewed and answer.ok,
            tuple(_issues(answer, private)),
            answer.retries,
            answer.reviewer,
        ),
    )


def _claim(item: ReviewedClaim) -> ClaimData:
    by = item.judgement.reviewer.removeprefix(f"{PERSON}:")
    return ClaimData(item.claim.text, item.claim.sids, item.judgement.verdict, by)


def _source(part: Part, note: int, link_of: LinkOf) -> SourceData:
    source, passage, quote = part.source, part.passage, part.quote
    page = passage.page
    data = SourceData(
        sid=source.sid,
        note=note,
        type=SourceType.NOTE,
        via=source.via,
        label=source.passage.page.title,
    )
    if source.passage.is_private or passage.is_private:
        return data
    link = link_of(passage, quote)
    return replace(
        data,
        type=source.passage.type,
        label=source.label,
        title=page.title,
        url=page.url,
        href=link.target,
        exact=link.exact,
        page=page.src,
        anchor=passage.section.anchor,
        passage=passage.id,
        kind=passage.kind,
        quote=quote,
        published_time_iso=page.published,
        modified_time_iso=source.passage.page.modified,
        fetched_time_iso=page.fetched,
    )


def _issues(answer: Answer, private: bool) -> Iterator[Issue]:
    """What was found, each gathered claim by itself. Of a text that waits for an approval nothing is repeated."""
    waits = answer.status is Status.WAITING
    for item in in_order(answer.findings):
        summary = CATALOGUE[item.slug].summary
        found = [(part.claim, part.hint or summary) for part in item.details]
        for claim, message in found or [(item.claim, item.message)]:
            if private or waits:
                message = summary
            if waits:
                claim = ""
            yield Issue(item.slug, item.severity.value, message, claim)
