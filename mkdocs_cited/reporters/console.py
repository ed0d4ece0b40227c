"""The report for people at a terminal or reading a build's log: page by page, the claim next to its passage."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TextIO

from msgspec import Struct
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console as Screen
from rich.style import Style
from rich.text import Text

from mkdocs_cited.base.errors import starts_no_command
from mkdocs_cited.base.text import Spans, shorten
from mkdocs_cited.model.finding import (
    IS,
    WAS,
    Detail,
    Finding,
    Related,
    Severity,
)
from mkdocs_cited.reporters.interface import (
    Report,
    Reporter,
    by_page,
    checked,
    cost_of,
    counted,
    most_severe,
    one_line,
    totals,
)

_MARK = "bold red underline"
STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
LONGEST = 600
"""Characters of a passage that are shown."""
_LABELS = {WAS: "was      ", IS: "is       "}
"""What the two sides of a change are called."""
MOST_DETAILS = 10
"""Claims of one finding that are shown."""


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

    def block(
        self,
        label: str,
        text: str,
        *,
        indent: int = 0,
        style: str = "",
        marks: Spans = (),
    ) -> Iterator[str]:
        """A text behind its label, wrapped under itself, with some of its characters marked.

        `marks` are ranges of `text` in code points; what is outside of it is ignored. No text is no line.
        """
        if not text:
            return
        hang = " " * (indent + cell_len(label))
        head = " " * indent + self.paint(label, "dim")
        whole = Text(one_line(text), style)
        for start, end in marks:
            whole.stylize(_MARK, max(start, 0), max(end, 0))
        for line in whole.wrap(_screen(), max(20, self.width - len(hang))):
            line.plain = starts_no_command(line.plain).rstrip()
            shown = under = ""
            if self.color:
                for part in line.render(_screen()):
                    shown += self.paint(part.text, str(part.style or ""))
            else:
                shown = line.plain
                under = _underline(line)
            yield (head + shown).rstrip()
            if under:
                yield hang + under
            head = hang


@cache
def _screen() -> Screen:
    """What rich measures by; nothing is printed on it."""
    return Screen(width=200)


def _underline(line: Text) -> str:
    """`^` below the marked characters of a line."""
    marked: set[int] = set()
    for span in line.spans:
        if span.style == _MARK:
            marked.update(range(span.start, span.end))
    signs = ""
    for at, char in enumerate(line.plain):
        sign = "^" if at in marked else " "
        signs += sign * cell_len(char)
    return signs.rstrip()


class Console(Reporter):
    """The report for people at a terminal: plain text, coloured where the terminal has colours."""

    def __init__(self, layout: Layout | None = None) -> None:
        self.layout = layout or Layout()

    def render(self, report: Report) -> str:
        """The findings by page, then the totals, then what else must be said."""
        lines = []
        for page, findings in by_page(report):
            title = starts_no_command(one_line(page))
            lines.append(self.layout.paint(title, "bold underline"))
            for finding in findings:
                lines += [*self._finding(finding, indent=2), ""]
        lines.append(f"cited: {self.closing(report)}")
        for notice in report.notices:
            lines += self.layout.block("note: ", notice)
        if report.shown:
            slug = one_line(most_severe(report.shown, 1)[0].slug)
            advice = (
                f"`mkdocs-cited explain {slug}` explains it, and how to silence it."
            )
            lines.append(self.layout.paint(advice, "dim"))
        return "\n".join(lines) + "\n"

    def entry(self, finding: Finding) -> str:
        """One finding by itself, for a log."""
        return "\n".join(self._finding(finding, indent=0))

    def closing(self, report: Report) -> str:
        """The totals: what was found, in how much, and what it cost."""
        style = "green"
        for severity in (Severity.WARNING, Severity.ERROR):
            if report.count(severity):
                style = STYLES[severity]
        text = totals(report)
        seen = checked(report)
        if seen:
            text += f" in {seen}"
        cost = cost_of(report.spent)
        if cost:
            text += f"; {cost}"
        return self.layout.paint(text, style)

    def claim(self, detail: Detail) -> str:
        """A claim by itself, with its place, its passages and what made the reviewer doubt."""
        lines = [*self._claim("claim    ", detail.claim, detail.marks, 0)]
        lines += self.layout.block("", str(detail.place), indent=9, style="dim")
        for related in detail.related:
            lines += self._related(related, 0)
        if detail.hint:
            lines += self.layout.block("hint     ", detail.hint)
        return "\n".join([*lines, ""])

    def _finding(self, finding: Finding, *, indent: int) -> Iterator[str]:
        block, place = self.layout.block, str(finding.place)
        if finding.place.column > 1:
            place += f":{finding.place.column}"
        place = starts_no_command(one_line(place))
        severity = self.layout.paint(finding.severity, STYLES.get(finding.severity, ""))
        slug = self.layout.paint(one_line(finding.slug), "bold")
        yield f"{' ' * indent}{place}  {severity}  {slug}"
        indent += 2
        message = finding.message
        if finding.answer and finding.claim:
            message = f"`{finding.answer}`: {message}"
        if self.layout.color:
            yield from block("", message, indent=indent)
        else:  # one line, which people and programs search for
            yield " " * indent + starts_no_command(one_line(message))
        if finding.claim:
            yield from self._claim("claim    ", finding.claim, finding.marks, indent)
        for detail in finding.details[:MOST_DETAILS]:
            yield from self._detail(detail, indent)
        more = len(finding.details) - MOST_DETAILS
        if more > 0:
            yield f"{' ' * indent}and {counted(more, 'other claim')}"
        for related in finding.related:
            yield from self._related(related, indent)
        yield from block("→ ", finding.tip, indent=indent, style="green")

    def _claim(
        self, label: str, claim: str, marks: Spans, indent: int
    ) -> Iterator[str]:
        return self.layout.block(label, claim, indent=indent, style="bold", marks=marks)

    def _detail(self, detail: Detail, indent: int) -> Iterator[str]:
        """One of several claims: its passages are named only."""
        label = f"claim {detail.number}".ljust(9)
        yield from self._claim(label, detail.claim, detail.marks, indent)
        indent += len(label)
        yield from self.layout.block("", detail.hint, indent=indent)
        places = [str(detail.place)]
        for item in detail.related:
            places.append(f"next to {item.place or item.passage or item.message}")
        yield from self.layout.block("", " · ".join(places), indent=indent, style="dim")

    def _related(self, related: Related, indent: int) -> Iterator[str]:
        label = _LABELS.get(related.message, "passage  ")
        if related.text:
            text = shorten(related.text, LONGEST)
            yield from self.layout.block(
                label, text, indent=indent, marks=related.marks
            )
        told = [related.message, str(related.place or related.passage or related.url)]
        if related.message in _LABELS:
            told = told[1:]
        where = " · ".join(filter(None, told))
        yield from self.layout.block("", where, indent=indent + 9, style="dim")


def for_stream(stream: TextIO) -> Console:
    """The console reporter for a stream: coloured and as wide as it is when it is a terminal, plain otherwise.

    rich decides, which knows `NO_COLOR`, `FORCE_COLOR`, `TERM=dumb`, `COLUMNS` and Windows.
    """
    screen = Screen(file=stream)
    if not screen.is_terminal:
        return Console()
    color = bool(screen.color_system) and not screen.no_color
    return Console(Layout(width=min(screen.width, 120), color=color))
