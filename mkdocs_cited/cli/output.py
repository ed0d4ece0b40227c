"""How commands print: tables and progress for people at a terminal, plain lines elsewhere, JSON for scripts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from mkdocs_cited.model.answer import Answer


def console(*, err: bool = False) -> Console:
    """A console that knows whether people look at it."""
    return Console(stderr=err, highlight=False, soft_wrap=True)


def emit_json(value: Any) -> None:
    """Print a value as JSON, keys as they are, in UTF-8."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table at a terminal; one line a row with tabs between its cells elsewhere."""
    if not sys.stdout.isatty():
        for row in rows:
            click.echo("\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in row))
        return
    grid = Table(*headings, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        grid.add_row(*map(escape, row))
    console().print(grid)


@contextmanager
def bar(total: int, what: str) -> Iterator[Callable[[], None]]:
    """A bar on standard error, which appears at a terminal only; call what it yields whenever one more is done."""
    screen = console(err=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as shown:
        task = shown.add_task(what, total=total)

        yield lambda: shown.advance(task)


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[Answer], None]]:
    """The same, to be called with each finished answer."""
    with bar(total, what) as advance:
        yield lambda _: advance()
