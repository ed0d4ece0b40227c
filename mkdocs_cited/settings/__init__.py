"""The options: their table, their validation, the environment's overrides, and the schema for editors."""

from mkdocs_cited.settings.options import (
    PREFIX,
    Anthropic,
    ExtraSource,
    Render,
    Settings,
    TokenPrice,
    UpdateMode,
    Votes,
    parse,
)

__all__ = [
    "PREFIX",
    "Anthropic",
    "ExtraSource",
    "Render",
    "Settings",
    "TokenPrice",
    "UpdateMode",
    "Votes",
    "parse",
]
