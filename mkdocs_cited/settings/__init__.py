"""The options: their table, their validation, the environment's overrides, and the schema for editors."""

from mkdocs_cited.settings.options import (
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
from mkdocs_cited.settings.validation import BASELINE

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
