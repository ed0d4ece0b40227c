"""“Cited by”: at the end of a cited section, the answers that rest on it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping

import jinja2
from msgspec import Struct

from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.source import SourceType
from mkdocs_cited.render.cited import cited_passage
from mkdocs_cited.render.labels import Labels
from mkdocs_cited.render.links import relative
from mkdocs_cited.render.pagetext import PageText
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
    *,
    end_of: Callable[[str], int],
    base: str,
    locale: str,
    loader: jinja2.BaseLoader | None,
) -> dict[int, str]:
    """Where in a page's HTML which block goes.

    Args:
        cited: anchor of each cited section → the answers that rest on it.
        end_of: from an anchor to where its section ends (`end_of_section`).
        base: address of the page.
        locale: its language.
        loader: where a site's own templates are found.
    """
    template = environment(loader).get_template("cited/cited-by.html")
    labels = Labels(locale)
    places: dict[int, str] = {}
    for anchor, resting in cited.items():
        at = end_of(anchor)
        items = [(item.question, f"{relative(item.url, base)}#{item.id}") for item in resting]
        block = template.render(items=items, label=labels).strip() + "\n"
        places[at] = places.get(at, "") + block
    return places


def end_of_section(text: PageText, html: str, anchor: str) -> int:
    """Where in a page's HTML a section ends: before the next heading at the top level, or at the page's end."""
    start = text.ids.get(anchor, 0) if anchor else 0
    starts = [offset for offset, _ in text.tops]
    after = bisect_right(starts, start)
    return text.tops[after][1] if after < len(text.tops) else len(html)
