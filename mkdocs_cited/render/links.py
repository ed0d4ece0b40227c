"""Where each citation leads: page, block and text fragment, tried on the rendered pages. It writes no HTML."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import Passage, PassageKind, SourceType
from mkdocs_cited.render import anchors, pagetext, text_fragment
from mkdocs_cited.render.pagereader import Annotations, read

_ABSOLUTE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//")


class Link(Struct, frozen=True):
    """Where one passage can be linked to: its page, an id on it, and the text fragment behind that."""

    url: str = ""
    """The page's address relative to the site's root, or an absolute one (a file's); empty for no link."""
    anchor: str = ""
    """Id on the page: of the cited block where it has one, else of its section."""
    text: str = ""
    """Text fragment (`:~:text=…`), empty when none surely matches."""
    exact: bool = True
    """Whether it leads to the passage itself, not just to its section."""
    prefix: str = ""
    """What stands before the quote, for `TextQuoteSelector`."""
    suffix: str = ""
    """What stands behind it."""
    linked: bool = True
    """Whether there is anything to link to; a note has nothing."""

    @property
    def target(self) -> str:
        """The address relative to the site's root (`cited.json`'s `href`)."""
        return f"{self.url}{self.fragment}" if self.linked else ""

    def href(self, base: str) -> str:
        """The address as seen from the page at `base` (relative to the site's root); empty for no link."""
        if not self.linked:
            return ""
        return relative(self.url, base, self.fragment)

    @property
    def fragment(self) -> str:
        """What follows the page's address: `#id:~:text=…`."""
        return f"#{quote(self.anchor, safe=_SAFE)}{self.text}" if self.anchor or self.text else ""


TAGS = {
    PassageKind.PARAGRAPH: "p",
    PassageKind.ITEM: "li",
    PassageKind.STEP: "li",
    PassageKind.DEFINITION: "dt",
    PassageKind.ROW: "tr",
    PassageKind.CODE: "pre",
}

LinkOf = Callable[[Passage, str], Link]
"""From a passage and a quote of it to the way there: `Links`, or anything that does as much."""

Place = tuple[int, int]
"""Start and end of a stretch of a page's text."""

_RENDERED = (".md", ".markdown", ".rst", ".adoc", ".org", ".csv")
"""Ends of the names of files that code hosts show rendered."""
_SAFE = "!$&'()*+,;=:@/?-._~"


def nothing(url: str) -> str:
    """For pages above whose content nothing is known to stand."""
    return ""


def rooted(site_url: str | None) -> str:
    """The site's address with a slash at its end, so that what is joined to it keeps its last part: mike puts the
    version there, without one. Empty when it is not known."""
    return f"{site_url.rstrip('/')}/" if site_url else ""


def relative(target: str, base: str, suffix: str = "") -> str:
    """An address relative to the site's root, as seen from another one. Absolute ones stay as they are.

    Folder addresses keep their slash: from `guide/faq/` to `guide/install/` it is `../install/`.
    """
    if _ABSOLUTE.match(target):
        return target + suffix
    target, base = _rootless(target), _rootless(base)
    if target == base and suffix:
        return suffix
    if target == base:
        return "./" if not target or target.endswith("/") else posixpath.basename(target)
    here = posixpath.dirname(base)
    path = posixpath.relpath(target.rstrip("/") or ".", here or ".")
    if not target or target.endswith("/"):
        path = "./" if path == "." else f"{path}/"
    return path + suffix


def _rootless(url: str) -> str:
    url = url.removeprefix("./").removeprefix("/")
    return "" if url == "." else url


@dataclass(slots=True)
class Links:
    """The links of one build. Reads each cited page once, where it must, and remembers the ids that its blocks shall
    get."""

    html_of: Callable[[str], str | None]
    """From a page's address to its content as it will be published, answers included; `None` if unknown."""
    with_ids: bool = True
    """Whether cited blocks get ids."""
    above: Callable[[str], str] = nothing
    """From a page's address to what the theme shows above its content, a line each: a browser searches it first."""
    sections: bool = True
    """Whether a link with a text fragment names the section of a block without an id, for browsers that know no text
    fragments. Zensical's script goes there once the browser has gone to the passage."""
    annotations: Annotations = ""
    """Which blocks show the list behind them on demand."""
    inexact: dict[tuple[str, str], Link] = field(default_factory=dict)
    """(passage's id, quote) → link, of those that only lead to a section."""
    _pages: dict[str, pagetext.PageText | None] = field(default_factory=dict)
    _links: dict[tuple[str, str], Link] = field(default_factory=dict)
    _ids: dict[str, dict[int, str]] = field(default_factory=dict)
    _stretches: list[Link] = field(default_factory=list)

    def __call__(self, passage: Passage, quote_: str) -> Link:
        """The link to a quote of a passage. Without a quote it leads to the section, and no page is read."""
        if not quote_:
            return self._section(passage)
        key = (passage.id, quote_)
        if key not in self._links:
            self._links[key] = self._find(passage, quote_)
            if not self._links[key].exact:
                self.inexact[key] = self._links[key]
        return self._links[key]

    def fragments(self) -> dict[str, tuple[str, ...]]:
        """Address of each page of the site → the fragments, `#id:~:text=…`, of the links that lead into it."""
        found: dict[str, set[str]] = {}
        for link in (*self._links.values(), *self._stretches):
            if link.text and link.anchor and link.url in self._pages:
                found.setdefault(link.url, set()).add(link.fragment)
        return {url: tuple(sorted(found[url])) for url in sorted(found)}

    def changed(self) -> Iterable[str]:
        """Addresses of pages whose blocks get ids."""
        return sorted(url for url, ids in self._ids.items() if ids)

    def with_anchors(self, url: str, html: str, blocks: Mapping[int, str] | None = None) -> str:
        """A page's content with the ids of its cited blocks; `html` must be what `html_of` gave for it.

        Args:
            url: the page's address.
            html: its content.
            blocks: further pieces of HTML, by the offset in `html` at which they go in.
        """
        return anchors.insert(html, self._ids.get(url, {}), blocks or {})

    def stretch(self, parts: Sequence[tuple[Passage, str]]) -> Link:
        """The link to neighbouring passages of a page, in its order, each with its quote: it highlights all of them
        where one text fragment can, else the first."""
        first = self(*parts[0])
        passages = [passage for passage, _ in parts]
        if passages[0].page.type is SourceType.FILE:
            return _in_repository(replace(passages[0], lines=(passages[0].lines[0], passages[-1].lines[1])))
        text = self.page_text(first.url) if first.exact else None
        places = [place for part in parts if text and (place := self._place(text, *part)[1])]
        if text is None or len(places) < len(parts) or places != sorted(places):
            return first
        directive = text_fragment.directive(text, places[0][0], places[-1][1])
        if directive is None:
            return first
        suffix = _around(text, places[0][0], places[-1][1])[1]
        self._stretches.append(replace(first, text=str(directive), suffix=suffix))
        return self._stretches[-1]

    def _place(self, text: pagetext.PageText, passage: Passage, quote_: str) -> tuple[Place | None, Place | None]:
        """Where a passage stands on its page, and where its quote does."""
        anchor = passage.section.anchor
        block = text.find_block(passage.text, anchor, TAGS[passage.kind])
        return block, text.find(quote_, anchor, within=block) or block

    def _find(self, passage: Passage, quote_: str) -> Link:
        page = passage.page
        fallback = self._section(passage)
        if page.type in (SourceType.NOTE, SourceType.FILE):
            return fallback
        if page.type is SourceType.WEB:
            return _elsewhere(passage, quote_)
        text = self.page_text(page.url)
        block, place = self._place(text, passage, quote_) if text else (None, None)
        if text is None or place is None:
            return fallback
        holder = anchors.holder(_shown_in(text.owner((block or place)[0])))
        own = holder.id if holder else ""
        if holder and not own and self.with_ids:
            own = self._ids.setdefault(page.url, {}).setdefault(holder.name_end, anchors.block_id(passage.id))
        directive = str(text_fragment.directive(text, *place) or "")
        anchor = own or (passage.section.anchor if self.sections or not directive else "")
        before, after = _around(text, *place)
        return Link(page.url, anchor, directive, exact=bool(own or directive), prefix=before, suffix=after)

    def _section(self, passage: Passage) -> Link:
        match passage.page.type:
            case SourceType.NOTE:
                return Link(linked=False)
            case SourceType.FILE:
                return _in_repository(passage)
            case _:
                return Link(passage.page.url, passage.section.anchor, exact=False)

    def page_text(self, url: str) -> pagetext.PageText | None:
        """A page as it is searched, read once; `None` if there is no such page."""
        if url not in self._pages:
            html = self.html_of(url)
            text = self._pages[url] = read(html, self.annotations) if html is not None else None
            if text is not None:
                text.before = (self.above(url), "\n".join((*text.titles(), "\0")))  # with its table of contents
        return self._pages[url]


def _shown_in(element: pagetext.Element | None) -> pagetext.Element | None:
    """The block in which an annotation is shown, for what stands in one; else the element itself."""
    at = element
    while at is not None:
        if at.annotated is not None:
            return at.annotated
        at = at.parent
    return element


def to_all(link_of: LinkOf, parts: Sequence[tuple[Passage, str]]) -> Link:
    """One link to neighbouring passages with their quotes: to all of them where their page can be read, else to the
    first."""
    return link_of.stretch(parts) if isinstance(link_of, Links) and len(parts) > 1 else link_of(*parts[0])


def _elsewhere(passage: Passage, quote_: str) -> Link:
    """The way to a quote of a page elsewhere, tried on its passage alone: the rest of that page is not ours to read."""
    text = read(_alone(passage))
    place = text.find(quote_, "") or text.find(passage.text, "")
    directive = text_fragment.directive(text, *place) if place else None
    before, after = _around(text, *place) if place else ("", "")
    return Link(
        passage.page.url, passage.section.anchor, str(directive or ""), bool(directive), prefix=before, suffix=after
    )


def archived(passage: Passage, template: str) -> str:
    """The address of a copy of a page elsewhere, as of the day of its snapshot, by the option `web.archive`."""
    page = passage.page
    if not template or page.type is not SourceType.WEB:
        return ""
    return template.replace("{date}", page.fetched.replace("-", "")).replace("{url}", page.url)


def _alone(passage: Passage) -> str:
    """A passage as a page that holds nothing else."""
    match passage.kind:
        case PassageKind.CODE:
            return f"<pre>{escape(passage.text)}</pre>"
        case PassageKind.ROW:
            cells = "".join(f"<td>{escape(cell)}</td>" for cell in passage.cells or (passage.text,))
            return f"<table><tr>{cells}</tr></table>"
        case _:
            return f"<p>{escape(passage.text)}</p>"


def _in_repository(passage: Passage) -> Link:
    """The lines of a file, as code hosts address them: `#L3-L5`, `#L3-5` on GitLab.

    Prose that they would show rendered, without its lines, is asked for as it is: `?plain=1` on GitHub and GitLab,
    `?display=source` on Forgejo (Codeberg).
    """
    url, (first, last) = passage.page.url, passage.lines
    if not url or not first:
        return Link(url, linked=bool(url))
    if url.lower().endswith(_RENDERED):
        url += "?display=source" if "/src/branch/" in url else "?plain=1"
    to = f"-{last}" if "/-/blob/" in url else f"-L{last}"
    return Link(url, f"L{first}{to if last > first else ''}")


def _around(text: pagetext.PageText, start: int, end: int, length: int = 32) -> tuple[str, str]:
    """Up to `length` characters on either side, as `TextQuoteSelector` wants them."""
    return text.words(max(0, start - length), start), text.words(end, end + length)
