"""The door to Anthropic's Messages API: requests out, replies or faults back. Only here is the SDK imported, lazily.

What is asked and what the replies mean is the business of `providers.anthropic` and `review.anthropic`.
"""

from mkdocs_cited.anthropic_client.access import Access
from mkdocs_cited.anthropic_client.batches import Batches, forget_batches
from mkdocs_cited.anthropic_client.client import Client
from mkdocs_cited.anthropic_client.parallel import in_parallel
from mkdocs_cited.anthropic_client.pending_requests import PendingRequests
from mkdocs_cited.anthropic_client.prices import Price, price_of, table_date
from mkdocs_cited.anthropic_client.reply import Cited, Reply, Span, ToolCall

__all__ = [
    "Access",
    "Batches",
    "Cited",
    "Client",
    "PendingRequests",
    "Price",
    "Reply",
    "Span",
    "ToolCall",
    "forget_batches",
    "in_parallel",
    "price_of",
    "table_date",
]
