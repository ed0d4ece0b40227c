"""The command line, `mkdocs-cited`. Each family of commands is a file, which attaches its commands to the group."""

from mkdocs_cited.cli import check, deciding, evaluate, models, questions, records, snapshot, standing, updates
from mkdocs_cited.cli.group import main

__all__ = [
    "check", "deciding", "evaluate", "main", "models", "questions", "records", "snapshot", "standing", "updates",
]  # fmt: skip
