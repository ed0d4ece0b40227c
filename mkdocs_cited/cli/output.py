"""How commands print and ask, and the only place that does: tables and progress for people at a terminal, plain lines
in pipes, JSON for scripts; files are shown as they change before they are written. What steers a terminal is spelled
out."""

from __future__ import annotations

import difflib
import os
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from mkdocs_cited.base.errors import (
    harmless,
    harmless_json,
    harmless_line,
    harmless_with_colours,
)
from mkdocs_cited.base.files import repository_of, through_links, write_atomically
from mkdocs_cited.reporters.interface import dumps

try:
    import termios
except ImportError:  # Windows, where a key needs no preparation
    termios = None  # type: ignore[assignment]

if TYPE_CHECKING:  # rich is slow to import, and of use to people at a terminal only
    from rich.console import Console
    from rich.progress import Progress

_SHORT = 16
"""Characters of a cell, at most, that is never broken: a state."""


def console(*, err: bool = False) -> Console:
    """A console that knows whether people look at it, and whether they want colours (`NO_COLOR`, `FORCE_COLOR`)."""
    from rich.console import Console

    return Console(stderr=err, highlight=False, soft_wrap=True)


def echo(text: str = "", *, err: bool = False) -> None:
    """Print lines of text."""
    click.echo(harmless(text), err=err)


def emit_json(value: Any) -> None:
    """Print a value as JSON, keys as they are, in UTF-8."""
    emit_report(dumps(value))


def emit_report(text: str) -> None:
    """Print a reporter's text as it is: JSON means the same after it, and colours stay."""
    shown = harmless_with_colours(text)
    if text.startswith(("{", "[")):
        shown = harmless_json(text)
    click.echo(shown, nl=False, color=True)


