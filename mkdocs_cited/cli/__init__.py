"""The command line, `mkdocs-cited`. Each family of commands is a module, which attaches its commands to the group."""

from mkdocs_cited.cli import (  # noqa: F401 -- each attaches its commands
    add,
    answer,
    check,
    cite,
    facts,
    init,
    machine,
    mcp_server,
    publish,
    questions,
    review,
    status,
    update,
)
from mkdocs_cited.cli.group import main

__all__ = ["main"]
