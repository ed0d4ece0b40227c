"""All answers of a build into their pages and beside them: the one door of this room for the pipeline.

Two passes where links lead to a page with answers: each is tried on the page as it will be published, and the answers
are part of that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from html import escape, unescape
from types import MappingProxyType
from typing import TYPE_CHECKING

import jinja2
from msgspec import Struct, field

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.finding import Finding, Place, Related, found
from mkdocs_cited.model.source import Corpus, Passage
from mkdocs_cited.render import cited_by, prose, semantic, sidecar
from mkdocs_cited.render.answer import AnswerRenderer, Edits, no_edits
from mkdocs_cited.render.cited import cited_passage
from mkdocs_cited.render.cited_json import concise, encode
from mkdocs_cited.render.highlighting import colours_of
from mkdocs_cited.render.links import Link, Links, nothing, rooted
from mkdocs_cited.render.notes import grouped
from mkdocs_cited.render.notices import Apart, apart, ask_box, page_notice
from mkdocs_cited.render.pagereader import Annotations
from mkdocs_cited.render.plain import ANSWERS, all_as_markdown
from mkdocs_cited.settings import Settings

if TYPE_CHECKING:
    from mkdocs_cited.render.report import NavEntry


class PageHtml(Struct, frozen=True):
    """A page's rendered content, with `placeholder(key)` where each of its answers shall stand."""

    src: str
    """Path under `docs_dir`."""
    url: str
    """Address relative to the site's root."""
    html: str
    locale: str = "en"
    file: str = ""
    """Path of its source in the project, as findings name it."""


