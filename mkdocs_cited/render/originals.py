"""What of a page is seen and not read, of the words that an answer repeats: keys, emphasis, pictures, colours, boxes.

What is read stands in the answer itself: its writer keeps code, links and what the images in its words are called.
Here the block that is cited is read again from its page, so that `embellish` can show its words as they stand there.
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Callable, Iterator
from urllib.parse import urljoin

from msgspec import Struct, field
from selectolax.lexbor import LexborHTMLParser, LexborNode

from mkdocs_cited.answer_text.addresses import passable
from mkdocs_cited.model.source import Passage, PassageKind, SourceType
from mkdocs_cited.render.kept import Kept
from mkdocs_cited.render.links import TAGS, Links, relative
from mkdocs_cited.render.pagetext import Element
from mkdocs_cited.sources.codeblocks import code_text

_LONGEST = 20_000
"""Characters of HTML that are read of one block."""
_UNSEEN = "script, style, template, svg, button, input, select, textarea, .linenos, .lineno, .headerlink, .footnote-ref"
_MOST = 300
"""Elements of one block whose markup is kept: each is held against all others."""
_DEEPEST = 40
"""Levels of elements within a block whose markup is kept."""
_KEPT = frozenset("kbd strong b em i mark sub sup del".split())
_SIZE = ("width", "height")
_SITE = "http://site.invalid/"
_CLASS = re.compile(r"[A-Za-z][\w-]{0,40}")
_BOXES = ("admonition", "details")


class Piece(Struct, frozen=True):
    """A range of a block's text that stands in an element; a picture is an empty one."""

    start: int
    end: int
    opening: str
    closing: str
    image: str = ""
    """Name of the picture's file."""


class Size(Struct, frozen=True):
    """How wide or high an image is on its page."""

    file: str
    """Its name."""
    key: str
    """`width` or `height`."""
    value: str


class Box(Struct, frozen=True):
    """An admonition around a block."""

    key: str
    """Tells boxes apart: address of the page and where in it."""
    classes: str
    title: str


class Original(Struct, frozen=True):
    """A cited block as its page shows it. Offsets are of its text without white space, which pages set as they like."""

    text: str
    pieces: tuple[Piece, ...] = ()
    sizes: tuple[Size, ...] = ()
    """Of its images."""
    sentences: tuple[tuple[int, int], ...] = ()
    """Where each sentence of the passage stands; of a row, each cell."""
    code: str = ""
    """Of a code block: its HTML with the site's highlighting."""
    source: str = ""
    """Of a code block: its text, as an answer repeats it."""
    box: Box | None = None


OriginalOf = Callable[[Passage, str], Original | None]
"""From a passage and the address of the page that shows it to its original; `None` where it has none."""


def no_original(passage: Passage, base: str) -> Original | None:
    """For hosts that do not have the pages."""
    return None


class Originals(Struct, frozen=True):
    """The originals of one build's passages."""

    links: Links
    """Which have read the pages."""
    kept: Kept[Original | None] = field(default_factory=Kept)

    def __call__(self, passage: Passage, base: str) -> Original | None:
        """The original of a passage, its pictures as seen from the page at `base`."""
        url = passage.page.url
        mark = self.links.mark(url)
        if not mark or passage.page.type not in (SourceType.PAGE, SourceType.ARCHIVE):
            return None
        parts = passage.cells or passage.sentence_texts()
        made_from = (mark, url, base, passage.kind, passage.section.anchor, passage.text, *parts)
        return self.kept.of(made_from, lambda: self._found(passage, base))

    def _found(self, passage: Passage, base: str) -> Original | None:
        url = passage.page.url
        html, text = self.links.html_of(url), self.links.page_text(url)
        if html is None or text is None:
            return None
        tag = TAGS[passage.kind]
        place = text.find_block(passage.text, passage.section.anchor, tag)
        element = _block(text.owner(place[0]), "dl" if tag == "dt" else tag) if place else None
        if element is None:
            return None
        box = _box(element, html, url)
        node = _parsed(html[element.start : element.start + _LONGEST], element.tag)
        if node is None:
            return None
        if passage.kind is PassageKind.CODE:
            return _of_code(node, box)
        return _Reader(url, base).original(node, passage, box)


def name_of(address: str) -> str:
    """The name of the file that an address leads to."""
    return address.partition("#")[0].partition("?")[0].rpartition("/")[2]


def squashed(text: str) -> str:
    """A text without its white space."""
    return "".join(text.split())


def _block(element: Element | None, tag: str) -> Element | None:
    """The element of a passage's kind that holds a block; the block itself where none does."""
    found = element
    while found is not None and found.tag != tag:
        found = found.parent
    return found or element


def _parsed(html: str, tag: str) -> LexborNode | None:
    """The first element of a piece of HTML that may end anywhere."""
    around = "<table>" if tag in ("tr", "td", "th", "tbody", "thead") else ""
    return LexborHTMLParser(around + html).css_first(tag)


