"""Which findings are shown, ignored and suppressed: what the project says of what checks have found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.findings import suppressions
from mkdocs_cited.model.declaration import Declaration, Suppression
from mkdocs_cited.model.finding import PROOFS, Finding, Severity
from mkdocs_cited.model.report import Report
from mkdocs_cited.settings import Settings


class Triage(Struct, frozen=True):
    """The rules by which the findings of one run are sorted."""

    settings: Settings
    today: str
    """ISO 8601 date, for suppressions that expire."""
    baseline: tuple[Suppression, ...] = ()
    """What the file of the option `baseline` silences."""

    def graded(self, finding: Finding) -> Finding:
        """The finding with the severity that the options give its slug."""
        severity = self.settings.severity.get(finding.slug)
        return replace(finding, severity=severity) if severity else finding

    def errors(self, findings: Iterable[Finding], declaration: Declaration) -> tuple[Finding, ...]:
        """The findings that keep one answer from being accepted: of severity `error`, and not suppressed."""
        shown = self._applied(findings, (declaration,)).shown
        return tuple(finding for finding in map(self.graded, shown) if finding.severity is Severity.ERROR)

    def sort(
        self,
        findings: Iterable[Finding],
        declarations: Sequence[Declaration],
        *,
        whole: bool = True,
        elsewhere: Collection[str] = (),
    ) -> Report:
        """Every finding in its place, each once, in the order of all reports.

        Args:
            whole: whether these are all findings of the site, so that a suppression which silences none is unused.
            elsewhere: keys of answers whose findings are left to another run.
        """
        applied = self._applied(findings, declarations, elsewhere)
        refused = map(suppressions.refused, self._of_pages(declarations)[1])
        unused = (*applied.unused, *refused) if whole else ()
        graded = [self.graded(finding) for finding in dict.fromkeys((*applied.shown, *unused))]
        shown = (finding for finding in graded if finding.severity is not Severity.OFF)
        return Report(
            shown=tuple(sorted(shown, key=lambda finding: finding.sort_key)),
            suppressed=applied.suppressed,
            ignored=tuple(finding for finding in graded if finding.severity is Severity.OFF),
        )

    def extended(self, report: Report, findings: Iterable[Finding]) -> Report:
        """The report with the findings of a later stage sorted in."""
        more = self.sort(findings, (), whole=False)
        return replace(
            report,
            shown=tuple(sorted((*report.shown, *more.shown), key=lambda finding: finding.sort_key)),
            suppressed=report.suppressed + more.suppressed,
            ignored=report.ignored + more.ignored,
        )

    def _applied(
        self, findings: Iterable[Finding], declarations: Sequence[Declaration], elsewhere: Collection[str] = ()
    ) -> suppressions.Sorted:
        silenced = (*self.settings.suppress, *self._of_pages(declarations)[0], *self.baseline)
        return suppressions.apply(findings, silenced, self.today, elsewhere=elsewhere)

    def _of_pages(self, declarations: Iterable[Declaration]) -> tuple[list[Suppression], list[Suppression]]:
        """The suppressions that pages may have, and those that they may not: a proof counts, whatever its page says."""
        held: tuple[list[Suppression], list[Suppression]] = [], []
        for item in suppressions.of_declarations(declarations):
            held[item.slug in PROOFS and item.slug not in self.settings.page_suppress].append(item)
        return held
