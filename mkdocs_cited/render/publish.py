"""All answers of a build into their pages and beside them: the entry point of this package for the pipeline."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from html import escape, unescape
from types import MappingProxyType

import jinja2
import msgspec
from msgspec import Struct, field

from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.finding import Finding, Place, Related, Severity, found
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.render import cited, extras, sidecar
from mkdocs_cited.render.answer import AnswerRenderer, Edits, no_edits
from mkdocs_cited.render.cited import cited_passage, grouped
from mkdocs_cited.render.cited_json import encode
from mkdocs_cited.render.extras import by_page, page_notice
from mkdocs_cited.render.links import Links, nowhere, rooted
from mkdocs_cited.render.plain import ANSWERS, all_as_markdown
from mkdocs_cited.render.quotes import colours_of
from mkdocs_cited.render.text_fragment import Directive
from mkdocs_cited.settings import Settings


class PageHtml(Struct, frozen=True):
    """A page's rendered content, with `placeholder(key)` where each of its answers goes."""

    src: str
    """Path under `docs_dir`."""
    url: str
    """Address relative to the site's root."""
    html: str
    locale: str = "en"
    file: str = ""
    """Path of its source in the project, as findings name it."""


def _page_of(answer: Answer) -> Place:
    return Place(answer.page)


def no_queries(answer: Answer) -> Sequence[str]:
    """For hosts that know none."""
    return ()


class Host(Struct, frozen=True):
    """What a host knows of its site besides the pages."""

    name: str = ""
    url: str = ""
    """Address of the site, for what needs whole addresses (JSON-LD, print)."""
    loader: jinja2.BaseLoader | None = None
    """Where a site's own `cited/*.html` templates are found."""
    with_ids: bool = True
    """Whether cited blocks get ids of their own."""
    sections: bool = True
    """Whether links with a text fragment name the section of blocks without (`Links.sections`)."""
    repeats: Callable[[str, Directive], bool] = nowhere
    """Whether a built page has words more than once (`Links.repeats`), where it is known before links are made."""
    place_of: Callable[[Answer], Place] = _page_of
    """Where an answer is declared, for findings; by default the first line of its page."""
    edits_of: Callable[[Answer], Edits] = no_edits
    """Where an answer's question and its record can be edited."""
    queries_of: Callable[[Answer], Sequence[str]] = no_queries
    """Other words for an answer's question."""
    corpus: Corpus | None = None
    """The site's passages; the report page is made only with them."""
    elsewhere: Collection[str] = ()
    """Keys of answers that the files for machines leave out: another language's have them."""


class Preview(Struct, frozen=True):
    """What authors see besides: findings and states."""

    findings: Sequence[Finding] = ()
    """Of the whole site; each is shown on the page that it concerns."""


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
    host: Host | None = None,
    preview: Preview | None = None,
) -> Published:
    """Render every answer into its page.

    Args:
        answers: all answers of the site.
        pages: every page by its address; only those that are cited or hold an answer are parsed.
        settings: the options.
        host: what is known of the site besides.
        preview: what authors see besides; nothing for readers.
    """
    host = host or Host()
    site = _Site.of(answers, pages, settings, host, serve=preview is not None)
    blocks = {
        url: {key: site.renderer.render(site.answers[key], base=url, locale=pages[url].locale) for key in keys}
        for url, keys in site.slots.items()
    }
    marks = {url: site.marks(url) for url in site.slots}
    files = {**_beside(site), **_report(site)}
    findings = _findings(preview, site)
    changed = {}
    for url in sorted({*site.slots, *site.links.changed(), *findings}):
        page = pages[url]
        html = site.links.with_ids_in(url, page.html)
        for key in blocks.get(url, ()) if settings.render.collapse else ():
            html = extras.folded(html, placeholder(key))
        shown = site.on_top(url, cited.fill(_fill(html, blocks.get(url, {})), marks.get(url, ())))
        here, failing = findings.get(url, ()), site.failing(url) if preview else []
        changed[url] = page_notice(here, failing, page.locale, host.loader) + shown if here or failing else shown
    return Published(
        MappingProxyType(changed),
        MappingProxyType(files),
        tuple(_inexact(answers, site.links, host.place_of)),
        MappingProxyType(site.links.fragments()),
    )