class Published(Struct, frozen=True):
    """What a build writes into its site: pages with answers, files for machines, and what was found on the way."""

    pages: Mapping[str, str]
    """Address → content, of the pages that change: those with answers, and those with cited blocks. Each needs
    `cited.css` and `cited.js`, by which a reader also lands on a cited block that was hidden or moved."""
    files: Mapping[str, str]
    """Path in the site → text."""
    findings: tuple[Finding, ...]
    """`inexact-link`: citations that only lead to a section."""
    fragments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Address of each cited page → the fragments of links into it, to be tried on the page as it is built."""


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
    sections: bool = True,
    place_of: Callable[[Answer], Place] | None = None,
    corpus: Corpus | None = None,
    nav: Sequence[NavEntry] = (),
    site_url: str = "",
    site_name: str = "",
    ask: str = "",
    above: Callable[[str], str] = nothing,
    annotations: Annotations = "",
    findings: Sequence[Finding] = (),
    edits_of: Callable[[Answer], Edits] = no_edits,
    told_elsewhere: Collection[str] = (),
) -> Published:
    """Render every answer into its page, with links that were tried.

    Args:
        answers: all answers of the site.
        pages: every page by its address; only those that are cited or hold an answer are read.
        settings: the options.
        loader: where a site's own `cited/*.html` templates are found.
        serve: whether authors look at it: findings and states are then shown.
        with_ids: whether cited blocks get ids of their own.
        sections: whether links with a text fragment name the section of blocks without (`Links.sections`).
        place_of: where an answer is declared, for findings; by default the first line of its page.
        corpus: the site's passages; the report page is made only with them.
        nav: the site's navigation, for the report page.
        site_url: address of the site, for what needs whole addresses (Web Annotations, JSON-LD).
        site_name: for the report page and the feed.
        ask: address of the preview server's endpoint for questions; with it, and `serve`, each page with answers ends
            in a box that asks it (which needs `preview.js`).
        above: from a page's address to what the theme shows above its content, a line each.
        annotations: which blocks the theme shows the list behind them in, on demand.
        findings: of the whole site; with `serve`, each is told on the page that it concerns.
        edits_of: where an answer's question and its record can be edited.
        told_elsewhere: keys of answers that the files for machines do not tell of: another language's do.
    """
    site_url = rooted(site_url)
    by_key = {answer.key: answer for answer in answers}
    addresses = {page.src: page.url for page in pages.values()}
    slots = {page.url: keys for page in pages.values() if (keys := _slots(page.html, by_key))}
    before = {key: number for keys in slots.values() for key, number in _before([by_key[key] for key in keys])}
    blank = AnswerRenderer(settings, _no_link, addresses, loader, site_url, serve, edits_of=edits_of, before=before)
    drafts: dict[str, str] = {}

    def html_of(url: str) -> str | None:
        if url in slots and url not in drafts:
            drafts[url] = _drafted(pages[url], [by_key[key] for key in slots[url]], blank)
        return drafts.get(url) or (pages[url].html if url in pages else None)

    links = Links(html_of, with_ids, above, sections, annotations)
    final = replace(blank, links=links, colours_of=colours_of(links))
    blocks = {
        url: [final.render(by_key[key], base=url, locale=pages[url].locale) for key in keys]
        for url, keys in slots.items()
    }
    cited = {url: _marks(pages[url], [by_key[key] for key in keys], final) for url, keys in slots.items()}
    untold = [answer for answer in answers if answer.key not in told_elsewhere]
    site = _Site(untold, addresses, links, settings, site_url, site_name, loader, edits_of)
    files = {**_beside(site, slots, by_key), **_report(site, corpus, nav)}
    asked = {url: [by_key[key] for key in keys if by_key[key].target != prose.PROSE] for url, keys in slots.items()}
    extra = {url: _json_ld(site, url, own) if own else "" for url, own in asked.items()}
    told = _told(findings, slots, pages) if serve else Apart()
    for url in (tuple(slots) or ("",)) if ask or told.of_none else ():
        if url in pages:
            extra[url] = extra.get(url, "") + ask_box(url, ask, pages[url].locale, loader, told.of_none)
    resting = cited_by.sections(answers, addresses) if settings.render.cited_by or serve else {}
    changed = {}
    for url in sorted({*slots, *extra, *links.changed(), *told.of_pages, *(resting.keys() & pages.keys())}):
        own = resting.get(url, {})
        if url in slots and url not in drafts and not own:  # no link leads into it
            shown = prose.fill(_fill(pages[url].html, slots[url], blocks[url]), cited[url])
        else:
            html = html_of(url) or ""
            blocks_of = _cited_by(url, html, own, pages[url], links, loader)
            shown = prose.swap(_swap(links.with_anchors(url, html, blocks_of), blocks.get(url, [])), cited.get(url, ()))
        shown += extra.get(url, "")
        told_here = told.of_pages.get(url)
        changed[url] = page_notice(told_here, pages[url].locale, loader) + shown if told_here else shown
    return Published(
        MappingProxyType(changed),
        MappingProxyType(files),
        tuple(_inexact(answers, links, place_of or _page_of)),
        MappingProxyType(links.fragments()),
    )


def _before(answers: Sequence[Answer]) -> Iterator[tuple[str, int]]:
    """How many footnotes come before an answer's, where the page's claims have some too: each number is there once."""
    count = 0
    for answer in answers if any(answer.target == prose.PROSE for answer in answers) else ():
        yield answer.key, count
        count += len(grouped(prose.without_quiet(answer)))


class _Site(Struct, frozen=True):
    """What the files beside the pages are made from: answers, links, options."""

    answers: Sequence[Answer]
    addresses: dict[str, str]
    links: Links
    settings: Settings
    url: str
    name: str
    loader: jinja2.BaseLoader | None
    edits_of: Callable[[Answer], Edits]

    def url_of(self, src: str) -> str:
        return self.addresses.get(src, "")


def _beside(site: _Site, slots: Mapping[str, list[str]], answers: Mapping[str, Answer]) -> dict[str, str]:
    """The JSON files: of the site, and in other vocabularies."""
    positions = {key: position for keys in slots.values() for position, key in enumerate(keys, 1)}

    def as_json(chosen: Sequence[Answer]) -> str:
        data = sidecar.build(chosen, url_of=site.url_of, link_of=site.links, positions=positions)
        return encode(data) if site.settings.render.texts else concise(data)

    if not site.answers:
        return {"cited.json": as_json(())}
    asked = [answer for answer in site.answers if answer.target != prose.PROSE]
    files = {
        "cited.json": as_json(site.answers),
        "cited.questions.json": encode(semantic.questions(asked, site.addresses, site.links)),
    }
    files[ANSWERS] = all_as_markdown(asked, site.links, site_url=site.url)
    return files


def _report(site: _Site, corpus: Corpus | None, nav: Sequence[NavEntry]) -> dict[str, str]:
    path = site.settings.render.report
    if not path or corpus is None:
        return {}
    from mkdocs_cited.render.report import report_page  # for sites that ask for it

    html = report_page(
        site.answers,
        corpus,
        site.links,
        base=path,
        url_of=site.addresses,
        nav=nav,
        site_name=site.name,
        loader=site.loader,
        edits_of=site.edits_of,
    )
    return {path: html}


def _told(findings: Sequence[Finding], slots: Mapping[str, list[str]], pages: Mapping[str, PageHtml]) -> Apart:
    shown = {key for keys in slots.values() for key in keys}
    files = {name: page.url for page in pages.values() for name in (page.src, page.file) if name}
    return apart(findings, shown, files)


def _json_ld(site: _Site, url: str, answers: Sequence[Answer]) -> str:
    return str(semantic.json_ld(answers, site.links, url, site.url)) if site.settings.render.json_ld else ""


def _cited_by(
    url: str,
    html: str,
    resting: Mapping[str, tuple[cited_by.Resting, ...]],
    page: PageHtml,
    links: Links,
    loader: jinja2.BaseLoader | None,
) -> dict[int, str]:
    if not resting:
        return {}

    def end_of(anchor: str) -> int:
        text = links.page_text(url)
        return cited_by.end_of_section(text, html, anchor) if text else len(html)

    return cited_by.insertions(resting, end_of=end_of, base=url, locale=page.locale, loader=loader)


_SLOT = re.compile(r'<div data-cited-slot="([^"<>]*)"></div>')


def _slots(html: str, known: Mapping[str, Answer]) -> list[str]:
    """Keys of the answers that a page has a place for, in order, each once."""
    if "data-cited-slot" not in html:
        return []
    return [key for key in dict.fromkeys(unescape(key) for key in _SLOT.findall(html)) if key in known]


def _fill(html: str, keys: Sequence[str], blocks: Sequence[str]) -> str:
    """A page with the blocks of its answers in their places, each once."""
    block_of = dict(zip(keys, blocks, strict=True))
    return _SLOT.sub(lambda match: block_of.pop(unescape(match[1]), ""), html)


def _drafted(page: PageHtml, answers: Sequence[Answer], renderer: AnswerRenderer) -> str:
    """The page with its answers as readers will see them, but for the links; each between two comments."""
    blocks = (renderer.render(answer, base=page.url, locale=page.locale) for answer in answers)
    marked = [f"{_OPEN.format(n)}{block}{_CLOSE.format(n)}" for n, block in enumerate(blocks)]
    html = _fill(page.html, [answer.key for answer in answers], marked)
    return prose.fill(html, _marks(page, answers, renderer), drafted=True)


def _marks(page: PageHtml, answers: Sequence[Answer], renderer: AnswerRenderer) -> list[str]:
    """The citations of the page's own claims."""
    own = next((answer for answer in answers if answer.target == prose.PROSE), None)
    return renderer.marks(own, base=page.url, locale=page.locale) if own else []


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
        if answer.status is Status.STALE or any(item.slug == "unknown-source" for item in answer.findings):
            continue  # its passages have changed, as another finding says: how should their words be found?
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
