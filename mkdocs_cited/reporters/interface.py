"""What a reporter is: a pure function of a report to text, in a format that some tool reads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.finding import Finding, Severity, Suppressed

ENTRY_POINTS = "mkdocs_cited.reporters"
"""Entry-point group in which other packages offer theirs: a subclass of `Reporter`."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one run has to say. Shown, ignored and suppressed findings are kept apart."""

    shown: tuple[Finding, ...] = ()
    """Sorted by `Finding.sort_key`; severities as configured."""
    suppressed: tuple[Suppressed, ...] = ()
    ignored: tuple[Finding, ...] = ()
    """Those whose slug is set to `off`."""
    answers: tuple[Answer, ...] = ()
    """Sorted by key."""
    notices: tuple[str, ...] = ()
    """What every output must say: that the review was off, for one."""
    docs_dir: str = "docs"
    """Folder of the pages, relative to the folder of the configuration file, with `/`."""
    prefix: str = ""
    """Path from the repository's root to the folder of the configuration file (`website/`), for the readers that want
    paths of the repository; empty when they are the same."""

    def count(self, severity: Severity) -> int:
        """How many of the shown findings have this severity."""
        return sum(finding.severity is severity for finding in self.shown)

    def failed(self, *, strict: bool = False) -> bool:
        """Whether the run fails: an error was found, or under `strict` a warning."""
        least = Severity.WARNING.rank if strict else Severity.ERROR.rank
        return any(finding.severity.rank >= least for finding in self.shown)


class Reporter(ABC):
    """Writes one format."""

    id: ClassVar[str]
    """The format's name on the command line: `sarif`."""
    description: ClassVar[str]
    """One line for `--help` and the docs."""

    @abstractmethod
    def render(self, report: Report) -> str:
        """The whole text, deterministic and within the limits of the format's readers."""
