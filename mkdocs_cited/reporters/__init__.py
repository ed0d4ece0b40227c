"""The family of report formats, by name. Each is loaded when it is asked for, and no sooner."""

from __future__ import annotations

from importlib import import_module

from mkdocs_cited.errors import UsageError
from mkdocs_cited.extensions import load, names
from mkdocs_cited.reporters.interface import ENTRY_POINTS, Report, Reporter
from mkdocs_cited.settings import did_you_mean

__all__ = ["Report", "Reporter", "available", "get"]

BUILT_IN = {
    "console": "mkdocs_cited.reporters.console:Console",
    "github": "mkdocs_cited.reporters.github:GitHub",
    "json": "mkdocs_cited.reporters.json:Json",
}
"""Ours, which need no entry point to be found; `pyproject.toml` lists the same for those who look there."""


def available() -> tuple[str, ...]:
    """The names of every format, sorted."""
    return tuple(sorted({*BUILT_IN, *names(ENTRY_POINTS)}))


def get(name: str) -> Reporter:
    """The reporter that writes a format.

    Raises:
        UsageError: there is none of this name, or another package's cannot be loaded.
    """
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        kind: type[Reporter] = getattr(import_module(module), attribute)
        return kind()
    if name not in available():
        raise UsageError(f"there is no reporter `{name}`", tip=did_you_mean(name, available()))
    return load(ENTRY_POINTS, name, Reporter)()  # type: ignore[type-abstract]  # only compared with
