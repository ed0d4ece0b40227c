"""Options from `mkdocs.yml` and the environment as values; all that is wrong with either is said at once, each with
its place and what to write instead.

Which options there are, and of what types, is said in `model.options`.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from mkdocs_cited.base.desk import NO, YES, truthy
from mkdocs_cited.base.errors import UsageError, gathered
from mkdocs_cited.base.text import closest, did_you_mean
from mkdocs_cited.model.finding import CATALOGUE
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.places import found_place

PREFIX = "MKDOCS_CITED_"
"""What the environment's overrides start with: `MKDOCS_CITED_CITE_THRESHOLD`."""

OFFLINE = f"{PREFIX}OFFLINE"
"""The environment's word that no request may be made to external pages; no option."""


def offline(environ: Mapping[str, str] | None = None) -> bool:
    """True if the environment (by default the process's own) forbids requests to external pages."""
    known = os.environ if environ is None else environ
    return truthy(known.get(OFFLINE, ""))


def parse(
    options: Mapping[str, Any],
    environ: Mapping[str, str] | None = None,
    *,
    file: Path = Path("mkdocs.yml"),
) -> Settings:
    """Validate the options of `mkdocs.yml`, with the environment's overrides.

    Args:
        options: the block under `cited:`.
        environ: by default the process's own.
        file: the configuration file, for messages.

    Raises:
        UsageError: options are unknown, or their values are not of their types; names all of them, each with its line
            and what to write.
    """
    given = msgspec.to_builtins(dict(options), enc_hook=str)  # dates as texts
    written = {key: value for key, value in given.items() if value is not None}
    if isinstance(written.get("facts"), list):
        written["facts"] = [_with_code(rule) for rule in written["facts"]]
    if isinstance(written.get("severity"), Mapping):  # YAML reads a bare `off` as false
        written["severity"] = {
            key: "off" if value is False else value
            for key, value in written["severity"].items()
        }
    overrides, problems = _overrides(os.environ if environ is None else environ)
    for path, message, tip in (
        *wrong_options(written, Settings),
        *wrong_slugs(written),
    ):
        if path[0] not in overrides:
            place = found_place(file, file.name, *path) or file.name
            problems.append(UsageError(f"{place}: {message}", tip=tip))
    if problems:
        raise gathered(problems)
    return msgspec.convert(written | overrides, Settings)


def _with_code(rule: Any) -> Any:
    """A rule of `facts` in which `in`, which is a keyword of Python, is called `code`."""
    if not isinstance(rule, Mapping):
        return rule
    return {"code" if name == "in" else name: value for name, value in rule.items()}


def _overrides(environ: Mapping[str, str]) -> tuple[dict[str, Any], list[UsageError]]:
    """The options that variables set, and what is wrong with them."""
    fields = {field.name: field for field in dataclasses.fields(Settings)}
    types = get_type_hints(Settings, include_extras=True)
    values: dict[str, Any] = {}
    problems: list[UsageError] = []
    for key, text in sorted(environ.items()):
        name = key.removeprefix(PREFIX).lower()
        if not key.startswith(PREFIX):
            continue
        if key == OFFLINE:
            if not isinstance(_truth(text), bool):
                problems.append(
                    UsageError(
                        f"environment: {key}: `{text}` is no word",
                        tip=f"write `{key}=true`",
                    )
                )
            continue
        if name not in fields:
            tip = did_you_mean(name, fields)
            problems.append(
                UsageError(f"environment: {key} is not an option of cited", tip=tip)
            )
            continue
        try:
            values[name] = msgspec.convert(
                _from_environment(text, fields[name].default), types[name]
            )
        except msgspec.ValidationError as error:
            meaning = fields[name].metadata.get("doc", "")
            tip = f"write `{key}={as_yaml(fields[name].default)}`, for example: {meaning}".removesuffix(
                ": "
            )
            problems.append(
                UsageError(f"environment: {key}: {in_words(str(error))}", tip=tip)
            )
    return values, problems


def _truth(value: str) -> bool | str:
    """What a word says; the word itself where it is neither yes nor no."""
    word = value.strip().lower()
    if word in YES:
        return True
    if word in NO:
        return False
    return value


def _from_environment(value: str, default: Any) -> Any:
    if isinstance(default, bool):
        return _truth(value)
    if isinstance(default, tuple):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(default, (int, float)):
        with suppress(ValueError):
            return type(default)(value)
    return value


UNWRITTEN = frozenset({"claim", "place"})
"""Fields that no one writes into a configuration: they are a baseline's and the parser's."""

Steps = tuple[str | int, ...]
Wrong = tuple[Steps, str, str]
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
    r" matching regex '\\S'": " that is not empty",
}
"""msgspec's names of types, as authors of YAML would say them."""


