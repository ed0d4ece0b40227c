"""Lines for a terminal: wrapping by the cells that characters take, words marked, colour where it is wanted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from msgspec import Struct
from rich.cells import cell_len

from mkdocs_cited.base.terminal import starts_no_command
from mkdocs_cited.reporters.safety import one_line

Marks = tuple[tuple[int, int], ...]
_WORD = re.compile(r"\S+\s*")
_COMMAND = 70
"""Characters of a command, at most, that stays on one line, to be copied."""
_WORD_OR_COMMAND = re.compile(rf"(?:`mkdocs-cited [^`]{{1,{_COMMAND}}}`|\S)+\s*")


class Layout(Struct, frozen=True):
    """How wide the lines are, and whether they have colours."""

    width: int = 100
    """Cells in a line."""
    color: bool = False
    """Whether styles become ANSI sequences; without them, marked words get a line of `^` underneath."""

    def paint(self, text: str, style: str) -> str:
        """The text in a style of rich: `bold red`."""
        if not self.color or not text:
            return text
        return _painter(style)(text)

    def block(self, label: str, text: str, *, indent: int, style: str = "", marks: Marks = ()) -> Iterator[str]:
        """A text behind its label, wrapped under itself, with some of its characters marked.

        `marks` are ranges of `text` in code points; what lies outside of it is ignored.
        """
        plain = one_line(text)
        lead = " " * indent
        hang = " " * (indent + cell_len(label))
        for number, (start, end) in enumerate(wrapped(plain, max(20, self.width - len(hang)))):
            plain = plain[:start] + starts_no_command(plain[start:])
            head = lead + self.paint(label, "dim") if number == 0 else hang
            yield (head + self._styled(plain, start, end, style, marks)).rstrip()
            if not self.color and (under := _underline(plain, start, end, marks)):
                yield hang + under

    def _styled(self, text: str, start: int, end: int, style: str, marks: Marks) -> str:
        if not self.color:
            return text[start:end]
        out, at = [], start
        for first, last in _within(marks, start, end):
            out += [self.paint(text[at:first], style), self.paint(text[first:last], "bold red underline")]
            at = last
        return "".join((*out, self.paint(text[at:end], style)))


def wrapped(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Ranges of `text` that fit into `width` cells, broken at spaces outside of commands, and inside a word only when
    it is too long."""
    measure = len if text.isascii() else cell_len
    if measure(text) <= width:
        yield 0, len(text.rstrip())
        return
    start = at = used = 0
    for match in (_WORD_OR_COMMAND if width > _COMMAND + 20 else _WORD).finditer(text):
        word = match[0].rstrip()
        size = measure(word)
        if used and used + size > width:
            yield start, at
            start, used = match.start(), 0
        if size > width:
            for broken in _broken(text, match.start(), match.start() + len(word), width):
                yield start, broken
                start = broken
            size = measure(text[start : match.start() + len(word)])
        used += size + match.end() - match.start() - len(word)
        at = match.start() + len(word)
    if start < at:
        yield start, at


def _broken(text: str, start: int, end: int, width: int) -> Iterator[int]:
    """Where a word that is wider than a line has to be broken: never before an accent or another mark of no width."""
    used, at = 0, start
    while at < end:
        after = at + 1
        while after < end and cell_len(text[after]) == 0:
            after += 1
        size = cell_len(text[at:after])
        if used and used + size > width:
            yield at
            used = 0
        used += size
        at = after


def _underline(text: str, start: int, end: int, marks: Marks) -> str:
    out, at = "", start
    for first, last in _within(marks, start, end):
        out += " " * cell_len(text[at:first]) + "^" * max(1, cell_len(text[first:last]))
        at = last
    return out


def _within(marks: Marks, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The marks that touch a range, cut to it, sorted and without overlaps."""
    at = start
    for first, last in sorted(marks):
        first, last = max(first, at), min(last, end)
        if first < last:
            yield first, last
            at = last


@lru_cache(maxsize=32)
def _painter(style: str) -> Callable[[str], str]:
    from rich.color import ColorSystem  # for terminals only
    from rich.style import Style

    return partial(Style.parse(style).render, color_system=ColorSystem.STANDARD)
