"""`flipped-polarity`: the claim says the opposite of its passage."""

from __future__ import annotations

from mkdocs_cited.review.lexical.proofs import ProofKind
from mkdocs_cited.review.proven import ProvenRule


class FlippedPolarity(ProvenRule):
    """Claim and passage say the same words, but one of them negates, or has an opposite in its place.

    `Yes.` and `No.` are held against a sentence that has all words of the question.
    """

    slug = "flipped-polarity"
    kind = ProofKind.POLARITY
    tip = "say it as the passage does"
