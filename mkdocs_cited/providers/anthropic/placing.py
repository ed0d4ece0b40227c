"""Where a citation's number goes: behind the cited words and their full stop, and never into code."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mkdocs_cited.answer_text.markdown import Code, code_in
from mkdocs_cited.providers.anthropic.markup import closed

_CLOSERS = re.compile(r"[*_~\"')\]»”’]{0,4}(?:[.,;:!?…]{1,3}[*_~\"')\]»”’]{0,4})?(?=\s|$)|[。！？，；：、」』）]{1,3}")

_MARKER = re.compile(r"[ \t>*+-]*(?:\d{1,9}[.)])?")
"""What a line of a quote or list begins with."""


def placed(pieces: Sequence[tuple[str, tuple[int, ...]]]) -> str:
    """The text of all pieces with `[^n]` behind each cited one.

    Pieces are (text, numbers). Numbers that meet at one place become one group, each number once, in order.
    """
    text = closed("".join(piece for piece, _ in pieces))
    code = code_in(text)
    out, at = [], 0
    for place, sids in gathered(pieces, lambda end: _place(text, end, code)):
        marks = "".join(f"[^{sid}]" for sid in sids)
        out += [text[at:place], f"\n\n{marks}" if _below_code(place, code) else marks]
        at = place
    content = "".join([*out, text[at:]]).strip()
    if _numbers_in_code(content) <= _numbers_in_code(text):
        return content
    # A number can make code of what was none, where marks of Markdown stand at odds: then all stand below.
    return f"{text.strip()}\n\n" + "".join(f"[^{sid}]" for sid in sorted({sid for _, sids in pieces for sid in sids}))


def _numbers_in_code(text: str) -> int:
    return sum(text.count("[^", piece.start, piece.end) for piece in code_in(text))


def gathered(pieces: Sequence[tuple[str, Sequence[int]]], place: Callable[[int], int]) -> list[tuple[int, list[int]]]:
    """Where the numbers behind pieces of text go: each place once, in order, its numbers sorted and each once.

    Args:
        place: from the end of a piece, as an offset in all of them joined, to where its numbers may stand.
    """
    places: dict[int, set[int]] = {}
    end = 0
    for piece, sids in pieces:
        end += len(piece)
        if sids:
            places.setdefault(place(end), set()).update(sids)
    return [(at, sorted(places[at])) for at in sorted(places)]


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
