"""`missing-citation`: a claim has no citation."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.answer_text.markdown import BlockKind, blocks
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule


class MissingCitation(Rule):
    """Every claim is cited, unless `min_coverage` lets some go uncited (`low-coverage`), or `cite: false` all."""

    slug = "missing-citation"

    def check(self, audit: Audit) -> Iterator[Finding]:
        if not audit.declaration.cited or audit.settings.min_coverage < 1:
            return
        code = {block.start for block in blocks(audit.content) if block.kind is BlockKind.CODE}
        for claim in audit.uncited:
            what, tip = "", "put the number of the passage that says so behind it, or take the sentence out"
            if claim.start in code:
                what, tip = (
                    "the code ",
                    "put the number of the passage that has it behind the sentence that leads into it",
                )
            yield found(
                self.slug,
                audit.place(claim.start),
                f"no source is cited for {what}“{shorten(collapse(claim.text))}”",
                tip=tip,
                answer=audit.declaration.key,
                claim=claim.text,
            )
