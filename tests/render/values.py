"""Answers made by hand, for the tests of the rendering."""

from __future__ import annotations

from mkdocs_cited.answer_text.markdown import MARKER, strip_markers
from mkdocs_cited.base.text import digest
from mkdocs_cited.model.answer import Answer, Citation, Claim, Evidence, Judgement, ReviewedClaim, Status, Verdict
from mkdocs_cited.model.source import Page, Passage, PassageKind, Section, SitePage, Source, SourceType, Via
from tests.corpora import extract

INSTALL = Page("guide/install.md", "guide/install/", "Install", modified="2026-02-01")
NOTE = Page("notes/plan.md", "", "Release plan", type=SourceType.NOTE)


def passage(
    text: str,
    *,
    page: Page = INSTALL,
    anchor: str = "pip",
    title: str = "With pip",
    kind: PassageKind = PassageKind.PARAGRAPH,
    cells: tuple[str, ...] = (),
    language: str = "",
) -> Passage:
    """A passage as `sources.from_html` makes them."""
    section = Section(page, anchor, title, 2, (page.title, title))
    content = digest(kind, text)
    source_type = page.type
    return Passage(
        f"{page.src}#{anchor}~{content[:6]}",
        section,
        kind,
        text,
        source_type,
        content,
        sentences=((0, len(text)),),
        cells=cells,
        language=language,
    )


def in_page(text: str, html: str, *, page: Page = INSTALL, anchor: str = "pip") -> Passage:
    """The passage of a page's section that has this text."""
    return next(item for item in extract(page, html) if item.text == text and item.section.anchor == anchor)


def answer(
    content: str,
    *passages: Passage,
    id: str = "limits",
    page: str = "faq.md",
    question: str = "What are the limits?",
    quotes: tuple[str, ...] = (),
    verdict: Verdict = Verdict.SUPPORTED,
    **changes: object,
) -> Answer:
    """An answer whose numbers mean these passages in order; each line of `content` is a claim."""
    sources = tuple(Source(n, item, Via.RETRIEVAL, relevance=0.9) for n, item in enumerate(passages, 1))
    given = dict(enumerate(quotes, 1))
    cited = tuple(Citation(n, item.id, given.get(n, item.text)) for n, item in enumerate(passages, 1))
    claims = []
    at = 0
    for line in filter(None, content.splitlines()):
        at = content.index(line, at)
        sids = tuple(dict.fromkeys(int(n) for n in MARKER.findall(line)))
        evidence = tuple(Evidence(passages[n - 1], cited[n - 1].quote) for n in sids if n <= len(passages))
        claims.append(ReviewedClaim(Claim(strip_markers(line), sids, at, at + len(line)), evidence, Judgement(verdict)))
    values: dict[str, object] = {
        "content": content,
        "sources": sources,
        "citations": cited,
        "claims": tuple(claims),
        "reviewed": True,
        "provider": "authored",
        "reviewer": "lexical",
        **changes,
    }
    return Answer(f"{page}#{id}", page, id, question, Status(values.pop("status", Status.ACCEPTED)), **values)  # type: ignore[arg-type]


def faq(*keys: str, html: str = "<h1>FAQ</h1>\n", url: str = "faq/", src: str = "faq.md") -> SitePage:
    """A page with a place for each of these answers."""
    asks = {key.rpartition("#")[2]: key for key in keys}
    return SitePage(src, url, html + "\n".join(f"<!-- answer: {name} -->" for name in asks), asks=asks)


def site(*pages: SitePage) -> dict[str, SitePage]:
    """Pages by address, as `publish` takes them."""
    return {page.url: page for page in pages}
