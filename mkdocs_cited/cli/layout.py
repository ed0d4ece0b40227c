"""How wide the columns of a table are, and how cells fit into them: paths and ids are cut in the middle, not broken."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len

FEW = 3
"""Columns beside which the first may have half of the width."""
SHORT = 16
"""Characters of a cell, at most, that is never broken: a state, an age."""
LEAST = 8
"""Characters that a column has, however narrow the terminal is."""
GAP = 2
"""Characters between two columns."""


_NAME = re.compile(r"[/#~\\]|\w[._]\w")
"""What tells a path or an id from a word of a sentence, which may be broken."""


class Layout(Struct, frozen=True):
    """The columns of a table."""

    widths: tuple[int, ...]
    wraps: frozenset[int]
    """Places of the columns whose cells may take several lines."""
    whole: bool
    """Whether names of the first column are broken in place of being cut: cut, two would look the same."""

    def fitted(self, row: Sequence[str]) -> list[str]:
        """A row's cells, those paths and ids cut that are wider than their column."""
        first, *others = row
        name = first if self.whole else middle(first, self.widths[0])
        return [name, *(_cut(cell, width) for cell, width in zip(others, self.widths[1:], strict=True))]


def layout(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Layout:
    """The columns of these rows on a terminal: the first, and those of short words, are as wide as they have to be, and
    the others make room.

    Args:
        headings: of the columns.
        rows: their cells, as they are shown.
        width: of the terminal, in characters.
    """
    columns = [[heading, *(row[at] for row in rows)] for at, heading in enumerate(headings)]
    natural = [max(map(cell_len, column)) for column in columns]
    room = max(20, width // 2 if len(headings) <= FEW else width * 2 // 5)
    widths = [min(natural[0], room), *natural[1:]]
    loose = [at for at in range(1, len(columns)) if natural[at] > SHORT]
    left = width - GAP * (len(columns) - 1) - sum(widths[at] for at in range(len(columns)) if at not in loose)
    if (lacking := LEAST * len(loose) - left) > 0:
        widths[0], left = max(LEAST, widths[0] - lacking), LEAST * len(loose)
    if sum(natural[at] for at in loose) > left:
        wishes = {at: max(cell_len(word) for cell in columns[at] for word in cell.split() or [""]) for at in loose}
        shared = _shared({at: (natural[at], wishes[at]) for at in loose}, left)
        widths = [shared.get(at, widths[at]) for at in range(len(columns))]
    names = {row[0] for row in rows}
    whole = len({middle(name, widths[0]) for name in names}) < len(names)
    return Layout(tuple(widths), frozenset([*loose, *[0] * whole]), whole)


def _shared(columns: dict[int, tuple[int, int]], left: int) -> dict[int, int]:
    """Column → its part of the width that is left, by the width of its longest cell and of its longest word: no more
    than it needs. What holds names alone, which cannot be wrapped, chooses first and may take half."""
    out: dict[int, int] = {}
    ordered = sorted(columns.items(), key=lambda item: (item[1][0] != item[1][1], item[1][0]))
    for place, (at, (natural, word)) in enumerate(ordered):
        share = max(left // (len(ordered) - place), min(word, left // 2))
        out[at] = max(LEAST, min(natural, share))
        left -= out[at]
    return out


def _cut(cell: str, width: int) -> str:
    return " ".join(middle(word, width) if _NAME.search(word) else word for word in cell.split(" "))


def middle(text: str, most: int) -> str:
    """The text, or its start and end with `…` between them, within `most` characters."""
    if len(text) <= most:
        return text
    head = (most - 1) // 2
    return f"{text[:head]}…{text[len(text) - (most - 1 - head) :]}"
