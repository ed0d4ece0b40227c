"""A quote in the shape of its passage: a code block, a row's cells apart, else prose with its words marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup, escape
from msgspec import Struct

from mkdocs_cited.model.source import Passage, PassageKind
from mkdocs_cited.render.markdown import code_block

Range = tuple[int, int]
"""Offsets of the first character and behind the last, in code points."""

CUT = " …"
"""What stands behind the first words of a quote that is cut."""
_LONGEST_CODE = 400
"""Characters of the beginning of a code block: its lines may be long."""


class Quote(Struct, frozen=True):
    """What is shown of one passage, as a template sees it."""

    html: Markup
    code: bool = False
    """Whether it is a code block, not prose."""


def quoted(passage: Passage, quote: str, marked: Sequence[Range] = ()) -> Quote:
    """A quote with ranges of it marked, where it is prose; an empty one for no words."""
    if passage.kind is PassageKind.CODE and quote:
        return Quote(Markup(code_block(quote, passage.language).strip()), code=True)  # noqa: S704 -- escapes its input
    words = quote if quote in passage.text else quote.partition(CUT)[0]
    at = passage.text.find(words)
    spans = passage.code_spans if at >= 0 else ()
    code = [(start - at, end - at) for start, end in spans if end - at <= len(words)]
    out, done = Markup(), 0
    for start, end in _cells(passage, at, len(words)):
        cell = Markup('<span class="cited-cell">{}</span>').format(_shown(quote, start, end, marked, code))
        out, done = out + escape(quote[done:start]) + cell, end
    return Quote(out + _shown(quote, done, len(quote), marked, code))


def beginning(passage: Passage, quote: str, characters: int, lines: int) -> str:
    """The first words of a quote, or its first lines where it is code, with a sign for what is left out."""
    if passage.kind is PassageKind.CODE:
        shown = "\n".join(quote.split("\n")[:lines])[:_LONGEST_CODE]
        return quote if shown == quote else f"{shown}\n…"
    if len(quote) <= characters:
        return quote
    words = quote[:characters].rpartition(" ")[0] or quote[:characters]
    return f"{words.rstrip()}{CUT}"


def _cells(passage: Passage, at: int, length: int) -> Iterator[Range]:
    """Where the cells of a row stand in a quote that begins at an offset of the row."""
    end = 0
    for cell in passage.cells if passage.kind is PassageKind.ROW and at >= 0 else ():
        start = passage.text.find(cell, end)
        end = start + len(cell)
        if at <= start < at + length:
            yield start - at, min(end - at, length)


def _shown(text: str, start: int, end: int, marked: Sequence[Range], code: Sequence[Range]) -> Markup:
    """A stretch of a text, its code as code; a mark that is code in part stands in both."""
    out, at = Markup(), start
    for first, last in code:
        if at <= first < last <= end:
            inner = _marked(text, first, last, marked)
            out += _marked(text, at, first, marked) + Markup("<code>{}</code>").format(inner)
            at = last
    return out + _marked(text, at, end, marked)


def _marked(text: str, start: int, end: int, marked: Sequence[Range]) -> Markup:
    """A stretch of a text with what of it is marked."""
    out, at = Markup(), start
    for first, last in ((max(first, start), min(last, end)) for first, last in marked):
        if at <= first < last:
            out += escape(text[at:first]) + Markup("<mark>{}</mark>").format(text[first:last])
            at = last
    return out + escape(text[at:end])
