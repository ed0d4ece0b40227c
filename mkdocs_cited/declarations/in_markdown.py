"""What Python-Markdown does for us: keeps marks whole, and gives each answer without a marker a heading and a place.

A mark `[@…]` becomes an element before anything else can interpret its characters; an answer's place is a comment, so
that whatever renders the page shows nothing. All else is done in the HTML that comes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement

from markdown import Extension, Markdown
from markdown.extensions.toc import TocTreeprocessor
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from mkdocs_cited.base.html import with_code
from mkdocs_cited.model.declaration import ATTRIBUTE, MARKER, Declaration, is_mark

EMPTY = "<!-- -->"
"""The Markdown of a page without a text: Python-Markdown renders nothing at all where there is nothing."""
_MARK = r"\[\s{0,9}@(!?[^\[\]]{1,500}?)\s*\](?![(\[])"
_KEPT = "\ue000"
"""Stands for the `@` of a mark while plugins read the Markdown that know citations of their own (`mkdocs-bibtex`)."""
_ESCAPED = r"\\\[@"
_OPEN_TAG = re.compile(r"""<[a-zA-Z][^<>]*=\s*["'][^<>]*$""")
_BEFORE_LINKS = 175
"""Priority: behind inline code (190), before links (160) and what else takes brackets, stars and underscores."""
_BEFORE_ESCAPES = 185
_BEFORE_TOC = 6
"""Priority: the table of contents (5) knows the headings, and attribute lists (8) were read."""
_FIRST = 1_000


class Places(Extension):
    """Marks as elements; and, for the page that is rendered next, the places of its answers."""

    def __init__(self, *, heading: int = 2) -> None:
        """`heading`: the level of a heading over an answer without a marker."""
        super().__init__()
        self.heading = heading
        self.asked: Sequence[Declaration] = ()
        """The answers of the page that is rendered next. What is rendered within it (docstrings, excerpts) has none."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 -- Python-Markdown's name
        """Register what it does."""
        appending = _Appending(md, self)
        md.preprocessors.register(_Taking(md, self, appending), "cited_taking", _FIRST)
        md.inlinePatterns.register(
            _Escaped(_ESCAPED, md), "cited_escaped", _BEFORE_ESCAPES
        )
        md.inlinePatterns.register(_Mark(_MARK, md), "cited_mark", _BEFORE_LINKS)
        md.treeprocessors.register(appending, "cited_places", _BEFORE_TOC)


class _Taking(Preprocessor):
    """Takes the answers of a page for the first text that is rendered: the page itself."""

    def __init__(self, md: Markdown, places: Places, appending: _Appending) -> None:
        super().__init__(md)
        self.places, self.appending = places, appending

    def run(self, lines: list[str]) -> list[str]:
        self.appending.asked = self.places.asked
        self.places.asked = ()
        return lines


class _Mark(InlineProcessor):
    """A mark as an element that shows nothing."""

    def handleMatch(  # type: ignore[override]  # noqa: N802 -- Python-Markdown's name
        self, m: re.Match[str], data: str
    ) -> tuple[Element | None, int | None, int | None]:
        """The element, and what it is in place of; nothing where the mark is not ours, or in a text that becomes an
        attribute and would lose it."""
        if not is_mark(m[1]) or _is_in_attribute(data[: m.start(0)]):
            return None, None, None
        element = Element("span", {ATTRIBUTE: m[1]})
        element.text = ""
        return element, len(_before(data[: m.start(0)])), m.end(0)


def _is_in_attribute(before: str) -> bool:
    """True if a tag, the text of an image, or the address and title of a link is still open behind some Markdown."""
    if _OPEN_TAG.search(before[max(0, before.rfind("<")) :]):
        return True
    image, link = before.rfind("!["), before.rfind("](")
    if image >= 0 and before.count("]", image) <= before.count("[", image + 2):
        return True
    return link >= 0 and ")" not in before[link:]


class _Escaped(InlineProcessor):
    """`\\[@` is shown, and no mark in HTML either."""

    def handleMatch(  # type: ignore[override]  # noqa: N802 -- Python-Markdown's name
        self, m: re.Match[str], data: str
    ) -> tuple[str, int, int]:
        """A reference for the bracket."""
        return self.md.htmlStash.store("&#91;@"), m.start(0), m.end(0)


class _Appending(Treeprocessor):
    """Gives each answer without a marker a heading and a place at the end of its page."""

    def __init__(self, md: Markdown, places: Places) -> None:
        super().__init__(md)
        self.places = places
        self.asked: Sequence[Declaration] = ()

    def run(self, root: Element) -> None:
        if not self.asked:
            return
        stored = []
        for text in self.md.htmlStash.rawHtmlBlocks:
            if isinstance(text, str):
                stored.append(text)
        placed = {name for text in stored for name in MARKER.findall(text)}
        taken = {name for name in self._ids(root, stored) if name}
        for item in self.asked:
            if item.id in placed:
                continue
            heading = SubElement(root, f"h{self.places.heading}")
            # nothing interprets it any more
            question = str(with_code(" ".join(item.question.split())))
            # quotation marks as Python-Markdown writes them
            question = question.replace("&#39;", "'").replace("&#34;", '"')
            heading.text = self.md.htmlStash.store(question)
            if item.id not in taken:
                heading.set("id", item.id)
            place = SubElement(root, "p")
            heading.tail = place.tail = "\n"
            place.text = self.md.htmlStash.store(f"<!-- answer: {item.id} -->")

    def _ids(self, root: Element, stored: Sequence[str]) -> Iterator[str]:
        """The ids of a page, and those that its headings will be given."""
        for element in root.iter():
            yield element.get("id", "")
        for toc in self.md.treeprocessors:
            if isinstance(toc, TocTreeprocessor):
                headings = (
                    element
                    for element in root.iter()
                    if re.fullmatch("h[1-6]", str(element.tag))
                )
                yield from (
                    toc.slugify("".join(heading.itertext()), toc.sep)
                    for heading in headings
                )
        for text in stored:
            yield from re.findall(r"""\b(?:id|name)=["']?([^\s"'<>]{1,200})""", text)


def with_hidden_marks(markdown: str) -> str:
    """Markdown whose marks look like no citation; `with_shown_marks` gives them back."""

    def hidden(match: re.Match[str]) -> str:
        if is_mark(match[1]):
            return match[0].replace("[@", f"[{_KEPT}")
        return match[0]

    return re.sub(_MARK, hidden, markdown)


def with_shown_marks(markdown: str) -> str:
    """What `with_hidden_marks` was given, with what was done to it since."""
    return markdown.replace(f"[{_KEPT}", "[@")


def without_marks(markdown: str) -> str:
    """Markdown without marks, for what shows no citations."""
    kept = ""
    at = 0
    for match in re.finditer(_MARK, markdown):
        if is_mark(match[1]):
            kept += _before(markdown[at : match.start()])
            at = match.end()
    return kept + markdown[at:]


def _before(text: str) -> str:
    """The text before a mark, without the blanks that only keep the two apart; at most one end of line is among them.
    An expression that looked for them itself would take ten times as long on every page."""
    line = text.rstrip(" \t")
    if line.endswith("\n"):
        return line[:-1].rstrip(" \t")
    return line
