"""What one build comes to, as text: what goes into pages and files, and what is said. Nothing here knows of answers."""

from __future__ import annotations

from msgspec import Struct, field

from mkdocs_cited.model.report import Report


class Entry(Struct, frozen=True):
    """A line of the build's log."""

    level: int
    """As `logging` counts them."""
    text: str
    fields: dict[str, str | int] = field(default_factory=dict)
    """For handlers that write structured logs (`record.cited`)."""


class Outcome(Struct, frozen=True):
    """Everything that a build does with its answers."""

    report: Report
    pages: dict[str, str] = field(default_factory=dict)
    """Address → content, of the pages that change."""
    fragments: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Address of each cited page → the fragments of links into it, to be tried once the page is built."""
    files: dict[str, str] = field(default_factory=dict)
    """Path in the site → text."""
    log: tuple[Entry, ...] = ()
    failure: str = ""
    """Why the build fails; empty when it does not."""
