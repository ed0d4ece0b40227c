"""What a reporter is: a pure function of a report to text, in a format that some tool reads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from mkdocs_cited.model.report import Report

__all__ = ["Report", "Reporter"]


class Reporter(ABC):
    """Writes reports in one format. Pure: it reads a report and returns text."""

    id: ClassVar[str]
    """The format's name on the command line: `sarif`."""
    description: ClassVar[str]
    """One line for `--help` and the docs."""

    @abstractmethod
    def render(self, report: Report) -> str:
        """The whole text, deterministic and within the limits of the format's readers."""
