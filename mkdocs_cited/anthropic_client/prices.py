"""What model calls cost, by the dated table `prices.toml`: of a request, and of an answer before it is written."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

MILLION = 1_000_000
CACHE_WRITE, CACHE_READ = 1.25, 0.1
"""Shares of `input` that a token written to or read from the cache costs: the most that is known of any model."""
BATCH = 0.5
"""Share of everything for Message Batches."""


class Price(Struct, frozen=True):
    """US dollars per million tokens."""

    input: float
    output: float

    def cost(
        self,
        fresh: int,
        output: int,
        *,
        written: int = 0,
        read: int = 0,
        batch: bool = False,
    ) -> float:
        """US dollars for one call; `fresh`, `written` and `read` add up to its input tokens."""
        tokens_in = fresh + written * CACHE_WRITE + read * CACHE_READ
        dollars = (tokens_in * self.input + output * self.output) / MILLION
        if batch:
            return dollars * BATCH
        return dollars


FREE = Price(0.0, 0.0)
"""What a model on a server of one's own costs."""


class _Table(Struct, frozen=True):
    as_of: date
    models: Mapping[str, Price]


def price_of(
    model: str, overrides: Mapping[str, tuple[float, float]] | None = None
) -> Price | None:
    """The price of a model, the option's before the table's; the longest name that `model` starts with counts."""
    if overrides and model in overrides:
        return Price(*overrides[model])
    known = _table().models
    names = [name for name in known if model == name or model.startswith(f"{name}-")]
    return known[max(names, key=len)] if names else None


class Usage(Struct, frozen=True):
    """Tokens of a piece of work."""

    fresh: int
    output: int
    read: int = 0
    """From the cache."""

    def cost(
        self, model: str, overrides: Mapping[str, tuple[float, float]]
    ) -> float | None:
        """US dollars for a model; `None` where nobody knows its price."""
        price = price_of(model, overrides)
        return price.cost(self.fresh, self.output, read=self.read) if price else None


WRITING = Usage(8_000, 200, read=5_000)
"""An answer, over all rounds of its writer: a median of other sites, in tokens of four characters."""
REVIEW = Usage(1_700, 200)
"""The review of an answer: a median of other sites."""
READING = Usage(2_500, 120)
"""A claim that is read with the five passages near to it: by their size."""


def table_date() -> str:
    """ISO 8601 date on which the table was last brought up to date."""
    return _table().as_of.isoformat()


@cache
def _table() -> _Table:
    data = tomllib.loads(
        files(__package__).joinpath("prices.toml").read_text(encoding="utf-8")
    )
    return msgspec.convert(data, _Table)
