"""The options: their table, their validation, the environment's overrides, and the schema for editors."""

from mkdocs_cited.settings.options import (
    BASELINE,
    OFFLINE,
    PREFIX,
    Anthropic,
    ExtraSource,
    Local,
    Render,
    Settings,
    UpdateMode,
    Web,
    offline,
    parse,
)

__all__ = [
    "BASELINE",
    "OFFLINE",
    "PREFIX",
    "Anthropic",
    "ExtraSource",
    "Local",
    "Render",
    "Settings",
    "UpdateMode",
    "Web",
    "offline",
    "parse",
]
