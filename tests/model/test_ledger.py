"""A run's spending is added up over all its threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from mkdocs_cited.model.answer import Spend
from mkdocs_cited.model.ledger import Ledger


def test_all_that_is_spent_is_counted() -> None:
    """Whoever spends it."""
    ledger = Ledger()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(ledger.add, [Spend(calls=1, cost=0.25)] * 100))
    assert (ledger.spent.calls, ledger.spent.cost) == (100, 25.0)