def wrong_options(
    options: Mapping[str, Any], table: type, path: Steps = ()
) -> Iterator[Wrong]:
    """Every unknown option, and every value that is not of its option's type.

    Args:
        options: as written, or a block within them.
        table: the dataclass of these options; each field's metadata has its meaning, `doc`, and perhaps an `example`.
        path: of the block.
    """
    fields = {
        field.name: field
        for field in dataclasses.fields(table)
        if field.name not in UNWRITTEN
    }
    types = get_type_hints(table, include_extras=True)
    above = "".join(f"{step}." for step in path if isinstance(step, str))
    for name, value in options.items():
        here = (*path, str(name))
        if name in fields:
            yield from _wrong_value(value, types[name], here, fields[name])
        else:
            tip = did_you_mean(f"{above}{name}", [f"{above}{key}" for key in fields])
            yield here, f"`{above}{name}` is not an option of cited", tip


def _wrong_value(
    value: Any, kind: Any, path: Steps, option: dataclasses.Field[Any]
) -> Iterator[Wrong]:
    """What is wrong with a value, or with each value within it."""
    within = get_args(kind)
    if dataclasses.is_dataclass(kind) and isinstance(value, Mapping):
        yield from wrong_options(value, kind, path)  # type: ignore[arg-type]
        missing = _missing(value, kind)  # type: ignore[arg-type]
        if missing:
            yield (
                path,
                f"cited: option `{_written(path)}`: there is no `{missing}`",
                _example(option),
            )
    elif (
        get_origin(kind) is tuple
        and isinstance(value, list)
        and dataclasses.is_dataclass(within[0])
    ):
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
            tip = _tip(problem, path, kind, option)
            yield path, f"cited: option `{_written(path)}`: {in_words(problem)}", tip


def wrong_slugs(options: Mapping[str, Any]) -> Iterator[Wrong]:
    """What `severity` and `suppress` name that is no finding."""
    severity, suppress = options.get("severity"), options.get("suppress")
    named: list[tuple[Steps, Any]] = []
    if isinstance(severity, Mapping):
        for slug in severity:
            named.append((("severity", slug), slug))
    if isinstance(suppress, list):
        for number, item in enumerate(suppress):
            if isinstance(item, Mapping) and "slug" in item:
                named.append((("suppress", number, "slug"), item["slug"]))
    for path, slug in named:
        if isinstance(slug, str) and slug not in CATALOGUE:
            yield (
                path,
                f"`{slug}` is not a finding of cited",
                did_you_mean(slug, CATALOGUE),
            )


def _missing(value: Mapping[str, Any], kind: type) -> str:
    """Return the first field without a default that is not written; empty for none."""
    for field in dataclasses.fields(kind):
        optional = (
            field.default is not dataclasses.MISSING
            or field.default_factory is not dataclasses.MISSING
        )
        if not optional and field.name not in value:
            return field.name
    return ""


def _written(path: Steps) -> str:
    """Return a path as people write it: `("extra_sources", 0, "type")` as `extra_sources[0].type`."""
    written = ""
    for step in path:
        if isinstance(step, int):
            written += f"[{step}]"
        else:
            written += f".{step}"
    return written.removeprefix(".")


def _tip(problem: str, path: Steps, kind: Any, option: dataclasses.Field[Any]) -> str:
    """Return what to write in place of a wrong value: the choice that is closest, all choices, or an example."""
    name, meaning = path[-1], option.metadata.get("doc", "")
    choices = _choices(kind)
    written = re.fullmatch("Invalid enum value '(.*)'", problem, re.DOTALL)
    close = ""
    if written:
        close = closest(written[1], choices)
    if close:
        return f"did you mean `{name}: {close}`? {meaning}"
    if choices:
        listed = ", ".join(f"`{name}: {choice}`" for choice in choices)
        return f"write one of {listed}: {meaning}"
    return _example(option)


def _example(option: dataclasses.Field[Any]) -> str:
    """Return a value that may be written, and what the option means."""
    meaning: str = option.metadata.get("doc", "")
    value = option.metadata.get("example") or as_yaml(option.default)
    if value:
        return f"write `{option.name}: {value}`, for example: {meaning}"
    return meaning


def _choices(kind: Any) -> list[str]:
    """Return all values that an option may have, where they can be counted."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(item.value) for item in kind]
    if get_origin(kind) is Literal:
        return [str(value) for value in get_args(kind) if value]
    return []


def as_yaml(default: Any) -> str:
    """Return a default as YAML, when it shows what to write."""
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, (int, float, str)):
        return str(default)
    return ""


def in_words(problem: str) -> str:
    """Return msgspec's message as authors of YAML would say it."""
    problem = problem.replace("Invalid enum value", "there is no such value:").replace(
        "Expected", "expected"
    )
    for name, words in _WORDS.items():
        problem = problem.replace(name, words)
    return problem
