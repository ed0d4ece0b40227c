"""All answers of a build into their pages and next to them: the entry point of this package for the pipeline.

Besides its answers, a page gets what the options ask for, for readers of many questions (a line, a field and folded
answers), and in the preview alone what was found, for authors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from html import escape, unescape

import jinja2
import msgspec
from msgspec import Struct, field

from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.finding import Finding, Place, Related, Severity, found
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.render import sidecar
from mkdocs_cited.render.answer import AnswerRenderer, gravity
from mkdocs_cited.render.cited import (
    PROSE,
    cited_passage,
    fill,
    grouped,
    last_review,
    marks_come_first,
    without_quiet,
)
from mkdocs_cited.render.cited_json import encode
from mkdocs_cited.render.labels import Context, Labels
from mkdocs_cited.render.links import Links, relative, rooted
from mkdocs_cited.render.plain import ANSWERS, all_as_markdown
from mkdocs_cited.render.quotes import colours_of
from mkdocs_cited.render.text_fragment import Directive

QUESTIONS = "cited.questions.json"
"""Path in the site of the questions that the field searches."""
_SLOT = re.compile(r'<div data-cited-slot="([^"<>]*)"></div>')


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
    repeats: Callable[[str, Directive], bool] = lambda url, wanted: False
    """Whether a built page has words more than once (`Links.repeats`), where it is known before links are made."""
    places: Mapping[str, Place] = field(default_factory=dict)
    """Key of an answer → where it is declared, for findings; by default the first line of its page."""
    queries: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Key of an answer → other words for its question."""
    corpus: Corpus | None = None
    """The site's passages; the report page is made only with them."""
    others: Collection[str] = ()
    """Keys of answers that the files for machines leave out: another language's have them."""


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
    """What is in a page's content until its answer is put there: a block that no theme shows."""
    return f'<div data-cited-slot="{escape(key)}"></div>'


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
        pages: every page by its address; only those that are cited or hold an answer are parsed.
        settings: the options.
        host: what is known of the site besides.
        findings: of the whole site, for an author's preview, which shows states besides; `None` for readers.
    """
    host = host or Host()
    site = _Site(answers, pages, settings, host, serve=findings is not None)
    render = site.renderer.render
    blocks = {
        url: {key: render(site.answers[key], base=url, locale=pages[url].locale) for key in keys}
        for url, keys in site.slots.items()
    }
    marks = {url: site.marks(url) for url in site.slots}
    files = {**_besides(site), **_report(site)}
    apart = _apart(findings or (), site)
    changed = {}
    for url in sorted({*site.slots, *site.links.changed(), *apart}):
        html = site.links.with_ids_in(url, pages[url].html)
        for key in blocks.get(url, ()) if settings.render.collapse else ():
            html = _folded(html, placeholder(key))
        shown = site.on_top(url, fill(_fill(html, blocks.get(url, {})), marks.get(url, ())))
        changed[url] = site.notice(url, apart.get(url, ())) + shown
    return Published(changed, files, tuple(_inexact(site)), site.links.fragments())


class _Site:
    """What pages and files are made from."""

    def __init__(
        self, answers: Sequence[Answer], pages: Mapping[str, PageHtml], settings: Settings, host: Host, *, serve: bool
    ) -> None:
        self.pages, self.settings, self.host = pages, settings, host
        self.answers = {answer.key: answer for answer in answers}
        self.listed = [answer for answer in answers if answer.key not in host.others]
        """The answers that the files for machines have."""
        self.slots = {page.url: keys for page in pages.values() if (keys := _slots(page.html, self.answers))}
        """Address of each page with answers → their keys, in its order."""
        self.addresses = {page.src: page.url for page in pages.values()}
        """Path of each page → its address."""
        self.url = rooted(host.url)
        self.links = Links(
            lambda url: pages[url].html if url in pages else None,
            host.with_ids,
            lambda url, wanted: url in self.slots or host.repeats(url, wanted),
            host.sections,
        )
        self.context = Context(self.links, self.addresses, self.url, host.loader)
        self.renderer = AnswerRenderer(
            settings,
            self.context,
            serve,
            colours_of(self.links),
            dict(self._before()),
            {answer.key for url in self.slots if len(here := self.asked(url)) > 1 for answer in here},
        )

    def _before(self) -> Iterator[tuple[str, int]]:
        """How many footnotes come before an answer's, where the page's claims have some: each number is there once."""
        for url, keys in self.slots.items():
            on_page, count = [self.answers[key] for key in keys], 0
            if marks_come_first(self.pages[url].html):
                on_page.sort(key=lambda answer: answer.target != PROSE)
            for answer in on_page if any(answer.target == PROSE for answer in on_page) else ():
                yield answer.key, count
                count += len(grouped(without_quiet(answer)))

    def asked(self, url: str) -> list[Answer]:
        """The answers of a page that are a question's."""
        return [answer for key in self.slots[url] if (answer := self.answers[key]).target != PROSE]

    def notice(self, url: str, findings: Sequence[Finding]) -> str:
        """What is at the top of a page in the preview: findings that no answer of it shows, and ways to its answers
        that fail the build, but for the one at its top."""
        own = [self.answers[key] for key in self.slots.get(url, [])[1:] if self.renderer.serve]
        failing = [answer for answer in own if any(item.severity is Severity.ERROR for item in answer.findings)]
        if not (findings or failing):
            return ""
        told = [*findings, *(finding for answer in failing for finding in answer.findings)]
        worst = gravity(told, failed=any(not answer.ok for answer in failing))
        labels = Labels(self.pages[url].locale)
        shown = self.context.filled("findings", labels, findings=findings, failing=failing, gravity=worst)
        return shown.strip() + "\n"

    def marks(self, url: str) -> list[str]:
        """The citations of a page's own claims."""
        own = next((self.answers[key] for key in self.slots[url] if self.answers[key].target == PROSE), None)
        return self.renderer.marks(own, base=url, locale=self.pages[url].locale) if own else []

    def on_top(self, url: str, html: str) -> str:
        """A page with what the options put behind its first heading."""
        options = self.settings.render
        if not (options.ask or options.summary) or url not in self.slots or not self.asked(url):
            return html
        ready = [item for item in self.listed if item.content and item.ok and item.target != PROSE]
        asked = [(item.question, f"{self.addresses.get(item.page, '')}#cited-{item.id}") for item in ready]
        labels = Labels(self.pages[url].locale)
        top = self.context.filled(
            "top",
            labels,
            summary=self._summary(url, labels) if options.summary else (),
            questions=[(question, relative(to, url)) for question, to in asked] if options.ask else (),
            index=relative(QUESTIONS, url),
            root=relative("", url),
        ).strip()
        before, heading, after = html.partition("</h1>")
        return f"{before}{heading}\n{top}\n{after}" if heading else f"{top}\n{html}"

    def _summary(self, url: str, labels: Labels) -> list[str]:
        """On how many pages the answers of one depend, and when one was last looked at; nothing where on none."""
        answers = self.asked(url)
        passages = [cited_passage(answer, source)[0] for answer in answers for source in answer.sources]
        pages = {passage.page.src for passage in passages if not passage.is_private}
        date = max((last_review(answer)[0] for answer in answers if answer.status is Status.ACCEPTED), default="")
        lines = [labels("page_summary", pages=len(pages)), *([labels("checked_on", date=date)] if date else [])]
        return lines if pages else []


