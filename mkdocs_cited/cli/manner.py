"""How loud and how colourful a run of the command line is: what `-q`, `-v` and `--color` say, for all that prints."""

from __future__ import annotations

from typing import Any

import click
from msgspec import Struct

from mkdocs_cited.base.values import replace

_KEY = "mkdocs_cited.manner"


class Manner(Struct, frozen=True):
    """What the caller asked for."""

    quiet: bool = False
    """Print nothing but what was asked for: no summary, no next step, no progress."""
    verbose: bool = False
    """Say on standard error, too, what is going on."""
    color: bool | None = None
    """Whether there are colours; undecided, the stream and `NO_COLOR` say."""


def manner() -> Manner:
    """That of the command that is running."""
    context = click.get_current_context(silent=True)
    found = context.meta.get(_KEY) if context else None
    return found if isinstance(found, Manner) else Manner()


def _quiet(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        context.meta[_KEY] = replace(manner(), quiet=True, verbose=False)


def _verbose(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        context.meta[_KEY] = replace(manner(), verbose=True, quiet=False)


def _color(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value:
        context.color = {"always": True, "never": False}.get(value)  # what `click.echo` goes by
        context.meta[_KEY] = replace(manner(), color=context.color)


def manner_options() -> list[click.Option]:
    """`-q`, `-v` and `--color`, which stand before a command or behind it."""
    shared: dict[str, Any] = {"expose_value": False, "is_eager": True}
    return [
        click.Option(["-q", "--quiet"], is_flag=True, callback=_quiet, **shared,
                     help="Print only what was asked for, and what is wrong."),
        click.Option(["-v", "--verbose"], is_flag=True, callback=_verbose, **shared,
                     help="Say what is going on, on standard error."),
        click.Option(["--color"], type=click.Choice(["auto", "always", "never"]), callback=_color, **shared,
                     help="Colours; `auto` heeds the terminal and NO_COLOR."),
    ]  # fmt: skip
