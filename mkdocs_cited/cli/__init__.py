"""The command line, `mkdocs-cited`. Each family of commands is a module, which attaches its commands to the group."""

from mkdocs_cited.cli import (  # noqa: F401 -- what they attach is what is wanted of them
    check,
    cite,
    doctor,
    fetching,
    init,
    mcp_server,
    questions,
    records,
    review,
    status,
    update,
)
from mkdocs_cited.cli.group import main

__all__ = ["main"]
