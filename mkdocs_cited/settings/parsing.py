"""From what `mkdocs.yml` and the environment say to the options; what is wrong with either is said at once."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from mkdocs_cited.base.bounded_yaml import plain
from mkdocs_cited.base.desk import NO, YES, truthy
from mkdocs_cited.base.errors import UsageError, gathered
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.model.options import Settings
from mkdocs_cited.settings.places import found_place
from mkdocs_cited.settings.validation import as_yaml, in_words, wrong_options, wrong_slugs

PREFIX = "MKDOCS_CITED_"
"""What the environment's overrides start with: `MKDOCS_CITED_CITE_THRESHOLD`."""

OFFLINE = f"{PREFIX}OFFLINE"
"""The environment's word that no request may be made to external pages; no option."""


def offline(environ: Mapping[str, str] | None = None) -> bool:
    """True if the environment (by default the process's own) forbids requests to external pages."""
    known = os.environ if environ is None else environ
    return truthy(known.get(OFFLINE, ""))


def parse(
    options: Mapping[str, Any], environ: Mapping[str, str] | None = None, *, file: Path = Path("mkdocs.yml")
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
    written = {key: plain(value) for key, value in options.items() if value is not None}
    if isinstance(written.get("facts"), list):
        written["facts"] = [_with_code(rule) for rule in written["facts"]]
    if isinstance(written.get("severity"), Mapping):  # YAML reads a bare `off` as false
        written["severity"] = {key: "off" if value is False else value for key, value in written["severity"].items()}
    overrides, problems = _overrides(os.environ if environ is None else environ)
    for path, message, tip in (*wrong_options(written, Settings), *wrong_slugs(written)):
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
                problems.append(UsageError(f"environment: {key}: `{text}` is no word", tip=f"write `{key}=true`"))
            continue
        if name not in fields:
            tip = did_you_mean(name, fields)
            problems.append(UsageError(f"environment: {key} is not an option of cited", tip=tip))
            continue
        try:
            values[name] = msgspec.convert(_from_environment(text, fields[name].default), types[name])
        except msgspec.ValidationError as error:
            meaning = fields[name].metadata.get("doc", "")
            tip = f"write `{key}={as_yaml(fields[name].default)}`, for example: {meaning}".removesuffix(": ")
            problems.append(UsageError(f"environment: {key}: {in_words(str(error))}", tip=tip))
    return values, problems


def _truth(value: str) -> bool | str:
    """What a word says; the word itself where it is neither yes nor no."""
    word = value.strip().lower()
    if word in YES:
        return True
    return False if word in NO else value


def _from_environment(value: str, default: Any) -> Any:
    if isinstance(default, bool):
        return _truth(value)
    if isinstance(default, tuple):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(default, (int, float)):
        with suppress(ValueError):
            return type(default)(value)
    return value
