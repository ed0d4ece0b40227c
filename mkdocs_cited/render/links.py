"""Where each citation leads: page, element and text fragment; and the ids that cited elements are given."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from msgspec import Struct

from mkdocs_cited.answer_text.markdown import passable
from mkdocs_cited.base.html import id_at, with_ids
from mkdocs_cited.base.text import digest
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import Passage, SourceType
from mkdocs_cited.render.cited import Group
from mkdocs_cited.render.text_fragment import FRAGMENT, fragment, letters_of

_ABSOLUTE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//")


class Link(Struct, frozen=True):
    """Where one passage can be linked to: its page, an id on it, and the text fragment behind that."""

    url: str = ""
    """The page's address relative to the site's root, or an absolute one (a file's); empty for no link."""
    anchor: str = ""
    """Id on the page: of the cited element where it has one, else of its section."""
    text: str = ""
    """Text fragment (`:~:text=…`); empty where its words may be elsewhere on the page."""
    exact: bool = True
    """Whether it leads to the passage itself, not just to its section."""
    linked: bool = True
    """Whether there is anything to link to; a note has nothing."""

    @property
    def target(self) -> str:
        """The address relative to the site's root (`cited.json`'s `href`)."""
        if self.is_safe:
            return f"{self.url}{self.fragment}"
        return ""

    def href(self, base: str) -> str:
        """The address as seen from the page at `base` (relative to the site's root); empty for no link."""
        if self.is_safe:
            return relative(self.url, base, self.fragment)
        return ""

    @property
    def is_safe(self) -> bool:
        """True if there is something to link to, and pages may link there."""
        return self.linked and (not self.url or passable(self.url) is not None)

    @property
    def fragment(self) -> str:
        """What follows the page's address: `#id:~:text=…`."""
        if self.anchor or self.text:
            return f"#{quote(self.anchor, safe=_SAFE)}{self.text}"
        return ""


LinkOf = Callable[[Passage, str], Link]
"""From a passage and a quote of it to the way there: `Links`, or anything that does as much."""

_HIGHLIGHTED = 4
"""Passages that one link highlights: addresses should stay short."""
_RENDERED = (".md", ".markdown", ".rst", ".adoc", ".org", ".csv")
"""Ends of the names of files that code hosts show rendered."""
_SAFE = "!$&'()*+,;=:@/?-._~"


def rooted(site_url: str | None) -> str:
    """The site's address with a slash at its end, so that what is joined to it keeps its last part: mike puts the
    version there, without one. Empty when it is not known."""
    if site_url:
        return f"{site_url.rstrip('/')}/"
    return ""


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
        if not target or target.endswith("/"):
            return "./"
        return posixpath.basename(target)
    here = posixpath.dirname(base)
    path = posixpath.relpath(target.rstrip("/") or ".", here or ".")
    if not target or target.endswith("/"):
        path = "./" if path == "." else f"{path}/"
    return path + suffix


def _rootless(url: str) -> str:
    url = url.removeprefix("./").removeprefix("/")
    if url == ".":
        return ""
    return url


@dataclass(slots=True)
class Links:
    """The links of one build, and the ids that cited elements shall get."""

    html_of: Callable[[str], str | None]
    """From a page's address to its HTML as it was read, without answers; `None` if unknown."""
    with_ids: bool = True
    """Whether cited elements get ids."""
    answered: Collection[str] = ()
    """Addresses of pages with answers, which may repeat words of their page above them."""
    with_fragments: bool = True
    """Whether links into the site's pages name the words that a browser highlights."""
    _letters: dict[str, str] = field(default_factory=dict)
    _links: dict[tuple[str, str], Link] = field(default_factory=dict)
    _ids: dict[str, dict[int, str]] = field(default_factory=dict)

    def __call__(self, passage: Passage, quote_: str) -> Link:
        """The link to a quote of a passage. Without a quote it leads to the section."""
        key = (passage.id, quote_)
        if key not in self._links:
            self._links[key] = self._find(passage, quote_)
        return self._links[key]

    def changed(self) -> list[str]:
        """Addresses of pages whose elements get ids."""
        return sorted(self._ids)

    def with_ids_in(self, url: str, html: str) -> str:
        """A page's HTML, as `html_of` gave it, with the ids of its cited elements put in; no other byte changes."""
        return with_ids(html, self._ids.get(url, {}))

    def _find(self, passage: Passage, quote_: str) -> Link:
        match passage.page.type:
            case SourceType.NOTE:
                return Link(linked=False)
            case SourceType.FILE:
                return _in_repository(passage)
            case SourceType.WEB if quote_:
                return Link(
                    passage.page.url, passage.section.anchor, fragment(passage, quote_)
                )
        return self._in_page(passage, quote_) or Link(
            passage.page.url, passage.section.anchor, exact=False
        )

    def _in_page(self, passage: Passage, quote_: str) -> Link | None:
        """The link to an element of a page; nothing where it is not known, or nothing is quoted."""
        url, element = passage.page.url, passage.element
        if element is None or not quote_:
            return None
        html = self.html_of(url)
        if html is None:
            return None
        own = id_at(html, element.at)
        if own is None:
            return None
        if url not in self._letters:
            self._letters[url] = letters_of(html)
        text = ""
        if self.with_fragments and not element.closed and url not in self.answered:
            text = fragment(passage, quote_, self._letters[url])
        if not own and self.with_ids:
            # The style sheet marks a `cited-block-` whole, as no text fragment does.
            name = f"cited-{'' if text else 'block-'}{digest('anchor', passage.id, length=10)}"
            ids = self._ids.setdefault(url, {})
            own = ids.setdefault(element.at, name)
        if own or text:
            return Link(url, own, text)
        return None


def to_all(link_of: LinkOf, group: Group) -> Link:
    """One link to the passages of a footnote with their quotes: to the first, and all are highlighted."""
    passage = group.parts[0].passage
    if passage.page.type is SourceType.FILE:
        lines = [part.passage.lines for part in group.parts]
        last = max(last for _, last in lines)
        return _in_repository(replace(passage, lines=(min(lines)[0], last)))
    links = [link_of(part.passage, part.quote) for part in group.parts]
    if not links[0].text:
        return links[0]
    texts = dict.fromkeys(link.text.removeprefix(FRAGMENT) for link in links)
    shown = "&text=".join(list(filter(None, texts))[:_HIGHLIGHTED])
    return replace(links[0], text=FRAGMENT + shown)


def _in_repository(passage: Passage) -> Link:
    """The lines of a file, as code hosts address them: `#L3-L5`, `#L3-5` on GitLab, `#lines-3:5` on Bitbucket.

    Prose that they would show rendered, without its lines, is asked for as it is: `?plain=1` on GitHub and GitLab,
    `?display=source` on Forgejo (Codeberg).
    """
    url, (first, last) = passage.page.url, passage.lines
    if not url or not first:
        return Link(url, linked=bool(url))
    if url.lower().endswith(_RENDERED):
        url += "?display=source" if "/src/branch/" in url else "?plain=1"
    if urlsplit(url).hostname == "bitbucket.org":
        name, to = f"lines-{first}", f":{last}"
    elif "/-/blob/" in url:
        name, to = f"L{first}", f"-{last}"
    else:
        name, to = f"L{first}", f"-L{last}"
    return Link(url, name + to if last > first else name)
