"""The rules that find a changed fact: each reports one kind of what the offline reader proves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule
from mkdocs_cited.review.lexical.proofs import ProofKind
from mkdocs_cited.review.lexical.reviewer import read
from mkdocs_cited.review.passages import related


class ProvenRule(Rule):
    """One finding for each proof of a kind."""

    kind: ClassVar[ProofKind]
    tip: ClassVar[str]

    def check(self, audit: Audit) -> Iterator[Finding]:
        declaration = audit.declaration
        for claim in audit.claims:
            evidence = audit.evidence(claim)
            if not evidence or any(item.passage.value for item in evidence):  # whose word is `review.values`'
                continue
            for proof in read(claim.text, evidence, evidence[0].passage.page.locale, declaration.question).proofs:
                if proof.kind is not self.kind:
                    continue
                shown = [item for item in evidence if item.shown or proof.quote in item.passage.text]
                yield found(
                    self.slug,
                    audit.place(claim.start),
                    proof.message,
                    tip=self.tip,
                    answer=declaration.key,
                    claim=claim.text,
                    marks=(proof.claim,),
                    related=tuple(related("the cited passage", item.passage) for item in shown),
                )
