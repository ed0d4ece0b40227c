"""A claim and its passages as a review session shows them, with the words that differ marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.cli.status import WaitingClaim
from mkdocs_cited.language.stems import stems
from mkdocs_cited.model.answer import Evidence
from mkdocs_cited.model.finding import Related
from mkdocs_cited.reporters.console import Layout, Marks

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 120
"""Cells of a line."""
MOST = 6
"""Passages that are shown."""
_SHORT = 3
"""Letters of the words (`the`, `to`) that say little."""
_WORD = re.compile(r"[^\W_](?:[\w.+/-]*\w)?")


def show(item: WaitingClaim, console: Console, site_url: str) -> None:
    """Print a claim with its passages, the words that differ, the reviewer's hint, and the places of all of it."""
    layout = Layout(width=min(console.width, WIDEST), color=console.is_terminal and not console.no_color)
    for line in _lines(item, layout, site_url):
        console.file.write(f"{line}\n")


def _words(texts: Iterable[str]) -> set[str]:
    return {match[0].casefold() for text in texts for match in _WORD.finditer(text)}


def _evidence(item: WaitingClaim) -> Sequence[tuple[Evidence, Related | None]]:
    """The passages that are shown, each with its place in the sources: those first that are new since a person decided,
    then those that say most of the claim."""
    placed = {related.passage: related for related in item.detail.related if related.passage}
    new = item.claim.news
    ranked = sorted(item.claim.evidence, key=lambda each: (each.passage.id not in new, -_said(item.detail.claim, each)))
    return [(evidence, placed.get(evidence.passage.id)) for evidence in ranked[:MOST]]


def _said(claim: str, evidence: Evidence) -> int:
    """How much of a claim a passage has: its figures and names before its words."""
    locale = language_of(evidence.passage.page.locale)
    words = {word for word in stems(claim, locale) if len(word) >= _SHORT or any(map(str.isdigit, word))}
    names = {match[0].casefold() for match in _WORD.finditer(claim) if not match[0].isalpha()}
    return len(words.intersection(stems(evidence.passage.text, locale))) + 2 * len(
        names & _words((evidence.passage.text,))
    )


def _marks(item: WaitingClaim) -> Marks:
    """The words of the claim to look at: those the reviewer named, else those that no passage has."""
    known = _words(each.passage.text for each in item.claim.evidence)
    words = _WORD.finditer(item.detail.claim)
    return item.detail.marks or tuple(word.span() for word in words if word[0].casefold() not in known)


def _text(evidence: Evidence) -> str:
    """What the passage says; of a table's row, each cell after its head."""
    passage = evidence.passage
    if not passage.cells or len(passage.header) != len(passage.cells):
        return passage.text
    pairs = zip(passage.header, passage.cells, strict=True)
    return " · ".join(": ".join(filter(None, pair)) for pair in pairs if pair[1])


def _where(evidence: Evidence, related: Related | None, site_url: str) -> str:
    """Heading, file and line, address."""
    page, url = evidence.passage.page, urljoin(site_url, evidence.passage.url)
    place = str(related.place) if related and related.place else page.file or page.src
    return " · ".join(filter(None, (evidence.heading, place, url if site_url else "")))


def _lines(item: WaitingClaim, layout: Layout, site_url: str) -> Iterator[str]:
    yield from layout.block("claim    ", item.detail.claim, indent=0, style="bold", marks=_marks(item))
    yield from layout.block("", str(item.detail.place), indent=9, style="dim")
    for evidence, related in _evidence(item):
        yield from layout.block("passage  ", _text(evidence), indent=0)
        yield from layout.block("", _where(evidence, related, site_url), indent=9, style="dim")
    if (more := len(item.claim.evidence) - MOST) > 0:
        yield f"         and {more} more of what it cites"
    if item.detail.hint:
        yield from layout.block("hint     ", item.detail.hint, indent=0)
