"""“Cited by”: at the end of a cited section, the answers that rest on it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping

import jinja2
from msgspec import Struct

from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.source import SourceType
from mkdocs_cited.render.cited import cited_passage
from mkdocs_cited.render.labels import Labels
from mkdocs_cited.render.links import relative
from mkdocs_cited.render.page_text import PageText
from mkdocs_cited.render.templates import environment


class Resting(Struct, frozen=True):
    """An answer that cites a passage of a section, as the section's list of answers shows it."""

    question: str
    url: str
    """Address of the answer's page, relative to the site's root."""
    id: str
    """Id of the answer's block on that page."""


def sections(answers: Iterable[Answer], url_of: Mapping[str, str]) -> dict[str, dict[str, tuple[Resting, ...]]]:
    """Which sections of which pages the accepted answers rest on; each answer once a section, in order of keys."""
    found: dict[str, dict[str, dict[str, Resting]]] = {}
    for answer in sorted(answers, key=lambda item: item.key):
        if answer.status is not Status.ACCEPTED or answer.page not in url_of:
            continue
        resting = Resting(answer.question, url_of[answer.page], f"cited-{answer.id}")
        for source in answer.sources:
            passage, _ = cited_passage(answer, source)
            if passage.page.type in (SourceType.PAGE, SourceType.ARCHIVE):
                page = found.setdefault(passage.page.url, {})
                page.setdefault(passage.section.anchor, {})[answer.key] = resting
    return {url: {anchor: tuple(uses.values()) for anchor, uses in page.items()} for url, page in found.items()}


def insertions(
    cited: Mapping[str, tuple[Resting, ...]],
    text: PageText,
    html: str,
    base: str,
    locale: str,
    loader: jinja2.BaseLoader | None,
) -> dict[int, str]:
    """Where in a page's HTML which block goes: at each section's end.

    Args:
        cited: anchor of each cited section → the answers that depend on it.
        text: the page, parsed.
        html: the page.
        base: its address.
        locale: its language.
        loader: where a site's own templates are found.
    """
    template = environment(loader).get_template("cited/cited-by.html")
    places: dict[int, str] = {}
    for anchor, resting in cited.items():
        at = _end_of_section(text, html, anchor)
        items = [(item.question, f"{relative(item.url, base)}#{item.id}") for item in resting]
        places[at] = places.get(at, "") + template.render(items=items, label=Labels(locale)).strip() + "\n"
    return places


def _end_of_section(text: PageText, html: str, anchor: str) -> int:
    """Where in a page's HTML a section ends: before the next heading at the top level, or at the page's end."""
    start = text.ids.get(anchor, 0) if anchor else 0
    starts = [offset for offset, _ in text.tops]
    after = bisect_right(starts, start)
    return text.tops[after][1] if after < len(text.tops) else len(html)
