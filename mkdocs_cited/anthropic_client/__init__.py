"""The way to Anthropic's Messages API: requests out, replies or faults back. Only here is the SDK imported, lazily.

What is asked and what the replies mean is the business of `providers.anthropic` and `review.anthropic`.
"""

from __future__ import annotations

from mkdocs_cited.anthropic_client.batches import Batches
from mkdocs_cited.anthropic_client.client import Client
from mkdocs_cited.anthropic_client.reply import (
    READING,
    REVIEW,
    WRITING,
    Cited,
    Reply,
    Span,
    ToolCall,
    price_of,
    table_date,
)

__all__ = [
    "READING", "REVIEW", "WRITING", "Batches", "Cited", "Client", "Reply", "Span", "ToolCall", "price_of", "table_date",
]  # fmt: skip
