"""How commands print, and the only place that does: tables and progress for people at a terminal, plain lines
elsewhere, JSON for scripts. What steers a terminal is spelled out, whatever the text came from."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from mkdocs_cited.base.terminal import shown, shown_json, shown_line, shown_with_colours


def console(*, err: bool = False) -> Console:
    """A console that knows whether people look at it."""
    return Console(stderr=err, highlight=False, soft_wrap=True)


def echo(text: str = "", *, err: bool = False) -> None:
    """Print lines of text."""
    click.echo(shown(text), err=err)


def emit_json(value: Any) -> None:
    """Print a value as JSON, keys as they are, in UTF-8."""
    click.echo(shown_json(json.dumps(value, ensure_ascii=False, indent=2)))


def emit_report(text: str) -> None:
    """Print a reporter's text as it is: JSON means the same after it, and colours stay."""
    click.echo(shown_json(text) if text[:1] in "{[" else shown_with_colours(text), nl=False)


def emit_markdown(text: str) -> None:
    """Print Markdown of ours: set at a terminal, as it is elsewhere."""
    if not sys.stdout.isatty():
        click.echo(shown(text), nl=False)
        return
    from rich.markdown import Markdown  # slow to import, and of use to people only

    console().print(Markdown(shown(text)), soft_wrap=False)


def say(text: str, *, following: str = "") -> None:
    """Print a line, and what to do next, if anything; what documentation holds steers no terminal."""
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
    grid = Table(*headings, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        grid.add_row(*(escape(shown_line(cell)) for cell in row))
    console().print(grid)


def grouped_table(group: str, headings: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> None:
    """A table whose rows stand under their group at a terminal; elsewhere the group is the first cell of each line."""
    if not sys.stdout.isatty():
        table((group, *headings), [(name, *row) for name, row in rows])
        return
    grid = Table(*headings, box=None, header_style="bold", pad_edge=False)
    before = None
    for name, row in rows:
        if name != before:
            grid.add_row(f"[bold underline]{escape(shown_line(name))}")
        grid.add_row(*(escape(shown_line(cell)) for cell in row))
        before = name
    console().print(grid)


def prose_diff(before: str, after: str) -> str:
    """How a proposed text differs from the one that stands, line by line."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "stands", "proposed", lineterm="", n=1)
    return "\n".join(lines)


class Bar:
    """What is done so far: of things that are counted, and of the passages that a local model reads."""

    def __init__(self, bar: Progress, task: TaskID | None) -> None:
        self._bar, self._task = bar, task
        self._encoding: TaskID | None = None

    def __call__(self, _: object = None) -> None:
        """One more thing is done."""
        if self._task is not None:
            self._bar.advance(self._task)

    def encoding(self, done: int, total: int) -> None:
        """So many passages have their vectors."""
        if self._encoding is None:
            self._encoding = self._bar.add_task("passages", total=total)
        self._bar.update(self._encoding, completed=done, total=total)


@contextmanager
def progress(total: int = 0, what: str = "") -> Iterator[Bar]:
    """Bars on standard error, which appear at a terminal only; call what it yields with each thing that is done."""
    screen = console(err=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        yield Bar(bar, bar.add_task(what, total=total) if total else None)
