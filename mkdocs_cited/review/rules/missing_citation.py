"""`missing-citation`: a claim has no citation."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule
from mkdocs_cited.text import collapse, shorten


class MissingCitation(Rule):
    """Every claim is cited, as far as `min_coverage` asks for it; `cite: false` asks for none."""

    slug = "missing-citation"

    def check(self, audit: Audit) -> Iterator[Finding]:
        if not audit.declaration.cited or audit.coverage >= audit.settings.min_coverage:
            return
        for claim in audit.claims:
            if not claim.sids:
                text = collapse(claim.text)
                yield found(
                    self.slug,
                    audit.place(claim.start),
                    f"no source is cited for “{shorten(text)}”",
                    tip="put the number of the passage that says so behind it, or take the sentence out",
                    answer=audit.declaration.key,
                    claim=claim.text,
                )
