"""How the answers of a site become the data of `cited.json`, whose types are in `cited_json`.

Of a maintainers' note only its name is in it: no text, no quote, no path, and no message that could repeat them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mkdocs_cited import __version__
from mkdocs_cited.answer_text.statements import read_value
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import PERSON, Answer, Judgement, Status
from mkdocs_cited.model.finding import CATALOGUE, Finding
from mkdocs_cited.model.source import Passage, Source, SourceType
from mkdocs_cited.render import cited_json
from mkdocs_cited.render.cited import cited_passage, grouped
from mkdocs_cited.render.links import LinkOf


def build(
    answers: Iterable[Answer],
    url_of: Mapping[str, str],
    link_of: LinkOf,
    positions: Mapping[str, int],
) -> cited_json.CitedJson:
    """The data of a site, or of one page.

    Args:
        answers: in any order.
        url_of: path of a page under `docs/` → its address, relative to the site's root.
        link_of: the way to a quote.
        positions: key → which answer of its page it is, from 1; they come in this order, page by page.
    """
    ordered = sorted(
        answers,
        key=lambda answer: (answer.page, positions.get(answer.key, 0), answer.key),
    )
    data = tuple(
        replace(
            answer_data(item, url_of.get(item.page, ""), link_of),
            position=positions.get(item.key, 0),
        )
        for item in ordered
    )
    return cited_json.CitedJson(
        cited_json.VERSION, f"mkdocs-cited {__version__}", data, usage(ordered)
    )


def usage(answers: Iterable[Answer]) -> dict[str, tuple[cited_json.UseData, ...]]:
    """Id of a passage → what depends on it; a maintainers' note is not named."""
    found: dict[str, list[cited_json.UseData]] = {}
    for answer in answers:
        for source in answer.sources:
            passage, _ = cited_passage(answer, source)
            if source.passage.is_private or passage.is_private:
                continue
            claims = tuple(
                number
                for number, item in enumerate(answer.claims)
                if source.sid in item.claim.sids
            )
            found.setdefault(passage.id, []).append(
                cited_json.UseData(answer.key, claims)
            )
    return {name: tuple(found[name]) for name in sorted(found)}


def answer_data(
    answer: Answer, url: str, link_of: LinkOf, *, asked: bool = False
) -> cited_json.AnswerData:
    """One answer as data; `url` is its page's. `asked` adds what was consulted, and what is known of each source."""
    numbers = {source.passage.id: source.sid for source in answer.sources}
    notes = {sid: group.n for group in grouped(answer) for sid in group.sids}
    sources = [
        _source(
            item,
            *cited_passage(answer, item),
            item.sid,
            notes[item.sid],
            link_of,
            asked,
        )
        for item in answer.sources
    ]
    consulted = []
    for item in answer.consulted:
        if asked:
            consulted.append(
                _source(
                    item,
                    item.passage,
                    "",
                    numbers.get(item.passage.id, 0),
                    0,
                    link_of,
                    asked,
                )
            )
    private = any(
        source.passage.is_private for source in (*answer.sources, *answer.consulted)
    )
    value = _value(answer)
    return cited_json.AnswerData(
        id=answer.id,
        page=answer.page,
        url=url,
        anchor=f"cited-{answer.id}",
        question=answer.question,
        ok=answer.ok,
        status=answer.status,
        content=answer.content,
        target=answer.target,
        value=value,
        reason="" if private else answer.reason,
        provider=answer.provider,
        model=answer.model,
        written_on=answer.written_on,
        accepted_by=answer.accepted_by,
        accepted_on=answer.accepted_on,
        checked_on=max((item.judgement.date for item in answer.claims), default=""),
        claims=tuple(
            cited_json.ClaimData(
                item.claim.text,
                item.claim.sids,
                item.judgement.verdict,
                _by(item.judgement),
            )
            for item in answer.claims
        ),
        check=cited_json.CheckData(c.fit, c.reason, c.reviewer)
        if (c := answer.check)
        else None,
        unknown=answer.unknown,
        sources=tuple(sources),
        consulted=tuple(consulted),
        review=_review(answer, private),
        citations=tuple(
            cited_json.Pointer(f"/value{path}", sids)
            for path, sids in answer.pointers
            if value is not None
        ),
    )


def _by(judgement: Judgement) -> str:
    return judgement.reviewer.removeprefix(f"{PERSON}:")


def _source(
    source: Source,
    passage: Passage,
    quote: str,
    sid: int,
    note: int,
    link_of: LinkOf,
    asked: bool,
) -> cited_json.SourceData:
    page = passage.page
    if source.passage.is_private or passage.is_private:
        return cited_json.SourceData(
            sid=sid,
            note=note,
            type=SourceType.NOTE,
            via=source.via,
            label=source.passage.page.title,
        )
    link = link_of(passage, quote)
    data = cited_json.SourceData(
        sid=sid,
        note=note,
        type=source.passage.type,
        via=source.via,
        label=source.label,
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
    if not asked:
        return data
    return replace(
        data,
        detail=source.detail,
        title=page.title,
        text=passage.text,
        objective_relevance=round(source.relevance, 4),
        reasoning=source.reasoning[:320],
    )


def _review(answer: Answer, private: bool) -> cited_json.ReviewData:
    # its text is not published, nor is what findings repeat of it
    waits = answer.status is Status.PENDING
    issues = []
    for item in sorted(answer.findings, key=lambda finding: finding.sort_key):
        for claim, message in _claims_of(item):
            said = message
            if (private or waits) and item.slug in CATALOGUE:
                said = CATALOGUE[item.slug].summary
            issues.append(
                cited_json.Issue(
                    item.slug, item.severity.value, said, "" if waits else claim
                )
            )
    return cited_json.ReviewData(
        answer.reviewed and answer.ok, tuple(issues), answer.retries, answer.reviewer
    )


def _claims_of(finding: Finding) -> list[tuple[str, str]]:
    """(claim, what is wrong with it): each of those that a finding gathers, else its own."""
    gathered = [
        (item.claim, item.hint or CATALOGUE[finding.slug].summary)
        for item in finding.details
    ]
    return gathered or [(finding.claim, finding.message)]


def _value(answer: Answer) -> Any:
    """The parsed content of a structured answer; `None` for prose, and for what cannot be parsed."""
    if answer.target not in ("json", "yaml"):
        return None
    try:
        return read_value(answer.content, answer.target)
    except ValueError:
        return None
