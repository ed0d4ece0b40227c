"""The command line, `mkdocs-cited`. Each family of commands is a file, which attaches its commands to the group."""

from mkdocs_cited.cli import check, deciding, evaluate, questions, records, standing, updates
from mkdocs_cited.cli.group import main

__all__ = ["check", "deciding", "evaluate", "main", "questions", "records", "standing", "updates"]
