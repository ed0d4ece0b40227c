"""What is wrong with options as they are written, each with its place and what to write instead.

Which options there are, and of what types, is the business of `options`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import closest, did_you_mean
from mkdocs_cited.model.finding import CATALOGUE

UNWRITTEN = frozenset({"review", "claim", "place"})
"""Fields that no one writes into a configuration: they are the environment's, a baseline's and the parser's."""

MOST_VALUES = 100_000
"""Values in the options, each counted as often as an alias repeats it."""

Path = tuple[str | int, ...]
Wrong = tuple[Path, str, str]
"""The path of an option, what is wrong with it, what to write."""

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


def check_size(options: Mapping[str, Any], file: str) -> None:
    """Refuse options that YAML's aliases make large without end, or endless.

    Raises:
        UsageError: they hold more than `MOST_VALUES` values.
    """
    todo: list[Any] = [options]
    for _ in range(MOST_VALUES):
        if not todo:
            return
        value = todo.pop()
        if isinstance(value, Mapping):
            todo += value.values()
        elif isinstance(value, (list, tuple)):
            todo += value
    raise UsageError(f"{file}: cited: more than {MOST_VALUES:,} values", tip="write out what its YAML aliases repeat")


def wrong_options(options: Mapping[str, Any], table: type, path: Path = ()) -> Iterator[Wrong]:
    """Every unknown option, and every value that is not of its option's type.

    Args:
        options: as written, or a block within them.
        table: the dataclass of these options; each field's metadata has its meaning, `doc`, and perhaps an `example`.
        path: of the block.
    """
    fields = {field.name: field for field in dataclasses.fields(table) if field.name not in UNWRITTEN}
    types = get_type_hints(table, include_extras=True)
    above = "".join(f"{step}." for step in path if isinstance(step, str))
    for name, value in options.items():
        here = (*path, str(name))
        if name in fields:
            yield from _wrong_value(value, types[name], here, fields[name])
        else:
            tip = did_you_mean(f"{above}{name}", [f"{above}{key}" for key in fields])
            yield here, f"`{above}{name}` is not an option of cited", tip


def _wrong_value(value: Any, kind: Any, path: Path, option: dataclasses.Field[Any]) -> Iterator[Wrong]:
    """What is wrong with a value, or with each value within it."""
    within = get_args(kind)
    if dataclasses.is_dataclass(kind) and isinstance(value, Mapping):
        yield from wrong_options(value, kind, path)  # type: ignore[arg-type]
        required = [field.name for field in dataclasses.fields(kind) if _is_required(field) and field.name not in value]
        for name in required[:1]:
            yield path, f"cited: option `{_written(path)}`: there is no `{name}`", _in_a_line(_example(option), option)
    elif get_origin(kind) is tuple and isinstance(value, list) and dataclasses.is_dataclass(within[0]):
        for number, item in enumerate(value):
            yield from _wrong_value(item, within[0], (*path, number), option)
    elif get_origin(kind) is dict and isinstance(value, Mapping):
        for key, item in value.items():
            yield from _wrong_value(item, within[1], (*path, key), option)
    else:
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            problem = str(error).partition(" - at ")[0]
            name = str(path[-1])
            tip = _meant(problem, name, kind) or _choice(name, kind) or _example(option)
            yield path, f"cited: option `{_written(path)}`: {in_words(problem)}", _in_a_line(tip, option)


def wrong_slugs(options: Mapping[str, Any]) -> Iterator[Wrong]:
    """What `severity` and `suppress` name that is no finding."""
    severity, suppress = options.get("severity"), options.get("suppress")
    named: list[tuple[Path, Any]] = []
    if isinstance(severity, Mapping):
        for slug in severity:
            named.append((("severity", slug), slug))
    if isinstance(suppress, list):
        for number, item in enumerate(suppress):
            if isinstance(item, Mapping) and "slug" in item:
                named.append((("suppress", number, "slug"), item["slug"]))
    for path, slug in named:
        if isinstance(slug, str) and slug not in CATALOGUE:
            yield path, f"`{slug}` is not a finding of cited", did_you_mean(slug, CATALOGUE)


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _written(path: Path) -> str:
    """`("extra_sources", 0, "type")` → `extra_sources[0].type`."""
    written = ""
    for step in path:
        if isinstance(step, int):
            written += f"[{step}]"
        else:
            written += f".{step}"
    return written.removeprefix(".")


def _in_a_line(tip: str, option: dataclasses.Field[Any]) -> str:
    """A tip with the option's meaning."""
    meaning = option.metadata.get("doc", "")
    if not tip or not meaning:
        return tip or meaning
    if tip.endswith("?"):
        return f"{tip} {meaning}"
    return f"{tip}: {meaning}"


def _example(option: dataclasses.Field[Any]) -> str:
    """What may be written in its place."""
    value = option.metadata.get("example") or as_yaml(option.default)
    return f"write `{option.name}: {value}`, for example" if value else ""


def _choice(name: str, kind: Any) -> str:
    """All values that the option may have, where they can be counted."""
    choices = ", ".join(f"`{name}: {value}`" for value in _choices(kind))
    return f"write one of {choices}" if choices else ""


def _meant(problem: str, name: str, kind: Any) -> str:
    """The choice that is closest to what was written, if one is."""
    written = re.fullmatch("Invalid enum value '(.*)'", problem, re.DOTALL)
    close = closest(written[1], _choices(kind)) if written else ""
    return f"did you mean `{name}: {close}`?" if close else ""


def _choices(kind: Any) -> list[str]:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(item.value) for item in kind]
    return [str(value) for value in get_args(kind) if value] if get_origin(kind) is Literal else []


def as_yaml(default: Any) -> str:
    """A default as YAML, when it shows what to write."""
    if isinstance(default, bool):
        return "true" if default else "false"
    return str(default) if isinstance(default, (int, float, str)) else ""


def in_words(problem: str) -> str:
    """msgspec's message as authors of YAML would say it."""
    problem = problem.replace("Invalid enum value", "there is no such value:").replace("Expected", "expected")
    return re.sub(r"`[a-z| ]+`", lambda match: _WORDS.get(match[0], match[0]), problem)
