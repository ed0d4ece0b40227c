"""From a page's HTML to its `PageText`. One pass, in time that grows with the page, whatever stands in it.

It is a reader of its own, beside `sources.dom`, because ids are put into the HTML as it stands: it must know the offset
of each element, which no parser tells. Browsers repair broken HTML in ways that are not followed here: what is misread
so is not found, and its link leads to the section.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Literal, NamedTuple

from mkdocs_cited.render.pagetext import Element, PageText
from mkdocs_cited.sources.dom import HEADINGS

LONGEST = 8_000_000
"""Characters of HTML that are read of one page; what stands behind them cannot be linked to exactly."""

_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option p pre search section "
    "summary table tbody td tfoot th thead tr ul".split()
)
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_UNSEEN = frozenset(
    "script style template noscript svg iframe object textarea select audio video canvas head progress meter".split()
)
_UNSEEN_CLASSES = frozenset("linenos linenodiv md-annotation__index md-clipboard".split())
_IGNORED_CLASSES = frozenset("footnote-ref footnote-backref headerlink cited-answer cited-by".split())
_OPAQUE = frozenset("kbd label math button mark-js ruby".split())
_OPAQUE_CLASSES = frozenset("arithmatex headerlink keys md-annotation twemoji task-list-control".split())
"""A heading's permalink is among them: whether its sign counts as shown differs from theme to theme."""


Annotations = Literal["", "marked", "all"]
"""Which blocks show the list behind them on demand (Material's `content.code.annotate`): none, those with the class
`annotate`, or all code too."""
_NUMBER = re.compile(r"\(\d{1,3}\)")

_TAG = re.compile(
    r"<(?P<open>[a-zA-Z][^\s/<>]{0,60})(?P<rest>[^\"'<>]{0,4000}(?:(?:\"[^\"]{0,8000}\"|'[^']{0,8000}')[^\"'<>]{0,4000}){0,64})>"
    r"|</(?P<close>[a-zA-Z][^\s<>]{0,60})[^<>]{0,4000}>"
)
_COLOUR = re.compile(r'<span class="[a-z]{1,2}[0-9a-z]?">|</span>')
_COLOURED = re.compile(r'(?:<span class="[a-z]{1,2}[0-9a-z]?">[^<]*</span>[^<]*)+')
"""What highlighters make of code: hundreds of elements that say nothing but a colour."""
_ATTRIBUTE = re.compile(
    r"""(?P<name>[^\s"'=<>/]+)"""
    r"""(?:\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"'>]+)))?"""
)
_NAMES = frozenset(("id", "class", "hidden", "style", "data-search-exclude"))
_NOT_SHOWN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_RAW = frozenset(("script", "style", "textarea", "title"))
_SEAMS = frozenset(("br", "img", "wbr", "input"))
_FLAWS = 1_000
"""How many `<` that open nothing are looked at; each may cost a look at what follows."""


def read(html: str, annotations: Annotations = "") -> PageText:
    """Read a page's content (or a whole page). Never raises: what cannot be understood is not found.

    Args:
        html: the page.
        annotations: which blocks show the list behind them on demand.
    """
    reader = _Reader(html[:LONGEST], annotations)
    reader.run()
    return reader.page


