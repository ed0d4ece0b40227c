"""Options from `mkdocs.yml` and the environment as values; all that is wrong with either is said at once, each with
its place and what to write instead.

Which options there are, and of what types, is said in `model.options`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin

import msgspec
import yaml
from msgspec import Struct, structs

from mkdocs_cited.base.errors import UsageError, gathered, in_words
from mkdocs_cited.base.text import closest, did_you_mean
from mkdocs_cited.model.finding import CATALOGUE, found_place
from mkdocs_cited.model.options import NO, OFFLINE, YES, Settings, truthy

PREFIX = "MKDOCS_CITED_"
"""What our variables of the environment start with: `MKDOCS_CITED_UPDATE`."""
OVERRIDES = {"enabled": "false", "update": "stale"}
"""Options that the environment may set for one run → an example. `!ENV` in `mkdocs.yml` reaches the others."""
UNWRITTEN = frozenset({"claim", "place"})
"""Fields that no one writes into a configuration: they are a baseline's and the parser's."""

GONE = dict.fromkeys(
    "archive inputs context questions max_sources on_abstain reviewed ask copy_link summary feedback across_languages "
    "not-found unreviewed-answer leaked-note inexact-link".split(),
    "remove it: there is none since 0.3",
)
GONE |= dict.fromkeys(
    ("fact_check", "unconfirmed"), "write `render.checks` in its place"
)
GONE["page_suppress"] = "write its entries below `suppress`"
"""Options and findings of 0.2 that are gone → what to do about each."""

Steps = tuple[str | int, ...]
Wrong = tuple[Steps, str, str]
"""The path of an option, what is wrong with it, what to write."""
Option = tuple[type[Struct], str]
"""The table that an option is in, and its name."""


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
    settings, problems = read(options, environ, file)
    if problems:
        raise gathered(problems)
    return settings


def read(
    options: Mapping[str, Any], environ: Mapping[str, str] | None, file: Path
) -> tuple[Settings, list[UsageError]]:
    """The options of `parse` that can be used, and what is wrong with the others."""
    written = _as_meant(options)
    overrides, problems = _overrides(os.environ if environ is None else environ)
    written |= overrides
    wrong = [*_wrong_options(written, Settings, ()), *_wrong_slugs(written)]
    for path, message, tip in wrong:
        option = str(path[0])
        place = found_place(file, file.name, *path) or file.name
        if option in overrides:
            place = f"environment: {_variable(option)}"
            tip = f"write `{_variable(option)}={OVERRIDES[option]}`"
        problems.append(UsageError(f"{place}: {message}", tip=tip))
        written.pop(option, None)
    return msgspec.convert(written, Settings), problems


def _as_meant(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options without empty ones; what YAML and Python read otherwise than it was meant is put right."""
    given = msgspec.to_builtins(dict(options), enc_hook=str)  # dates as texts
    # YAML has names that are no texts
    written = {str(key): value for key, value in given.items() if value is not None}
    severity, rules = written.get("severity"), written.get("facts")
    if isinstance(severity, dict):
        for slug, value in severity.items():
            if value is False:  # a bare `off`
                severity[slug] = "off"
    if isinstance(rules, list):
        for rule in rules:
            if isinstance(rule, dict) and "in" in rule:  # a keyword of Python
                rule["code"] = rule.pop("in")
    return written


def _variable(option: str) -> str:
    """The variable that sets an option."""
    return f"{PREFIX}{option.upper()}"


def _overrides(environ: Mapping[str, str]) -> tuple[dict[str, Any], list[UsageError]]:
    """The options that variables set, and what is wrong with the variables of our prefix."""
    values: dict[str, Any] = {}
    problems = []
    for key, text in sorted(environ.items()):
        if not key.startswith(PREFIX) or key == OFFLINE:
            continue
        name = key.removeprefix(PREFIX).lower()
        word = text.strip().lower()
        if name not in OVERRIDES:
            tip = did_you_mean(key, (*map(_variable, OVERRIDES), OFFLINE))
            message = f"environment: {key} sets no option of cited"
            problems.append(UsageError(message, tip=tip))
        elif name == "enabled" and word in (*YES, *NO):
            values[name] = truthy(word)
        else:
            values[name] = word
    return values, problems


