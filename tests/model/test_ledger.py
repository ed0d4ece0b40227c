"""A run's spending limit holds whatever the order of replies."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.model.answer import Spend
from mkdocs_cited.model.report import Ledger


def test_without_a_limit_everything_may_be_reserved() -> None:
    """A run without `max_cost` still adds up what it spends."""
    ledger = Ledger()
    assert ledger.reserve(1e9)
    ledger.settle(1e9, Spend(calls=1, cost=0.25))
    assert ledger.spent.cost == 0.25


def test_a_request_that_could_pass_the_limit_is_refused() -> None:
    """Nothing is open that could make room, so there is nothing to wait for."""
    ledger = Ledger(1.0)
    assert not ledger.reserve(1.01)


def test_it_waits_for_what_open_requests_give_back() -> None:
    """The second request fits as soon as the first has cost less than was set aside."""
    ledger = Ledger(1.0)
    assert ledger.reserve(0.8)
    assert not ledger.reserve(0.8, wait=False)
    timer = threading.Timer(0.05, ledger.settle, [0.8, Spend(cost=0.1)])
    timer.start()
    assert ledger.reserve(0.8)
    timer.join()


def test_what_a_broken_connection_may_have_cost_counts_against_the_limit() -> None:
    """The spend that is recorded is what is known; the limit assumes the worst."""
    ledger = Ledger(1.0)
    assert ledger.reserve(0.7)
    ledger.settle(0.7, Spend(cost=0.01), uncertain=True)
    assert ledger.spent.cost == 0.01
    assert not ledger.reserve(0.4, wait=False)


@given(st.lists(st.tuples(st.floats(0, 2), st.floats(0, 1)), max_size=30), st.floats(0, 5))
def test_the_limit_is_never_passed(requests: list[tuple[float, float]], limit: float) -> None:
    """Each request costs a share of its worst case; the sum stays within the limit."""
    ledger = Ledger(limit)
    for most, share in requests:
        if ledger.reserve(most):
            ledger.settle(most, Spend(cost=most * share))
    assert ledger.spent.cost <= limit + 1e-5
