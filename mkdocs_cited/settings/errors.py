"""What is said of an option whose value is not of its type: where it stands, what it is, and what to write instead.

Which options there are, and of what types, is `settings`' business; this is imported only once something is wrong.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import closest
from mkdocs_cited.settings.places import found_place

_WORDS = {
    "`int`": "a whole number",
    "`float`": "a number",
    "`float | null`": "a number",
    "`str`": "text",
    "`bool`": "`true` or `false`",
    "`array`": "a list",
    "`object`": "names with values",
    "`null`": "nothing",
}
"""msgspec's names of types, as authors of YAML would say them."""


def at(file: Path, path: Sequence[str | int]) -> str:
    """Where an option stands: `mkdocs.yml:7`; the file alone where it cannot be found in it."""
    return str(found_place(file, file.name, *path) or file.name)


def wrong_values(
    options: dict[str, Any],
    table: type,
    nested: Mapping[tuple[type, str], type],
    *,
    file: Path,
    overridden: Collection[str],
    env: str,
) -> Iterator[UsageError]:
    """An error for each value that msgspec refuses; they are taken out of the options.

    Args:
        options: as written.
        table: the dataclass of all options; each field's metadata has its meaning, `doc`, and perhaps an `example`.
        nested: (dataclass, field) → dataclass of the options within that option.
        file: the configuration file.
        overridden: names of the options that an environment variable sets.
        env: what the names of those variables start with.
    """
    while True:
        try:
            msgspec.convert(options, table)
        except msgspec.ValidationError as error:
            said = str(error)
            found = _option(said, table, nested)
            path = _path(said)
            path += _entry(said, options, path, found[2]) if found else []
            yield _wrong_value(said, path, found, file=file, overridden=overridden, env=env)
            if not taken_out(options, path):
                return
        else:
            return


def taken_out(options: dict[str, Any], path: Sequence[str | int]) -> bool:
    """Whether what stands at the end of a path could be taken out: with the list or mapping that holds it where only
    that has a name."""
    holder, name = None, ""
    inner: Any = options
    for step in path:
        if isinstance(inner, dict) and step in inner:
            holder, name = inner, str(step)
        elif not (isinstance(inner, list) and isinstance(step, int) and step < len(inner)):
            break
        inner = inner[step]
    if holder is None:
        return False
    del holder[name]
    return True


def _path(said: str) -> list[str | int]:
    """The way to a value that msgspec speaks of, as far as it tells: of a mapping by any names, not which."""
    steps = re.findall(r"\.([a-z_]+)|\[(\d+)\]|(\[\.\.\.\])", said.rpartition(" - at ")[2])
    steps = steps[: next((number for number, step in enumerate(steps) if step[2]), len(steps))]
    return [name or int(number) for name, number, _ in steps]


def _entry(said: str, options: dict[str, Any], path: Sequence[str | int], kind: Any) -> list[str]:
    """The name under which a mapping of any names, at the end of a path, has a value that is not of its type."""
    inner: Any = options
    for step in path:
        inner = inner[step]
    kinds = get_args(kind)
    if not said.endswith("[...]`") or not isinstance(inner, Mapping) or len(kinds) != 2:
        return []
    for name, value in inner.items():
        try:
            msgspec.convert(value, kinds[1])
        except msgspec.ValidationError:
            return [name]
    return []


def _wrong_value(
    said: str,
    steps: Sequence[str | int],
    found: tuple[str, dataclasses.Field[Any], Any] | None,
    *,
    file: Path,
    overridden: Collection[str],
    env: str,
) -> UsageError:
    problem = said.partition(" - at ")[0]
    if found is None:
        return UsageError(f"{file.name}: cited: {_in_words(problem)}", tip="see the options table in the docs")
    name, option, kind = found
    path, entry, inner = _plain_path(said), name, kind
    if path.endswith("[...]") and steps[-1] != name.rpartition(".")[2]:
        path = entry = f"{path.removesuffix('[...]')}.{steps[-1]}"
        inner = get_args(kind)[1]
    if name.partition(".")[0] in overridden:
        where = f"environment: {env}{name.upper()}"
        tip = f"write `{env}{name.upper()}={_plain(option.default)}`, for example" if _plain(option.default) else ""
    else:
        where = f"{at(file, steps)}: cited: option `{path or name}`"
        tip = _meant(problem, entry, inner) or _choice(entry, inner) or _example(name, option)
    meaning = option.metadata.get("doc", "")
    between = " " if tip.endswith("?") else ": "
    return UsageError(f"{where}: {_in_words(problem)}", tip=between.join(filter(None, (tip, meaning))))


def _plain_path(said: str) -> str:
    """The way to a value as msgspec writes it: `anthropic.model`."""
    end = said.partition(" - at ")[2]
    return end[end.find("$") :].strip("`").removeprefix("$").removeprefix(".")


def _option(
    said: str, table: type, nested: Mapping[tuple[type, str], type]
) -> tuple[str, dataclasses.Field[Any], Any] | None:
    """The innermost option that msgspec speaks of and that says what it is for: its name, its field and its type."""
    names = re.findall(r"[a-z_]+", _plain_path(said))
    found = None
    for depth, name in enumerate(names, start=1):
        field = next((item for item in dataclasses.fields(table) if item.name == name), None)
        if field is None or "doc" not in field.metadata:
            break
        found = ".".join(names[:depth]), field, get_type_hints(table)[name]
        if (table, name) not in nested:
            break
        table = nested[table, name]
    return found


def _example(name: str, option: dataclasses.Field[Any]) -> str:
    """What may stand in the file in place of what does."""
    value = option.metadata.get("example") or _plain(option.default)
    return f"write `{name.rpartition('.')[2]}: {value}`, for example" if value else ""


def _choice(name: str, kind: Any) -> str:
    """All that may stand there, where that can be counted."""
    choices = ", ".join(f"`{name.rpartition('.')[2]}: {value}`" for value in _choices(kind))
    return f"write one of {choices}" if choices else ""


def _meant(problem: str, name: str, kind: Any) -> str:
    """The choice that is closest to what was written, if one is."""
    written = re.fullmatch("Invalid enum value '(.*)'", problem, re.DOTALL)
    close = closest(written[1], _choices(kind)) if written else ""
    return f"did you mean `{name.rpartition('.')[2]}: {close}`?" if close else ""


def _choices(kind: Any) -> list[str]:
    """The values that an option may have, where they can be counted."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(item.value) for item in kind]
    return [str(value) for value in get_args(kind) if value] if get_origin(kind) is Literal else []


def _plain(default: Any) -> str:
    """A default as YAML, when it shows what to write."""
    if isinstance(default, bool):
        return "true" if default else "false"
    return str(default) if isinstance(default, (int, float, str)) else ""


def _in_words(problem: str) -> str:
    problem = problem.replace("Invalid enum value", "there is no such value:").replace("Expected", "expected")
    problem = re.sub(r"Object missing required field", "there is no", problem)
    return re.sub(r"`[a-z| ]+`", lambda match: _WORDS.get(match[0], match[0]), problem)
