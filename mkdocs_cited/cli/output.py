"""How commands print, and the only place that does: tables and progress for people at a terminal, plain lines
in pipes, JSON for scripts; and how loud and colourful that is. What steers a terminal is spelled out."""

from __future__ import annotations

import difflib
import json
import os
import re
import shlex
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any

import click

from mkdocs_cited.base.terminal import (
    harmless,
    harmless_json,
    harmless_line,
    harmless_with_colours,
)

try:
    import termios
except ImportError:  # Windows, where a key needs no preparation
    termios = None  # type: ignore[assignment]

if TYPE_CHECKING:  # rich is slow to import, and of use to people at a terminal only
    from rich.console import Console
    from rich.progress import Progress, TaskID

_KEY = "mkdocs_cited.quiet"
_PLAIN = re.compile(r"[\w@%+=:,./-][\w@%+=:,./#-]*", re.ASCII)
_SHORT = 16
"""Characters of a cell, at most, that is never broken: a state, an age."""
_MANY_PAGES, _MANY_ANSWERS = 50, 20
"""As many as take longer than a second: a log says what it waits for."""


def is_quiet() -> bool:
    """True if `-q` asks the running command to print nothing but what was asked for: no next step, no progress."""
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(_KEY))


def _chosen(context: click.Context, option: click.Parameter, value: bool) -> None:
    if value:
        context.meta[_KEY] = True


def quiet_option() -> click.Option:
    """`-q`, before a command or behind it."""
    shared: dict[str, Any] = {
        "expose_value": False,
        "is_eager": True,
        "callback": _chosen,
    }
    return click.Option(
        ["-q", "--quiet"], is_flag=True, help="Print only results and errors.", **shared
    )


def console(*, err: bool = False) -> Console:
    """A console that knows whether people look at it, and whether they want colours (`NO_COLOR`, `FORCE_COLOR`)."""
    from rich.console import Console

    return Console(stderr=err, highlight=False, soft_wrap=True)


def echo(text: str = "", *, err: bool = False) -> None:
    """Print lines of text."""
    click.echo(harmless(text), err=err)


def emit_json(value: Any) -> None:
    """Print a value as JSON, keys as they are, in UTF-8."""
    click.echo(harmless_json(json.dumps(value, ensure_ascii=False, indent=2)))


def emit_report(text: str) -> None:
    """Print a reporter's text as it is: JSON means the same after it, and colours stay."""
    click.echo(
        harmless_json(text) if text[:1] in "{[" else harmless_with_colours(text),
        nl=False,
        color=True,
    )


def say(text: str, *, following: str = "") -> None:
    """Print a line, and what to do next, if anything. Not with `-q`."""
    if is_quiet():
        return
    if text:
        click.echo(harmless_line(text))
    if following:
        click.echo(f"  → {harmless_line(following)}")


def command(*words: str) -> str:
    """A command of ours as a person pastes it into a shell. The `#` of a key is quoted only where a word begins."""
    quoted = (word if _PLAIN.fullmatch(word) else shlex.quote(word) for word in words)
    return " ".join(("mkdocs-cited", *quoted))


