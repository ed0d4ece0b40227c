"""The way to Anthropic's Messages API: requests out, replies or faults back. Only here is the SDK imported, lazily.

What is asked and what the replies mean is the business of `providers.anthropic` and `review.anthropic`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Self

from msgspec import Struct

from mkdocs_cited.anthropic_client.batches import Batches
from mkdocs_cited.anthropic_client.client import Client
from mkdocs_cited.anthropic_client.prices import price_of, table_date, typical_cost
from mkdocs_cited.anthropic_client.reply import Cited, Reply, Span, ToolCall
from mkdocs_cited.model.ledger import Ledger
from mkdocs_cited.settings import Anthropic as Options

__all__ = [
    "Access", "Batches", "Cited", "Client", "Reply", "Span", "ToolCall", "price_of", "table_date",
    "typical_cost",
]  # fmt: skip


class Access(Struct, frozen=True, dict=True):
    """The way to models that all who write and judge in one run share: handed to those that call a model."""

    options: Options
    ledger: Ledger
    """What the run may spend in all."""
    batches: Batches | None = None
    """Where requests are gathered into batches, in a run that may take its time."""

    @classmethod
    def alone(cls, options: Options) -> Self:
        """For a single party, outside of any run: it may spend what the options allow."""
        return cls(options, Ledger(options.max_cost))

    @cached_property
    def client(self) -> Client:
        """The one connection of the run."""
        return Client(self.options, self.ledger, self.batches.send if self.batches else None)
