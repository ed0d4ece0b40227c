"""What the marks and markers of a rendered page declare, each at its line, and what is wrong with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.declarations import PageDeclarations
from mkdocs_cited.declarations.front_matter import SourceText, read_front_matter
from mkdocs_cited.model.declaration import (
    AUTHORED,
    CLAIMS,
    MARKER,
    WRITTEN,
    Declaration,
    ProseClaim,
)
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.source import SitePage
from mkdocs_cited.sources.marks import PageMarks


def claims_of(
    page: SitePage,
    marks: PageMarks,
    file: PageDeclarations,
    *,
    quiet: bool,
) -> PageDeclarations:
    """The declaration of a page's claims, and what is wrong with its marks.

    Args:
        page: the page.
        marks: its marks.
        file: what its file declares.
        quiet: whether readers see nothing of any citation.
    """
    source = file.source
    matter = read_front_matter(source)
    if matter.findings and not matter.root:  # MkDocs shows what was meant for it
        return PageDeclarations(source)
    via = ""
    if source.text or not page.whole:
        via = "a snippet, a macro or another plugin"
    places = _places(marks.targets, source, matter.body, via=via)
    wrong = []
    for number in marks.unread:
        target = marks.targets[number].removeprefix("!")
        message = f"the citation of `{target}` is behind no sentence, list item or cell, so it is not checked"
        tip = "put it behind a sentence that states the same; headings, titles, table heads and images are none"
        wrong.append((places[number], message, tip))
    is_taken = any(name.lower() == CLAIMS for name in file.ids)
    if marks.claims and is_taken:
        message = f"the id `{CLAIMS}` names the marked claims of this page"
        wrong.append((Place(source.file), message, "give the answer another `id:`"))
    findings = []
    key = f"{page.src}#{CLAIMS}"
    for place, message, tip in wrong:
        findings.append(
            found("invalid-declaration", place, message, tip=tip, answer=key)
        )
    if is_taken or not marks.claims:
        return PageDeclarations(source, findings=tuple(findings))
    claims = []
    for claim in marks.claims:
        first = places[claim.marks[0]]
        line = Place(source.file, first.line, via=first.via)
        shown = ProseClaim(
            line, quiet or claim.quiet, around=claim.around, under=claim.under
        )
        claims.append(shown)
    declaration = Declaration(
        page.src,
        CLAIMS,
        f"Claims of {page.src}",
        claims[0].place,
        page.locale,
        provider=AUTHORED,
        text="\n\n".join(claim.text for claim in marks.claims),
        text_place=claims[0].place,
        prose=tuple(claims),
    )
    return PageDeclarations(source, (declaration,), findings=tuple(findings))


def check_markers(
    html: str, source: SourceText, page: str, ids: Collection[str]
) -> Iterator[Finding]:
    """What is wrong with the markers of a rendered page.

    Args:
        html: of the page.
        source: its file, for places.
        page: path of the page, for the answers' keys.
        ids: every id that the page declares, those of unusable entries included.
    """
    seen = set()
    for match in MARKER.finditer(html):
        name, answer = match[1], ""
        place = source.place_of(match[0], number=2 if name in seen else 1)
        if name not in ids:
            message = f"no answer of this page has the id `{name}`"
            tip = "declare it: `answers: [{question: …}]`"
            if ids:
                tip = did_you_mean(name, ids)
        elif name in seen:
            answer = f"{page}#{name}"
            message = f"the answer `{name}` has a marker already"
            tip = "delete one of the two"
        else:
            seen.add(name)
            continue
        yield found("invalid-declaration", place, message, tip=tip, answer=answer)


def _places(
    targets: Sequence[str], source: SourceText, body: int, *, via: str
) -> list[Place]:
    """Where each mark is written; where it came into the page from elsewhere, the page, by way of what is named.

    Args:
        targets: of the marks.
        source: the page's file.
        body: offset of the text behind its front matter.
        via: from where a mark came that is not written there.
    """
    written = defaultdict(list)
    for mark in WRITTEN.finditer(source.text, body):
        written[_plain(mark["shown"] or mark["hidden"])].append(
            source.place(*mark.span())
        )
    places = []
    for target in targets:
        known = written[_plain(target)]
        at = source.text.find(f"[@{target}", body)
        if known:
            places.append(known.pop(0))
        elif at >= 0:  # with brackets in a quotation, or broken into lines
            places.append(source.place(at, at + len(target) + 2))
        else:
            places.append(Place(source.file, via=via))
    return places


def _plain(target: str) -> str:
    """What stands in a mark without white space, and without the sign of a quiet one."""
    return "".join(target.split()).removeprefix("!")
