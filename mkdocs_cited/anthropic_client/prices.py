"""What model calls cost, by the dated table `prices.toml`. Who may spend what is the ledger's business."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

MILLION = 1_000_000
CACHE_WRITE, CACHE_READ = 1.25, 0.1
"""Shares of `input` that a token written to or read from the cache costs: the most that is known of any model."""
BATCH = 0.5
"""Share of everything for Message Batches."""
TYPICAL = (9_000, 7_000, 300), (2_000, 300)
"""Tokens of an answer, as a median of other sites: fresh, read from the cache and written by the writer, over all its
rounds; given and written by the reviewer."""


READING = (2_500, 120)
"""Tokens given to the reviewer for a claim with the five passages near to it, and said of it: by their size."""


class LongPrice(Struct, frozen=True):
    """What a model costs for long prompts."""

    above: int
    """Input tokens above which it holds."""
    input: float
    output: float


class Price(Struct, frozen=True):
    """US dollars per million tokens."""

    input: float
    output: float
    long: LongPrice | None = None

    def cost(self, fresh: int, output: int, *, written: int = 0, read: int = 0, batch: bool = False) -> float:
        """US dollars for one call; `fresh`, `written` and `read` add up to its input tokens."""
        price = self.long if self.long is not None and fresh + written + read > self.long.above else self
        tokens_in = fresh + written * CACHE_WRITE + read * CACHE_READ
        return (tokens_in * price.input + output * price.output) / MILLION * (BATCH if batch else 1)

    def most(self, input_tokens: int, output_tokens: int, *, batch: bool = False) -> float:
        """The most that a call of at most so many tokens can cost, everything written to the cache."""
        prices = (self, self.long) if self.long is not None else (self,)
        whole = max(input_tokens * price.input * CACHE_WRITE + output_tokens * price.output for price in prices)
        return whole / MILLION * (BATCH if batch else 1)


FREE = Price(0.0, 0.0)
"""What a model on a server of one's own costs."""


class _Table(Struct, frozen=True):
    as_of: str
    models: Mapping[str, Price]


def price_of(model: str, overrides: Mapping[str, tuple[float, float]] | None = None) -> Price | None:
    """The price of a model, the option's before the table's; the longest name that `model` starts with counts."""
    if overrides and model in overrides:
        return Price(*overrides[model])
    known = _table().models
    names = [name for name in known if model == name or model.startswith(f"{name}-")]
    return known[max(names, key=len)] if names else None


def typical_cost(writer: str, reviewer: str, overrides: Mapping[str, tuple[float, float]]) -> float | None:
    """US dollars that an answer costs with its review, in the median of answers on other sites (`TYPICAL`)."""
    writing, reviewing = price_of(writer, overrides), price_of(reviewer, overrides)
    if writing is None or reviewing is None:
        return None
    (fresh, read, output), (given, said) = TYPICAL
    return writing.cost(fresh, output, read=read) + reviewing.cost(given, said)


def review_cost(model: str, overrides: Mapping[str, tuple[float, float]]) -> float | None:
    """US dollars that the review of an answer costs, in the median of answers on other sites (`TYPICAL`)."""
    price = price_of(model, overrides)
    return price.cost(*TYPICAL[1]) if price else None


def reading_cost(model: str, overrides: Mapping[str, tuple[float, float]]) -> float | None:
    """US dollars that a reviewer costs for a claim with the passages near to it (`READING`)."""
    price = price_of(model, overrides)
    return price.cost(*READING) if price else None


def table_date() -> str:
    """ISO 8601 date on which the table was last brought up to date."""
    return _table().as_of


@cache
def _table() -> _Table:
    data = tomllib.loads(files(__package__).joinpath("prices.toml").read_text(encoding="utf-8"))
    return msgspec.convert({**data, "as_of": data["as_of"].isoformat()}, _Table)