def summary(*parts: tuple[str, int]) -> str:
    """Counts in one line, those of nothing left out: `("wrote {}", 2), ("{} proposal{s}", 1)` → `wrote 2, 1 proposal`.

    `{s}` is a plural's.
    """
    told: list[str] = []
    for words, count in parts:
        if count:
            told.append(words.format(count, s="" if count == 1 else "s"))
    return ", ".join(told)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table at a terminal, without columns that are empty; one line a row with tabs between its cells in a pipe."""
    cells = [list(map(harmless_line, row)) for row in rows]
    if not sys.stdout.isatty():
        for row in cells:
            click.echo("\t".join(row))
        return
    from rich.markup import escape
    from rich.table import Table

    grid = Table(
        box=None, header_style="bold", pad_edge=False, show_header=any(headings)
    )
    used = [
        at for at in range(len(headings)) if at == 0 or any(row[at] for row in cells)
    ]
    for at in used:
        short = all(len(row[at]) <= _SHORT for row in cells)
        grid.add_column(headings[at], no_wrap=short, overflow="fold")
    for row in cells:
        grid.add_row(*(escape(row[at]) for at in used))
    console().print(grid, soft_wrap=False)


def prose_diff(before: str, after: str) -> str:
    """How a proposed text differs from the accepted one, line by line."""
    lines = difflib.unified_diff(
        before.splitlines(),
        after.splitlines(),
        "accepted",
        "proposed",
        lineterm="",
        n=1,
    )
    return "\n".join(lines)


def file_diff(name: str, before: str, after: str) -> str:
    """How a file changes, as `diff -u` has it; of a new file, every line."""
    old, new = before.splitlines(), after.splitlines()
    return "\n".join(
        difflib.unified_diff(
            old, new, name if before else "/dev/null", name, lineterm="", n=2
        )
    )


def agreed(question: str) -> bool:
    """True if a person at the terminal says yes; a bare Enter does."""
    return click.confirm(harmless_line(question), default=True)


def asked(what: str) -> str:
    """A line that a person at the terminal writes; not empty."""
    answer: str = click.prompt(harmless_line(what))
    return answer


def key(meanings: Mapping[str, str]) -> str:
    """Ask for a key, and say what keys mean: the next one, lower case; empty when there will be none. A cursor key and
    the like is no letter: `?`.

    Without a terminal, the first letter of each line of standard input is a key.
    """
    try:
        with _ended_by_signals(), _single_keys():
            click.echo(
                " · ".join(f"{name} {what}" for name, what in meanings.items()) + ": ",
                nl=False,
            )
            if not sys.stdin.isatty():
                return next((line.strip() for line in sys.stdin if line.strip()), "")[
                    :1
                ].lower()
            pressed = (
                os.read(sys.stdin.fileno(), 32).decode("utf-8", "replace")
                if termios
                else click.getchar()
            )
    except (EOFError, KeyboardInterrupt, OSError):  # the terminal may be gone
        return ""
    if pressed.startswith("\x1b"):
        return "?"
    return pressed[:1].lower().strip("\x04")


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Have SIGTERM and SIGHUP end what asks for keys as an exit does, which gives the terminal back."""
    numbers = []
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            numbers.append(getattr(signal, name))
    before = {
        number: signal.signal(number, lambda number, _: sys.exit(128 + number))
        for number in numbers
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
    """What is done so far: a bar at a terminal; in a log, a line about what takes longer than a second."""

    def __init__(self, bar: Progress, total: int, what: str) -> None:
        self._bar, self._total, self._what = bar, total, what
        self._tasks: dict[str, TaskID] = {}
        self._done = 0
        self._logged = False
        if what:
            self._show(what, 0, total)

    def __call__(self, _: object = None) -> None:
        """One more answer, question or page is done."""
        self._done += 1
        self._log(f"{self._what}: {self._total:,}", self._total >= _MANY_ANSWERS)
        self._show(self._what, self._done, self._total)

    def doing(self, text: str) -> None:
        """What is done now, next to what is counted."""
        if self._what in self._tasks:
            self._bar.update(
                self._tasks[self._what],
                description=f"{self._what}: {harmless_line(text)}",
            )

    def pages(self, done: int, total: int, why: str = "") -> None:
        """So many pages are rendered."""
        because = ""
        if why:
            because = f": {why}"
        self._log(f"rendering {total:,} pages{because}", total >= _MANY_PAGES)
        self._show(self._what, done, total)

    def encoding(self, done: int, total: int) -> None:
        """So many passages have their vectors."""
        self._show("passages", done, total)

    def line(self, text: str) -> None:
        """A line above the bar, or on standard error where there is none."""
        if not is_quiet():
            self._bar.console.print(harmless_line(text), markup=False)

    def _show(self, what: str, done: int, total: int) -> None:
        if what not in self._tasks:
            self._tasks[what] = self._bar.add_task(what, total=total or None)
        self._bar.update(self._tasks[what], completed=done, total=total or None)

    def _log(self, line: str, is_long: bool) -> None:
        """Print a line, once, where nobody sees the bar."""
        if self._bar.disable and is_long and not self._logged and not is_quiet():
            self._logged = True
            echo(line, err=True)


@contextmanager
def progress(total: int = 0, what: str = "") -> Iterator[Bar]:
    """Bars on standard error, which appear at a terminal only; call what it yields with each thing that is done.

    Args:
        total: how many there are; 0 while that is not known.
        what: what is counted, or done; nothing is shown at first without it.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    # FORCE_COLOR, which rich goes by, is about colours
    unseen = is_quiet() or not sys.stderr.isatty()
    bar = Progress(*columns, console=console(err=True), transient=True, disable=unseen)
    # before rich 14.3, one that is disabled ends with an empty line
    with nullcontext() if unseen else bar:
        yield Bar(bar, total, what)
