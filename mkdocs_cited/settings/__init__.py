"""The options: their table, their validation, the environment's overrides, and the schema for editors."""

from mkdocs_cited.settings.options import (
    PREFIX,
    Anthropic,
    Cuts,
    ExtraSource,
    Render,
    Settings,
    TokenPrice,
    UpdateMode,
    Votes,
    Web,
    parse,
)

__all__ = [
    "PREFIX",
    "Anthropic",
    "Cuts",
    "ExtraSource",
    "Render",
    "Settings",
    "TokenPrice",
    "UpdateMode",
    "Votes",
    "Web",
    "parse",
]
