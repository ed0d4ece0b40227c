"""A quote in the shape of its passage: a code block, rows under their table's header row, else the cited sentences in
their context. Footnotes and their cards show it, by the template `quote`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

import jinja2
from markupsafe import Markup, escape

from mkdocs_cited.base.text import Spans
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.source import Passage, PassageKind
from mkdocs_cited.render.cited import Group, Part
from mkdocs_cited.render.labels import Labels, filled

Shown = list[tuple[Markup, bool]]
"""Parts of a passage in order, and whether each is cited."""


def quoted_together(
    group: Group, labels: Labels, loader: jinja2.BaseLoader | None
) -> list[Markup]:
    """What is quoted of the passages of a footnote, in their order; labels and loader as in `filled`."""
    quotes = []
    for parts in _blocks(group):
        passage = parts[0].passage
        html = filled(
            "quote",
            labels,
            loader,
            title=passage.title,
            code=passage.text if passage.kind is PassageKind.CODE else None,
            header=passage.header,
            rows=_rows(parts) if passage.cells else (),
            sentences=_sentences(passage, parts),
        )
        quotes.append(Markup(html))  # noqa: S704 -- the template escapes
    return quotes


def places_of(answer: Answer, group: Group) -> dict[int, int]:
    """Number of each source of a footnote → which of its quotations, from 1, is the source's; 0 where a sentence has
    several of them."""
    places = {}
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
    blocks = defaultdict(list)
    for part in group.parts:
        passage = part.passage
        block = passage.id
        if passage.cells and passage.block:
            block = f"{passage.page.src} {passage.block}"
        if part.quote:
            blocks[block].append(part)
    return blocks.values()


def _rows(parts: Sequence[Part]) -> list[Shown]:
    """The cells of each row that is quoted."""
    rows = defaultdict(list)
    for part in parts:
        rows[part.passage.id].append(part)
    shown = []
    for quoted in rows.values():
        cells = tuple(quoted[0].passage.cell_spans())
        shown.append(_shown(cells, quoted))
    return shown


def _sentences(passage: Passage, parts: Sequence[Part]) -> Shown:
    """The cited sentences, from the one before to the one after; the quotes where the passage has them no more."""
    shown = _shown(passage.sentences or ((0, len(passage.text)),), parts)
    cited = [number for number, (_, is_cited) in enumerate(shown) if is_cited]
    if cited:
        return shown[max(0, cited[0] - 1) : cited[-1] + 2]
    return [(escape(" … ".join(part.quote for part in parts)), True)]


def _shown(ranges: Spans, parts: Sequence[Part]) -> Shown:
    """The ranges of a passage, and whether a quote overlaps each."""
    passage = parts[0].passage
    shown = []
    for start, end in ranges:
        is_cited = False
        for part in parts:
            at = passage.text.find(part.quote)
            is_cited |= 0 <= at < end and start < at + len(part.quote)
        shown.append((_with_code(passage, start, end), is_cited))
    return shown


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
