"""`wrong-citation`: another passage supports the claim; the cited one does not."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.answer import Claim, Judgement, Verdict
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule
from mkdocs_cited.review.passages import label, related


class WrongCitation(Rule):
    """Names the passage that a judgement suggests (`review.better`) for a claim that its own do not support."""

    slug = "wrong-citation"

    def check(self, audit: Audit) -> Iterator[Finding]:
        if not audit.judgements:
            return
        for claim, judgement in zip(audit.claims, audit.judgements, strict=True):
            if finding := self.found(claim, judgement, audit):
                yield finding

    def found(self, claim: Claim, judgement: Judgement, audit: Audit) -> Finding | None:
        """The finding for one claim, if its judgement suggests a passage that the site has."""
        if judgement.verdict is Verdict.SUPPORTED or not judgement.suggested or not claim.sids:
            return None
        better = audit.corpus.passage(judgement.suggested)
        if better is None:
            return None
        target = label(better)
        return found(
            self.slug,
            audit.place(claim.start),
            f"“{shorten(collapse(claim.text))}” is not what its citation says, but what {target} says",
            tip=f"cite `{target}` instead: “{shorten(collapse(better.text))}”",
            answer=audit.declaration.key,
            claim=claim.text,
            marks=judgement.missing,
            related=(
                related("the passage that supports it", better),
                *(
                    related("the cited passage", evidence.passage)
                    for evidence in audit.evidence(claim)
                    if evidence.shown
                ),
            ),
        )