class _Reader:
    """Walks the HTML once, building lines of visible text."""

    def __init__(self, html: str, annotations: Annotations) -> None:
        self.html, self.annotations = html, annotations
        self.root = Element("", 0, 0, "", frozenset(), None, False, False, False, False, False, False)
        self.open: list[Element] = []
        self.parts: list[str] = []
        self.length = 0
        self.last = "\n"
        self.page = PageText()
        self.waiting: list[str] = []
        """Ids whose elements have shown no text yet."""
        self.looks: dict[tuple[str, str], _Look] = {}
        """Tag and the rest of it → what these say."""

    def run(self) -> None:
        html, at, text, flaws = self.html, 0, 0, 0
        while (at := html.find("<", at)) >= 0 and flaws < _FLAWS:
            if self.open and self.open[-1].pre and (coloured := _COLOURED.match(html, at)):
                self._data(html[text:at])
                self._code(coloured[0])
                at = text = coloured.end()
                continue
            match = _TAG.match(html, at)
            if match is None and not html.startswith(("<!", "<?"), at):
                flaws += 1
                at += 1
                continue
            self._data(html[text:at])
            if match is None:
                end = html.find("-->", at) + 3 if html.startswith("<!--", at) else html.find(">", at) + 1
                at = text = end if end > at else len(html)
            elif name := match["close"]:
                self._end(name.lower())
                at = text = match.end()
            else:
                tag = match["open"].lower()
                self._start(tag, match["rest"], at)
                at = text = match.end()
                if tag in _RAW:
                    at = text = self._behind_raw(tag, at)
        self._data(html[text:])
        self.page.text = "".join(self.parts)
        for name in self.waiting:
            self.page.ids.setdefault(name, self.length)

    def _behind_raw(self, tag: str, at: int) -> int:
        """Where the text of a script or style sheet ends."""
        end = self.html.find(f"</{tag}", at)
        return end if end >= 0 else len(self.html)

    def _start(self, tag: str, rest: str, start: int) -> None:
        self._close_implied(tag)
        element = self._element(tag, rest, start)
        if element.id:
            self.waiting.append(element.id)
        if element.block or element.opaque or tag in _SEAMS:
            self._seam()
        if tag in HEADINGS and not element.unseen:
            self.page.headings.append(self.length)
            if element.parent is None:
                self.page.tops.append((self.length, element.start))
        if tag not in _VOID:
            self.open.append(element)

    def _end(self, tag: str) -> None:
        if not self.open or (self.open[-1].tag != tag and not any(element.tag == tag for element in self.open[-64:])):
            return
        while self.open:
            element = self.open.pop()
            element.last = None  # without a circle, what is read of a page goes when nobody holds it any more
            if element.block or element.opaque:
                self._seam()
            if element.tag == tag:
                break

    def _data(self, data: str) -> None:
        here = self.open[-1] if self.open else None
        if not data or (here is not None and here.unseen):
            return
        if "&" in data:
            data = unescape(data)
        if here is not None and here.pre:
            shown = data if self.last != "\n" else data.lstrip("\n")
        else:
            shown = " ".join(data.split())
            lead = " " if data[0].isspace() and self.last not in "\n " else ""
            trail = " " if shown and data[-1].isspace() else ""
            shown = lead + shown + trail
        if shown:
            self._show(shown, here)

    def _code(self, html: str) -> None:
        """What a highlighter has coloured: as if each piece were read by itself."""
        here, last, pieces = self.open[-1], self.last, []
        for piece in _COLOUR.split(html):
            text = unescape(piece) if "&" in piece else piece
            shown = text.lstrip("\n") if last == "\n" else text
            if shown:
                pieces.append(shown)
                last = shown[-1]
        if pieces and not here.unseen:
            self._show("".join(pieces), here)

    def _show(self, shown: str, here: Element | None) -> None:
        start = self.length
        if self.waiting:
            for name in self.waiting:
                self.page.ids.setdefault(name, start)
            self.waiting.clear()
        block = (here if here.block else here.box) if here is not None else None
        if block is not None and (not self.page.owners or self.page.owners[-1][1] is not block):
            self.page.owners.append((start, block))
        self.parts.append(shown)
        self.length += len(shown)
        self.last = shown[-1]
        if here is not None and (here.opaque or here.ignored or here.hidden):
            for kind, flag in (("opaque", here.opaque), ("ignored", here.ignored), ("hidden", here.hidden)):
                if flag:
                    _extend(self.page.spans.setdefault(kind, []), start, self.length)

    def _seam(self) -> None:
        if self.last != "\n":
            self.parts.append("\n")
            self.length += 1
            self.last = "\n"

    def _element(self, tag: str, rest: str, start: int) -> Element:
        look = self.looks.get((tag, rest))
        if look is None:
            look = self.looks[tag, rest] = _look(tag, rest)
        parent = self.open[-1] if self.open else None
        above = parent or self.root
        above.children += 1
        element = Element(
            tag, start, start + 1 + len(tag), look.id, look.classes, parent,
            look.block,
            look.unseen or above.unseen,
            look.opaque or above.opaque,
            look.ignored or above.ignored,
            above.hidden or (look.tabbed and parent is not None and above.children > 1),
            above.pre or tag == "pre",
            above if above.block else above.box,
        )  # fmt: skip
        if tag == "ol" and self.annotations and above.last and self._is_annotated(above.last, start):
            element.annotated, element.hidden = above.last, True
        above.last = element
        return element

    def _is_annotated(self, block: Element, end: int) -> bool:
        """Whether a theme shows the list that starts at `end` at the numbers `(1)` in the block before it."""
        marked = "annotate" in block.classes or (self.annotations == "all" and "highlight" in block.classes)
        return marked and _NUMBER.search(self.html, block.start, end) is not None

    def _close_implied(self, tag: str) -> None:
        """End tags that HTML lets authors leave out, as far as a text's blocks depend on them."""
        ends = _ENDS.get(tag)
        if ends and self.open and self.open[-1].tag in ends:
            self._end(self.open[-1].tag)
        elif tag in _BLOCKS and self.open and self.open[-1].tag == "p":
            self._end("p")


_ENDS: dict[str, tuple[str, ...]] = {
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "tr": ("tr", "td", "th"),
    "td": ("td", "th"),
    "th": ("td", "th"),
}


class _Look(NamedTuple):
    """What a start tag says by itself. Most tags of a page are alike: those of highlighted code."""

    id: str
    classes: frozenset[str]
    block: bool
    unseen: bool
    opaque: bool
    ignored: bool
    tabbed: bool
    """Whether it is one of a set of content tabs."""


def _look(tag: str, rest: str) -> _Look:
    attributes = _attributes(rest) if rest else {}
    classes = frozenset(attributes.get("class", "").split())
    unseen = tag in _UNSEEN or "hidden" in attributes or not classes.isdisjoint(_UNSEEN_CLASSES)
    return _Look(
        attributes.get("id", ""),
        classes,
        tag in _BLOCKS,
        unseen or _NOT_SHOWN.search(attributes.get("style", "")) is not None,
        tag in _OPAQUE or not classes.isdisjoint(_OPAQUE_CLASSES),
        not classes.isdisjoint(_IGNORED_CLASSES) or "data-search-exclude" in attributes,
        "tabbed-block" in classes,
    )


def _extend(spans: list[tuple[int, int]], start: int, end: int) -> None:
    if spans and spans[-1][1] == start:
        spans[-1] = (spans[-1][0], end)
    else:
        spans.append((start, end))


def _attributes(rest: str) -> dict[str, str]:
    """The attributes of a start tag that matter here; the first of each name counts, as in browsers."""
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(rest):
        if match["name"].lower() in _NAMES:
            found.setdefault(match["name"].lower(), unescape(match["double"] or match["single"] or match["bare"] or ""))
    return found
