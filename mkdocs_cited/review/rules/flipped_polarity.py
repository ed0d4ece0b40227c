"""`flipped-polarity`: the claim says the opposite of its passage."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.base.languages import language_of
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule
from mkdocs_cited.review.lexical.alignment import Alignment, align
from mkdocs_cited.review.lexical.disagreements import Disagreement, disagreements
from mkdocs_cited.review.lexical.reading import read
from mkdocs_cited.review.lexical.reviewer import LONGEST
from mkdocs_cited.review.passages import related

_KINDS = frozenset({"negation", "opposite"})
LEAST_SHARE = 0.9
"""Share of the claim that one sentence of the passage must hold before its turn counts as one, 0…1."""
LEAST_WEIGHT = 0.8
"""Weight of the turned word with its surroundings, 0…1."""


class FlippedPolarity(Rule):
    """Claim and passage say the same words, but one of them negates, or has an opposite in its place.

    Only a claim that repeats a sentence almost wholly is judged here; the rest is the reviewer's.
    """

    slug = "flipped-polarity"

    def check(self, audit: Audit) -> Iterator[Finding]:
        for claim in audit.claims:
            evidence = audit.evidence(claim)
            if not evidence:
                continue
            language = language_of(evidence[0].passage.page.locale)
            if len(read(claim.text, language).tokens) > LONGEST:
                continue  # no sentence is repeated, and the reviewer does not read this either
            alignments = [align(read(claim.text, language), read(item.passage.text, language)) for item in evidence]
            best = max(alignments, key=lambda each: each.joint)
            piece = turned(best)
            if piece is None:
                continue
            yield found(
                self.slug,
                audit.place(claim.start),
                f"the claim says the opposite of its passage: {piece.message}",
                tip="say it as the passage does",
                answer=audit.declaration.key,
                claim=claim.text,
                marks=(piece.claim,),
                related=tuple(related("the cited passage", item.passage) for item in evidence),
            )


def turned(alignment: Alignment) -> Disagreement | None:
    """Return the word by which a claim that repeats its passage turns it round, if there is one."""
    weights = alignment.claim.weights
    total = sum(weights) or 1.0
    held = sum(weight for weight, link in zip(weights, alignment.links, strict=True) if link)
    if held / total < LEAST_SHARE:
        return None
    pieces = [p for p in disagreements(alignment) if p.kind in _KINDS and p.weight >= LEAST_WEIGHT]
    return pieces[0] if len(pieces) == 1 else None
