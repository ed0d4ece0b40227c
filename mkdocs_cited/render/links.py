"""Where each citation leads: page, block and text fragment, tried on the rendered pages. It writes no HTML."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from msgspec import Struct

from mkdocs_cited.answer_text.dialect import SCHEME, seen_by_browsers
from mkdocs_cited.base.text import digest
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import Passage, PassageKind, SourceType
from mkdocs_cited.render import text_fragment
from mkdocs_cited.render.page_text import Element, PageText, read
from mkdocs_cited.render.text_fragment import Directive

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
    linked: bool = True
    """Whether there is anything to link to; a note has nothing."""

    @property
    def target(self) -> str:
        """The address relative to the site's root (`cited.json`'s `href`)."""
        return f"{self.url}{self.fragment}" if self.linked and is_safe(self.url) else ""

    def href(self, base: str) -> str:
        """The address as seen from the page at `base` (relative to the site's root); empty for no link."""
        if not self.linked or not is_safe(self.url):
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
"""Start and end of a range of a page's text."""

_HOLDERS = frozenset("p li tr pre dt dd blockquote h1 h2 h3 h4 h5 h6 div td th figcaption summary section".split())
"""Elements that may get an id."""
_FRAGMENT = "text="
_HIGHLIGHTED = 4
"""Passages that one link highlights: addresses should stay short."""
_RENDERED = (".md", ".markdown", ".rst", ".adoc", ".org", ".csv")
"""Ends of the names of files that code hosts show rendered."""
_SAFE = "!$&'()*+,;=:@/?-._~"


def is_safe(url: str) -> bool:
    """Whether a page may link to an address: one relative to the site's root, or of `http` or `https`. Nothing that
    browsers read otherwise than it is written."""
    if seen_by_browsers(url) != url or any(char.isspace() or not char.isprintable() for char in url):
        return False
    scheme = SCHEME.match(url)
    return scheme[0].lower() in ("http:", "https:") if scheme else not url.startswith("/")


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
    """The links of one build. Parses each cited page once, and remembers the ids that its blocks shall get."""

    html_of: Callable[[str], str | None]
    """From a page's address to its content, without answers; `None` if unknown."""
    with_ids: bool = True
    """Whether cited blocks get ids."""
    repeats: Callable[[str, Directive], bool] = lambda url, wanted: False
    """Whether a page may have these words above its content or in an answer, so that others around them are needed."""
    sections: bool = True
    """Whether a link with a text fragment names the section of a block without an id, for browsers that know no text
    fragments. Zensical's script goes there once the browser has gone to the passage."""
    inexact: dict[tuple[str, str], Link] = field(default_factory=dict)
    """(passage's id, quote) → link, of those that only lead to a section."""
    _pages: dict[str, PageText | None] = field(default_factory=dict)
    _links: dict[tuple[str, str], Link] = field(default_factory=dict)
    _ids: dict[str, dict[int, str]] = field(default_factory=dict)

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
        for link in self._links.values():
            if link.text and link.anchor and link.url in self._pages:
                found.setdefault(link.url, set()).add(link.fragment)
        return {url: tuple(sorted(found[url])) for url in sorted(found)}

    def changed(self) -> Iterable[str]:
        """Addresses of pages whose blocks get ids."""
        return sorted(url for url, ids in self._ids.items() if ids)

    def with_ids_in(self, url: str, html: str) -> str:
        """A page's content, as `html_of` gave it, with the ids of its cited blocks put in; no other byte changes."""
        out, last = [], 0
        for at, name in sorted(self._ids.get(url, {}).items()):
            out += [html[last:at], f' id="{name}"']
            last = at
        return "".join(out) + html[last:]

    def _find(self, passage: Passage, quote_: str) -> Link:
        page, section = passage.page, passage.section.anchor
        fallback = self._section(passage)
        if page.type in (SourceType.NOTE, SourceType.FILE):
            return fallback
        if page.type is SourceType.WEB:
            return _external(passage, quote_)
        text = self.page_text(page.url)
        block = text.find_block(passage.text, section, TAGS[passage.kind]) if text else None
        place = text.find(quote_, section, within=block) or block if text else None
        if text is None or place is None:
            return fallback
        directive = self._directive(page.url, text, place)
        holder = _framed(text.owner((block or place)[0], *_HOLDERS))
        own = holder.id if holder else ""
        if holder and not own and self.with_ids:
            # The style sheet marks a `cited-block-` whole, as no text fragment does.
            name = f"cited-{'' if directive else 'block-'}{digest('anchor', passage.id, length=10)}"
            own = self._ids.setdefault(page.url, {}).setdefault(holder.name_end, name)
        anchor = own or (section if self.sections or not directive else "")
        return Link(page.url, anchor, directive, exact=bool(own or directive))

    def _section(self, passage: Passage) -> Link:
        match passage.page.type:
            case SourceType.NOTE:
                return Link(linked=False)
            case SourceType.FILE:
                return _in_repository(passage)
            case _:
                return Link(passage.page.url, passage.section.anchor, exact=False)

    def _directive(self, url: str, text: PageText, place: Place) -> str:
        directive = text_fragment.directive(text, *place)
        if directive and self.repeats(url, directive):
            directive = text_fragment.directive(text, *place, careful=True)
        return str(directive or "")

    def page_text(self, url: str) -> PageText | None:
        """A page's content, parsed once; `None` if there is no such page."""
        if url not in self._pages:
            html = self.html_of(url)
            self._pages[url] = read(html) if html is not None else None
        return self._pages[url]


def _framed(element: Element | None) -> Element | None:
    """The element that takes the id of `element`: the row of a cell, the frame of a code block, as themes' scripts
    give `pre` ids of their own."""
    above = element.parent if element is not None else None
    if element is None or above is None:
        return element
    framed = element.tag == "pre" and "highlight" in above.attributes.classes
    return above if framed or (element.tag in ("td", "th") and above.tag == "tr") else element


def to_all(link_of: LinkOf, parts: Sequence[tuple[Passage, str]]) -> Link:
    """One link to passages of a section with their quotes: to the first, and all are highlighted."""
    first = link_of(*parts[0])
    passages = [passage for passage, _ in parts]
    if passages[0].page.type is SourceType.FILE:
        lines = [passage.lines for passage in passages]
        return _in_repository(replace(passages[0], lines=(min(lines)[0], max(line for _, line in lines))))
    texts = dict.fromkeys(link.text for part in parts if (link := link_of(*part)).text and link.url == first.url)
    text = "&".join([_FRAGMENT + text.removeprefix(f":~:{_FRAGMENT}") for text in texts][:_HIGHLIGHTED])
    return replace(first, text=f":~:{text}") if first.text and text else first


def _external(passage: Passage, quote_: str) -> Link:
    """The way to a quote of an external page, tried on its passage alone: the rest of that page is not ours to read."""
    text = PageText("\n".join(passage.cells) if passage.cells else passage.text)
    place = text.find(quote_) or text.find(passage.text)
    directive = text_fragment.directive(text, *place) if place else None
    return Link(passage.page.url, passage.section.anchor, str(directive or ""), bool(directive))


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
