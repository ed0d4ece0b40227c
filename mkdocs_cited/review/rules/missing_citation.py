"""`missing-citation`: a claim has no citation."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule


class MissingCitation(Rule):
    """Every claim is cited, unless `min_coverage` lets some go uncited (`low-coverage`), or `cite: false` all."""

    slug = "missing-citation"

    def check(self, audit: Audit) -> Iterator[Finding]:
        if not audit.declaration.cited or audit.settings.min_coverage < 1:
            return
        for claim in audit.uncited:
            yield found(
                self.slug,
                audit.place(claim.start),
                f"no source is cited for “{shorten(collapse(claim.text))}”",
                tip="put the number of the passage that says so behind it, or take the sentence out",
                answer=audit.declaration.key,
                claim=claim.text,
            )
