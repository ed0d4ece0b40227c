"""The family of those who write answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mkdocs_cited.base.families import Family

if TYPE_CHECKING:
    from mkdocs_cited.providers.interface import Provider

FAMILY: Family[Provider] = Family(
    "provider",
    "mkdocs_cited.providers",
    "mkdocs_cited.providers.interface:Provider",
    {
        "anthropic": "mkdocs_cited.providers.anthropic:Anthropic",
        "authored": "mkdocs_cited.providers.authored:Authored",
        "quote": "mkdocs_cited.providers.quote:QuoteProvider",
    },
)
"""Every provider by name."""
