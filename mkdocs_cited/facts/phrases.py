"""How languages say that a value is the default: the table `phrases.toml`, compiled."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from msgspec import Struct


class Phrases(Struct, frozen=True):
    """The phrases of a language."""

    column: re.Pattern[str]
    label: re.Pattern[str]
    before: re.Pattern[str]
    """Ends where the value begins; group `name` where the phrase names the thing itself."""
    after: re.Pattern[str]
    condition: re.Pattern[str]
    past: re.Pattern[str]
    """Says that a sentence is about another version."""
    nothing: frozenset[str]
    """What says that there is no value."""
    no_value: re.Pattern[str]
    """The same, in a sentence."""
    on: frozenset[str]
    off: frozenset[str]


@cache  # compiled once
def phrases(language: str = "en") -> Phrases:
    """The phrases of a language.

    Raises:
        KeyError: the table has no such language.
    """
    table = tomllib.loads(
        files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8")
    )[language]
    before = "|".join([table["named"], *table["before"]])
    return Phrases(
        column=re.compile("|".join(table["column"]), re.IGNORECASE),
        label=re.compile(f"(?:{'|'.join(table['label'])}) ?:", re.IGNORECASE),
        before=re.compile(before, re.IGNORECASE),
        after=re.compile("|".join(table["after"]), re.IGNORECASE),
        condition=re.compile(table["condition"], re.IGNORECASE),
        past=re.compile(table["past"], re.IGNORECASE),
        nothing=frozenset(table["nothing"]),
        no_value=re.compile(
            rf"(?:{'|'.join(sorted(table['nothing'], reverse=True))})(?![^\W_])",
            re.IGNORECASE,
        ),
        on=frozenset(table["on"]),
        off=frozenset(table["off"]),
    )