def _besides(site: _Site) -> dict[str, str]:
    """The files for machines."""
    positions = {key: position for keys in site.slots.values() for position, key in enumerate(keys, 1)}
    data = sidecar.build(site.listed, site.addresses, site.links, positions)
    files = {"cited.json": msgspec.json.encode(data).decode() + "\n"}
    if site.listed:
        asked = [answer for answer in site.listed if answer.target != PROSE]
        questions = sidecar.questions(asked, site.addresses, site.links, site.host.queries)
        files[QUESTIONS] = encode(questions)
        files[ANSWERS] = all_as_markdown(asked, site.links, site_url=site.url)
    return files


def _report(site: _Site) -> dict[str, str]:
    path, host = site.settings.render.report, site.host
    if not path or host.corpus is None:
        return {}
    from mkdocs_cited.render.report import report_page  # for sites that ask for it

    return {path: report_page(site.listed, host.corpus, site.context, base=path, site_name=host.name)}


def _apart(findings: Sequence[Finding], site: _Site) -> dict[str, list[Finding]]:
    """Address of a page → the findings of its file or its answers that no answer shows. Those of no page (of options,
    of records without a question) are on the first page with answers."""
    shown = {key for keys in site.slots.values() for key in keys}
    files = {name: page.url for page in site.pages.values() for name in (page.src, page.file) if name}
    home = next(iter(site.slots), "")
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        url = files.get(finding.place.file, files.get(finding.answer.rpartition("#")[0], home))
        if finding.answer not in shown and url in site.pages:
            found.setdefault(url, []).append(finding)
    return found


def _folded(html: str, slot: str) -> str:
    """A page's HTML with the heading right before a place and the place itself in `details`."""
    heading = r"(<h([2-6])\b[^<>]*>(?:(?!</h\2>).)*</h\2>)\s*"
    summary = r'<details class="cited-fold"><summary>\1</summary>\n'
    return re.sub(heading + f"({re.escape(slot)})", summary + r"\3\n</details>", html, count=1, flags=re.DOTALL)


def _slots(html: str, known: Mapping[str, Answer]) -> list[str]:
    """Keys of the answers that a page has a place for, in order, each once."""
    return [key for key in dict.fromkeys(unescape(key) for key in _SLOT.findall(html)) if key in known]


def _fill(html: str, blocks: Mapping[str, str]) -> str:
    """A page with the blocks of its answers in their places, each once."""
    left = dict(blocks)
    return _SLOT.sub(lambda match: left.pop(unescape(match[1]), ""), html)


def _inexact(site: _Site) -> Iterator[Finding]:
    for answer in site.answers.values():
        if answer.status is Status.STALE or any(item.slug == "unknown-source" for item in answer.findings):
            continue  # its passages have changed, as another finding says: how should their words be found?
        for source in answer.sources:
            passage, quote = cited_passage(answer, source)
            link = site.links.inexact.get((passage.id, quote))
            if link is None:
                continue
            yield found(
                "inexact-link",
                site.host.places.get(answer.key, Place(answer.page)),
                f"[{source.sid}] can only link to the section `{link.target or passage.page.src}`: "
                "the quote was not found as text of the rendered page",
                tip="quote visible text of the page (not a tooltip, a hidden tab or text that a script writes)",
                answer=answer.key,
                related=(Related("the cited passage", None, passage.id, passage.text, link.url),),
            )
