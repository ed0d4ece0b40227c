"""The reference of the command line as Markdown, from the same words as `--help`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import click
import msgspec

from mkdocs_cited.cli import main
from mkdocs_cited.cli.questions import Found, Verified
from mkdocs_cited.facts.editing import Mark
from mkdocs_cited.facts.results import FactsObject

SHARED = frozenset({"config_file", "help", "folder", "lang", "as_json", "anew"})
"""Options that the page explains once."""
SHAPES = {
    "cite": list[Mark],
    "facts": FactsObject,
    "find": list[Found],
    "verify": list[Verified],
}
"""Command → the type of what it prints with `--json`; `check` and `ask` have schemas elsewhere."""


def commands() -> str:
    """Every command with its usage, its help and its options, by name; a group's commands below it."""
    return "\n\n".join(_parts(main, "mkdocs-cited", "##"))


def every(group: click.Group) -> dict[str, click.Command]:
    """The commands of a group by name."""
    return dict(sorted(group.commands.items()))


def _parts(group: click.Group, path: str, level: str) -> Iterator[str]:
    for name, command in every(group).items():
        context = click.Context(command, info_name=f"{path} {name}")
        usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
        heading = f"{path} {name}".removeprefix("mkdocs-cited ")
        yield f"{level} {heading}"
        yield f"```text\n{usage}\n```"
        yield inspect.cleandoc(command.help or "")
        options = [item for item in command.params if isinstance(item, click.Option)]
        rows = [f"| `{_switch(item)}` | {_meaning(item)} |" for item in options if item.name not in SHARED]
        if rows:
            yield "\n".join(("| option | meaning |", "|---|---|", *rows))
        shared = [f"`{item.opts[-1]}`" for item in options if item.name in ("anew", "folder", "lang", "as_json")]
        if shared:
            yield f"Also {', '.join(shared)}."
        if isinstance(command, click.Group):
            yield from _parts(command, f"{path} {name}", f"{level}#")


def command_objects() -> dict[str, Any]:
    """A JSON schema of what `--json` prints: for each command, an entry of `$defs`."""
    printing = {name for name, item in every(main).items() if any(param.name == "as_json" for param in item.params)}
    assert printing - {"check", "ask"} == {name for name in SHAPES if " " not in name}
    schemas, inner = msgspec.json.schema_components(SHAPES.values(), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What the commands of mkdocs-cited print with --json",
        "$defs": {**dict(zip(SHAPES, schemas, strict=True)), **inner},
    }


def shared_options() -> str:
    """The options that many commands have, explained once."""
    rows: dict[str, str] = {}
    for command in every(main).values():
        for item in command.params:
            if isinstance(item, click.Option) and item.name in SHARED - {"help"}:
                rows.setdefault(f"| `{_switch(item)}` | {_meaning(item)} |", "")
    return "\n".join(("| option | meaning |", "|---|---|", *sorted(rows)))


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