def say(text: str, *, following: str = "") -> None:
    """Print a line, and what to do next, if anything."""
    if text:
        click.echo(harmless_line(text))
    if following:
        click.echo(f"  → {harmless_line(following)}")


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table at a terminal, without columns that are empty; one line a row with tabs between its cells in a pipe."""
    cells = [list(map(harmless_line, row)) for row in rows]
    if not sys.stdout.isatty():
        for row in cells:
            click.echo("\t".join(row))
        return
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, header_style="bold", pad_edge=False)
    columns = []
    for heading, *column in zip(headings, *cells, strict=True):
        if any(column):
            short = max(map(len, column)) <= _SHORT
            grid.add_column(heading, no_wrap=short, overflow="fold")
            columns.append(map(Text, column))
    for shown in zip(*columns, strict=True):
        grid.add_row(*shown)
    console().print(grid, soft_wrap=False)


def difference(was: str, now: str, before: str, after: str) -> str:
    """How a text changes, line by line, as `diff -u` has it; empty when it does not.

    Args:
        was: name of the text before.
        now: name of the text after.
        before: the text before.
        after: the text after.
    """
    old = before.splitlines()
    new = after.splitlines()
    return "\n".join(difflib.unified_diff(old, new, was, now, lineterm="", n=2))


class Change(Struct, frozen=True):
    """A file that would be written."""

    path: Path
    before: bytes
    """Empty for a new file."""
    after: bytes
    following: str = ""
    """The step that is left to a person."""


def write_changes(root: Path, changes: Iterable[Change], *, yes: bool) -> int:
    """Show each change, and write what a person at the terminal agrees to; return how many files are written.

    Args:
        root: the folder that paths are shown from; links may not lead out of its repository.
        changes: of files of authors.
        yes: whether nobody is asked.

    Raises:
        UsageError: a link leads out of the repository.
        Abort: nobody is there to agree.
    """
    written = 0
    for change in changes:
        if change.after == change.before:
            continue
        name = os.path.relpath(change.path, root)
        was = name
        if not change.before:
            was = "/dev/null"
        before = change.before.decode("utf-8-sig")
        after = change.after.decode("utf-8-sig")
        echo(difference(was, name, before, after))
        if yes or agreed(f"write {name}?"):
            real = through_links(change.path, repository_of(root) or root)
            write_atomically(real, change.after)
            say(f"wrote {name}", following=change.following)
            written += 1
    return written


def agreed(question: str) -> bool:
    """True if a person at the terminal says yes; a bare Enter does."""
    return click.confirm(harmless_line(question), default=True)


def asked(what: str) -> str:
    """A line that a person at the terminal writes; not empty."""
    answer: str = click.prompt(harmless_line(what))
    return answer


def choice(meanings: Mapping[str, str], *, numbers: int = 0) -> str:
    """Ask for a key until one has a meaning, and return it; `q` when there will be none.

    Args:
        meanings: letter → what it does.
        numbers: of things that may be chosen by a digit, from 1.
    """
    shown = meanings
    digits = [str(number) for number in range(1, numbers + 1)]
    if digits:
        span = "1" if numbers == 1 else f"1-{numbers}"
        shown = {span: "take or leave", **meanings}
    while True:
        pressed = _key(shown) or "q"
        if pressed in meanings or pressed in digits:
            return pressed
        echo("that key has no meaning here")


def _key(meanings: Mapping[str, str]) -> str:
    """Ask for a key, and say what keys mean: the next one, lower case; empty when there will be none. A cursor key and
    the like is no letter: `?`.

    Without a terminal, the first letter of each line of standard input is a key.
    """
    # an exit gives the terminal back, which an end by a signal does not; Windows has no SIGHUP
    for name in ("SIGTERM", "SIGHUP"):
        signum = getattr(signal, name, None)
        if signum:
            signal.signal(signum, lambda number, _: sys.exit(128 + number))
    prompt = " · ".join(f"{name} {what}" for name, what in meanings.items())
    try:
        with _single_keys():
            click.echo(f"{prompt}: ", nl=False)
            if not sys.stdin.isatty():
                lines = (line.strip() for line in sys.stdin)
                pressed = next(filter(None, lines), "")
            elif termios:
                pressed = os.read(sys.stdin.fileno(), 32).decode("utf-8", "replace")
            else:
                pressed = click.getchar()
    except (EOFError, KeyboardInterrupt, OSError):  # the terminal may be gone
        return ""
    if pressed.startswith("\x1b"):
        return "?"
    return pressed[:1].lower().strip("\x04")


@contextmanager
def _single_keys() -> Iterator[None]:
    """Have the terminal give each key at once, and drop those pressed before: what they would decide is not on the
    screen yet."""
    if termios is None or not sys.stdin.isatty():
        yield
        return
    import tty

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        with suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


class Bar:
    """What is done so far, at a terminal."""

    def __init__(self, bar: Progress, what: str, total: int) -> None:
        self._bar = bar
        self._what = what
        self._task = bar.add_task(what, total=total or None)

    def __call__(self, _: object = None) -> None:
        """One more answer or page is done."""
        self._bar.advance(self._task)

    def doing(self, text: str) -> None:
        """What is done now, next to what is counted."""
        description = f"{self._what}: {harmless_line(text)}"
        self._bar.update(self._task, description=description)

    def pages(self, done: int, total: int) -> None:
        """So many pages are rendered."""
        self._bar.update(self._task, completed=done, total=total)

    def encoding(self, done: int, total: int) -> None:
        """So many passages have their vectors."""
        self.doing(f"{done:,} of {total:,} passages")

    def line(self, text: str) -> None:
        """A line above the bar, or on standard error where there is none."""
        self._bar.console.print(harmless_line(text), markup=False)


@contextmanager
def progress(what: str, total: int = 0) -> Iterator[Bar]:
    """Bars on standard error, which appear at a terminal only; call what it yields with each thing that is done.

    Args:
        what: what is counted, or done.
        total: how many there are; 0 while that is not known.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    # FORCE_COLOR, which rich goes by, is about colours
    unseen = not sys.stderr.isatty()
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console(err=True),
        transient=True,
        disable=unseen,
    )
    # before rich 14.3, one that is disabled ends with an empty line
    with nullcontext() if unseen else bar:
        yield Bar(bar, what, total)
