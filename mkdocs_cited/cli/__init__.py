"""The command line, `mkdocs-cited`. Each family of commands is a file, which attaches its commands to the group."""

from mkdocs_cited.cli import (
    check,
    completion,
    deciding,
    doctor,
    evaluate,
    models,
    questions,
    records,
    renaming,
    snapshot,
    standing,
    start,
    updates,
)  # fmt: skip
from mkdocs_cited.cli.group import main

__all__ = [
    "check", "completion", "deciding", "doctor", "evaluate", "main", "models", "questions", "records", "renaming",
    "snapshot", "standing", "start", "updates",
]  # fmt: skip
