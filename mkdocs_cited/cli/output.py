"""How commands print, and the only place that does: tables and progress for people at a terminal, plain lines
elsewhere, JSON for scripts. What steers a terminal is spelled out, whatever the text came from."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from mkdocs_cited.base.terminal import shown, shown_json, shown_line, shown_with_colours


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

    _console().print(Markdown(shown(text)), soft_wrap=False)


def rule(title: str) -> None:
    """A line across the terminal with a title in it."""
    _console().rule(escape(shown_line(title)))


def choose(question: str, letters: str) -> str:
    """The letter with which a person answers."""
    answer: str = click.prompt(shown_line(question), type=click.Choice(letters), show_choices=False)
    return answer


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table at a terminal; one line a row with tabs between its cells elsewhere."""
    if not sys.stdout.isatty():
        for row in rows:
            click.echo("\t".join(map(shown_line, row)))
        return
    grid = Table(*headings, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        grid.add_row(*(escape(shown_line(cell)) for cell in row))
    _console().print(grid)


@contextmanager
def progress(total: int, what: str) -> Iterator[Any]:
    """A bar on standard error, which appears at a terminal only; call what it yields with each thing that is done."""
    screen = _console(err=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(what, total=total)

        def advance(_: object = None) -> None:
            bar.advance(task)

        yield advance


def _console(*, err: bool = False) -> Console:
    """A console that knows whether people look at it."""
    return Console(stderr=err, highlight=False, soft_wrap=True)