def _box(element: Element, html: str, url: str) -> Box | None:
    """The admonition that holds a block."""
    found: Element | None = element
    while found is not None and not ("admonition" in found.classes or found.tag == "details"):
        found = found.parent
    if found is None:
        return None
    node = _parsed(html[found.start : found.start + _LONGEST], found.tag)
    title = node.css_first(".admonition-title, summary") if node is not None else None
    classes = sorted(name for name in found.classes if _CLASS.fullmatch(name) and name not in _BOXES)
    shown = " ".join(title.text().split()) if title is not None else ""
    return Box(f"{url}#{found.start}", " ".join(("admonition", *classes)), shown)


def _of_code(node: LexborNode, box: Box | None) -> Original:
    """A code block, with the classes that colour it and nothing else."""
    for hidden in node.css(_UNSEEN):
        hidden.decompose()
    text, _ = code_text(node)  # which takes the marks of annotations out
    html = "".join(_coloured(node.css_first("code") or node))
    return Original(squashed(text), code=html.strip("\n") if "<span" in html else "", source=text, box=box)


def _coloured(node: LexborNode, depth: int = 0) -> Iterator[str]:
    for child in node.iter(include_text=True):
        if child.tag == "-text" or depth > _DEEPEST:
            yield entities.escape(child.text(), quote=False)
            continue
        names = " ".join(name for name in (child.attributes.get("class") or "").split() if _CLASS.fullmatch(name))
        inner = "".join(_coloured(child, depth + 1))
        yield f'<span class="{names}">{inner}</span>' if names and inner else inner


class _Reader:
    """Reads one block of prose: its text, and which of it stands in what."""

    def __init__(self, url: str, base: str) -> None:
        self.url, self.base = url, base
        self.text = ""
        self.pieces: list[Piece] = []
        self.images: list[tuple[Piece, dict[str, str]]] = []
        """Each with its attributes."""

    def original(self, node: LexborNode, passage: Passage, box: Box | None) -> Original:
        for hidden in node.css(_UNSEEN):
            hidden.decompose()
        self._read(node)
        end, behind = len(self.text), node.next
        while behind is not None and _only_images(behind):
            if behind.tag != "-text":
                self._read(behind)
            behind = behind.next
        seen = [piece for piece, values in self.images if piece.start >= end or not values["alt"].strip()]
        sizes = [Size(piece.image, key, values[key]) for piece, values in self.images for key in _SIZE if key in values]
        return Original(self.text, (*self.pieces, *seen), tuple(sizes), tuple(self._sentences(passage)), box=box)

    def _sentences(self, passage: Passage) -> Iterator[tuple[int, int]]:
        at = 0
        for sentence in passage.cells or passage.sentence_texts():
            words = squashed(sentence)
            start = self.text.find(words, at) if words else -1
            if start >= 0:
                at = start + len(words)
                yield start, at

    def _read(self, node: LexborNode, depth: int = 0) -> None:
        for child in node.iter(include_text=True):
            if child.tag == "-text" or depth > _DEEPEST:
                self.text += squashed(child.text())
            elif child.tag == "img":
                self._image(child)
            else:
                start, at = len(self.text), len(self.pieces)
                self._read(child, depth + 1)
                opening = self._opening(child)
                if opening and len(self.text) > start and len(self.pieces) < _MOST:
                    self.pieces.insert(at, Piece(start, len(self.text), opening, f"</{child.tag}>"))

    def _opening(self, node: LexborNode) -> str:
        """The start tag of an element that is kept; empty for all others."""
        names = " ".join(name for name in (node.attributes.get("class") or "").split() if _CLASS.fullmatch(name))
        if node.tag == "span":
            return f'<span class="{names}">' if "keys" in names.split() else ""
        if node.tag not in _KEPT:
            return ""
        return f'<kbd class="{names}">' if node.tag == "kbd" and names else f"<{node.tag}>"

    def _image(self, node: LexborNode) -> None:
        source = self._address(node.attributes.get("src") or "")
        if not source or "//" in source or len(self.images) >= _MOST:  # one from elsewhere would tell others who reads
            return
        values = {"src": source, "alt": node.attributes.get("alt") or ""}
        values |= {name: node.attributes[name] or "" for name in _SIZE if node.attributes.get(name)}
        attributes = " ".join(f'{name}="{entities.escape(value)}"' for name, value in values.items())
        behind = (node.next.text_content or "") if node.next is not None and node.next.tag == "-text" else ""
        shown, at = f"<img {attributes}>{' ' * behind[:1].isspace()}", len(self.text)
        self.images.append((Piece(at, at, shown, "", name_of(source)), values))

    def _address(self, target: str) -> str:
        """Where an address of this page leads, as seen from the page with the answer."""
        if passable(target) is None or target.startswith("/"):
            return passable(target) or ""
        address = urljoin(_SITE + self.url, target)
        if not address.startswith(_SITE):
            return target
        path, mark, anchor = address.removeprefix(_SITE).partition("#")
        return relative(path, self.base, mark + anchor)


def _only_images(node: LexborNode) -> bool:
    """Whether a paragraph behind a block holds images and no text; or what stands between the two."""
    if node.tag == "-text":
        return not (node.text_content or "").strip()
    return (
        node.tag in ("p", "figure", "a", "img") and not node.text().strip() and bool(node.html and "<img" in node.html)
    )
