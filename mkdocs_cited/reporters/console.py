"""The report for people at a terminal or reading a build's log: page by page, the claim next to its passage."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import ClassVar, TextIO

from msgspec import Struct
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console as Screen
from rich.style import Style
from rich.text import Text

from mkdocs_cited.base.terminal import starts_no_command
from mkdocs_cited.base.text import shorten
from mkdocs_cited.model.finding import IS, WAS, Detail, Finding, Related, Severity
from mkdocs_cited.reporters.interface import (
    Report,
    Reporter,
    by_page,
    checked,
    cost_of,
    counted,
    ordered,
    totals,
)
from mkdocs_cited.reporters.safety import one_line

Marks = tuple[tuple[int, int], ...]
_MARK = "bold red underline"


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
        self, label: str, text: str, *, indent: int, style: str = "", marks: Marks = ()
    ) -> Iterator[str]:
        """A text behind its label, wrapped under itself, with some of its characters marked.

        `marks` are ranges of `text` in code points; what is outside of it is ignored.
        """
        hang = " " * (indent + cell_len(label))
        room = max(20, self.width - len(hang))
        whole = Text(one_line(text), style)
        for start, end in marks:
            whole.stylize(_MARK, max(start, 0), max(end, 0))
        for number, line in enumerate(whole.wrap(_screen(), room)):
            line.plain = starts_no_command(line.plain).rstrip()
            head = hang
            if number == 0:
                head = " " * indent + self.paint(label, "dim")
            if self.color:
                yield (head + self._coloured(line)).rstrip()
                continue
            yield (head + line.plain).rstrip()
            under = _underline(line)
            if under:
                yield hang + under

    def _coloured(self, line: Text) -> str:
        parts = (
            (part.text, part.style or Style.null()) for part in line.render(_screen())
        )
        return "".join(
            style.render(text, color_system=ColorSystem.STANDARD)
            for text, style in parts
        )


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
        sign = " "
        if at in marked:
            sign = "^"
        signs += sign * cell_len(char)
    return signs.rstrip()


STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
LONGEST = 600
"""Characters of a passage that are shown."""
_LABELS = {WAS: "was      ", IS: "is       "}
"""What the two sides of a change are called."""
MOST_RELATED = 3
"""Passages that are shown next to a claim."""
MOST_DETAILS = 10
"""Claims of one finding that are shown."""


class Console(Reporter):
    """The report for people at a terminal: plain text, coloured where the terminal has colours."""

    id: ClassVar[str] = "console"
    description: ClassVar[str] = (
        "For people: page by page, each claim next to its passage, and what to do."
    )

    def __init__(self, layout: Layout | None = None) -> None:
        self.layout = layout or Layout()

    def render(self, report: Report) -> str:
        """The findings by page, then the totals, then what else must be said."""
        lines: list[str] = []
        for page, findings in by_page(report):
            lines += [
                self.layout.paint(starts_no_command(one_line(page)), "bold underline")
            ]
            for finding in findings:
                lines += [*self._finding(finding, indent=2), ""]
        lines.append(f"cited: {self.closing(report)}")
        for notice in report.notices:
            lines += self.layout.block("note: ", notice, indent=0)
        if report.shown:
            slug = max(
                ordered(report.shown), key=lambda finding: finding.severity.rank
            ).slug
            advice = f"`mkdocs-cited explain {one_line(slug)}` explains it, and how to silence it."
            lines.append(self.layout.paint(advice, "dim"))
        return "\n".join(lines) + "\n"

    def entry(self, finding: Finding) -> str:
        """One finding by itself, for a log."""
        return "\n".join(self._finding(finding, indent=0))

    def closing(self, report: Report) -> str:
        """The totals: what was found, in how much, and what it cost."""
        worst = max((finding.severity.rank for finding in report.shown), default=0)
        style = {3: "bold red", 2: "yellow"}.get(worst, "green")
        text = totals(report)
        seen = checked(report)
        if seen:
            text += f" in {seen}"
        cost = cost_of(report.spent)
        if cost:
            text += f"; {cost}"
        return self.layout.paint(text, style)

    def _finding(self, finding: Finding, *, indent: int) -> Iterator[str]:
        place = finding.place
        column = ""
        if place.column > 1:
            column = f":{place.column}"
        severity = self.layout.paint(finding.severity, STYLES.get(finding.severity, ""))
        slug = self.layout.paint(one_line(finding.slug), "bold")
        yield f"{' ' * indent}{starts_no_command(one_line(str(place)))}{column}  {severity}  {slug}"
        indent += 2
        yield from self.layout.block("", finding.message, indent=indent)
        if finding.claim:
            yield from self.layout.block(
                "claim    ",
                finding.claim,
                indent=indent,
                style="bold",
                marks=finding.marks,
            )
        for detail in finding.details[:MOST_DETAILS]:
            yield from self._detail(detail, indent)
        if len(finding.details) > MOST_DETAILS:
            yield f"{' ' * indent}and {counted(len(finding.details) - MOST_DETAILS, 'other claim')}"
        for related in finding.related[:MOST_RELATED]:
            yield from self._related(related, indent)
        if len(finding.related) > MOST_RELATED:
            yield f"{' ' * indent}and {counted(len(finding.related) - MOST_RELATED, 'other passage')}"
        if finding.tip:
            yield from self.layout.block(
                "→ ", finding.tip, indent=indent, style="green"
            )

    def _detail(self, detail: Detail, indent: int) -> Iterator[str]:
        label = f"claim {detail.number}".ljust(9)
        yield from self.layout.block(
            label, detail.claim, indent=indent, style="bold", marks=detail.marks
        )
        if detail.hint:
            yield from self.layout.block("", detail.hint, indent=indent + len(label))
        places = [str(detail.place)]
        for item in detail.related[:MOST_RELATED]:
            places.append(f"next to {item.place or item.passage or item.message}")
        yield from self.layout.block(
            "", " · ".join(places), indent=indent + len(label), style="dim"
        )

    def _related(self, related: Related, indent: int) -> Iterator[str]:
        label = _LABELS.get(related.message, "passage  ")
        if related.text:
            text = shorten(related.text, LONGEST)
            yield from self.layout.block(
                label, text, indent=indent, marks=related.marks
            )
        where = str(related.place or related.passage or related.url)
        message = ""
        if related.message not in _LABELS:
            message = related.message
        if where or message:
            text = " · ".join(filter(None, (message, where)))
            yield from self.layout.block("", text, indent=indent + 9, style="dim")


def for_stream(stream: TextIO) -> Console:
    """The console reporter for a stream: coloured and as wide as it is when it is a terminal, plain otherwise.

    rich decides, which knows `NO_COLOR`, `FORCE_COLOR`, `TERM=dumb`, `COLUMNS` and Windows.
    """
    import rich.console  # a fortieth of a second that builds, which write plain text, need not spend

    console = rich.console.Console(file=stream)
    if not console.is_terminal:
        return Console()
    return Console(
        Layout(
            width=min(console.width, 120),
            color=bool(console.color_system) and not console.no_color,
        )
    )
