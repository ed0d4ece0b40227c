"""What one build comes to, as text: what goes into pages and files, and what is said. Nothing here knows of answers."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the build's log."""

    level: int
    """As `logging` counts them."""
    text: str
    fields: dict[str, str | int] = field(default_factory=dict)
    """For handlers that write structured logs (`record.cited`)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that a build does with its answers: a function of its report and its pages."""

    pages: dict[str, str] = field(default_factory=dict)
    """Address → content, of the pages that change."""
    fragments: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Address of each cited page → the fragments of links into it, to be tried once the page is built."""
    files: dict[str, str] = field(default_factory=dict)
    """Path in the site → text."""
    reports: dict[str, str] = field(default_factory=dict)
    """Path in the project → text."""
    report: bytes = b""
    """What `reports` and the report page are made from, in the form of `reporting.packed`; for a site whose languages
    share them."""
    log: tuple[Entry, ...] = ()
    failure: str = ""
    """Why the build fails; empty when it does not."""
