"""All answers of a build into their pages and beside them: the one door of this room for the pipeline.

Two passes, since a link is tried on the page as it will be published, and the answers are part of that page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape, unescape
from types import MappingProxyType

import jinja2

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.finding import Finding, Place, Related, found
from mkdocs_cited.model.source import Passage
from mkdocs_cited.render import sidecar
from mkdocs_cited.render.answer import AnswerRenderer
from mkdocs_cited.render.cited import cited_passage
from mkdocs_cited.render.links import Link, Links
from mkdocs_cited.settings import Settings


@dataclass(frozen=True, slots=True)
class PageHtml:
    """A page's rendered content, with `placeholder(key)` where each of its answers shall stand."""

    src: str
    """Path under `docs_dir`."""
    url: str
    """Address relative to the site's root."""
    html: str
    locale: str = "en"


@dataclass(frozen=True, slots=True)
class Published:
    """What is to be written."""

    pages: Mapping[str, str]
    """Address → content, of the pages that change: those with answers, and those with cited blocks."""
    with_answers: frozenset[str]
    """Addresses of the pages that hold an answer, and so need `cited.css` and `cited.js`."""
    files: Mapping[str, str]
    """Path in the site → text."""
    findings: tuple[Finding, ...]
    """`inexact-link`: citations that only lead to a section."""


def placeholder(key: str) -> str:
    """What stands in a page's content until its answer is put there: a block that no theme shows."""
    return f'<div data-cited-slot="{escape(key)}"></div>'


def publish(
    answers: Sequence[Answer],
    pages: Mapping[str, PageHtml],
    settings: Settings,
    *,
    loader: jinja2.BaseLoader | None = None,
    serve: bool = False,
    with_ids: bool = True,
    place_of: Callable[[Answer], Place] | None = None,
) -> Published:
    """Render every answer into its page, with links that were tried.

    Args:
        answers: all answers of the site.
        pages: every page by its address; only those that are cited or hold an answer are read.
        settings: the options.
        loader: where a site's own `cited/*.html` templates are found.
        serve: whether authors look at it: findings and states are then shown.
        with_ids: whether cited blocks get ids of their own.
        place_of: where an answer is declared, for findings; by default the first line of its page.
    """
    by_key = {answer.key: answer for answer in answers}
    addresses = {page.src: page.url for page in pages.values()}
    slots = {page.url: keys for page in pages.values() if (keys := _slots(page.html, by_key))}
    blank = AnswerRenderer(settings, _no_link, addresses, loader, serve)
    drafts = {url: _fill(pages[url], keys, by_key, blank) for url, keys in slots.items()}

    def html_of(url: str) -> str | None:
        if url in drafts:
            return drafts[url]
        return pages[url].html if url in pages else None

    links = Links(html_of, with_ids)
    final = replace(blank, links=links)
    blocks = {
        url: [final.render(by_key[key], base=url, locale=pages[url].locale) for key in keys]
        for url, keys in slots.items()
    }
    data = sidecar.build(answers, url_of=lambda src: addresses.get(src, ""), link_of=links)
    changed = {
        url: _swap(links.with_anchors(url, html_of(url) or ""), blocks.get(url, []))
        for url in sorted({*slots, *links.changed()})
    }
    return Published(
        MappingProxyType(changed),
        frozenset(slots),
        MappingProxyType({"cited.json": sidecar.encode(data)}),
        tuple(_inexact(answers, links, place_of or _page_of)),
    )


_SLOT = re.compile(r'<div data-cited-slot="([^"<>]*)"></div>')


def _slots(html: str, known: Mapping[str, Answer]) -> list[str]:
    """Keys of the answers that a page has a place for, in order, each once."""
    if "data-cited-slot" not in html:
        return []
    return [key for key in dict.fromkeys(unescape(key) for key in _SLOT.findall(html)) if key in known]


def _fill(page: PageHtml, keys: list[str], answers: Mapping[str, Answer], renderer: AnswerRenderer) -> str:
    """The page with its answers as readers will see them, but for the links; each between two comments."""
    order = {key: position for position, key in enumerate(keys)}

    def block(match: re.Match[str]) -> str:
        position = order.pop(unescape(match[1]), None)
        if position is None:
            return ""
        html = renderer.render(answers[keys[position]], base=page.url, locale=page.locale)
        return f"{_OPEN.format(position)}{html}{_CLOSE.format(position)}"

    return _SLOT.sub(block, page.html)


_OPEN, _CLOSE = "<!--cited-slot {}-->", "<!--/cited-slot {}-->"


def _swap(html: str, blocks: list[str]) -> str:
    """The page with the finished blocks in the places of the drafted ones."""
    for position, block in enumerate(blocks):
        before, _, rest = html.partition(_OPEN.format(position))
        _, _, after = rest.partition(_CLOSE.format(position))
        html = f"{before}{block}{after}"
    return html


def _no_link(passage: Passage, quote: str) -> Link:
    return Link(linked=False)


def _page_of(answer: Answer) -> Place:
    return Place(answer.page)


def _inexact(answers: Sequence[Answer], links: Links, place_of: Callable[[Answer], Place]) -> Iterator[Finding]:
    for answer in answers:
        for source in answer.sources:
            passage, quote = cited_passage(answer, source)
            link = links.inexact.get((passage.id, quote))
            if link is None:
                continue
            yield found(
                "inexact-link",
                place_of(answer),
                f"[{source.sid}] can only link to the section `{link.target or passage.page.src}`: "
                "the quote was not found as text of the rendered page",
                tip="quote visible text of the page (not a tooltip, a hidden tab or text that a script writes)",
                answer=answer.key,
                related=(Related("the cited passage", None, passage.id, passage.text, link.url),),
            )
