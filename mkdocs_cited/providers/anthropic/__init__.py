"""The provider that asks Claude: it sends passages, and turns the reply and its citations into a draft.

How requests travel is `anthropic_client`'s business; whether the draft is right is decided by audit and review.
"""

from __future__ import annotations

from mkdocs_cited.providers.anthropic.provider import Anthropic

__all__ = ["Anthropic"]
