"""Calls are priced by a dated table that is easy to replace."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from mkdocs_cited.anthropic_client import WRITING, price_of
from mkdocs_cited.anthropic_client.reply import Price, read_reply, table_date
from mkdocs_cited.model.options import Settings


@pytest.mark.parametrize(
    ("model", "fresh", "written", "read", "output", "dollars"),
    [
        ("claude-opus-5-5", 1_000_000, 0, 0, 1_000_000, 24.0),
        ("claude-sonnet-5-5", 1_000_000, 0, 0, 1_000_000, 12.0),
        ("claude-sonnet-5-5", 0, 1_000_000, 0, 0, 2.5),
        ("claude-sonnet-5-5", 0, 0, 1_000_000, 0, 0.2),
        ("claude-haiku-5-5", 100_000, 0, 0, 0, 0.01),
        ("claude-haiku-5-5", 1_000_000, 0, 1_000_000, 1_000_000, 0.61),
    ],
)
def test_what_a_call_costs(model: str, fresh: int, written: int, read: int, output: int, dollars: float) -> None:
    """Input, output and cache; a batch is half of it."""
    price = price_of(model)
    assert price is not None
    assert price.cost(fresh, output, written=written, read=read) == pytest.approx(dollars)
    assert price.cost(fresh, output, written=written, read=read, batch=True) == pytest.approx(dollars / 2)


def test_the_default_models_have_a_price() -> None:
    """And so has a dated snapshot of them; another model has none."""
    options = Settings().anthropic
    assert price_of(options.model)
    assert price_of(f"{options.review_model}-20261001") == price_of(options.review_model)
    assert price_of("claude-opus-5") is None
    assert price_of("claude-opus-5-50") is None


def test_an_option_s_price_goes_before_the_table_s() -> None:
    """For a model that the table lacks or has wrong."""
    overrides = {"claude-opus-5-5": (1.0, 2.0)}
    assert price_of("claude-opus-5-5", overrides) == Price(1.0, 2.0)


def test_a_read_from_the_cache_has_a_price_of_its_own() -> None:
    """A tenth of other input, where nobody says."""
    assert Price(3.0, 15.0).cost(0, 0, read=1_000_000) == pytest.approx(0.3)
    price = price_of("mine", {"mine": (3.0, 15.0, 1.0)})
    assert price is not None
    assert price.cost(0, 0, read=1_000_000) == 1.0


def test_the_table_is_dated() -> None:
    """So that an estimate can say how old its prices are."""
    assert datetime.date.fromisoformat(table_date()).year >= 2026


def test_a_model_without_a_price_costs_nothing_that_is_known() -> None:
    """Its tokens are counted all the same."""
    counts = {"input_tokens": 10, "output_tokens": 20, "cache_creation_input_tokens": 30, "cache_read_input_tokens": 40}
    message: Any = {"model": "claude-next", "content": [], "stop_reason": "refusal", "usage": counts}
    spend = read_reply(message, None).spend
    assert (spend.calls, spend.input_tokens, spend.output_tokens, spend.cached_tokens, spend.cost) == (1, 80, 20, 40, 0)


def test_what_an_answer_typically_costs() -> None:
    """Nobody knows it of a model without a price."""
    known = WRITING.cost("claude-sonnet-5-5", {})
    assert known is not None
    assert 0.01 < known < 0.05
    assert WRITING.cost("claude-next", {}) is None
    assert WRITING.cost("claude-next", {"claude-next": (0.0, 0.0)}) == 0
