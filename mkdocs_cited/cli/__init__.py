"""The command line, `mkdocs-cited`. Each family of commands is a file, which attaches its commands to the group."""

from mkdocs_cited.cli import check, evaluate, models, questions, records, snapshot
from mkdocs_cited.cli.group import main

__all__ = ["check", "evaluate", "main", "models", "questions", "records", "snapshot"]
