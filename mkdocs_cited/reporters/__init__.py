"""The family of report formats, by name. Each is loaded when it is asked for, and no sooner."""

from __future__ import annotations

from mkdocs_cited.extensions import Family
from mkdocs_cited.reporters.interface import ENTRY_POINTS, Report, Reporter

__all__ = ["FAMILY", "Report", "Reporter", "available", "get"]

FAMILY: Family[Reporter] = Family(
    "reporter",
    ENTRY_POINTS,
    Reporter,  # type: ignore[type-abstract]  # the interface itself is what members are held against
    {
        "console": "mkdocs_cited.reporters.console:Console",
        "github": "mkdocs_cited.reporters.github:GitHub",
        "gitlab": "mkdocs_cited.reporters.gitlab:GitLab",
        "json": "mkdocs_cited.reporters.json:Json",
        "junit": "mkdocs_cited.reporters.junit:JUnit",
        "markdown": "mkdocs_cited.reporters.markdown:Markdown",
        "sarif": "mkdocs_cited.reporters.sarif:Sarif",
    },
)
"""Every reporter by name."""


def available() -> tuple[str, ...]:
    """The names of every format, sorted."""
    return FAMILY.names()


def get(name: str) -> Reporter:
    """The reporter that writes a format.

    Raises:
        UsageError: there is none of this name, or another package's cannot be loaded.
    """
    return FAMILY.get(name)()
