"""The family of report formats, by name. Each is loaded when it is asked for, and no sooner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mkdocs_cited.base.families import Family

if TYPE_CHECKING:
    from mkdocs_cited.reporters.interface import Reporter

FAMILY: Family[Reporter] = Family(
    "reporter",
    "mkdocs_cited.reporters",
    "mkdocs_cited.reporters.interface:Reporter",
    {
        "console": "mkdocs_cited.reporters.console:Console",
        "github": "mkdocs_cited.reporters.forges:GitHub",
        "gitlab": "mkdocs_cited.reporters.forges:GitLab",
        "json": "mkdocs_cited.reporters.programs:Json",
        "markdown": "mkdocs_cited.reporters.forges:Markdown",
        "sarif": "mkdocs_cited.reporters.programs:Sarif",
    },
)
"""Every reporter by name."""


def get(name: str) -> Reporter:
    """The reporter that writes a format.

    Raises:
        UsageError: there is none of this name, or another package's cannot be loaded.
    """
    return FAMILY.get(name)()
