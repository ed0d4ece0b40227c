"""Lines for a terminal: wrapping by the cells that characters take, words marked, colour where it is wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console as Screen
from rich.style import Style
from rich.text import Text

from mkdocs_cited.base.terminal import starts_no_command
from mkdocs_cited.reporters.safety import one_line

Marks = tuple[tuple[int, int], ...]
_MARK = "bold red underline"
_COMMAND = re.compile(r"`mkdocs-cited [^`]{1,70}`")
"""A command that stays on one line, to be copied."""
_WIDE = 90
"""Cells of a line from which on commands are kept whole."""
_BLANK = "\ue000"
"""A space at which no line ends, while lines are broken."""


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
        return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)

    def block(self, label: str, text: str, *, indent: int, style: str = "", marks: Marks = ()) -> Iterator[str]:
        """A text behind its label, wrapped under itself, with some of its characters marked.

        `marks` are ranges of `text` in code points; what lies outside of it is ignored.
        """
        plain = one_line(text).replace(_BLANK, " ")
        hang = " " * (indent + cell_len(label))
        room = max(20, self.width - len(hang))
        if room > _WIDE:
            plain = _COMMAND.sub(lambda match: match[0].replace(" ", _BLANK), plain)
        whole = Text(plain, style)
        for start, end in marks:
            whole.stylize(_MARK, max(start, 0), max(end, 0))
        for number, line in enumerate(whole.wrap(_screen(), room)):
            line.plain = starts_no_command(line.plain.replace(_BLANK, " ")).rstrip()
            head = " " * indent + self.paint(label, "dim") if number == 0 else hang
            yield (head + (self._coloured(line) if self.color else line.plain)).rstrip()
            if not self.color and (under := _underline(line)):
                yield hang + under

    def _coloured(self, line: Text) -> str:
        parts = ((part.text, part.style or Style.null()) for part in line.render(_screen()))
        return "".join(style.render(text, color_system=ColorSystem.STANDARD) for text, style in parts)


@cache
def _screen() -> Screen:
    """What rich measures by; nothing is printed on it."""
    return Screen(width=200)


def _underline(line: Text) -> str:
    """`^` below the marked characters of a line."""
    marked = {at for span in line.spans if span.style == _MARK for at in range(span.start, span.end)}
    return "".join(("^" if at in marked else " ") * cell_len(char) for at, char in enumerate(line.plain)).rstrip()
