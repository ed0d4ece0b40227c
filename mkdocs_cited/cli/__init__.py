"""The command line, `mkdocs-cited`. Each family of commands is a module, which attaches its commands to the group."""

from mkdocs_cited.cli import (  # noqa: F401 -- each attaches its commands
    answer,
    check,
    facts,
    init,
    mcp_server,
    questions,
    review,
    snapshot,
    status,
    update,
)
from mkdocs_cited.cli.group import main

__all__ = ["main"]
