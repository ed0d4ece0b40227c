"""What the cited passages state, sentence by sentence. A sentence that asks or is struck out states nothing, nor does
a task that is not done. What limits a sentence from outside it is in `limits`.

A row of an answer's own table is compared with a cited row cell by cell, each under its head: `600` under “Requests per
day” is not `600` under “Requests per minute”.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from mkdocs_cited.answer_text.markdown import BlockKind, blocks
from mkdocs_cited.base.text import collapse
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Evidence
from mkdocs_cited.model.source import Passage, PassageKind
from mkdocs_cited.review.lexical.items import Item, alike, at_odds, items_of

LONGEST = 5
"""Sentences in a row that one claim may repeat."""
MOST = 4_000
"""Characters of a text that is compared; a longer one is left to a person."""


class Around(Struct, frozen=True):
    """What a reader has next to a passage in its section."""

    before: str = ""
    """The last sentence of the passage before it."""
    after: str = ""
    """The first sentence of the passage behind it, where that is a paragraph that may go on from it."""
    section: tuple[str, ...] = ()
    """All that its section says, where that is short."""
    remarks: tuple[str, ...] = ()
    """What its section says of all that is in it: a line in bold, `This feature is planned.`, `Enterprise only.`"""
    unspoken: tuple[str, ...] = ()
    """Headings over it of which nothing below them speaks."""
    misplaced: bool = False
    """Whether the answer has it and another item of its list in another order."""


class Statement(Struct, frozen=True):
    """Some sentences of a passage in a row, or the whole of a row, a definition or a block of code."""

    passage: Passage
    text: str
    language: str
    around: Around = Around()
    """What is right before and behind it, in its passage or outside of it."""

    @property
    def items(self) -> tuple[Item, ...]:
        """Its items, in order."""
        return items_of(self.text, self.language)

    @property
    def labels(self) -> tuple[str, ...]:
        """What leads into it, outermost first."""
        passage = self.passage
        lead = () if passage.header or not passage.lead or passage.lead in passage.labels else (passage.lead,)
        return (*passage.labels, *lead)

    @property
    def over(self) -> tuple[str, ...]:
        """What a reader has read over it, outermost first: headings, then what leads into it."""
        return (*self.passage.section.breadcrumb, *self.labels)


def statements(
    evidence: Sequence[Evidence], around: Mapping[str, Around], language: str, most: int = LONGEST
) -> Iterator[Statement]:
    """Everything that the cited passages state.

    Args:
        around: id of a passage → what is around it.
        most: sentences in a row that are one statement.
    """
    for item in evidence:
        passage = item.passage
        by = around.get(passage.id, Around())
        if passage.kind in (PassageKind.CODE, PassageKind.ROW):
            yield Statement(passage, passage.text, language, replace(by, before="", after=""))
            continue
        spans = passage.sentences or ((0, len(passage.text)),)
        texts = [passage.text[start:end] for start, end in spans]
        before, after = [by.before, *texts[:-1]], [*texts[1:], by.after]
        for first in range(0 if _is_done(passage.text) else len(spans), len(spans)):
            for last in range(first, min(first + most, len(spans))):
                start, end = spans[first][0], spans[last][1]
                if any(begin < end and start < stop for begin, stop in passage.struck):
                    break
                text = passage.text[start:end]
                if not asks(texts[last]) and not (first == last and asks(before[first]) and _is_reply(text)):
                    own = replace(by, before=before[first], after=after[last])
                    yield Statement(passage, text, language, own)
        if passage.kind is PassageKind.DEFINITION and passage.lead:
            text = f"{passage.lead}: {passage.text}"
            yield Statement(passage, text, language, replace(by, before="", after=""))


def _is_done(text: str) -> bool:
    """Whether a text is not a task that is still open: `[ ] Rooms can be nested.`"""
    return not text.startswith(("[ ]", "☐"))


def asks(text: str) -> bool:
    """Whether a sentence is a question."""
    return text.rstrip(" )\"'”’*!").endswith(("?", "？", "؟"))


def _is_reply(text: str) -> bool:
    """Whether a sentence only says yes or no."""
    return len(re.findall(r"\w+", text)) < 3


def plain(text: str) -> str:
    """A text without the signs and addresses of Markdown, runs of white space collapsed: how texts are looked up in an
    answer."""
    return collapse(_LINK.sub(r"\1", text).translate(_SIGNS))


_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_SIGNS = str.maketrans("", "", "`*_\\")
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
    """The cells of the row of an answer that reads as the claim does; empty where it is no row, or is under two
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
    if not (row and row[0].text and passage.header and passage.cells) or not alike(
        row[0].text, passage.cells[0], language
    ):
        return None
    agrees = True
    for cell in row[1:]:
        head = next((head for head in stated if alike(head, cell.head, language)), None)
        if head is None or (not cell.text and stated[head]):
            agrees = False
        elif not alike(cell.text, stated[head], language):
            agrees = False
            mine, theirs = items_of(cell.text, language), items_of(stated[head], language)
            slug = at_odds(mine[0], theirs[0]) if len(mine) == len(theirs) == 1 else ""
            if slug:
                return Compared(False, slug, cell.text, stated[head], cell.head)
    return Compared(agrees and alike(row[0].head, passage.header[0], language))


def _cells(line: str) -> tuple[str, ...]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return tuple(plain(cell) for cell in _PIPE.split(inner))
