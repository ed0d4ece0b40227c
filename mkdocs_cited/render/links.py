"""The links of footnotes: page, element and text fragment; and the ids that cited elements are given.

A text fragment (https://wicg.github.io/scroll-to-text-fragment/, `:~:text=start,end`) makes a browser find, show and
highlight words. It is made of the reader's text alone, and only of words that are on the page once: a browser goes to
their first place.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import quote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.answer_text.markdown import passable
from mkdocs_cited.base.html import id_at, parsed, with_ids
from mkdocs_cited.base.text import digest, letters
from mkdocs_cited.model.source import Passage, PassageKind, SourceType
from mkdocs_cited.render.cited import Group

FRAGMENT = ":~:text="
_LENGTHS = (40, 90, 300)
"""Characters of the words by which a passage is named, the shortest first; what is no longer than the second of them is
named in full. Much longer addresses break in mails and chats."""
_LEAST = 8
"""Bytes of the first words in UTF-8: fewer may be in a page's navigation too."""
_SIGNS = "❌✅☐☑"
"""What the reader has in place of icons."""
_GAP = re.compile(r"\n|\t|  +")
"""Where a line of code may be shown otherwise than as words that follow each other."""
_UNSEEN = ["script", "style", "template", "noscript", "head"]

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
    def leads(self) -> bool:
        """True if pages may link there."""
        return self.linked and (not self.url or passable(self.url) is not None)

    @property
    def target(self) -> str:
        """The address relative to the site's root (`cited.json`'s `href`); empty where pages may not link there."""
        if self.leads:
            return f"{self.url}{self.fragment}"
        return ""

    def href(self, base: str) -> str:
        """The address as seen from the page at `base` (relative to the site's root); empty for no link."""
        if self.leads:
            return relative(self.url, base, self.fragment)
        return ""

    @property
    def fragment(self) -> str:
        """What follows the page's address: `#id:~:text=…`."""
        if self.anchor or self.text:
            return f"#{quote(self.anchor, safe=_SAFE)}{self.text}"
        return ""


LinkOf = Callable[[Passage, str], Link]
"""A function that returns the link to a quote of a passage, such as `Links`."""

_HIGHLIGHTED = 4
"""Passages that one link highlights: addresses should stay short."""
_RENDERED = (".md", ".markdown", ".rst", ".adoc", ".org", ".csv")
"""Ends of the names of files that code hosts show rendered."""
_SAFE = "!$&'()*+,;=:@/?-._~"


def relative(target: str, base: str, suffix: str = "") -> str:
    """An address relative to the site's root, as seen from another one. Absolute ones stay as they are.

    Folder addresses keep their slash: from `guide/faq/` to `guide/install/` it is `../install/`.
    """
    if _ABSOLUTE.match(target):
        return target + suffix
    target, base = _rootless(target), _rootless(base)
    if target == base and suffix:
        return suffix
    folder, _, name = target.rpartition("/")
    path = posixpath.relpath(folder or ".", posixpath.dirname(base) or ".")
    path = "" if path == "." else f"{path}/"
    return (path + name or "./") + suffix


def _rootless(url: str) -> str:
    return url.removeprefix("./").removeprefix("/")


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
    ids: dict[str, dict[int, str]] = field(default_factory=dict)
    """Address of a page → offset of each element that gets an id → the id."""

    def with_ids_in(self, url: str, html: str) -> str:
        """A page's HTML, as `html_of` gave it, with the ids of its cited elements put in; no other byte changes."""
        return with_ids(html, self.ids.get(url, {}))

    def __call__(self, passage: Passage, quote_: str) -> Link:
        """The link to a quote of a passage. Without a quote it leads to the section."""
        url, anchor = passage.page.url, passage.section.anchor
        match passage.page.type:
            case SourceType.NOTE:
                return Link(linked=False)
            case SourceType.FILE:
                return _in_repository(passage)
            case SourceType.WEB if quote_:
                return Link(url, anchor, fragment(passage, quote_))
        return self._in_page(passage, quote_) or Link(url, anchor, exact=False)

    def _in_page(self, passage: Passage, quote_: str) -> Link | None:
        """The link to an element of a page; nothing where it is not known, or nothing is quoted."""
        url, element = passage.page.url, passage.element
        if element is None or not quote_:
            return None
        html = self.html_of(url) or ""
        own = id_at(html, element.at)
        if own is None:
            return None
        if url not in self._letters:
            self._letters[url] = letters_of(html)
        text = ""
        if self.with_fragments and not element.closed and url not in self.answered:
            text = fragment(passage, quote_, self._letters[url])
        if not own and self.with_ids:
            # the style sheet highlights the whole of a `cited-block-`, as there is no text fragment
            name = "cited-" if text else "cited-block-"
            name += digest("anchor", passage.id, length=10)
            own = self.ids.setdefault(url, {}).setdefault(element.at, name)
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
    texts = dict.fromkeys(link.text for link in links if link.text)
    first, *others = list(texts)[:_HIGHLIGHTED]
    more = "&text=".join(["", *(text.removeprefix(FRAGMENT) for text in others)])
    return replace(links[0], text=first + more)


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


def fragment(passage: Passage, quoted: str, page: str = "") -> str:
    """The fragment that leads to a quote of a passage: `:~:text=…`; empty where no words of it are on the page once.

    Args:
        passage: the passage.
        quoted: verbatim text of it.
        page: the letters of its page (`letters`); empty where they are not known.
    """
    pieces = list(_pieces(passage, quoted))
    if not pieces:
        return ""
    for start, end in _terms(pieces):
        known = letters(start)
        if not page or (len(known.encode()) >= _LEAST and page.count(known) == 1):
            terms = quote(start, safe="")
            if end:
                terms += f",{quote(end, safe='')}"
            # `quote` leaves the hyphen, which has a meaning here
            return FRAGMENT + terms.replace("-", "%2D")
    return ""


def letters_of(html: str) -> str:
    """The letters and digits that a page may show, in lower case."""
    tree = parsed(html)
    tree.strip_tags(_UNSEEN)
    return letters(tree.body.text() if tree.body is not None else "")


def _terms(pieces: list[str]) -> Iterator[tuple[str, str]]:
    """First and last words to try, the shortest first; no last ones where the first are all."""
    first, last = pieces[0], pieces[-1]
    is_one = len(pieces) == 1
    if is_one and len(first) <= _LENGTHS[1]:
        yield first, ""
        return
    for length in _LENGTHS:
        start, end = _beginning(first, length), _end(last, length)
        if is_one and len(start) + len(end) >= len(first):
            start, end = first, ""
        yield start, end


def _pieces(passage: Passage, quoted: str) -> Iterator[str]:
    """The parts of a quote whose words follow each other on the page, too."""
    at = passage.text.find(quoted)
    if at < 0:
        return
    cuts = {at, at + len(quoted)}
    if passage.element is not None:
        for seam in passage.element.seams:
            if at < seam < at + len(quoted):
                cuts.add(seam)
    places = sorted(cuts)
    for start, end in pairwise(places):
        text = passage.text[start:end]
        parts = _GAP.split(text) if passage.kind is PassageKind.CODE else [text]
        for part in parts:
            piece = part.strip().strip(_SIGNS).strip()
            if letters(piece):
                yield piece


def _beginning(text: str, length: int) -> str:
    """The first words of a text; all of it where it has no space."""
    if len(text) <= length:
        return text
    return text[: length + 1].rpartition(" ")[0] or text


def _end(text: str, length: int) -> str:
    """The last words of a text; all of it where it has no space."""
    if len(text) <= length:
        return text
    return text[-length - 1 :].partition(" ")[2] or text
