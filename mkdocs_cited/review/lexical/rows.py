"""A row of an answer's own table beside a row of a cited one: each cell is compared under its head.

The head of a column says what a value is, so `600` under “Requests per day” is not `600` under “Requests per minute”.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from mkdocs_cited.answer_text.markdown import BlockKind, blocks
from mkdocs_cited.model.source import Passage
from mkdocs_cited.review.lexical.items import at_odds, items_of, same
from mkdocs_cited.review.lexical.statements import plain

_PIPE = re.compile(r"(?<!\\)\|")


class Cell(Struct, frozen=True):
    """A cell under its head, without signs of Markdown."""

    head: str
    text: str


class Compared(Struct, frozen=True):
    """What a cited row says of a row of one's own."""

    agrees: bool
    """Whether each cell has the value of the cited row under the same head."""
    slug: str = ""
    """The finding, where a value under the same head cannot hold."""
    claimed: str = ""
    stated: str = ""
    head: str = ""


def own_row(answer: str, claim: str) -> tuple[Cell, ...]:
    """The cells of the row of an answer that reads as the claim does; empty where it is no row, or stands under two
    heads.
    """
    heads: Sequence[str] = ()
    found: list[tuple[Cell, ...]] = []
    for block in blocks(answer) if "|" in answer else ():
        if block.kind is BlockKind.HEADER:
            heads = _cells(answer[block.start : block.end])
        elif block.kind is BlockKind.ROW and block.text == claim:
            cells = _cells(answer[block.start : block.end])
            found.append(tuple(Cell(head, text) for head, text in zip(heads, cells, strict=False)))
    return found[0] if len(set(found)) == 1 else ()


def compare(row: Sequence[Cell], passage: Passage, language: str) -> Compared | None:
    """Compare a row of one's own with a cited row of the same subject; None where the two have not that in common.

    The subject is the first cell. A head that the cited table does not have leaves the row undecided.
    """
    stated = dict(zip(passage.header, passage.cells, strict=False))
    if not (row and passage.header and passage.cells) or not _same(row[0].text, passage.cells[0], language):
        return None
    agrees = True
    for cell in row[1:]:
        head = next((head for head in stated if _same(head, cell.head, language)), None)
        if head is None or not cell.text:
            agrees = False
        elif not _same(cell.text, stated[head], language):
            agrees = False
            mine, theirs = items_of(cell.text, language), items_of(stated[head], language)
            slug = at_odds(mine[0], theirs[0]) if len(mine) == len(theirs) == 1 else ""
            if slug:
                return Compared(False, slug, cell.text, stated[head], cell.head)
    return Compared(agrees and _same(row[0].head, passage.header[0], language))


def _cells(line: str) -> tuple[str, ...]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return tuple(plain(cell) for cell in _PIPE.split(inner))


def _same(one: str, other: str, language: str) -> bool:
    mine, theirs = items_of(one, language), items_of(other, language)
    return bool(mine) and len(mine) == len(theirs) and all(map(same, mine, theirs))
