"""All answers of a build into their pages and next to them: the entry point of this package for the pipeline.

Besides its answers, a page gets in the preview alone what was found, for authors.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import jinja2
import msgspec
from msgspec import Struct, field

from mkdocs_cited.declarations.markers import SLOT
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.model.options import Settings
from mkdocs_cited.render import sidecar
from mkdocs_cited.render.answer import AnswerRenderer, gravity
from mkdocs_cited.render.cited import (
    PROSE,
    fill,
    grouped,
    in_order,
    marks_come_first,
    without_quiet,
)
from mkdocs_cited.render.labels import Context, Labels
from mkdocs_cited.render.links import Links, rooted
from mkdocs_cited.render.plain import ANSWERS, all_as_markdown
from mkdocs_cited.render.quotes import colours_of

_LINK = re.compile(r"<a\b[^<>]*\bheaderlink\b[^<>]*>(?:(?!</a>).)*</a>", re.DOTALL)
"""The permanent link of a heading."""
_HEADED = re.compile(
    rf"(?P<heading><h(?P<level>[2-6])\b[^<>]*>(?:(?!</h(?P=level)>).)*</h(?P=level)>)\s*(?P<slot>{SLOT.pattern})",
    re.DOTALL,
)
"""A heading right before the place of an answer."""


class PageHtml(Struct, frozen=True):
    """A page as it was read, without answers."""

    src: str
    """Path under `docs_dir`."""
    url: str
    """Address relative to the site's root."""
    html: str
    """With `<!-- answer: ID -->` where each of its answers goes; those without such a place are put at its end."""
    locale: str = "en"
    file: str = ""
    """Path of its source in the project, as findings name it."""
    asks: Mapping[str, str] = field(default_factory=dict)
    """Id → key of each answer that it shows."""
    marks: Sequence[int | None] = ()
    """Of a built page, for each of its marks the number of the claim whose citations are shown in its place: -1 where
    nothing is shown, `None` where it stays as it is."""


class Host(Struct, frozen=True):
    """What a host knows of its site besides the pages."""

    name: str = ""
    url: str = ""
    """Address of the site, for what needs whole addresses (JSON-LD, print)."""
    loader: jinja2.BaseLoader | None = None
    """Where a site's own `cited/*.html` templates are found."""
    with_fragments: bool = True
    """Whether links name the words that a browser highlights: what makes a PDF of the pages takes them for ids."""
    others: Collection[str] = ()
    """Keys of answers that the files for machines leave out: another language's have them."""


class Published(Struct, frozen=True):
    """What a build writes into its site: pages with answers, files for machines, and what was found on the way."""

    pages: Mapping[str, str]
    """Address → content, of the pages that change: those with answers, and those with cited elements. Each needs
    `cited.css` and `cited.js`, by which a reader also lands on a cited element that was hidden or moved."""
    files: Mapping[str, str]
    """Path in the site → text."""
    is_seen: bool = True
    """Whether readers see anything of ours, which needs a style sheet."""


def publish(
    answers: Sequence[Answer],
    pages: Mapping[str, PageHtml],
    settings: Settings,
    host: Host | None = None,
    findings: Sequence[Finding] | None = None,
) -> Published:
    """Render every answer into its page.

    Args:
        answers: all answers of the site.
        pages: every page by its address; only those that are cited or hold an answer are looked at.
        settings: the options.
        host: what is known of the site besides.
        findings: of the whole site, for an author's preview, which shows states besides; `None` for readers.
    """
    host = host or Host()
    site = _Site(answers, pages, settings, host, serve=findings is not None)
    render = site.renderer.render
    blocks = {
        url: {
            key: render(site.answers[key], base=url, locale=pages[url].locale)
            for key in keys
        }
        for url, keys in site.slots.items()
    }
    marks = {url: site.marks(url) for url in site.slots}
    files = {**_besides(site), **_report(site)}
    apart = _apart(findings or (), site)
    changed = {}
    for url in sorted({*site.slots, *site.links.changed(), *apart}):
        html = site.links.with_ids_in(url, pages[url].html)
        if settings.render.collapse:
            html = _folded(html, pages[url])
        html = _filled(html, pages[url], blocks.get(url, {}))
        shown = fill(in_order(html, pages[url].marks), marks.get(url, ()))
        changed[url] = site.notice(url, apart.get(url, ())) + shown
    return Published(changed, files, is_seen=bool(site.listed or apart or host.others))


