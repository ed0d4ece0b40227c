"""`low-coverage`: too few of an answer's claims are cited."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule


class LowCoverage(Rule):
    """Cited claims ÷ claims is not below `min_coverage`; `cite: false` asks for no citations."""

    slug = "low-coverage"

    def check(self, audit: Audit) -> Iterator[Finding]:
        least = audit.settings.min_coverage
        if not audit.declaration.cited or audit.coverage >= least:
            return
        cited = sum(bool(claim.sids) for claim in audit.claims)
        yield found(
            self.slug,
            audit.place(),
            f"{cited} of {len(audit.claims)} claims of `{audit.declaration.key}` cite a source "
            f"({audit.coverage:.0%}); `min_coverage` asks for {least:.0%}",
            tip="cite the claims that `missing-citation` names, or lower `min_coverage`",
            answer=audit.declaration.key,
        )
