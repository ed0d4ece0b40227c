"""How commands print, and the only place that does: tables and progress for people at a terminal, plain lines
elsewhere, JSON for scripts. What steers a terminal is spelled out, whatever the text came from."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from mkdocs_cited.base.terminal import shown, shown_json, shown_line, shown_with_colours
from mkdocs_cited.cli.manner import manner

if TYPE_CHECKING:  # rich is slow to import, and of use to people at a terminal only
    from rich.console import Console
    from rich.progress import Progress, TaskID


class Pace(Struct, frozen=True):
    """How fast things are done."""

    many: int
    """As many as take longer than a second: a person is told what they wait for."""
    a_line: int
    """As many as take ten seconds or so."""


PAGES, ANSWERS = Pace(50, 500), Pace(20, 200)


def console(*, err: bool = False) -> Console:
    """A console that knows whether people look at it, and whether they want colours."""
    from rich.console import Console

    color = manner().color
    plain = None if color is None else not color
    return Console(stderr=err, highlight=False, soft_wrap=True, no_color=plain)


def echo(text: str = "", *, err: bool = False) -> None:
    """Print lines of text."""
    click.echo(shown(text), err=err)


def hint(text: str) -> None:
    """A line on standard error about what takes its time; not with `-q`."""
    if not manner().quiet:
        echo(text, err=True)


def emit_json(value: Any) -> None:
    """Print a value as JSON, keys as they are, in UTF-8."""
    click.echo(shown_json(json.dumps(value, ensure_ascii=False, indent=2)))


def emit_text(text: str) -> None:
    """Print a program's text, ours, as it is."""
    click.echo(shown(text), nl=False)


def emit_report(text: str) -> None:
    """Print a reporter's text as it is: JSON means the same after it, and colours stay."""
    click.echo(shown_json(text) if text[:1] in "{[" else shown_with_colours(text), nl=False)


def emit_markdown(text: str) -> None:
    """Print Markdown of ours: set at a terminal, as it is elsewhere."""
    if not sys.stdout.isatty():
        click.echo(shown(text), nl=False)
        return
    from rich.markdown import Markdown

    console().print(Markdown(shown(text)), soft_wrap=False)


def say(text: str, *, following: str = "") -> None:
    """Print a line, and what to do next, if anything; what documentation holds steers no terminal. Not with `-q`."""
    if manner().quiet:
        return
    if text:
        click.echo(shown_line(text))
    if following:
        click.echo(f"  → {shown_line(following)}")


def summary(*parts: tuple[str, int]) -> str:
    """Counts in one line, those of nothing left out: `("wrote {}", 2), ("{} proposal{s}", 1)` → `wrote 2, 1 proposal`.

    `{s}` is a plural's, `{verb}` that of a verb whose subject is one.
    """
    one = {"s": "", "verb": "s"}
    many = {"s": "s", "verb": ""}
    return ", ".join(words.format(count, **(one if count == 1 else many)) for words, count in parts if count)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table at a terminal; one line a row with tabs between its cells elsewhere."""
    if not sys.stdout.isatty():
        for row in rows:
            click.echo("\t".join(map(shown_line, row)))
        return
    _print_tables(headings, {"": [list(map(shown_line, row)) for row in rows]})


def grouped_table(group: str, headings: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> None:
    """A table whose rows stand under their group at a terminal; elsewhere the group is the first cell of each line."""
    if not sys.stdout.isatty():
        table((group, *headings), [(name, *row) for name, row in rows])
        return
    groups: dict[str, list[list[str]]] = {}
    for name, row in rows:
        groups.setdefault(shown_line(name), []).append(list(map(shown_line, row)))
    _print_tables(headings, groups)


def _print_tables(headings: Sequence[str], groups: Mapping[str, Sequence[Sequence[str]]]) -> None:
    """Tables with the same columns, each under its name, if it has one."""
    from rich.markup import escape
    from rich.table import Table

    from mkdocs_cited.cli.layout import layout

    headings, rows = _without_empty(headings, [row for group in groups.values() for row in group])
    screen = console()
    columns, rest = layout(headings, rows, screen.width), iter(rows)
    for place, (name, group) in enumerate([("", ()), *groups.items()]):
        if name:
            screen.print(f"[bold underline]{escape(name)}")
        grid = Table(box=None, header_style="bold", pad_edge=False, show_header=not place and any(headings))
        for at, (heading, width) in enumerate(zip(headings, columns.widths, strict=True)):
            grid.add_column(heading, width=width, no_wrap=at not in columns.wraps, overflow="fold")
        for row in islice(rest, len(group)):
            grid.add_row(*map(escape, columns.fitted(row)))
        screen.print(grid)


def _without_empty(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """A table's columns but those that say nothing in any row."""
    kept = [at for at in range(len(headings)) if at == 0 or not rows or any(row[at] for row in rows)]
    return [headings[at] for at in kept], [[row[at] for at in kept] for row in rows]


