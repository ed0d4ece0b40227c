"""A quote in the shape of its passage: a code block, rows under their table's header row, else the cited sentences in
their context. Footnotes and their cards show it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from markupsafe import Markup, escape

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.source import Passage, PassageKind
from mkdocs_cited.render.cited import Group, Part

_MARK = Markup("<mark>{}</mark>")
_AROUND = Markup('<span class="cited-aside">{}</span>')
_PROSE = Markup('<blockquote class="cited-quote" dir="auto">{}{}</blockquote>')
_TITLE = Markup("<strong>{}</strong><br>")
_CODE = Markup(
    '<div class="cited-quote" dir="auto">{}<pre class="cited-code" dir="ltr">{}</pre></div>'
)
"""Not in the markup of code blocks: a theme would give each a button to copy it."""
_TABLE = Markup(
    '<div class="cited-quote" dir="auto"><table class="cited-row">{}{}</table></div>'
)
_ROW = Markup("<tr>{}</tr>")
_HEAD = Markup("<th>{}</th>")
_CELL = Markup("<td>{}</td>")


def quoted_together(group: Group) -> list[Markup]:
    """What is quoted of the passages of a footnote, in their order."""
    return [_quoted(parts) for parts in _blocks(group)]


def places_of(answer: Answer, group: Group) -> dict[int, int]:
    """Number of each source of a footnote → which of its quotations, from 1, is the source's; 0 where a sentence has
    several of them."""
    places: dict[int, int] = {}
    for place, parts in enumerate(_blocks(group), 1):
        for part in parts:
            places[part.source.sid] = place
    for item in answer.claims:
        together = places.keys() & item.claim.sids
        if len({places[sid] for sid in together}) > 1:
            places.update(dict.fromkeys(together, 0))
    return places


def _blocks(group: Group) -> Collection[list[Part]]:
    """The quotations of a footnote, each with its parts: rows of a table are one."""
    blocks: dict[str, list[Part]] = {}
    for part in group.parts:
        passage = part.passage
        block = passage.id
        if passage.cells and passage.block:
            block = f"{passage.page.src} {passage.block}"
        if part.quote:
            blocks.setdefault(block, []).append(part)
    return blocks.values()


def _quoted(parts: Sequence[Part]) -> Markup:
    """What is quoted of a passage, in its shape: whole sentences under the title of their box, marked between the
    sentence before and the one after; rows under the heads of their table; all of a code block."""
    passage = parts[0].passage
    title = Markup()
    if passage.title:
        title = _TITLE.format(passage.title)
    if passage.kind is PassageKind.CODE:
        return _CODE.format(title, passage.text)
    if passage.cells:
        return _table(parts)
    return _PROSE.format(title, _sentences(passage, [part.quote for part in parts]))


def _table(parts: Sequence[Part]) -> Markup:
    heads = Markup().join(_HEAD.format(head) for head in parts[0].passage.header)
    if heads:
        heads = _ROW.format(heads)
    rows: dict[str, list[Part]] = {}
    for part in parts:
        rows.setdefault(part.passage.id, []).append(part)
    return _TABLE.format(heads, Markup().join(map(_row, rows.values())))


def _sentences(passage: Passage, quotes: Sequence[str]) -> Markup:
    spans = passage.sentences or ((0, len(passage.text)),)
    cited = _overlapping(passage, spans, quotes)
    if not cited:
        return escape(" … ".join(quotes))
    shown = []
    for number in range(max(0, cited[0] - 1), min(len(spans), cited[-1] + 2)):
        text = _with_code(passage, *spans[number])
        if len(cited) < len(spans):
            text = (_MARK if number in cited else _AROUND).format(text)
        shown.append(text)
    return Markup(" ").join(shown)


def _row(parts: Sequence[Part]) -> Markup:
    passage = parts[0].passage
    cells = list(passage.cell_spans())
    cited = _overlapping(passage, cells, [part.quote for part in parts])
    row = Markup()
    for number, cell in enumerate(cells):
        text = _with_code(passage, *cell)
        if number in cited and len(cited) < len(cells):
            text = _MARK.format(text)
        row += _CELL.format(text)
    return _ROW.format(row)


def _overlapping(
    passage: Passage, ranges: Sequence[tuple[int, int]], quotes: Sequence[str]
) -> list[int]:
    """The numbers, from 0, of the ranges of a passage that one of the quotes overlaps."""
    numbers = set()
    for quote in quotes:
        at = passage.text.find(quote)
        for number, (start, end) in enumerate(ranges):
            if 0 <= at < end and start < at + len(quote):
                numbers.add(number)
    return sorted(numbers)


def _with_code(passage: Passage, start: int, end: int) -> Markup:
    """A range of a passage's text, its code as code."""
    out, at = Markup(), start
    for span in passage.code_spans:
        first, last = max(span[0], at), min(span[1], end)
        if first < last:
            code = Markup("<code>{}</code>").format(passage.text[first:last])
            out += escape(passage.text[at:first]) + code
            at = last
    return out + escape(passage.text[at:end])
