"""A quote in the shape of its passage: a code block, a row's cells apart, else the cited sentences in their context.

A code block has the colours of its page, whatever highlighter made them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import nh3
from markupsafe import Markup, escape
from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from mkdocs_cited.model.source import Passage, PassageKind, SourceType
from mkdocs_cited.render.links import Links
from mkdocs_cited.render.markdown import code_block

ColoursOf = Callable[[Passage], str]
"""From a code block to its HTML, as its page highlights it; empty where it does not."""
_LONGEST = 100_000
"""Characters of HTML that are read of one block."""
_UNSEEN = "script, style, template, svg, button, .linenos, .lineno"
Range = tuple[int, int]
"""Offsets of the first character and behind the last, in code points."""

_POINTED, _POINTED_LINES = 240, 3
"""Characters, and lines of code, of what a pointer quotes."""
_MARK, _AROUND = Markup("<mark>{}</mark>"), Markup('<span class="cited-around">{}</span>')
_LONGEST_CODE = 400
"""Characters of the beginning of a code block: its lines may be long."""


class Quote(Struct, frozen=True):
    """What is shown of one passage, as a template sees it."""

    html: Markup
    code: bool = False
    """Whether it is a code block, not prose."""


def quoted(passage: Passage, *quotes: str) -> Quote:
    """What is quoted of a passage: whole sentences, marked between the sentence before and the one after; whole cells
    of a row; all of a code block. Empty for no words."""
    words = [quote for quote in quotes if quote]
    if not words:
        return Quote(Markup())
    if passage.kind is PassageKind.CODE:
        shown = next((quote for quote in words if quote not in passage.text), passage.text)
        return Quote(Markup(code_block(shown, passage.language).strip()), code=True)  # noqa: S704 -- escapes its input
    places = [(at, at + len(quote)) for quote in words if (at := passage.text.find(quote)) >= 0]
    if len(places) < len(words):
        return Quote(escape(" … ".join(words)))
    if passage.kind is PassageKind.ROW and passage.cells:
        return Quote(_row(passage, places))
    return Quote(_sentences(passage, places))


def beginning(passage: Passage) -> Quote:
    """The first sentence of a passage, or its first lines where it is code, with a sign for what is left out."""
    if passage.kind is PassageKind.CODE:
        lines = "\n".join(passage.text.split("\n")[:_POINTED_LINES])[:_LONGEST_CODE]
        code = lines if lines == passage.text else f"{lines}\n…"
        return Quote(Markup(code_block(code, passage.language).strip()), code=True)  # noqa: S704 -- escapes its input
    first, end = next(iter(passage.sentences), (0, len(passage.text)))
    if passage.kind is PassageKind.ROW:
        first, end = 0, len(passage.text)
    if end - first <= _POINTED:
        return Quote(_with_code(passage, first, end))
    cut = passage.text.rfind(" ", first, first + _POINTED)
    return Quote(_with_code(passage, first, cut if cut > first else first + _POINTED) + " …")


def _sentences(passage: Passage, places: Sequence[Range]) -> Markup:
    spans = passage.sentences or ((0, len(passage.text)),)
    cited = {number for number, span in enumerate(spans) if any(_meet(span, place) for place in places)}
    shown = sorted({near for number in cited for near in (number - 1, number, number + 1) if 0 <= near < len(spans)})
    out, before = Markup(), -1
    for number in shown:
        gap = "" if before < 0 else " " if number == before + 1 else " … "
        text = _with_code(passage, *spans[number])
        if len(cited) < len(spans):
            text = (_MARK if number in cited else _AROUND).format(text)
        out, before = out + gap + text, number
    return out


def _row(passage: Passage, places: Sequence[Range]) -> Markup:
    cells = list(_cells(passage))
    cited = {cell for cell in cells if any(_meet(cell, place) for place in places)}
    out = Markup()
    for cell in cells:
        text = _with_code(passage, *cell)
        marked = _MARK.format(text) if cell in cited and len(cited) < len(cells) else text
        out += Markup('<span class="cited-cell">{}</span> ').format(marked)
    return out.rstrip()


def _cells(passage: Passage) -> Iterator[Range]:
    end = 0
    for cell in passage.cells:
        start = passage.text.find(cell, end)
        if cell and start >= 0:
            end = start + len(cell)
            yield start, end


def _meet(one: Range, other: Range) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _with_code(passage: Passage, start: int, end: int) -> Markup:
    """A range of a passage's text, its code as code."""
    out, at = Markup(), start
    for span in passage.code_spans:
        first, last = max(span[0], at), min(span[1], end)
        if first < last:
            out += escape(passage.text[at:first]) + Markup("<code>{}</code>").format(passage.text[first:last])
            at = last
    return out + escape(passage.text[at:end])


def colours_of(links: Links) -> ColoursOf:
    """The colours of the pages that links are found on."""

    def colours(passage: Passage) -> str:
        if passage.kind is not PassageKind.CODE or passage.page.type not in (SourceType.PAGE, SourceType.ARCHIVE):
            return ""
        html = links.html_of(passage.page.url)
        if html is None or passage.element is None:
            return ""
        return _coloured(html[passage.element.at : passage.element.at + _LONGEST], passage.text)

    return colours


def _coloured(html: str, code: str) -> str:
    """The first code block of a piece of HTML that may end anywhere, if it holds this code."""
    pre = LexborHTMLParser(html).css_first("pre")
    if pre is None:
        return ""
    for node in pre.css(_UNSEEN):
        node.decompose()
    if pre.text().split() != code.split():
        return ""
    spans = nh3.clean((pre.css_first("code") or pre).inner_html or "", tags={"span"}, attributes={"span": {"class"}})
    return spans.strip("\n") if "<span class" in spans else ""
