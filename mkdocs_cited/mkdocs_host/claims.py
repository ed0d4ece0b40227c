"""The marked claims of a page as one declaration, each at its line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from mkdocs_cited.base.text import digest
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.front_matter import SourceText
from mkdocs_cited.declarations.markers import MARKER
from mkdocs_cited.declarations.page import PageDeclarations
from mkdocs_cited.mkdocs_host.project import SitePage
from mkdocs_cited.model.declaration import AUTHORED, Declaration, ProseClaim, Target
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.source import Page
from mkdocs_cited.search.index import Index
from mkdocs_cited.site_host.pages import CLAIMS
from mkdocs_cited.sources.dom import MARK
from mkdocs_cited.sources.from_html import VERSION, extract
from mkdocs_cited.sources.marks import PageMarks, read_marks

_HERE = "\ue001"
"""Stands for a marker, in front of its id."""


class KnownMarks:
    """Reads the marks of pages, each text of a page once: what was found is stored for the next build."""

    def __init__(self, cache: Path | None, name: str) -> None:
        """The store is opened for the first page that has marks: `name` in the folder `cache`, in memory for `None`."""
        self._cache, self._name = cache, name
        self._found: dict[str, bytes] = {}

    @cached_property
    def _index(self) -> Index:
        return Index.open(self._cache, name=self._name)

    @cached_property
    def _known(self) -> dict[str, bytes]:
        return self._index.marks()

    def read(self, page: Page, html: str) -> PageMarks:
        """The marks of a page."""
        if not any(sign in html for sign in ("[@", MARK, "cite:")):
            return PageMarks(html)
        key = digest(VERSION, repr(page), html)
        data = self._known.get(key)
        if data is not None:
            self._found[key] = data
            return msgspec.msgpack.decode(data, type=PageMarks)
        marks = read_marks(page, html)
        if marks.targets:
            self._found[key] = msgspec.msgpack.encode(marks)
        return marks

    def keep(self) -> None:
        """Store what was found, and nothing else."""
        if self._found and self._found.keys() != self._known.keys():
            self._index.keep_marks(self._found)


def claims_of(
    page: SitePage,
    marks: PageMarks,
    source: SourceText,
    ids: Collection[str],
    *,
    quiet: bool,
) -> PageDeclarations:
    """The declaration of a page's claims, and what is wrong with its marks.

    Args:
        page: the page.
        marks: its marks.
        source: its file, for places.
        ids: of the answers that the page declares.
        quiet: whether readers see nothing of any citation.
    """
    is_known = bool(source.text) or not page.whole
    places = _places(
        marks.targets,
        source,
        via="a snippet, a macro or another plugin" if is_known else "",
    )
    findings = []
    for item in marks.unread:
        where = "has no sentence before it"
        if item.where:
            where = f"is in {item.where}"
        message = f"the citation `[@{marks.targets[item.number]}]` {where}, so it is not checked"
        tip = "put it behind a sentence that states the same, before the full stop"
        findings.append(_wrong(page, places[item.number], message, tip))
    if not marks.claims:
        return PageDeclarations(findings=tuple(findings))
    if any(name.lower() == CLAIMS for name in ids):
        message = f"the id `{CLAIMS}` names the marked claims of this page"
        findings.append(
            _wrong(page, Place(source.file), message, "give the answer another `id:`")
        )
        return PageDeclarations(findings=tuple(findings))
    claims = []
    for claim in marks.claims:
        first = places[claim.marks[0]]
        line = Place(source.file, first.line, via=first.via)
        claims.append(ProseClaim(line, quiet or claim.quiet, claim.around))
    declaration = Declaration(
        page.src,
        CLAIMS,
        f"Claims of {page.src}",
        claims[0].place,
        page.locale,
        provider=AUTHORED,
        text="\n\n".join(claim.text for claim in marks.claims),
        text_place=claims[0].place,
        target=Target.PROSE,
        prose=tuple(claims),
    )
    return PageDeclarations((declaration,), findings=tuple(findings))


def over_answers(page: Page, html: str) -> dict[str, str]:
    """Id of each answer that has a marker on a page → the headings and boxes over it, as Markdown."""
    placed = MARKER.sub(rf"<p>{_HERE}\1</p>", html)
    found = {}
    for passage in extract(page, placed) if placed != html else ():
        if passage.text.startswith(_HERE):
            heads = enumerate((*passage.section.breadcrumb, *passage.labels), 1)
            found[passage.text.removeprefix(_HERE)] = "\n\n".join(
                f"{'#' * min(at, 6)} {text}" for at, text in heads
            )
    return found


def _places(targets: Sequence[str], source: SourceText, *, via: str) -> list[Place]:
    """Where each mark is written; where it came into the page from elsewhere, the page, by way of what is named."""
    seen = Counter[str]()
    places = []
    for target in targets:
        forms = (f"[@{target}]", f"[@{target}", f"cite: {target.removeprefix('!')}")
        written = next((form for form in forms if form in source.text), "")
        seen[written] += 1
        if written and seen[written] <= source.text.count(written):
            places.append(source.place_of(written, number=seen[written]))
        else:
            places.append(Place(source.file, via=via))
    return places


def _wrong(page: SitePage, place: Place, message: str, tip: str) -> Finding:
    return replace(
        found("invalid-declaration", place, message, tip=tip),
        answer=f"{page.src}#{CLAIMS}",
    )
