"""The family of those who write answers."""

from mkdocs_cited.extensions import Family
from mkdocs_cited.providers.interface import ENTRY_POINTS, Outcome, Provider, Request

__all__ = ["FAMILY", "Outcome", "Provider", "Request"]

FAMILY: Family[Provider] = Family(
    "provider",
    ENTRY_POINTS,
    Provider,  # type: ignore[type-abstract]  # the interface itself is what members are held against
    {
        "anthropic": "mkdocs_cited.providers.anthropic:Anthropic",
        "authored": "mkdocs_cited.providers.authored:Authored",
        "extractive": "mkdocs_cited.providers.extractive:Extractive",
    },
)
"""Every provider by name."""
