"""The options: their table, their validation, the environment's overrides, and the schema for editors."""

from mkdocs_cited.settings.options import (
    OFFLINE,
    PREFIX,
    Anthropic,
    ExtraSource,
    Local,
    Render,
    Settings,
    TokenPrice,
    UpdateMode,
    Web,
    offline,
    parse,
)

__all__ = [
    "OFFLINE",
    "PREFIX",
    "Anthropic",
    "ExtraSource",
    "Local",
    "Render",
    "Settings",
    "TokenPrice",
    "UpdateMode",
    "Web",
    "offline",
    "parse",
]
