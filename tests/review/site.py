"""A site of a few passages, made from what a golden file says, for tests of the review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.base.text import digest, glob_matches
from mkdocs_cited.language import stems
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.model.answer import Citation, Draft, Judgement, ReviewedClaim, Verdict
from mkdocs_cited.model.declaration import Declaration, ProseClaim
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import (
    Hit,
    Page,
    Passage,
    PassageKind,
    Scope,
    Section,
    Source,
    SourceType,
    Via,
)
from mkdocs_cited.review.interface import Audit, evidence_of
from tests.corpora import InMemory


class Site(InMemory):
    """Passages that are found by the words of a query."""

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        """By the share of the query's words that a passage holds."""
        words = set(stems(query))
        hits = [
            Hit(passage, len(words & set(stems(passage.text))) / max(len(words), 1))
            for passage in self.passages
            if glob_matches(passage.page.src, scope.include)
        ]
        best = sorted(hits, key=lambda hit: (-hit.relevance, hit.passage.id))
        return [hit for hit in best if hit.relevance > 0.2][:limit]


def passage(number: int, where: str, text: str, **other: Any) -> Passage:
    """A passage at `page.md#anchor` with the id `page.md#anchor~1`: its type, kind, links and header in `other`."""
    src, _, anchor = where.partition("#")
    type_ = SourceType(other.get("type", "page"))
    name, locale = src.removesuffix(".md"), other.get("locale", "en")
    page = Page(src, f"{name}/", name.title(), locale, type=type_, file=f"docs/{src}")
    title = other.get("heading") or anchor.replace("-", " ").capitalize() or page.title
    section = Section(page, anchor, title, 2 if anchor else 0, (page.title, title))
    kind = PassageKind(other.get("kind", "paragraph"))
    hash_ = digest(kind, text)
    spans = ((0, len(text)),) if kind is PassageKind.CODE else sentences(text)
    whole = Passage(f"{where}~{number}", section, kind, text, type_, hash_, sentences=spans)
    return replace(
        whole,
        targets=tuple((0, len(text), link) for link in other.get("links", "").split()),
        header=tuple(other.get("header", ())),
    )


def site(passages: Sequence[Mapping[str, Any]]) -> Site:
    """A site of passages given as `{at, text, …}`."""
    return Site(
        tuple(
            passage(number, item["at"], item["text"], **{k: v for k, v in item.items() if k not in ("at", "text")})
            for number, item in enumerate(passages, 1)
        )
    )


def audit_of(case: Mapping[str, Any], **settings: Any) -> Audit:
    """The audit of an answer whose sources are the site's passages in their order.

    `numbered` says how many are sources, `gone` which of them the site has no more, `quotes` what else is quoted.
    """
    whole = site(case.get("passages", ()))
    numbered = whole.passages[: case.get("numbered", len(whole.passages))]
    corpus = Site(tuple(p for n, p in enumerate(whole.passages, 1) if n not in case.get("gone", ())))
    content = case["answer"]
    quotes = case.get("quotes", {})
    place = Place("docs/faq.md", 4)
    prose = (ProseClaim(place),) * case.get("prose", 0)
    declaration = Declaration("faq.md", "q", "Why?", place, prose=prose)
    citations = tuple(Citation(n, p.id, quotes.get(n, p.text)) for n, p in enumerate(numbered, 1))
    sources = tuple(Source(n, p, Via.AUTHOR) for n, p in enumerate(numbered, 1))
    draft = Draft(content, citations, sources, "anthropic")
    unread = Judgement(Verdict.UNCHECKED)
    reviewed = tuple(ReviewedClaim(claim, evidence_of(claim, draft), unread) for claim in split(content))
    start = Place("docs/faq.md", 10)
    return Audit(declaration, draft, reviewed, corpus, Settings(**settings), start, lines_count=True)


def judged(whole: Audit, *judgements: Judgement) -> Audit:
    """The audit with what was said of its claims: of those that cite something, where there are fewer."""
    cited = [item for item in whole.reviewed if item.claim.sids]
    given = iter(judgements)
    is_of_all = len(judgements) == len(whole.reviewed)
    assert is_of_all or len(judgements) == len(cited)
    return replace(
        whole,
        reviewed=tuple(
            replace(item, judgement=next(given)) if is_of_all or item.claim.sids else item for item in whole.reviewed
        ),
    )
