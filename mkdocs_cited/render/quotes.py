"""A quote in the shape of its passage: a code block, a row's cells apart, else the cited sentences in their context.

A code block has the colours of its page, whatever highlighter made them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

import nh3
from markupsafe import Markup, escape
from selectolax.lexbor import LexborHTMLParser

from mkdocs_cited.model.source import Passage, PassageKind, SourceType
from mkdocs_cited.render.links import Links
from mkdocs_cited.render.text_fragment import cells_of

ColoursOf = Callable[[Passage], str]
"""From a code block to its HTML, as its page highlights it; empty where it does not."""
_LONGEST = 100_000
"""Characters of HTML that are read of one block."""
_UNSEEN = "script, style, template, svg, button, .linenos, .lineno"
Range = tuple[int, int]
"""Offsets of the first character and behind the last, in code points."""

_MARK, _AROUND = (
    Markup("<mark>{}</mark>"),
    Markup('<span class="cited-aside">{}</span>'),
)
_PROSE = Markup('<blockquote class="cited-quote" dir="auto">{}{}</blockquote>')
_TITLE = Markup("<strong>{}</strong><br>")
_SHAPED = Markup('<div class="cited-quote" dir="auto">{}</div>')
_CODE = Markup('<pre class="cited-code" dir="ltr">{}</pre>')
"""Not in the markup of code blocks: a theme would give each a button to copy it."""
_TABLE = Markup('<table class="cited-row">{}{}</table>')


def quoted_together(
    cited: Iterable[tuple[Passage, Sequence[str]]],
) -> tuple[Markup, ...]:
    """What is quoted of passages of one section, each with its quotes: rows of a table in one table."""
    shown = []
    for _, group in groupby(cited, key=_table):
        items = list(group)
        passage, quotes = items[0]
        if len(items) == 1:
            shown.append(quoted(passage, *quotes))
        else:
            rows = Markup().join(_row(row, _places(row, words)) for row, words in items)
            shown.append(_SHAPED.format(_TABLE.format(_heads(passage), rows)))
    return tuple(filter(None, shown))


def quoted(passage: Passage, *quotes: str) -> Markup:
    """What is quoted of a passage, in its shape: whole sentences under the title of their box, marked between the
    sentence before and the one after; a row under the heads of its table; all of a code block. Empty for no words."""
    words = [quote for quote in quotes if quote]
    if not words:
        return Markup()
    if passage.kind is PassageKind.CODE:
        shown = next(
            (quote for quote in words if quote not in passage.text), passage.text
        )
        return _SHAPED.format(_title(passage) + _CODE.format(shown))
    if _is_row(passage, words):
        return _SHAPED.format(
            _TABLE.format(_heads(passage), _row(passage, _places(passage, words)))
        )
    places = _places(passage, words)
    if len(places) < len(words):
        return _PROSE.format(_title(passage), " … ".join(words))
    return _PROSE.format(_title(passage), _sentences(passage, places))


def _title(passage: Passage) -> Markup:
    """What stands over a box or a code block."""
    if passage.title:
        return _TITLE.format(passage.title)
    return Markup()


def _table(cited: tuple[Passage, Sequence[str]]) -> object:
    """What rows of one table have in common, and nothing else has."""
    passage, quotes = cited
    if _is_row(passage, quotes) and passage.block:
        return passage.page.src, passage.block
    return passage.id


def _is_row(passage: Passage, quotes: Sequence[str]) -> bool:
    """True if what is quoted is in cells of a row."""
    row = passage.kind is PassageKind.ROW and bool(passage.cells)
    return (
        row
        and bool(quotes)
        and all(quote and quote in passage.text for quote in quotes)
    )


def _places(passage: Passage, quotes: Sequence[str]) -> list[Range]:
    """Where quotes are in a passage; those that are not there are left out."""
    found = ((passage.text.find(quote), len(quote)) for quote in quotes)
    return [(at, at + length) for at, length in found if at >= 0]


def _sentences(passage: Passage, places: Sequence[Range]) -> Markup:
    spans = passage.sentences or ((0, len(passage.text)),)
    cited = {
        number
        for number, span in enumerate(spans)
        if any(_meet(span, place) for place in places)
    }
    shown = sorted(
        {
            near
            for number in cited
            for near in (number - 1, number, number + 1)
            if 0 <= near < len(spans)
        }
    )
    out, before = Markup(), -1
    for number in shown:
        gap = ""
        if before >= 0:
            gap = " … "
            if number == before + 1:
                gap = " "
        text = _with_code(passage, *spans[number])
        if len(cited) < len(spans):
            text = (_MARK if number in cited else _AROUND).format(text)
        out, before = out + gap + text, number
    return out


def _heads(passage: Passage) -> Markup:
    """The heads of a row's table; empty for none."""
    cells = Markup().join(Markup("<th>{}</th>").format(head) for head in passage.header)
    if cells:
        return Markup("<tr>{}</tr>").format(cells)
    return cells


def _row(passage: Passage, places: Sequence[Range]) -> Markup:
    cells = list(cells_of(passage))
    cited = {cell for cell in cells if any(_meet(cell, place) for place in places)}
    row = Markup()
    for cell in cells:
        text = _with_code(passage, *cell)
        if cell in cited and len(cited) < len(cells):
            text = _MARK.format(text)
        row += Markup("<td>{}</td>").format(text)
    return Markup("<tr>{}</tr>").format(row)


def _meet(one: Range, other: Range) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _with_code(passage: Passage, start: int, end: int) -> Markup:
    """A range of a passage's text, its code as code."""
    out, at = Markup(), start
    for span in passage.code_spans:
        first, last = max(span[0], at), min(span[1], end)
        if first < last:
            out += escape(passage.text[at:first]) + Markup("<code>{}</code>").format(
                passage.text[first:last]
            )
            at = last
    return out + escape(passage.text[at:end])


def colours_of(links: Links) -> ColoursOf:
    """The colours of the pages that links are found on."""

    def colours(passage: Passage) -> str:
        if passage.kind is not PassageKind.CODE or passage.page.type not in (
            SourceType.PAGE,
            SourceType.ARCHIVE,
        ):
            return ""
        html = links.html_of(passage.page.url)
        if html is None or passage.element is None:
            return ""
        return _coloured(
            html[passage.element.at : passage.element.at + _LONGEST], passage.text
        )

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
    spans = nh3.clean(
        (pre.css_first("code") or pre).inner_html or "",
        tags={"span"},
        attributes={"span": {"class"}},
    )
    if "<span class" in spans:
        return spans.strip("\n")
    return ""