def prose_diff(before: str, after: str) -> str:
    """How a proposed text differs from the one that stands, line by line."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "stands", "proposed", lineterm="", n=1)
    return "\n".join(lines)


def file_diff(name: str, before: str, after: str) -> str:
    """How a file changes, as `diff -u` has it; of a new file, every line."""
    old, new = before.splitlines(), after.splitlines()
    return "\n".join(difflib.unified_diff(old, new, name if before else "/dev/null", name, lineterm="", n=2))


def agreed(question: str) -> bool:
    """Whether a person at the terminal says yes; a bare Enter does."""
    return click.confirm(shown_line(question), default=True)


@contextmanager
def working(what: str) -> Iterator[None]:
    """A sign of life on standard error while something runs whose length nobody knows, at a terminal only."""
    if _unseen():
        yield
        return
    with console(err=True).status(f"{what} …"):
        yield


def _unseen() -> bool:
    """Whether nobody looks at signs of life. FORCE_COLOR, which rich goes by, is about colours."""
    return manner().quiet or not sys.stderr.isatty()


class Bar:
    """What is done so far: of things that are counted, and of what a local model reads. Where nobody sees bars, in a
    log of CI, lines tell of what takes longer than a second, and of longer work every ten seconds or so."""

    def __init__(self, bar: Progress, task: TaskID | None, total: int, what: str) -> None:
        self._bar, self._task, self._total, self._what = bar, task, total, what or "answers"
        self._model: TaskID | None = None
        self._done = 0
        self._told = -1

    def __call__(self, _: object = None) -> None:
        """One more thing is done."""
        self._done += 1
        self.answers(self._done, self._total)

    def pages(self, done: int, total: int, why: str = "") -> None:
        """So many pages are rendered."""
        self._show("rendering the pages", done, total)
        first = f"rendering {total:,} pages{why and ': '}{why}"
        self._tell(done, total, PAGES, first, f"rendered {done:,} of {total:,} pages")

    def answers(self, done: int, total: int) -> None:
        """So many answers, or questions, are done."""
        self._show("", done, total)
        self._tell(done, total, ANSWERS, f"{self._what}: {total:,}", f"{self._what}: {done:,} of {total:,}")

    def _show(self, what: str, done: int, total: int) -> None:
        if self._task is not None:
            self._bar.update(self._task, description=what or None, completed=done, total=total)

    def _tell(self, done: int, total: int, pace: Pace, first: str, then: str) -> None:
        """Print a line where nobody sees the bar: one at first, and one whenever so many more are done."""
        told = -1 if self._told < 0 else self._told + pace.a_line
        if self._bar.disable and total >= pace.many and told <= done < total:
            hint(first if self._told < 0 else then)
            self._told = done

    def encoding(self, done: int, total: int) -> None:
        """So many passages have their vectors."""
        self._reads("passages", done, total)

    def claims(self, done: int, total: int) -> None:
        """So many claims have their scores."""
        self._reads("claims", done, total)

    def _reads(self, what: str, done: int, total: int) -> None:
        if self._model is None:
            self._model = self._bar.add_task(what, total=total)
        self._bar.update(self._model, completed=done, total=total)


@contextmanager
def progress(total: int = 0, what: str = "") -> Iterator[Bar]:
    """Bars on standard error, which appear at a terminal only; call what it yields with each thing that is done.

    Args:
        total: how many there are; 0 while that is not known.
        what: what is counted, or done; nothing is shown without it.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class Count(MofNCompleteColumn):
        """How many of how many, once that is known."""

        def render(self, task: Task) -> Text:
            return Text() if task.total is None else super().render(task)

    screen = console(err=True)
    columns = (TextColumn("{task.description}"), BarColumn(), Count(), TimeElapsedColumn())
    with Progress(*columns, console=screen, transient=True, disable=_unseen()) as bar:
        yield Bar(bar, bar.add_task(what, total=total or None) if what else None, total, what)
