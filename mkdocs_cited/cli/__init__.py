"""The command line, `mkdocs-cited`. Each family of commands is a module, which attaches its commands to the group."""

from mkdocs_cited.cli import check, cite, doctor, fetching, init, questions, records, review, status, update
from mkdocs_cited.cli.group import main

__all__ = ["check", "cite", "doctor", "fetching", "init", "main", "questions", "records", "review", "status", "update"]
