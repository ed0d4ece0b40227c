"""A site made of Markdown-like pages, an answer that cites it, and its record: through the real extractor and index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mkdocs_cited.model.answer import (
    Answer,
    Citation,
    Claim,
    Decision,
    Evidence,
    Judgement,
    Known,
    ReviewedClaim,
    Status,
    Verdict,
)
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.source import Page, Passage, Source, Via
from mkdocs_cited.records import Record
from mkdocs_cited.review.decisions import decided, known
from mkdocs_cited.search.index import Index

DECLARATION = Declaration("faq.md", "limits", "What are the rate limits?", Place("docs/faq.md", 3))
REVIEWER = "anthropic-1"
TODAY = "2026-11-21"

Sections = Sequence[tuple[str, Sequence[str]]]
"""Headings with their paragraphs."""


def site(pages: Mapping[str, Sections]) -> Index:
    """An index over pages; a heading's anchor is its first word in lower case."""
    index = Index.open(None)
    index.sync([(Page(src, src.removesuffix(".md") + "/", src), _html(sections)) for src, sections in pages.items()])
    return index


def passage(index: Index, text: str, src: str = "") -> Passage:
    """The first passage with this text, on a page if one is named."""
    pages = [page.src for page in index.pages() if src in ("", page.src)]
    return next(item for name in pages for item in index.section(name, "") if item.text == text)


def answer(index: Index, *claims: str, verdict: Verdict = Verdict.SUPPORTED, reviewer: str = REVIEWER) -> Answer:
    """An accepted answer that claims what passages say, word for word, each claim citing its passage."""
    passages = [passage(index, claim) for claim in claims]
    content = " ".join(f"{claim}[^{number}]" for number, claim in enumerate(claims, 1))
    judgement = Judgement(verdict, "", reviewer)
    reviewed = []
    for number, item in enumerate(passages, 1):
        claim, cited = Claim(item.text, (number,)), (Evidence(item, item.text),)
        said = (decided(claim, cited, judgement),) if reviewer else ()
        reviewed.append(ReviewedClaim(claim, cited, judgement, said=said))
    sources = tuple(Source(number, item, Via.RETRIEVAL, 0.8) for number, item in enumerate(passages, 1))
    return Answer(
        DECLARATION.key,
        DECLARATION.page,
        DECLARATION.id,
        DECLARATION.question,
        Status.ACCEPTED,
        content=content,
        sources=sources,
        citations=tuple(Citation(source.sid, source.passage.id, source.passage.text) for source in sources),
        claims=tuple(reviewed),
        consulted=sources,
        provider="anthropic",
        reviewer="anthropic",
        reviewed=True,
    )


def record(index: Index, *claims: str) -> Record:
    """The record of such an answer."""
    return Record.of(answer(index, *claims), DECLARATION, None, TODAY)


def confirmed(
    item: ReviewedClaim, verdict: Verdict = Verdict.SUPPORTED, by: str = "Ann", on: str = TODAY, reason: str = ""
) -> Decision:
    """A person's decision on a claim."""
    return decided(item.claim, item.evidence, Judgement(verdict, reason, f"person:{by}", on))


def recalled(record: Record, claim: Claim, cited: Sequence[Evidence]) -> Known:
    """What a record knows of a claim that cites these passages today."""
    return known(claim, cited, record.claims, record.quotations(claim))


def evidence(index: Index, claim: str) -> tuple[Evidence, ...]:
    """The evidence of such a claim, as verdicts are bound to it."""
    return (Evidence(passage(index, claim), claim),)


def _html(sections: Sections) -> str:
    return "".join(
        f'<h2 id="{heading.split()[0].lower()}">{heading}</h2>' + "".join(f"<p>{text}</p>" for text in paragraphs)
        for heading, paragraphs in sections
    )
