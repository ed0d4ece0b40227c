"""A small documentation site in memory, as a corpus, and requests for answers from it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from mkdocs_cited.base.text import digest, glob_matches, slugify
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.model.answer import Draft
from mkdocs_cited.model.declaration import AnswerFormat, Declaration
from mkdocs_cited.model.finding import Finding, Place
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
from mkdocs_cited.providers.interface import Request
from tests.corpora import InMemory


def passage(
    text: str,
    *,
    page: str = "guide/limits.md",
    heading: str = "Limits",
    kind: PassageKind = PassageKind.PARAGRAPH,
    lead: str = "",
    cells: tuple[str, ...] = (),
    header: tuple[str, ...] = (),
    links: str = "",
    type: SourceType = SourceType.PAGE,
    locale: str = "en",
) -> Passage:
    """A passage of a page, with its section and sentences."""
    title = page.rpartition("/")[2].removesuffix(".md").capitalize()
    home = Page(page, page.removesuffix(".md") + "/", title, locale=locale, type=type)
    section = Section(home, slugify(heading), heading, 2, (title, heading))
    parts = sentences(text, locale) if kind is PassageKind.PARAGRAPH else ((0, len(text)),)
    hash_ = digest(kind, text)
    name = f"{page}#{section.anchor}~{hash_[:6]}"
    return Passage(
        name,
        section,
        kind,
        text,
        type,
        hash_,
        lead=lead,
        sentences=parts,
        cells=cells,
        header=header,
        targets=tuple((0, len(text), link) for link in links.split()),
    )


class Site(InMemory):
    """Searching counts common words."""

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        words = set(query.lower().split())
        scored = [(len(words & set(item.text.lower().split())), item) for item in self.passages]
        found = [(score, item) for score, item in scored if score and glob_matches(item.page.src, scope.include)]
        ranked = sorted(found, key=lambda pair: (-pair[0], pair[1].id))
        return [Hit(item, 0.5) for _, item in ranked[:limit]]


RATE = passage("The limit is 60 requests per minute. Bursts of 10 are allowed.")
RESET = passage("The counter is set back every full minute.")
FLAG = passage(
    "--limit 60",
    kind=PassageKind.ROW,
    heading="Options",
    lead="Options of apictl",
    cells=("--limit", "60"),
    header=("Option", "Default"),
    page="guide/options.md",
)
COMMAND = passage("apictl limit --set 60", kind=PassageKind.CODE, page="guide/options.md", heading="Set a limit")
KEYS = passage("Keys are rotated every 90 days.", page="guide/keys.md", heading="Rotation")
SITE = Site((RATE, RESET, FLAG, COMMAND, KEYS))


def declaration(question: str = "What are the rate limits?", **changes: object) -> Declaration:
    """A declaration on `faq.md`."""
    plain = Declaration("faq.md", "limits", question, Place("docs/faq.md", 3))
    return replace(plain, **changes)


def request(
    *passages: Passage,
    site: Site = SITE,
    context: Sequence[Passage] = (),
    previous: Draft | None = None,
    findings: tuple[Finding, ...] = (),
    **changes: object,
) -> Request:
    """A request with these passages as its sources, by default the one on rates; `context` goes with the first."""
    given = passages or (RATE,)
    sources = [
        Source(number, item, Via.RETRIEVAL, 0.9, context=tuple(context) if number == 1 else ())
        for number, item in enumerate(given, 1)
    ]
    return Request(declaration(**changes), tuple(sources), site, previous, findings)  # type: ignore[arg-type]


__all__ = ["COMMAND", "FLAG", "KEYS", "RATE", "RESET", "SITE", "AnswerFormat", "Site", "passage", "request"]
