"""The command line, `mkdocs-cited`. Each family of commands is a file, which is read when one of them is called."""

from mkdocs_cited.cli.group import main

__all__ = ["main"]
