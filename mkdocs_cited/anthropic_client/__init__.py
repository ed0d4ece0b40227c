"""The door to Anthropic's Messages API: requests out, replies or faults back. Only here is the SDK imported, lazily.

What is asked and what the replies mean is the business of `providers.anthropic` and `review.anthropic`.
"""

from mkdocs_cited.anthropic_client.access import Access
from mkdocs_cited.anthropic_client.batches import AwaitedError, Batches
from mkdocs_cited.anthropic_client.client import Client
from mkdocs_cited.anthropic_client.prices import price_of, table_date, typical_cost
from mkdocs_cited.anthropic_client.reply import Cited, Reply, Span, ToolCall

__all__ = [
    "Access",
    "AwaitedError",
    "Batches",
    "Cited",
    "Client",
    "Reply",
    "Span",
    "ToolCall",
    "price_of",
    "table_date",
    "typical_cost",
]
