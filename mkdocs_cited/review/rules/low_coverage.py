"""`low-coverage`: too few of an answer's claims are cited."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule

MOST_NAMED = 5
"""Claims that the message names."""
LONGEST = 80
"""Characters of each."""


class LowCoverage(Rule):
    """Cited claims ÷ claims is not below `min_coverage`; `cite: false` asks for no citations.

    With `min_coverage: 1` every uncited claim is `missing-citation`, and there is no more to say.
    """

    slug = "low-coverage"

    def check(self, audit: Audit) -> Iterator[Finding]:
        least, uncited = audit.settings.min_coverage, audit.uncited
        cited, claims = len(audit.claims) - len(uncited), len(audit.claims)
        if not audit.declaration.cited or least == 1 or cited >= least * claims:
            return
        named = ", ".join(f"“{shorten(collapse(claim.text), LONGEST)}”" for claim in uncited[:MOST_NAMED])
        more = f" and {len(uncited) - MOST_NAMED} more" if len(uncited) > MOST_NAMED else ""
        yield found(
            self.slug,
            audit.place(uncited[0].start),
            f"{cited} of {claims} claims of `{audit.declaration.key}` cite a source ({cited / claims:.0%}); "
            f"`min_coverage` asks for {least:.0%}; no source is cited for {named}{more}",
            tip="cite them, take them out, or lower `min_coverage`",
            answer=audit.declaration.key,
        )
