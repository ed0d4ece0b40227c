"""The reference of the command line as Markdown, from the same words as `--help`."""

from __future__ import annotations

import inspect

import click

from mkdocs_cited.cli import main

SHARED = frozenset({"config_file", "help"})
"""Options that the page explains once."""


def commands() -> str:
    """Every command with its usage, its help and its options, by name."""
    parts = []
    for name, command in sorted(main.commands.items()):
        context = click.Context(command, info_name=f"mkdocs-cited {name}")
        usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
        parts += [f"## {name}", f"```text\n{usage}\n```", inspect.cleandoc(command.help or "")]
        options = [item for item in command.params if isinstance(item, click.Option) and item.name not in SHARED]
        if options:
            rows = (f"| `{_switch(item)}` | {_meaning(item)} |" for item in options)
            parts.append("\n".join(("| option | meaning |", "|---|---|", *rows)))
    return "\n\n".join(parts)


def _switch(item: click.Option) -> str:
    """`--output FILE`; `--strict, -s`."""
    names = ", ".join((*item.opts, *item.secondary_opts))
    if item.is_flag:
        return names
    kind = "N" if isinstance(item.type, click.IntRange) else item.type.name.upper()
    return f"{names} {item.metavar or kind}"


def _meaning(item: click.Option) -> str:
    words = [item.help or ""]
    if isinstance(item.type, click.Choice):
        words.append(f"One of {', '.join(f'`{choice}`' for choice in item.type.choices)}.")
    if item.show_default and not item.is_flag:
        words.append(f"By default `{item.default}`.")
    return " ".join(words).replace("|", "&#124;")
