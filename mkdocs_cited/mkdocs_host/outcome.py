"""What one build comes to, as text: what goes into pages and files, and what is said. Nothing here knows of answers."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field


class Entry(Struct, frozen=True):
    """A line of the build's log."""

    level: int
    """As `logging` counts them."""
    text: str
    fields: dict[str, str | int] = field(default_factory=dict)
    """For handlers that write structured logs (`record.cited`)."""


class Outcome(Struct, frozen=True):
    """Everything that a build does with its answers: a function of its report and the pages that it rests on."""

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
    contents: dict[str, str] = field(default_factory=dict)
    """Path of each page → digest of its content, as it was."""
    shown_from: frozenset[str] = frozenset()
    """Paths of the pages that were read to show the answers."""
    settled_from: frozenset[str] | None = None
    """Paths of the pages that were read to settle them; nothing where that is every page."""
    said: str = ""
    """Digest of the answers, and of what was found on the way to them."""

    def changed(self, contents: Mapping[str, str]) -> set[str]:
        """Paths of the pages that are not as they were."""
        return {src for src, content in contents.items() if self.contents.get(src) != content}
