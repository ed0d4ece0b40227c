"""Where a citation's number goes: behind the cited words and their full stop, and never into code.

Code that an answer copies from the docs is cited by us: to the passage that holds it, character by character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from itertools import pairwise
from textwrap import dedent

from mkdocs_cited.answer_text.markdown import BlockKind, Code, blocks, code_in
from mkdocs_cited.model.source import Passage, PassageKind

Piece = tuple[str, tuple[int, ...]]
"""A part of an answer's text, and the numbers of what it cites."""

_CLOSERS = re.compile(r"[*_~\"')\]»”’]{0,4}(?:[.,;:!?…]{1,3}[*_~\"')\]»”’]{0,4})?(?=\s|$)|[。！？，；：、」』）]{1,3}")
_ENDS = re.compile(r"[.!?…。！？][*_~`\"')\]»”’]{0,4}\Z")
_MARKER = re.compile(r"[ \t>*+-]*(?:\d{1,9}[.)])?")
"""What a line of a quote or list begins with."""


def placed(pieces: Sequence[Piece], of_code: Callable[[str], tuple[int, ...]] = lambda code: ()) -> str:
    """The text of all pieces with `[^n]` behind each cited one, and with each code block that was copied.

    Numbers that meet at one place become one group, each number once, in order.

    Args:
        of_code: the numbers of the passage that holds a code; none where no passage does.
    """
    text = _closed("".join(piece for piece, _ in pieces))
    code = code_in(text)
    places: dict[int, set[int]] = {}
    end = 0
    for piece, sids in pieces:
        end += len(piece)
        if sids:
            places.setdefault(_place(text, end, code), set()).update(sids)
    for block in blocks(text):
        if block.kind is BlockKind.CODE and (sids := of_code(block.code)):
            places.setdefault(_place(text, block.end, code), set()).update(sids)
    for earlier, later in list(pairwise(sorted(places))):
        if places[earlier] <= places[later] and _in_one_sentence(text, earlier, later):
            del places[earlier]
    out, at = [], 0
    for place in sorted(places):
        marks = "".join(f"[^{sid}]" for sid in sorted(places[place]))
        out += [text[at:place], f"\n\n{marks}" if _below_code(place, code) else marks]
        at = place
    content = "".join([*out, text[at:]]).strip()
    if _numbers_in_code(content) <= _numbers_in_code(text):
        return content
    # A number can make code of what was none, where marks of Markdown stand at odds: then all stand below.
    every = sorted({sid for sids in places.values() for sid in sids})
    return f"{text.strip()}\n\n" + "".join(f"[^{sid}]" for sid in every)


def _in_one_sentence(text: str, earlier: int, later: int) -> bool:
    """Whether what is cited at two places is one sentence: the API cuts it where another passage begins."""
    line = text[text.rfind("\n", 0, earlier) + 1 : later]
    return "\n" not in text[earlier:later] and "|" not in line and not _ENDS.search(text[max(0, earlier - 6) : earlier])


def holder(code: str, shown: Sequence[Passage], cited: Container[str]) -> Passage | None:
    """The passage that holds all lines of a code in a row, however they are indented as a whole: one that is cited
    already, else a code block, else any other."""
    wanted = _lines(code)
    holding = [passage for passage in shown if wanted and _holds(passage, wanted)]
    holding.sort(key=lambda passage: (passage.id not in cited, passage.kind is not PassageKind.CODE))
    return holding[0] if holding else None


def _holds(passage: Passage, wanted: list[str]) -> bool:
    if passage.kind is not PassageKind.CODE:
        return len(wanted) == 1 and wanted[0] in [passage.text[start:end] for start, end in passage.code_spans]
    lines = [line.rstrip() for line in passage.text.split("\n")]
    return any(
        lines[at].strip() == wanted[0].strip() and _lines("\n".join(lines[at : at + len(wanted)])) == wanted
        for at in range(len(lines) - len(wanted) + 1)
    )


def _lines(code: str) -> list[str]:
    """The lines of a code, without what indents all of them and without blank ones around it."""
    return [line.rstrip() for line in dedent(code).strip("\n").split("\n")] if code.strip() else []


def _closed(text: str) -> str:
    """The text with the closing fence that its last code block may lack."""
    last = code_in(text)[-1:]
    return f"{text.rstrip()}\n{last[0].open}" if last and last[0].open else text


def _numbers_in_code(text: str) -> int:
    return sum(text.count("[^", piece.start, piece.end) for piece in code_in(text))


def _place(text: str, end: int, code: Sequence[Code]) -> int:
    """The offset for the number of a piece that ends at `end`."""
    place = len(text[:end].rstrip())
    place = _out_of_table_rule(text, _out_of_marker(text, place))
    place = _out_of_code(text, place, code)
    if _below_code(place, code):
        return place
    line = text[text.rfind("\n", 0, place) + 1 : place]
    if line.lstrip().startswith("|") and line.endswith("|"):
        return place - len(line) + len(line.rstrip("| \t"))
    while 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum() and text[place].isascii():
        place += 1
    while 0 < place < len(text) and text[place - 1] in "`~" and text[place] == text[place - 1]:
        place += 1  # a run of them that is cut means something else
    closing = _CLOSERS.match(text, place)
    return closing.end() if closing else place


def _out_of_code(text: str, place: int, code: Sequence[Code]) -> int:
    """Behind a code span; before a code block, behind the words that lead to it, or behind it if there are none."""
    for piece in code:
        if piece.block and (piece.start < place <= piece.end or place == piece.start == 0):
            before = len(text[: piece.start].rstrip(" \t\n>-*+")) and len(text[: piece.start].rstrip())
            inside = any(other.block and other.start < before <= other.end for other in code)
            return before if before and not inside else piece.end
        if not piece.block and piece.start < place < piece.end:
            return piece.end
    return place


def _below_code(place: int, code: Sequence[Code]) -> bool:
    return any(piece.block and piece.end == place for piece in code)


def _out_of_marker(text: str, place: int) -> int:
    """A piece that ends behind a mere `-`, `>` or `1.` belongs to the words above: a number would make it none."""
    while start := text.rfind("\n", 0, place) + 1:
        above = len(text[:start].rstrip())
        if not above or not _MARKER.fullmatch(text, start, place):
            break
        place = above
    return place


def _out_of_table_rule(text: str, place: int) -> int:
    """A piece that ends with the line `|---|---|` belongs to the row above it."""
    start = text.rfind("\n", 0, place) + 1
    line = text[start:place]
    if "|" in line and "-" in line and not line.strip(" \t|:-"):
        return len(text[:start].rstrip())
    return place
