"""From an answer to what a reader, a browser or a machine sees: `publish` puts all answers of a build into their
pages, and makes the files next to them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

import msgspec
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.declaration import ATTRIBUTE, PROSE, SLOT
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import SitePage
from mkdocs_cited.render import cited_json
from mkdocs_cited.render.answer import Block, Host, Site
from mkdocs_cited.render.cited import with_numbers, without_quiet
from mkdocs_cited.render.cited_json import CitedJson
from mkdocs_cited.render.labels import Labels, asset, filled
from mkdocs_cited.render.links import Links, relative

_LINK = re.compile(r"<a\b[^<>]*\bheaderlink\b[^<>]*>(?:(?!</a>).)*</a>", re.DOTALL)
"""The permanent link of a heading."""
_HEADED = re.compile(
    rf"(?P<heading><h(?P<level>[2-6])\b[^<>]*>(?:(?!</h(?P=level)>).)*</h(?P=level)>)\s*(?P<slot>{SLOT.pattern})",
    re.DOTALL,
)
"""A heading right before the place of an answer."""


class Published(Struct, frozen=True):
    """What a build writes into its site: pages with answers, and files for machines."""

    pages: Mapping[str, str]
    """Address → content, of the pages that change: those with answers, and those with cited elements. Each needs
    `cited.css` and `cited.js`, by which a reader also lands on a cited element that was hidden or moved."""
    files: Mapping[str, str]
    """Path in the site → text of all files besides its pages."""
    loaded: Collection[str]
    """Those of them that pages load, style sheets and a script; none where readers see nothing of ours."""


def publish(
    answers: Sequence[Answer],
    pages: Mapping[str, SitePage],
    settings: Settings,
    host: Host | None = None,
    *,
    serve: bool = False,
) -> Published:
    """Render every answer into its page.

    Args:
        answers: all answers of the site.
        pages: every page by its address; only those that are cited or hold an answer are looked at.
        settings: the options.
        host: what is known of the site besides.
        serve: whether it is an author's preview, which shows states and findings.
    """
    host = host or Host()
    shown = _by_page(answers, pages.values())
    links = Links(
        {page.url: page.shown for page in pages.values()}.get,
        answered=shown.keys(),
        with_fragments=host.with_fragments,
    )
    addresses = {page.src: page.url for page in pages.values()}
    site = Site(settings, links, addresses, host, serve)
    # blocks are made before the ids are read: a link gives its element an id
    blocks = {}
    positions = {}
    for url, on_page in shown.items():
        blocks[url] = _PageBlocks(pages[url], on_page, site)
        for position, answer in enumerate(on_page, 1):
            positions[answer.key] = position
    listed = []
    for seen in map(_seen, answers):
        if seen is not None and seen.key not in host.others:
            listed.append(seen)
    data = cited_json.build(listed, addresses, links, positions)
    files = _files(data, host, settings.render.report)
    changed = {}
    for url in sorted({*shown, *links.ids}):
        html = links.with_ids_in(url, pages[url].shown)
        if settings.render.collapse:
            html = _folded(html, pages[url])
        if url in blocks:
            html = blocks[url].put_into(html)
        changed[url] = html
    loaded = {}
    if changed and (serve or listed or host.others):
        loaded = asset_texts(serving=serve)
    return Published(changed, files | loaded, loaded.keys())


def asset_texts(*, serving: bool) -> dict[str, str]:
    """Path in the site → text of the style sheets and the script that its pages load; a preview has one more."""
    names = ["cited.css", "cited.js"]
    if serving:
        names.append("preview.css")
    return {f"assets/cited/{name}": asset(name) for name in names}


class _PageBlocks:
    """What is put into one page: the blocks of its answers, and the numbers of its claims."""

    def __init__(self, page: SitePage, answers: Sequence[Answer], site: Site) -> None:
        self.page = page
        self.blocks = {answer.key: "" for answer in answers}
        """Key of an answer → its block."""
        self.numbers: Sequence[Markup] = ()
        """The numbers of each marked claim; empty for one whose citations no reader sees."""
        claims = [answer for answer in answers if answer.target == PROSE]
        folded = site.settings.footnotes == "folded"
        questions = len(answers) - len(claims)
        several = site.settings.footnotes == "auto" and questions > 1
        are_above = f"<span {ATTRIBUTE}=" in SLOT.split(page.shown, maxsplit=1)[0]
        first = 1
        for answer in sorted(answers, key=lambda item: (item in claims) != are_above):
            block = Block(site, answer, page.url, locale=page.locale, first=first)
            if claims:
                # the page's claims and its answers have their numbers together
                first += len(block.groups)
            if block.is_prose:
                marked = block.answer.content.split("\n\n")
                self.numbers = [block.numbers.of_block(claim) for claim in marked]
            fold = folded or (several and not block.is_prose)
            self.blocks[answer.key] = block.html(fold=fold)

    def put_into(self, html: str) -> str:
        """The page with each block in its place, once; those without a place are at its end."""
        left = dict(self.blocks)

        def block(match: re.Match[str]) -> str:
            name = match["id"]
            if name in self.page.asks:
                return left.pop(self.page.asks[name], "")
            return match[0]

        html = SLOT.sub(block, html) + "".join(left.values())
        return with_numbers(html, self.numbers, self.page.marks)


def _by_page(
    answers: Sequence[Answer], pages: Iterable[SitePage]
) -> dict[str, list[Answer]]:
    """Address of each page with answers → those that it shows, in its order: those without a place last."""
    by_key = {answer.key: answer for answer in answers}
    shown = {}
    for page in pages:
        if not page.asks:
            continue
        placed = [page.asks.get(slot["id"]) for slot in SLOT.finditer(page.shown)]
        keys = dict.fromkeys([*placed, *sorted(page.asks.values())])
        on_page = [by_key[key] for key in keys if key in by_key]
        if on_page:
            shown[page.url] = on_page
    return shown


def _seen(answer: Answer) -> Answer | None:
    """An answer as machines see it: of the claims of a page those whose citations readers see; `None` for no such."""
    if answer.target != PROSE or not answer.content:
        return answer
    seen = without_quiet(answer)
    content = re.sub(r"\n\s*\n", "\n\n", seen.content).strip()
    if content:
        return replace(seen, content=content)
    return None


def _files(data: CitedJson, host: Host, report: str) -> dict[str, str]:
    """Path in the site → text of `cited.json`, and of the report page with its style sheet and script: the page that a
    docs team plans from, what needs somebody first. It needs no server and no network."""
    files = {"cited.json": f"{msgspec.json.encode(data).decode()}\n"}
    if report:
        urgent = sorted(
            data.answers,
            key=lambda item: (item.ok and not item.review.issues, item.ok, item.id),
        )
        files[report] = filled(
            "report",
            Labels("en"),
            host.loader,
            name=PurePosixPath(report).stem,
            site_name=host.name,
            generator=data.generator,
            answers=urgent,
            base=report,
            relative=relative,
        )
        for suffix in (".css", ".js"):
            name = PurePosixPath(report).with_suffix(suffix).as_posix()
            files[name] = asset(f"report{suffix}")
    return files


def _folded(html: str, page: SitePage) -> str:
    """A page's HTML with the heading right before each place of an answer, and the place itself, in `details`. What
    folds holds no link."""

    def folded(match: re.Match[str]) -> str:
        if match["id"] not in page.asks:
            return match[0]
        heading = _LINK.sub("", match["heading"])
        return f'<details class="cited-fold"><summary>{heading}</summary>\n{match["slot"]}\n</details>'

    return _HEADED.sub(folded, html)