def _wrong_values(value: Any, kind: Any, path: Steps, option: Option) -> list[Wrong]:
    """Every unknown option and every value of another type within a value, else what is wrong with all of it.

    Args:
        value: as written.
        kind: the type that it should have.
        path: of the value.
        option: whose value it is, or is a part of.
    """
    inner, wrong = get_args(kind), list[Wrong]()
    if isinstance(kind, UnionType) and isinstance(value, list):
        for each in inner:
            if get_origin(each) is tuple:
                return _wrong_values(value, each, path, option)
    if _is_table(kind) and isinstance(value, Mapping):
        wrong += _wrong_options(value, kind, path)
    elif get_origin(kind) is dict and isinstance(value, Mapping):
        for name, item in value.items():
            wrong += _wrong_values(item, inner[1], (*path, name), option)
    elif get_origin(kind) is tuple and isinstance(value, list):
        for number, item in enumerate(value):
            if _is_table(inner[0]):
                wrong += _wrong_values(item, inner[0], (*path, number), option)
    if wrong:
        return wrong
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        problem = str(error).partition(" - at ")[0]
        message = f"cited: option `{_written(path)}`: {in_words(problem)}"
        return [(path, message, _tip(value, path[-1], kind, option))]
    return []


def _wrong_options(
    options: Mapping[str, Any], table: type[Struct], path: Steps
) -> list[Wrong]:
    """What is wrong with the options of a table, and with the names that it does not have."""
    types = {}
    for field in structs.fields(table):
        if field.name not in UNWRITTEN:
            types[field.name] = field.type
    wrong = []
    above = "".join(f"{step}." for step in path if isinstance(step, str))
    for name, value in options.items():
        here = (*path, str(name))
        if name in types:
            wrong += _wrong_values(value, types[name], here, (table, name))
        else:
            tip = GONE.get(str(name)) or did_you_mean(str(name), types, above)
            wrong.append((here, f"`{above}{name}` is not an option of cited", tip))
    return wrong


def _is_table(kind: Any) -> bool:
    """True for the type of a block of options."""
    return isinstance(kind, type) and issubclass(kind, Struct)


def _wrong_slugs(options: Mapping[str, Any]) -> Iterator[Wrong]:
    """What `severity` and `suppress` name that is no finding."""
    severity, suppress = options.get("severity"), options.get("suppress")
    named: list[tuple[Steps, Any]] = []
    if isinstance(severity, dict):
        named += [(("severity", slug), slug) for slug in severity]
    for number, item in enumerate(suppress if isinstance(suppress, list) else ()):
        if isinstance(item, dict):
            named.append((("suppress", number, "slug"), item.get("slug")))
    for path, slug in named:
        if isinstance(slug, str) and slug not in CATALOGUE:
            tip = GONE.get(slug) or did_you_mean(slug, CATALOGUE)
            yield path, f"`{slug}` is not a finding of cited", tip


def _written(path: Steps) -> str:
    """A path as people write it: `("extra_sources", 0, "type")` as `extra_sources[0].type`."""
    written = ".".join(map(str, path))
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", written)


def _tip(value: Any, name: str | int, kind: Any, option: Option) -> str:
    """What to write in place of a wrong value: the choice that is closest, all choices, or an example."""
    table, known = option
    described = _schema()[table.__name__]["properties"][known]
    meaning: str = described["description"]
    choices = []
    if isinstance(kind, type) and issubclass(kind, Enum):
        choices = [str(item.value) for item in kind]
    elif get_origin(kind) is Literal:
        for item in get_args(kind):
            if item:
                choices.append(str(item))
    close = closest(value, choices) if isinstance(value, str) else ""
    if close:
        return f"did you mean `{name}: {close}`? {meaning}"
    if choices:
        listed = ", ".join(f"`{name}: {choice}`" for choice in choices)
        return f"write one of {listed}: {meaning}"
    (example,) = described.get("examples") or [described["default"]]
    written = yaml.safe_dump({known: example}, default_flow_style=True, width=10_000)
    return f"write, for example, `{written.strip()[1:-1]}`: {meaning}"


@cache
def _schema() -> dict[str, Any]:
    """The options with their meanings and examples, as editors have them: table → its part of the JSON schema."""
    text = files(__package__).joinpath("settings.schema.json").read_bytes()
    schema: dict[str, Any] = msgspec.json.decode(text)["$defs"]
    return schema