class _Site:
    """What pages and files are made from."""

    def __init__(
        self,
        answers: Sequence[Answer],
        pages: Mapping[str, PageHtml],
        settings: Settings,
        host: Host,
        *,
        serve: bool,
    ) -> None:
        self.pages, self.settings, self.host = pages, settings, host
        self.answers = {answer.key: answer for answer in answers}
        self.listed = [
            _seen(answer)
            for answer in answers
            if answer.key not in host.others and not _is_unseen(answer)
        ]
        """The answers that the files for machines have, without claims of which readers see nothing."""
        self.slots: dict[str, list[str]] = {}
        """Address of each page with answers → their keys, in its order."""
        for page in pages.values():
            keys = [key for key in _asked(page) if key in self.answers]
            if keys:
                self.slots[page.url] = keys
        self.addresses = {page.src: page.url for page in pages.values()}
        """Path of each page → its address."""
        self.url = rooted(host.url)
        html_of = {page.url: page.html for page in pages.values()}
        self.links = Links(
            html_of.get, answered=self.slots.keys(), with_fragments=host.with_fragments
        )
        self.context = Context(self.links, self.addresses, self.url, host.loader)
        self.renderer = AnswerRenderer(
            settings,
            self.context,
            serve,
            colours_of(self.links),
            dict(self._before()),
            {
                answer.key
                for url in self.slots
                if len(here := self.asked(url)) > 1
                for answer in here
            },
        )

    def _before(self) -> Iterator[tuple[str, int]]:
        """How many footnotes come before an answer's, where the page's claims have some: each number is there once."""
        for url, keys in self.slots.items():
            on_page, count = [self.answers[key] for key in keys], 0
            if marks_come_first(self.pages[url].html):
                on_page.sort(key=lambda answer: answer.target != PROSE)
            for answer in (
                on_page if any(answer.target == PROSE for answer in on_page) else ()
            ):
                yield answer.key, count
                count += len(grouped(without_quiet(answer)))

    def asked(self, url: str) -> list[Answer]:
        """The answers of a page that are a question's."""
        return [
            answer
            for key in self.slots[url]
            if (answer := self.answers[key]).target != PROSE
        ]

    def notice(self, url: str, findings: Sequence[Finding]) -> str:
        """What is at the top of a page in the preview: findings that no answer of it shows, and ways to its answers
        that fail the build, but for the one at its top."""
        own = [
            self.answers[key]
            for key in self.slots.get(url, [])[1:]
            if self.renderer.serve
        ]
        failing = [
            answer
            for answer in own
            if any(item.severity is Severity.ERROR for item in answer.findings)
        ]
        if not (findings or failing):
            return ""
        told = [
            *findings,
            *(finding for answer in failing for finding in answer.findings),
        ]
        worst = gravity(told, failed=any(not answer.ok for answer in failing))
        labels = Labels(self.pages[url].locale)
        shown = self.context.filled(
            "findings", labels, findings=findings, failing=failing, gravity=worst
        )
        return shown.strip() + "\n"

    def marks(self, url: str) -> list[str]:
        """The citations of a page's own claims."""
        own = next(
            (
                self.answers[key]
                for key in self.slots[url]
                if self.answers[key].target == PROSE
            ),
            None,
        )
        if own:
            return self.renderer.marks(own, base=url, locale=self.pages[url].locale)
        return []


def _is_unseen(answer: Answer) -> bool:
    """True if it is the claims of a page, and readers see no citation of any."""
    return (
        answer.target == PROSE
        and bool(answer.content)
        and not without_quiet(answer).content
    )


def _seen(answer: Answer) -> Answer:
    if answer.target == PROSE:
        return without_quiet(answer)
    return answer


def _besides(site: _Site) -> dict[str, str]:
    """The files for machines."""
    positions = {
        key: position
        for keys in site.slots.values()
        for position, key in enumerate(keys, 1)
    }
    data = sidecar.build(site.listed, site.addresses, site.links, positions)
    files = {"cited.json": msgspec.json.encode(data).decode() + "\n"}
    if site.listed:
        asked = [answer for answer in site.listed if answer.target != PROSE]
        files[ANSWERS] = all_as_markdown(asked, site.links, site_url=site.url)
    return files


def _report(site: _Site) -> dict[str, str]:
    path, host = site.settings.render.report, site.host
    if not path:
        return {}
    # for sites that ask for it
    from mkdocs_cited.render.report import assets_of, report_page

    return {
        path: report_page(site.listed, site.context, base=path, site_name=host.name),
        **assets_of(path),
    }


def _apart(findings: Sequence[Finding], site: _Site) -> dict[str, list[Finding]]:
    """Address of a page → the findings of its file or its answers that no answer shows. Those of no page (of options,
    of records without a question) are on the first page with answers."""
    shown = {key for keys in site.slots.values() for key in keys}
    files = {
        name: page.url
        for page in site.pages.values()
        for name in (page.src, page.file)
        if name
    }
    home = next(iter(site.slots), "")
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        url = files.get(
            finding.place.file, files.get(finding.answer.rpartition("#")[0], home)
        )
        if finding.answer not in shown and url in site.pages:
            found.setdefault(url, []).append(finding)
    return found


def _asked(page: PageHtml) -> list[str]:
    """Keys of the answers that a page shows, in its order: those without a place last."""
    if not page.asks:
        return []
    placed = [
        page.asks[name]
        for name in map(_id, SLOT.finditer(page.html))
        if name in page.asks
    ]
    return list(dict.fromkeys((*placed, *sorted(page.asks.values()))))


def _filled(html: str, page: PageHtml, blocks: Mapping[str, str]) -> str:
    """A page with the blocks of its answers in their places, each once; those without a place at its end."""
    left = dict(blocks)

    def block(match: re.Match[str]) -> str:
        name = _id(match)
        if name in page.asks:
            return left.pop(page.asks[name], "")
        return match[0]

    if left:
        return SLOT.sub(block, html) + "".join(left.values())
    return html


def _folded(html: str, page: PageHtml) -> str:
    """A page's HTML with the heading right before each place of an answer, and the place itself, in `details`. What
    folds holds no link."""

    def folded(match: re.Match[str]) -> str:
        slot = SLOT.fullmatch(match["slot"])
        if slot is None or _id(slot) not in page.asks:
            return match[0]
        heading = _LINK.sub("", match["heading"])
        return f'<details class="cited-fold"><summary>{heading}</summary>\n{match["slot"]}\n</details>'

    return _HEADED.sub(folded, html)


def _id(slot: re.Match[str]) -> str:
    """The id of the answer that goes into a place."""
    return slot[1] or slot[2]