class _Site(Struct, frozen=True):
    """What pages and files are made from."""

    answers: Mapping[str, Answer]
    """By key."""
    pages: Mapping[str, PageHtml]
    slots: Mapping[str, list[str]]
    """Address of each page with answers → their keys, in its order."""
    addresses: dict[str, str]
    """Path of each page → its address."""
    links: Links
    renderer: AnswerRenderer
    settings: Settings
    host: Host

    @classmethod
    def of(
        cls,
        answers: Sequence[Answer],
        pages: Mapping[str, PageHtml],
        settings: Settings,
        host: Host,
        *,
        serve: bool,
    ) -> _Site:
        by_key = {answer.key: answer for answer in answers}
        slots = {page.url: keys for page in pages.values() if (keys := _slots(page.html, by_key))}
        addresses = {page.src: page.url for page in pages.values()}
        links = Links(
            lambda url: pages[url].html if url in pages else None,
            host.with_ids,
            lambda url, wanted: url in slots or host.repeats(url, wanted),
            host.sections,
        )
        renderer = AnswerRenderer(
            settings,
            links,
            addresses,
            host.loader,
            rooted(host.url),
            serve,
            colours_of(links),
            host.edits_of,
            before={key: n for keys in slots.values() for key, n in _before([by_key[key] for key in keys])},
        )
        return cls(by_key, pages, slots, addresses, links, renderer, settings, host)

    @property
    def url(self) -> str:
        return rooted(self.host.url)

    @property
    def told(self) -> list[Answer]:
        """The answers that the files for machines have."""
        return [answer for answer in self.answers.values() if answer.key not in self.host.elsewhere]

    def asked(self, url: str) -> list[Answer]:
        """The answers of a page that are a question's."""
        return [answer for key in self.slots[url] if (answer := self.answers[key]).target != cited.PROSE]

    def failing(self, url: str) -> list[Answer]:
        """The answers of a page that fail its build, but for the one at its top."""
        own = (self.answers[key] for key in self.slots.get(url, [])[1:])
        return [answer for answer in own if any(item.severity is Severity.ERROR for item in answer.findings)]

    def marks(self, url: str) -> list[str]:
        """The citations of a page's own claims."""
        own = next((self.answers[key] for key in self.slots[url] if self.answers[key].target == cited.PROSE), None)
        return self.renderer.marks(own, base=url, locale=self.pages[url].locale) if own else []

    def on_top(self, url: str, html: str) -> str:
        """A page with what the options put behind its first heading."""
        options = self.settings.render
        if url not in self.slots or not (options.ask or options.summary):
            return html
        ready = [item for item in self.told if item.content and item.ok and item.target != cited.PROSE]
        asked = [(item.question, f"{self.addresses.get(item.page, '')}#cited-{item.id}") for item in ready]
        page = self.pages[url]
        top = extras.top_of_page(self.asked(url), asked, options, url, page.locale, self.host.loader)
        before, heading, after = html.partition("</h1>")
        return f"{before}{heading}\n{top}\n{after}" if heading else f"{top}\n{html}"


def _before(answers: Sequence[Answer]) -> Iterator[tuple[str, int]]:
    """How many footnotes come before an answer's, where the page's claims have some too: each number is there once."""
    count = 0
    for answer in answers if any(answer.target == cited.PROSE for answer in answers) else ():
        yield answer.key, count
        count += len(grouped(cited.without_quiet(answer)))


def _beside(site: _Site) -> dict[str, str]:
    """The files for machines."""
    positions = {key: position for keys in site.slots.values() for position, key in enumerate(keys, 1)}
    data = sidecar.build(
        site.told, url_of=lambda src: site.addresses.get(src, ""), link_of=site.links, positions=positions
    )
    files = {"cited.json": msgspec.json.encode(data).decode() + "\n"}
    if site.told:
        asked = [answer for answer in site.told if answer.target != cited.PROSE]
        questions = sidecar.questions(asked, site.addresses, site.links, site.host.queries_of)
        files[extras.QUESTIONS] = encode(questions)
        files[ANSWERS] = all_as_markdown(asked, site.links, site_url=site.url)
    return files


def _report(site: _Site) -> dict[str, str]:
    path, host = site.settings.render.report, site.host
    if not path or host.corpus is None:
        return {}
    from mkdocs_cited.render.report import report_page  # for sites that ask for it

    html = report_page(
        site.told,
        host.corpus,
        site.links,
        base=path,
        url_of=site.addresses,
        site_name=host.name,
        loader=host.loader,
        edits_of=host.edits_of,
    )
    return {path: html}


def _findings(preview: Preview | None, site: _Site) -> dict[str, list[Finding]]:
    """Address of a page → what authors see on top of it."""
    shown = {key for keys in site.slots.values() for key in keys}
    files = {name: page.url for page in site.pages.values() for name in (page.src, page.file) if name}
    home = next(iter(site.slots), "")
    found = by_page(preview.findings if preview else (), shown, files, home)
    return {url: items for url, items in found.items() if url in site.pages}


_SLOT = re.compile(r'<div data-cited-slot="([^"<>]*)"></div>')


def _slots(html: str, known: Mapping[str, Answer]) -> list[str]:
    """Keys of the answers that a page has a place for, in order, each once."""
    if "data-cited-slot" not in html:
        return []
    return [key for key in dict.fromkeys(unescape(key) for key in _SLOT.findall(html)) if key in known]


def _fill(html: str, blocks: Mapping[str, str]) -> str:
    """A page with the blocks of its answers in their places, each once."""
    left = dict(blocks)
    return _SLOT.sub(lambda match: left.pop(unescape(match[1]), ""), html) if "data-cited-slot" in html else html


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
