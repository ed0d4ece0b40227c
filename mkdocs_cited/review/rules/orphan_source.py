"""`orphan-source`: a source is numbered and never cited."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.model.finding import Finding, Related, found
from mkdocs_cited.review.interface import Audit, Rule


class OrphanSource(Rule):
    """Each source of the answer has its number in the text: only a hand-edited record can lack it."""

    slug = "orphan-source"

    def check(self, audit: Audit) -> Iterator[Finding]:
        if not audit.declaration.cited:
            return
        used = {sid for sid, _, _ in markers(audit.content)} | {sid for claim in audit.claims for sid in claim.sids}
        for citation in audit.citations:
            if citation.sid not in used:
                passage = audit.corpus.passage(citation.passage)
                yield found(
                    self.slug,
                    audit.place(),
                    f"source {citation.sid} of `{audit.declaration.key}` (`{citation.passage}`) is cited nowhere",
                    tip=f"put `[^{citation.sid}]` behind what it supports, or take the source out of the record",
                    answer=audit.declaration.key,
                    related=(Related("the source", passage=citation.passage, text=passage.text if passage else ""),),
                )
